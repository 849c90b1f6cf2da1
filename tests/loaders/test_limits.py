"""Numbers that no table holds and endings that leak stop at the door."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import userproxybench
from tests import dumps
from userproxybench.loaders import open_input
from userproxybench.loaders.costs import user_cost
from userproxybench.loaders.limits import LARGEST, LONGEST_ENDING, ending, within_limits
from userproxybench.loaders.messages import Message, Usage
from userproxybench.models import Source, Trajectory, UserCost

PLAIN = Trajectory("a", "t", "d", "p", "g", (), "", Source("f", 0))


@pytest.mark.parametrize(
    ("reason", "kept"),
    [
        ("user_stop", "user_stop"),
        ("too_many_errors", "too_many_errors"),
        ("skipped_by_the_harness", "skipped_by_the_harness"),
        ("max_tokens: 4096 reached", "max_tokens: 4096 reached"),
        ("agent_error: sk-abc123DEF456", "agent_error: [secret]"),
        ("401 api_key=abcdef", "401 [secret]"),
        ("Authorization: Bearer abcdef", "[secret]"),
        ("error at https://me:pass@host/v1", "error at https[secret]host/v1"),
        ("x" * 61, "x" * 59 + "…"),
        ("x" * 55 + " sk-abc123DEF456", "x" * 55 + " [se…"),
    ],
    ids=["enum", "enum 2", "word in sk", "tokens", "sk", "key", "bearer", "url", "long", "cut"],
)
def test_an_ending_is_short_and_holds_no_secret(reason: str, kept: str) -> None:
    assert ending(reason) == kept[:LONGEST_ENDING]


def test_a_sound_trajectory_is_left_as_it_is() -> None:
    assert within_limits(PLAIN) is PLAIN


@pytest.mark.parametrize("count", [LARGEST * 1000, 10**400, -1], ids=["int64", "400 digits", "-1"])
def test_a_count_beyond_every_table_is_unknown_and_noted(count: int) -> None:
    costed = user_cost(
        [Message(role="user", usage=Usage(count, 1)), Message(role="user", usage=Usage(7, 2))]
    )
    assert (costed.cost.prompt_tokens, costed.cost.metered_calls) == (7, 1)
    assert any("1 of 2 calls" in note for note in costed.notes)
    kept = within_limits(
        msgspec.structs.replace(PLAIN, cost=UserCost(0.5, prompt_tokens=count), trial=10**30)
    )
    assert (kept.cost.prompt_tokens, kept.cost.usd, kept.trial) == (None, None, None)
    assert len(kept.notes) == 2


def test_one_absurd_number_and_one_leaking_ending_lose_no_audit(tmp_path: Path) -> None:
    leaking = "agent_error: sk-abc123DEF456 " + "and so on " * 30
    dump = dumps.dump(
        dumps.simulation("a", termination_reason=leaking, messages=[]),
        dumps.simulation("b", termination_reason=leaking),
    )
    dump["simulations"][1]["messages"][1]["usage"] = {  # type: ignore[index]  # a dump
        "prompt_tokens": 99999999999999999999,
        "completion_tokens": 1,
    }
    path = dumps.write(tmp_path / "dump.json", dump)
    found = userproxybench.audit(path, out=tmp_path / "run")
    assert found.episodes["prompt_tokens"].isna().all()
    assert any("token counts" in note for note in found.notes)
    assert all(len(text) <= LONGEST_ENDING for text in found.episodes["termination"])
    assert not any("abc123" in reason for reason in found.unjudged)
    for file in (tmp_path / "run").rglob("*.*"):
        assert b"abc123" not in file.read_bytes()
    description = open_input(path).describe()
    assert "abc123" not in str(description)
