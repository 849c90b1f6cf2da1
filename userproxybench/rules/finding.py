"""What a look at one reply finds, before it is charged to a mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from userproxybench.rules.cues import ANY
from userproxybench.rules.facts import Instruction
from userproxybench.rules.ledger import Ledger, Reply

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


class Finder(NamedTuple):
    """A look at one reply, and the marks without which it finds nothing."""

    find: Callable[[Ledger, Reply], Iterator[Finding]]
    """The look itself."""
    own: int
    """Marks of which the reply has at least one."""
    heard: int
    """Marks of which the agent's words have at least one."""

    def __call__(self, ledger: Ledger, reply: Reply) -> Iterator[Finding]:
        """All that it finds in a reply."""
        return self.find(ledger, reply)


def finder(
    *, own: int = ANY, heard: int = ANY
) -> Callable[[Callable[[Ledger, Reply], Iterator[Finding]]], Finder]:
    """Make a finder of a function, to be called only where its marks are met."""
    return lambda find: Finder(find, own, heard)
