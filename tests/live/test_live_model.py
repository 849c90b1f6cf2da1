"""The pipeline on a real model with schema-constrained output. It judges badly; that is no matter.

What matters: every reply fits its schema, every criterion ends as a verdict with a quotation that
is really there or as `ungraded` with a reason, and UFS and its bounds follow.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import contract, criterion, rubric, trajectory
from tests.live.conftest import WINDOW
from userproxybench.audit.writing import Authors, write_missing
from userproxybench.generation import RubricTask
from userproxybench.grading import (
    GradingTask,
    ModelGrader,
    Settings,
    grade_trajectories,
    instrument,
)
from userproxybench.litellm_model import LiteLLMModel
from userproxybench.llm import ModelSpec
from userproxybench.replies import CriterionReply, json_objects, ungraded_reason
from userproxybench.scoring import score
from userproxybench.store import RunFolder

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")

BOUND = contract()
EPISODES = (
    trajectory(id="live-0001"),
    trajectory(
        "agent: Hello, how can I help you?",
        "user: I am Wren Castellano, zip 97214, please cancel order H-77120.",
        "agent: Order H-77120 is cancelled.",
        "user: Thank you. ###STOP###",
        id="live-0002",
        proxy="other-model",
    ),
)


def gemma(url: str, max_tokens: int) -> LiteLLMModel:
    """The live model in one role."""
    return LiteLLMModel(
        ModelSpec(
            "openai/gemma-3-270m",
            api_base=url,
            parameters={"temperature": 0.8, "seed": 11},
            max_tokens=max_tokens,
            response_format="json_object",
            window=WINDOW,
            timeout=900.0,
            attempts=2,
        )
    )


def test_rubric_writing_runs_on_a_real_model(live_url: str, tmp_path: Path) -> None:
    with RunFolder.create_or_resume(tmp_path, {"grader": "live"}) as folder:
        written = write_missing(
            [RubricTask(BOUND, EPISODES[0])],
            authors=Authors(gemma(live_url, 700), gemma(live_url, 700)),
            folder=tmp_path / "rubrics",
            keep=folder.add_reply,
            jobs=1,
        )
        calls = {role.role: role.calls for role in folder.spending()}
    assert len(written.rubrics) + len(written.failures) == 1
    for made in written.rubrics:
        kept, thrown = len(made.criteria), made.provenance.rejected
        print(f"calls {calls}; kept {kept}; rejected {[item.failed for item in thrown]}")
    print([failure.reason for failure in written.failures])


def test_two_episodes_are_graded_by_a_real_model(live_url: str, tmp_path: Path) -> None:
    held = rubric(
        criterion("c1"),
        criterion(
            "c2", "volunteers_unasked_info", statement="The user gives its zip code when asked."
        ),
    )
    judge = gemma(live_url, 120)
    tasks = [GradingTask(spoken, BOUND, held) for spoken in EPISODES]
    with RunFolder.create_or_resume(tmp_path, instrument(judge, Settings())) as folder:
        run = grade_trajectories(tasks, grader=ModelGrader(judge, jobs=1), store=folder)
        replies = [line.reply for line in folder.replies()]
    assert len(run.grades) == 2
    for reply in replies:
        if reply.finish_reason == "stop":
            ((_, answer),) = json_objects(reply.text)
            CriterionReply.model_validate(answer)
    by_id = {spoken.id: spoken for spoken in EPISODES}
    for grade in run.grades:
        assert len(grade.verdicts) == 2
        for verdict in grade.verdicts:
            if verdict.verdict == "ungraded":
                assert ungraded_reason(verdict) is not None
            if verdict.verdict == "fail":
                assert verdict.turn is not None
                assert verdict.quotation in by_id[grade.trajectory_id].turns[verdict.turn].text
    scores = [score(grade.verdicts) for grade in run.grades]
    lower = sum(item.fidelity == 1 for item in scores) / 2
    upper = sum(item.fidelity != 0 for item in scores) / 2
    assert 0 <= lower <= upper <= 1
    print(f"{len(replies)} replies; UFS between {lower} and {upper}")
    print(
        [
            verdict.verdict + " " + verdict.reason
            for grade in run.grades
            for verdict in grade.verdicts
        ]
    )
