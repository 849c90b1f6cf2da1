"""Real tasks, played by tau2 with scripted users, graded by rules on the shipped rubrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rollouts import ROLLOUTS, Rollout, play, tau2_python
from userproxybench.loaders import Episode, open_input
from userproxybench.models import Grade, Rubric
from userproxybench.rules import grade
from userproxybench.store import data_folder, load_rubrics


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The dump that tau2 wrote of each rollout."""
    python = tau2_python()
    if python is None:
        pytest.skip(
            "tau2 is not installed here, nor does USERPROXYBENCH_TAU2 name a Python with it"
        )
    return play(ROLLOUTS, python, tmp_path_factory.mktemp("tau2"))


def graded(dump: Path) -> tuple[Rubric, Grade]:
    (episode,) = open_input(dump).episodes()
    assert isinstance(episode, Episode)
    rubric = load_rubrics(data_folder("rubrics"))[episode.contract.domain, episode.contract.task_id]
    assert rubric.match(episode.contract) in {"exact", "task"}
    assert rubric.lost(episode.contract) == ()
    return rubric, grade(episode.trajectory, episode.contract, rubric.under(episode.contract))


def failed(grade_: Grade) -> list[str]:
    return [item.criterion_id for item in grade_.verdicts if item.verdict == "fail"]


each_rollout = pytest.mark.parametrize("rollout", ROLLOUTS, ids=lambda rollout: rollout.name)


@each_rollout
def test_rules_find_what_was_planted_and_nothing_else(
    dumps: dict[str, Path], rollout: Rollout
) -> None:
    rubric, found = graded(dumps[rollout.name])
    assert len(found.verdicts) == len(rubric.criteria)
    assert failed(found) == ([rollout.planted] if rollout.planted else [])


@each_rollout
def test_every_criterion_with_a_check_is_decided(dumps: dict[str, Path], rollout: Rollout) -> None:
    rubric, found = graded(dumps[rollout.name])
    checked = {item.id for item in rubric.criteria if item.check}
    assert {item.criterion_id for item in found.verdicts if item.verdict != "ungraded"} == checked
    assert any(item.verdict == "pass" for item in found.verdicts)
