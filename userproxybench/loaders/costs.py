"""What the user side of a conversation cost, as far as the dump records it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from userproxybench.loaders.messages import Message
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
    usages = [message.usage for message in own if message.usage is not None]
    prompts = [usage.prompt_tokens for usage in usages if usage.prompt_tokens is not None]
    completions = [
        usage.completion_tokens for usage in usages if usage.completion_tokens is not None
    ]
    usd = sum(costs) if costs and len(costs) == len(own) else None
    if not costs and own:
        usd = total
    notes = []
    if usd is not None and usd <= 0:
        notes.append(FREE_NOTE)
        usd = None
    elif usd is not None and len(costs) == len(own) and total is None:
        notes.append("the simulation's user_cost is null; recomputed from its messages")
    if discarded:
        notes.append(f"cost covers the kept attempt only; {discarded} discarded attempts")
    cost = UserCost(
        usd=usd,
        basis="unknown" if usd is None else "recorded",
        prompt_tokens=round(sum(prompts)) if prompts else None,
        completion_tokens=round(sum(completions)) if completions else None,
        calls=len(own),
        priced_calls=len(costs),
        metered_calls=len(usages),
        discarded_attempts=discarded,
    )
    return Costed(cost, tuple(notes))


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
