from pathlib import Path

import pytest

from tests.accord_example import FOLDER, SCENARIO, play
from userproxybench.errors import LoadError
from userproxybench.loaders import LoadOptions, NotADumpError, discover, open_input
from userproxybench.loaders.accord import contract_of, read_accord, trajectory_of, turns_of


def test_the_example_loads_like_any_other_dump() -> None:
    found = discover([FOLDER])
    assert [one.name for one in found.inputs] == ["shop.json", "travel.json"]
    assert [side.file for side in found.passed_over] == ["labels.jsonl"]
    for one in found.inputs:
        opened = open_input(one)
        assert (opened.format, len(opened)) == ("AcCoRD", 72)
        assert [proxy.name for proxy in opened.proxies] == ["aurora-70b", "cinder-nano"]
        assert not any(isinstance(episode, LoadError) for episode in opened.episodes())


def test_a_rollout_becomes_a_trajectory_with_its_contract() -> None:
    episode = next(iter(open_input(FOLDER / "shop.json").episodes()))
    assert not isinstance(episode, LoadError)
    trajectory, contract = episode
    assert (trajectory.task_id, trajectory.domain, trajectory.trial) == ("shop-01", "shop", 0)
    assert (trajectory.agent, trajectory.proxy) == ("meridian-large", "aurora-70b")
    assert trajectory.contract_hash == contract.hash
    assert "mustard yellow" in (contract.blueprint.instructions or "")
    assert trajectory.turns[0].speaker == "user"


@pytest.mark.parametrize(
    ("scores", "completed", "reward"),
    [
        pytest.param({"color": 1, "size": 1, "whistle": 0}, True, 2 / 3, id="outcome"),
        pytest.param({"color": 1, "size": 1, "whistle": 1}, False, 0.0, id="not completed"),
        pytest.param({"color": 1}, True, None, id="not scored throughout"),
        pytest.param({}, None, None, id="not known"),
    ],
)
def test_the_reward_is_the_task_score_where_it_is_defined(
    scores: dict[str, float | None], completed: bool | None, reward: float | None
) -> None:
    contract = contract_of(SCENARIO)
    trajectory = trajectory_of(play(scores, completed=completed), contract, "d.json")
    assert trajectory.reward == reward


def test_methods_tell_agents_apart() -> None:
    contract = contract_of(SCENARIO)
    hashes = {
        trajectory_of(play(method=name), contract, "d").agent_settings_hash
        for name in ("react", "uncreact")
    }
    assert len(hashes) == 2


def test_what_the_agent_does_in_the_environment_is_hidden_from_the_user() -> None:
    messages = [
        {"role": "agent", "actions": ["search[kettle]"]},
        {"role": "environment", "content": "3 results"},
        {"role": "agent", "content": "Which color?"},
        {"role": "user", "content": "Copper."},
    ]
    turns = turns_of(play(messages=messages).rollout)
    assert turns[0].tool_calls[0].name == "search"
    assert turns[0].tool_calls[0].arguments == {"input": "kettle"}
    assert (turns[1].tool, turns[1].requestor) == ("search", "agent")
    assert [turn.visible_to_user for turn in turns] == [False, False, True, True]


def test_guidelines_are_none_unless_given() -> None:
    plain = open_input(FOLDER / "shop.json")
    given = open_input(FOLDER / "shop.json", LoadOptions(guidelines="Be brief."))
    assert any("no guidelines recorded" in note for note in plain.notes)
    episode = next(iter(given.episodes()))
    assert not isinstance(episode, LoadError)
    assert episode.contract.guidelines == "Be brief."


def test_the_proxy_can_be_named_by_flag() -> None:
    opened = open_input(FOLDER / "shop.json", LoadOptions(proxies=(("mine", "shop*"),)))
    assert [proxy.name for proxy in opened.proxies] == ["mine"]


def test_a_chat_dump_with_a_scenario_of_its_own_stays_a_chat_dump(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    line = '{"scenario": "You want a kettle.", "messages": [{"role": "user", "content": "Hi"}]}'
    path.write_text(f"{line}\n{line}\n", encoding="utf-8")
    assert open_input(path).format != "AcCoRD"


def test_a_folder_is_no_accord_dump(tmp_path: Path) -> None:
    with pytest.raises(NotADumpError, match="no AcCoRD dump"):
        read_accord(tmp_path, "run")
