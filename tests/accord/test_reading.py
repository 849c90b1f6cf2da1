import json
from pathlib import Path

import pytest

from userproxybench.accord.reading import Dump
from userproxybench.errors import LoadError
from userproxybench.loaders import NotADumpError, open_input
from userproxybench.loaders.accord import read_accord


def scenario(**more: object) -> dict[str, object]:
    preference = {"id": "c", "attribute": "color", "value": "teal", "dynamic": "unachievable"}
    return {"id": "s1", "domain": "shop", "preferences": [preference | {"backoff": "grey"}], **more}


def rollout(**more: object) -> dict[str, object]:
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "agent", "content": "Which color?"},
        {"role": "user", "content": "Teal."},
    ]
    return {"scenario": "s1", "rollout": 0, "completed": False, "messages": messages, **more}


def read(tmp_path: Path, **parts: object) -> Dump:
    path = tmp_path / "dump.json"
    given = {"scenarios": [scenario()], "rollouts": [rollout()], **parts}
    path.write_text(json.dumps(given), encoding="utf-8")
    return read_accord(path, path.name)


def test_a_missing_backoff_is_said_and_the_preference_kept(tmp_path: Path) -> None:
    preferences = [{"id": "c", "attribute": "color", "value": "teal", "dynamic": "unachievable"}]
    dump = read(tmp_path, scenarios=[scenario(preferences=preferences)])
    assert len(dump.scenarios[0].preferences) == 1
    assert "'c' is unachievable and has no backoff" in dump.notes[0]


def test_an_unknown_dynamic_is_said_and_the_preference_kept(tmp_path: Path) -> None:
    preferences = [{"id": "c", "attribute": "color", "value": "teal", "dynamic": "moody"}]
    dump = read(tmp_path, scenarios=[scenario(preferences=preferences)])
    assert dump.scenarios[0].preferences[0].dynamic is None
    assert "unknown dynamic 'moody'" in dump.notes[0]
    assert len(dump.plays) == 1


@pytest.mark.parametrize(
    ("spelled", "dynamic"),
    [
        ("Hard Underspec.", "hard_underspecified"),
        ("SOFT", "soft_underspecified"),
        ("Unachievable", "unachievable"),
        ("triggered-preference", "triggered"),
    ],
)
def test_other_spellings_of_a_dynamic_are_known(spelled: str, dynamic: str, tmp_path: Path) -> None:
    preferences = [
        {"id": "c", "attribute": "color", "value": "teal", "dynamic": spelled, "backoff": "grey"}
    ]
    dump = read(tmp_path, scenarios=[scenario(preferences=preferences)])
    assert dump.scenarios[0].preferences[0].dynamic == dynamic
    assert dump.notes == ()


def test_a_completed_rollout_without_purchase_is_said_and_kept(tmp_path: Path) -> None:
    dump = read(tmp_path, rollouts=[rollout(completed=True)])
    assert dump.plays[0].notes == ("completed, but no purchase or itinerary is recorded",)


def test_zero_rollouts_leave_the_scenarios(tmp_path: Path) -> None:
    dump = read(tmp_path, rollouts=[])
    assert len(dump.scenarios) == 1
    assert dump.notes == ("the dump holds no rollouts: dataset statistics only",)


def test_zero_rollouts_are_no_input_for_an_audit(tmp_path: Path) -> None:
    read(tmp_path, rollouts=[])
    with pytest.raises(LoadError, match="the dump holds no rollouts"):
        open_input(tmp_path / "dump.json")


@pytest.mark.parametrize(
    ("second", "said"),
    [
        pytest.param(scenario(), "the same way", id="identical"),
        pytest.param(scenario(instructions="Other."), "differently; the first is used", id="other"),
    ],
)
def test_a_duplicate_scenario_is_said_and_no_rollout_lost(
    second: dict[str, object], said: str, tmp_path: Path
) -> None:
    dump = read(tmp_path, scenarios=[scenario(), second])
    assert len(dump.scenarios) == 1
    assert said in dump.notes[0]
    assert len(dump.plays) == 1


def test_a_duplicate_preference_gets_an_id_of_its_own(tmp_path: Path) -> None:
    preferences = [
        {"id": "c", "attribute": "color", "value": "teal"},
        {"id": "c", "attribute": "size", "value": "large"},
    ]
    dump = read(tmp_path, scenarios=[scenario(preferences=preferences)])
    assert [p.id for p in dump.scenarios[0].preferences] == ["c", "c~2"]
    assert "'c' is given twice" in dump.notes[0]


def test_a_repeated_rollout_number_is_said_and_both_kept(tmp_path: Path) -> None:
    dump = read(tmp_path, rollouts=[rollout(), rollout()])
    assert len(dump.plays) == 2
    assert "recorded 2 times under one number" in dump.notes[0]


def test_a_rollout_of_an_unknown_scenario_is_one_line_and_the_others_stay(tmp_path: Path) -> None:
    dump = read(tmp_path, rollouts=[rollout(scenario="s9"), rollout()])
    assert len(dump.plays) == 1
    assert str(dump.problems[0]).startswith("dump.json: rollouts[0]: scenario 's9' is not among")


def test_a_damaged_rollout_names_its_place(tmp_path: Path) -> None:
    broken = rollout(messages=[{"role": "narrator", "content": "x"}])
    dump = read(tmp_path, rollouts=[rollout(), broken])
    assert len(dump.plays) == 1
    assert "rollouts[1].messages[0].role" in str(dump.problems[0])


def test_a_score_for_a_stranger_is_said(tmp_path: Path) -> None:
    dump = read(tmp_path, rollouts=[rollout(preference_scores={"zz": 1})])
    assert "unknown preference 'zz'" in dump.plays[0].notes[0]


def test_a_list_of_scores_goes_with_the_preferences(tmp_path: Path) -> None:
    dump = read(tmp_path, rollouts=[rollout(preference_scores=[1])])
    assert dump.plays[0].rollout.preference_scores == {"c": 1}


def test_lines_with_their_scenario_inside_are_the_same_dump(tmp_path: Path) -> None:
    whole = read(tmp_path)
    path = tmp_path / "dump.jsonl"
    lines = [rollout(scenario=scenario()), rollout(scenario=scenario(), rollout=1)]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    dump = read_accord(path, path.name)
    assert dump.scenarios == whole.scenarios
    assert len(dump.plays) == 2
    assert open_input(path).format == "AcCoRD"


def test_a_file_of_another_kind_is_no_dump(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"simulations": []}', encoding="utf-8")
    with pytest.raises(NotADumpError, match="no AcCoRD dump"):
        read_accord(path, path.name)
