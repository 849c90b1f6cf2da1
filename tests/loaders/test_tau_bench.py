"""tau-bench v1 results and what was converted to their shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loaders.dumps import item, only, read, say, write
from userproxybench.loaders import LoadOptions, open_input

SYSTEM = say("system", "# Library Agent Policy\n\nBe kind.")


def openai_call(name: str, arguments: object) -> dict[str, object]:
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}


def test_react_tool_results_are_tool_turns_of_the_agent(tmp_path: Path) -> None:
    traj = [
        SYSTEM,
        say("user", "Hi."),
        say("assistant", "Action: look"),
        say("user", "API output: 3"),
    ]
    trajectory = only(tmp_path, [item(traj)]).trajectory
    last = trajectory.turns[-1]
    assert (last.speaker, last.requestor, last.text) == ("tool", "agent", "3")
    assert trajectory.cost.calls == 1


def test_an_error_item_is_an_episode_with_nothing_to_grade(tmp_path: Path) -> None:
    broken = item([], info={"error": "x", "traceback": "/home/someone/run.py"})
    episode = only(tmp_path, [broken])
    assert episode.trajectory.not_auditable.startswith("error item")
    assert "someone" not in repr(episode)


def test_a_single_item_is_a_run_of_one(tmp_path: Path) -> None:
    opened = open_input(write(tmp_path, item([SYSTEM, say("user", "###STOP###")])))
    assert (len(opened), opened.format) == (1, "tau-bench v1")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"id": 3}', {"id": 3}),
        ({"id": 3}, {"id": 3}),
        ("{'id': 3}", {"id": 3}),
        ("", {}),
        ("not json", {"": "not json"}),
    ],
    ids=["JSON text", "object", "printed Python", "empty", "neither"],
)
def test_arguments_are_objects_however_they_are_written(
    tmp_path: Path, arguments: object, expected: dict[str, object]
) -> None:
    traj = [say("assistant", None, tool_calls=[openai_call("look", arguments)])]
    (made,) = only(tmp_path, [item(traj)]).trajectory.turns[0].tool_calls
    assert made.arguments == expected


def test_domain_is_read_from_the_policy_heading(tmp_path: Path) -> None:
    assert only(tmp_path, [item([SYSTEM, say("user", "Hi.")])]).contract.domain == "library"


def test_guidelines_are_assumed_or_given(tmp_path: Path) -> None:
    path = write(tmp_path, [item([SYSTEM, say("user", "Hi.")])])
    (assumed,), (given,) = read(path), read(path, LoadOptions(guidelines="Be yourself."))
    assert assumed.contract.guidelines_source == "assumed"
    assert "not hand over the whole instruction" in assumed.contract.guidelines
    assert (given.contract.guidelines, given.contract.guidelines_source) == ("Be yourself.", "file")


def test_the_benchmarks_own_file_name_names_proxy_and_agent(tmp_path: Path) -> None:
    name = "tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-mini-react_0514.json"
    (episode,) = read(write(tmp_path, [item([SYSTEM, say("user", "Hi.")])], name))
    assert episode.trajectory.proxy == "gpt-4o-mini (react)"
    assert episode.trajectory.agent == "gpt-4o (tool-calling)"
    assert episode.trajectory.proxy_identity == "name"


def test_content_may_be_absent_or_in_parts(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "one "}, {"type": "text", "text": "two"}]
    turns = only(tmp_path, [item([{"role": "assistant"}, say("user", parts)])]).trajectory.turns
    assert [turn.text for turn in turns] == ["", "one two"]


def test_one_wrong_item_leaves_the_others(tmp_path: Path) -> None:
    good = item([SYSTEM, say("user", "Hi.")])
    opened = open_input(write(tmp_path, [good, item([7]), good]))  # type: ignore[list-item]
    assert [hasattr(one, "trajectory") for one in opened.episodes()] == [True, False, True]
