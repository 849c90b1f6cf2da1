"""What an evaluator says of one check on one trajectory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from userproxybench.models import Outcome


class Hit(NamedTuple):
    """One visible violation."""

    turn: int
    """Message index of the user turn."""
    quotation: str
    """Words of that turn, or a tool name on a tool turn."""
    reason: str
    """Why it is one."""


class Answer(NamedTuple):
    """Outcome and violations, earliest first."""

    outcome: Outcome
    """`fail` exactly when there are hits."""
    hits: tuple[Hit, ...] = ()
    """The violations."""


NOT_APPLICABLE = Answer("not_applicable")
PASS = Answer("pass")


def answer(hits: Iterable[Hit], *, arose: bool) -> Answer:
    """`fail` with its hits, else `pass` or `not_applicable` by whether the situation arose."""
    found = set(hits)
    if found:
        return Answer("fail", tuple(sorted(found)))
    return PASS if arose else NOT_APPLICABLE
