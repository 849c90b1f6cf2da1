"""Predicates for criteria written by hand: the author says in so many words what to look for.

The checks of derived criteria read the blueprint for themselves; these hold a few values or words
and read nothing, so that one glance tells what they will find and what they will miss.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from userproxybench.models.contract import Record

StatedKind = Literal["email", "code", "date", "phone", "money"]
"""Values that can be told by their form; a `code` holds a digit and a capital letter."""


class OnlyAfter(Record):
    """The user says, or calls, something only after the agent has spoken of something else."""

    kind: Literal["only_after"] = "only_after"
    terms: tuple[str, ...] = ()
    """Values or words of which any gives it away; inflected forms of a word count too."""
    tools: tuple[str, ...] = ()
    """Own tools of which any call gives it away."""
    asked: tuple[str, ...] = ()
    """Kinds of information: an agent turn that asks for any of them permits it."""
    after: tuple[str, ...] = ()
    """Words of which any in an agent turn permits it."""
    told: bool = True
    """Whether the agent's saying it first permits it too."""


class StatesOnly(Record):
    """Of one kind of value the user states none but those allowed or told."""

    kind: Literal["states_only"] = "states_only"
    values: StatedKind
    """The kind of value."""
    allowed: tuple[str, ...] = ()
    """Values that it may state; empty: none."""
    told: bool = True
    """Whether it may repeat what the agent or its own tools stated."""


class EndsOnlyWhen(Record):
    """The user ends as satisfied only while its own latest check shows success.

    An end after the agent handed it over, or said that it can do no more, is none of satisfaction.
    """

    kind: Literal["ends_only_when"] = "ends_only_when"
    tools: tuple[str, ...]
    """Tools that show it; the latest result of any of them counts."""
    shows: tuple[str, ...]
    """Words of which any in that result is success."""


class CalledWith(Record):
    """Calls of one own tool carry the given arguments."""

    kind: Literal["called_with"] = "called_with"
    tool: str
    """The tool."""
    arguments: dict[str, str] = Field(min_length=1)
    """Argument to value; compared in letters and digits, numbers as numbers."""
