"""What the user side of a conversation cost, as far as the dump records it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from userproxybench.loaders.limits import is_count
from userproxybench.loaders.messages import Message, Usage
from userproxybench.models import UserCost

FREE_NOTE = "user cost 0.0 beside recorded usage: a free or unpriced model, cost unknown"
LAST_CALL_NOTE = "recorded user cost covers the last call only; not used as a run total"


class Costed(NamedTuple):
    """A cost and what had to be assumed about it."""

    cost: UserCost
    """The cost."""
    notes: tuple[str, ...]
    """Assumptions."""


def user_cost(
    messages: Sequence[Message],
    *,
    scripted: Container[int] = (),
    total: float | None = None,
    discarded: int = 0,
) -> Costed:
    """Sum the costs of the simulator's own messages.

    The recorded `total` of a simulation is used only where no message has a cost, because tau2
    sets it to null as soon as any message, the agent's too, lacks one. A sum of 0 is unknown:
    free and unpriced models are recorded that way.
    """
    own = [
        message
        for index, message in enumerate(messages)
        if message.role == "user" and index not in scripted
    ]
    costs = [message.cost for message in own if message.cost is not None]
    recorded = [message.usage for message in own if message.usage is not None]
    usages = [usage for usage in recorded if _sensible(usage)]
    calls, priced, dollars = len(own), len(costs), sum(costs)
    usd = dollars if priced and priced == calls else None
    if calls and not priced:
        usd = total
    notes = []
    if usd is not None and usd <= 0:
        notes.append(FREE_NOTE)
        usd = None
    elif usd is not None and total is None:
        notes.append("the simulation's user_cost is null; recomputed from its messages")
    if absurd := len(recorded) - len(usages):
        notes.append(f"token counts out of range on {absurd} of {calls} calls: read as unknown")
    if discarded:
        notes.append(f"cost covers the kept attempt only; {discarded} discarded attempts")
    cost = UserCost(
        usd,
        "unknown" if usd is None else "recorded",
        _total([usage.prompt_tokens for usage in usages]),
        _total([usage.completion_tokens for usage in usages]),
        calls,
        priced,
        len(usages),
        discarded,
    )
    return Costed(cost, tuple(notes))


def _sensible(usage: Usage) -> bool:
    return is_count(usage.prompt_tokens) and is_count(usage.completion_tokens)


def _total(tokens: list[float | None]) -> int | None:
    known = [count for count in tokens if count is not None]
    return round(sum(known)) if known else None


def cost_line(cost: UserCost) -> str:
    """A cost in words: tokens, their coverage, dollars or that they are unknown."""
    parts = []
    if cost.metered_calls:
        parts.append(
            f"{cost.prompt_tokens}/{cost.completion_tokens} tokens over "
            f"{cost.metered_calls} of {cost.calls} turns"
        )
    parts.append("cost unknown" if cost.usd is None else f"${cost.usd:.6f} {cost.basis}")
    if cost.discarded_attempts:
        parts.append(f"kept attempt only, {cost.discarded_attempts} discarded attempts")
    return "; ".join(parts)
