"""select on recorded runs: a pick only where one can be made, and the right refusal elsewhere."""

from pathlib import Path

import pytest

import userproxybench
from userproxybench.analysis import Question, decide
from userproxybench.analysis.panel import Panel
from userproxybench.cli.analyze import analyze
from userproxybench.cli.graded import read_graded
from userproxybench.errors import InputError


def audited(shared: Path, out: Path, *names: str) -> Panel:
    userproxybench.audit([shared / "dumps" / name for name in names], out=out)
    return Panel.of(read_graded([out]).tables)


def test_traits_without_a_cost_have_no_cheapest(shared: Path, tmp_path: Path) -> None:
    names = [f"t1_trait_telecom_{trait}.json" for trait in ("none", "incoherence", "confusion")]
    panel = audited(shared, tmp_path / "run", *names)
    with pytest.raises(InputError, match="agent not recorded"):
        decide(panel, Question(0.5))
    with pytest.raises(InputError, match="no proxy has a known cost"):
        decide(panel, Question(0.5, allow_different=True))


def test_two_by_two_is_compared_only_when_the_agent_is_vouched_for(
    shared: Path, tmp_path: Path
) -> None:
    panel = audited(shared, tmp_path / "run", "t2v0_split_retail_2x2")
    with pytest.raises(InputError, match="cannot be compared"):
        decide(panel, Question(0.5))
    got = decide(panel, Question(0.5, allow_different=True))
    assert got.tasks == 8
    assert any("no scored episode, left out" in note for note in got.notes)


def test_twenty_trials_of_one_task_are_not_called_sure(shared: Path, tmp_path: Path) -> None:
    names = [
        f"t2v0_airline_grok3_guidelines_{kind}_20trials.json" for kind in ("initial", "improved")
    ]
    got = decide(audited(shared, tmp_path / "run", *names), Question(0.99, confidence=0.9))
    assert (got.tasks, got.pick, got.stable_share) == (1, None, None)
    assert [one.lower for one in got.candidates] == [None, None]
    analyze([tmp_path / "run"], out=tmp_path / "out", resamples=100)
    assert (tmp_path / "out" / "tables" / "aggregate.csv").is_file()
