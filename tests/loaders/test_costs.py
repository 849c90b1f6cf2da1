"""Recorded cost of the user side."""

from __future__ import annotations

import pytest

from userproxybench.loaders.costs import cost_line, user_cost
from userproxybench.loaders.messages import Message, Usage


def user(cost: float | None, tokens: int | None = None) -> Message:
    return Message(role="user", cost=cost, usage=None if tokens is None else Usage(tokens, 1))


@pytest.mark.parametrize(
    ("costs", "total", "usd"),
    [
        ([0.1, 0.2], 9.0, 0.1 + 0.2),
        ([0.1, None], None, None),
        ([None, None], 0.5, 0.5),
        ([None, None], None, None),
        ([0.0, 0.0], 0.0, None),
        ([], 0.0, None),
    ],
    ids=["summed", "one unpriced", "total only", "nothing", "free", "no user turns"],
)
def test_dollars_are_a_full_sum_or_unknown(
    costs: list[float | None], total: float | None, usd: float | None
) -> None:
    cost = user_cost([user(cost, 10) for cost in costs], total=total).cost
    assert cost.usd == usd
    assert cost.basis == ("unknown" if usd is None else "recorded")


def test_scripted_and_agent_messages_are_left_out() -> None:
    messages = [user(5.0), Message(role="assistant", cost=7.0), user(0.5, 10)]
    cost = user_cost(messages, scripted={0}).cost
    assert (cost.usd, cost.calls, cost.prompt_tokens) == (0.5, 1, 10)


def test_a_cost_line_names_coverage_and_dollars() -> None:
    assert cost_line(user_cost([user(0.5, 10)]).cost) == (
        "10/1 tokens over 1 of 1 turns; $0.500000 recorded"
    )
