"""What the audit itself cost, from the replies on file."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from userproxybench.models.exchange import Reply


class Spending(msgspec.Struct, frozen=True):
    """What the calls of one role cost over the life of a run folder."""

    role: str
    """`generator`, `verifier`, `grader`, …"""
    calls: int = 0
    """Replies on file."""
    prompt_tokens: int = 0
    """Prompt tokens over the replies that report them."""
    completion_tokens: int = 0
    """Completion tokens over the replies that report them."""
    cache_read_tokens: int = 0
    """Prompt tokens read from the provider's cache."""
    usd: float | None = None
    """Dollars; `None` when any reply is unpriced."""


def spending_of(role: str, replies: Sequence[Reply]) -> Spending:
    """The sums over one role's replies."""
    prices = [reply.usd for reply in replies]
    return Spending(
        role=role,
        calls=len(replies),
        prompt_tokens=sum(reply.prompt_tokens or 0 for reply in replies),
        completion_tokens=sum(reply.completion_tokens or 0 for reply in replies),
        cache_read_tokens=sum(reply.cache_read_tokens for reply in replies),
        usd=None if None in prices else sum(price for price in prices if price is not None),
    )
