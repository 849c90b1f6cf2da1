"""Audits by a model: asked once, found again, never mixed with rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import userproxybench
from tests import dumps
from userproxybench.audit.judges import Judges, judges_named, model_grader
from userproxybench.audit.running import Request, foresee
from userproxybench.audit.writing import Authors
from userproxybench.errors import InputError, RunFolderError
from userproxybench.llm import ScriptedModel
from userproxybench.loaders import LoadOptions
from userproxybench.models import MODES

PASS = '{"reason": "nothing against it", "verdict": "pass", "turn": null, "quotation": ""}'


def judge(reply: str = PASS) -> ScriptedModel:
    return ScriptedModel([reply], name="openai/judge")


def judges(model: ScriptedModel, *, with_rules: bool = False) -> Judges:
    return Judges(model_grader(model, with_rules=with_rules, jobs=2))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    both = (dumps.simulation("a"), dumps.simulation("b", dumps.TELLING))
    return dumps.write(tmp_path / "in.json", dumps.dump(*both))


def test_a_model_answers_one_criterion_per_mode(path: Path, tmp_path: Path) -> None:
    model = judge()
    found = userproxybench.audit(
        path, grader=judges(model), rubrics="generic", out=tmp_path / "run"
    )
    assert len(model.prompts) == 2 * len(MODES)
    assert found.summary.grader == "openai/judge"
    assert found.summary.rubric_source == "generic"
    assert set(found.verdicts["verdict"]) == {"pass"}
    assert found.uncovered == ()
    assert not any("lower-coverage" in note for note in found.summary.notes)


def test_the_second_run_asks_nothing(path: Path, tmp_path: Path) -> None:
    first = userproxybench.audit(
        path, grader=judges(judge()), rubrics="generic", out=tmp_path / "run"
    )
    model = judge("never asked")
    again = userproxybench.audit(
        path, grader=judges(model), rubrics="generic", out=tmp_path / "run"
    )
    assert model.prompts == []
    assert again.reused == 2
    assert again.verdicts.equals(first.verdicts)


def test_rules_and_model_is_an_instrument_of_its_own(path: Path, tmp_path: Path) -> None:
    model = judge()
    both = userproxybench.audit(
        path, grader=judges(model, with_rules=True), rubrics="derived", out=tmp_path / "run"
    )
    assert both.summary.grader == "rules+openai/judge"
    assert set(both.verdicts["grader"]) == {"rules+openai/judge"}
    assert model.prompts == []
    with pytest.raises(RunFolderError, match="another instrument"):
        userproxybench.audit(path, out=tmp_path / "run")
    with pytest.raises(RunFolderError, match="grader"):
        userproxybench.audit(path, grader=judges(model), rubrics="derived", out=tmp_path / "run")


def test_a_judge_that_breaks_its_format_leaves_bounds_not_scores(path: Path) -> None:
    found = userproxybench.audit(path, grader=judges(judge("no JSON")), rubrics="generic")
    assert found.summary.counts.ungraded == 2
    (proxy,) = found.summary.proxies
    assert proxy.ufs is None
    assert (proxy.ufs_bound_low, proxy.ufs_bound_high) == (0.0, 1.0)
    assert any("format" in reason for reason in found.unjudged)


def test_a_task_without_a_rubric_is_reported_and_not_scored(path: Path) -> None:
    model = judge()
    found = userproxybench.audit(path, grader=judges(model))
    assert model.prompts == []
    assert found.summary.counts.unscorable == 2
    assert found.unjudged == {"no rubric for this task": 2}


def test_protocol_faults_are_noted_beside_a_model_too(tmp_path: Path) -> None:
    lines = (*dumps.FAITHFUL[:3], "user: <think>be brief</think> Wren Castellano.", "agent: Done.")
    path = dumps.write(tmp_path / "in.json", dumps.dump(dumps.simulation("a", lines)))
    found = userproxybench.audit(
        path, grader=judges(judge()), rubrics="generic", out=tmp_path / "run"
    )
    assert "reasoning_leak" in set(found.protocol["mode"])


def test_what_a_run_will_take_is_said_and_nothing_is_sent(path: Path, tmp_path: Path) -> None:
    model = judge()
    request = Request((path,), tmp_path / "run", "generic", None, LoadOptions(), None)
    before = foresee(request, judges(model))
    assert before.estimate.calls == 2 * len(MODES)
    assert model.prompts == []
    assert not (tmp_path / "run").exists()
    userproxybench.audit(path, grader=judges(model), rubrics="generic", out=tmp_path / "run")
    after = foresee(request, judges(model))
    assert (after.estimate.calls, after.estimate.on_file) == (0, 2 * len(MODES))


def test_generated_rubrics_need_authors_and_a_folder(path: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="generator"):
        userproxybench.audit(path, grader=judges(judge()), rubrics="generate", out=tmp_path / "run")
    writer = ScriptedModel(["{}"], name="anthropic/writer")
    authors = Judges(model_grader(judge(), with_rules=False, jobs=1), Authors(writer, writer))
    with pytest.raises(InputError, match="out"):
        userproxybench.audit(path, grader=authors, rubrics="generate")


def test_a_budget_needs_a_price() -> None:
    with pytest.raises(InputError, match="price"):
        judges_named("openai/a-model-nobody-lists", budget=1.0)
    with pytest.raises(InputError, match="no model is named"):
        judges_named("rules+")
