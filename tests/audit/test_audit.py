"""`userproxybench.audit`, from files to frames."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import userproxybench
from tests import dumps
from userproxybench.errors import InputError

FAITHFUL = dumps.dump(dumps.simulation("a"))
TELLING = dumps.dump(dumps.simulation("b", dumps.TELLING), proxy="cinder-nano")


def test_a_faithful_and_a_talkative_user_are_told_apart(tmp_path: Path) -> None:
    dumps.write(tmp_path / "faithful.json", FAITHFUL)
    dumps.write(tmp_path / "telling.json", TELLING)
    found = userproxybench.audit(tmp_path)
    ufs = {proxy.proxy: proxy.ufs for proxy in found.summary.proxies}
    assert ufs == {"aurora-70b": 1.0, "cinder-nano": 0.0}
    failed = found.verdicts[found.verdicts["verdict"] == "fail"]
    assert set(failed["family"]) == {"premature_disclosure"}
    assert set(failed["turn"]) == {1}
    assert all(quotation in dumps.TELLING[1] for quotation in failed["quotation"])


def test_the_summary_names_the_instrument_and_what_it_never_looks_at(tmp_path: Path) -> None:
    found = userproxybench.audit(dumps.write(tmp_path / "a.json", FAITHFUL))
    assert (found.summary.grader, found.summary.rubric_source) == ("rules", "derived")
    assert found.uncovered
    assert any("lower-coverage" in note for note in found.summary.notes)
    assert all(any(mode in note for note in found.summary.notes) for mode in found.uncovered)


def test_gzipped_files_are_read_and_side_files_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    packed = gzip.compress(json.dumps(FAITHFUL).encode())
    (tmp_path / "deep" / "run.json.gz").write_bytes(packed)
    (tmp_path / "progress.json").write_text('{"done": 3}')
    (tmp_path / "notes.txt").write_text("nothing")
    found = userproxybench.audit(tmp_path)
    assert len(found.episodes) == 1
    assert not found.problems
    assert any(line.startswith("progress.json") for line in found.passed_over)


def test_bad_inputs_are_one_line_each_and_the_others_are_audited(tmp_path: Path) -> None:
    good = dumps.write(tmp_path / "good.json", FAITHFUL)
    cut = tmp_path / "cut.json"
    cut.write_text(json.dumps(FAITHFUL)[:-200])
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("a,b\n1,2\n")
    empty = dumps.write(tmp_path / "empty.json", dumps.dump())
    found = userproxybench.audit([cut, wrong, tmp_path / "absent.json", empty, good])
    assert len(found.episodes) == 1
    assert len(found.problems) == 4
    for name in ("cut.json", "wrong.csv", "absent.json", "empty.json"):
        assert sum(name in line for line in found.problems) == 1
    assert all("\n" not in line and len(line) < 500 for line in found.problems)


def test_strict_stops_at_the_first_bad_input(tmp_path: Path) -> None:
    dumps.write(tmp_path / "good.json", FAITHFUL)
    (tmp_path / "bad.json").write_text('{"simulations": [')
    with pytest.raises(InputError, match=r"bad\.json"):
        userproxybench.audit(tmp_path, strict=True)


def test_a_damaged_episode_is_a_problem_among_sound_ones(tmp_path: Path) -> None:
    broken = dumps.simulation("x", messages=[{"role": "user", "content": "hi", "tool_calls": 7}, 3])
    path = dumps.write(tmp_path / "a.json", dumps.dump(dumps.simulation("a"), broken))
    found = userproxybench.audit(path)
    assert len(found.episodes) == 1
    assert len(found.problems) == 1
    assert "simulations[1]" in found.problems[0]
    with pytest.raises(InputError, match=r"simulations\[1\]"):
        userproxybench.audit(path, strict=True)


def test_nothing_to_audit_is_an_error_that_names_every_problem(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.json"):
        userproxybench.audit(tmp_path / "absent.json")
    with pytest.raises(InputError, match="no dump"):
        userproxybench.audit(tmp_path)


def test_one_model_under_two_settings_is_two_proxies(tmp_path: Path) -> None:
    other = dumps.dump(dumps.simulation("b"))
    other["info"]["user_info"]["llm_args"] = {"temperature": 0.0}  # type: ignore[index]  # a dump
    dumps.write(tmp_path / "hot.json", FAITHFUL)
    dumps.write(tmp_path / "cold.json", other)
    names = {proxy.proxy for proxy in userproxybench.audit(tmp_path).summary.proxies}
    assert len(names) == 2
    assert all(name.startswith("aurora-70b@") for name in names)


def test_proxies_are_named_by_glob_where_the_file_does_not_say(tmp_path: Path) -> None:
    bare = dumps.dump(dumps.simulation("a"), info=None)
    path = dumps.write(tmp_path / "mini_run.json", bare)
    found = userproxybench.audit(path, proxies={"mini": "mini*"})
    assert set(found.episodes["proxy"]) == {"mini"}


def test_one_task_id_in_two_domains_is_two_tasks(tmp_path: Path) -> None:
    other = dumps.dump(dumps.simulation("b"))
    other["info"]["environment_info"]["domain_name"] = "library"  # type: ignore[index]  # a dump
    dumps.write(tmp_path / "a.json", FAITHFUL)
    dumps.write(tmp_path / "b.json", other)
    found = userproxybench.audit(tmp_path)
    assert found.summary.counts.tasks == 2
    assert set(found.summary.proxies[0].ufs_by_domain) == {"shop", "library"}


def test_the_same_episode_given_twice_counts_once_and_is_said(tmp_path: Path) -> None:
    dumps.write(tmp_path / "a" / "run.json", FAITHFUL)
    dumps.write(tmp_path / "b" / "run.json", FAITHFUL)
    found = userproxybench.audit(tmp_path)
    assert len(found.episodes) == 1
    assert any("given twice" in note for note in found.notes)


def test_what_never_took_place_is_unscorable_with_its_reason(tmp_path: Path) -> None:
    nothing = dumps.simulation("x", (), termination_reason="infrastructure_error")
    found = userproxybench.audit(dumps.write(tmp_path / "a.json", dumps.dump(nothing)))
    assert found.summary.counts.unscorable == 1
    assert found.summary.proxies[0].ufs is None
    assert sum(found.unjudged.values()) == 1


def test_progress_ends_at_the_number_of_episodes(tmp_path: Path) -> None:
    path = dumps.write(
        tmp_path / "a.json", dumps.dump(*(dumps.simulation(str(n)) for n in range(5)))
    )
    told: list[tuple[int, int]] = []
    userproxybench.audit(path, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (5, 5)


def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    lines = (dumps.FAITHFUL, dumps.TELLING)
    many = [dumps.simulation(str(n), lines[n % 2]) for n in range(20)]
    path = dumps.write(tmp_path / "a.json", dumps.dump(*many))
    one = userproxybench.audit(path, out=tmp_path / "one")
    two = userproxybench.audit(path, out=tmp_path / "two", jobs=2)
    assert one.episodes.equals(two.episodes)
    assert one.verdicts.equals(two.verdicts)
    assert one.summary == two.summary


@pytest.mark.parametrize("source", ["generic", "generate"])
def test_rules_refuse_criteria_that_are_for_readers(tmp_path: Path, source: str) -> None:
    path = dumps.write(tmp_path / "a.json", FAITHFUL)
    with pytest.raises(InputError, match="for model graders"):
        userproxybench.audit(path, rubrics=source)


def test_an_audit_shows_itself_in_a_few_lines(tmp_path: Path) -> None:
    dump = dumps.write(tmp_path / "a.json", dumps.dump(dumps.simulation("a")))
    shown = repr(userproxybench.audit(dump))
    assert shown.startswith("Audit(rules on derived rubrics, 1 episodes")
    assert "aurora-70b: UFS 1.00 (1 of 1 episodes scored)" in shown
    assert len(shown.splitlines()) == 2
