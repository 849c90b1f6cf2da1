"""What a look at one reply finds, before it is charged to a mode."""

from __future__ import annotations

from typing import Literal, NamedTuple

from userproxybench.rules.facts import Instruction

Reading = Literal["unsupported", "differs", "unknown"]
"""`unknown`: marked as unknown; `differs`: the blueprint has another; else `unsupported`."""


class Finding(NamedTuple):
    """Words of a reply that nothing the user may know supports."""

    start: int
    """Position in the turn."""
    shown: str
    """The words."""
    key: str
    """One form for all ways to say it: charged at its first statement only."""
    reading: Reading | None = None
    """How to read it; `None`: the contract decides."""
    reason: str = ""
    """Why it is one; empty where the reading says it all."""
    unknown: Instruction | None = None
    """`unknown`: the sentence that marks it."""
