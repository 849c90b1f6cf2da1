"""Graders of labelled cases: rules on derived rubrics, models on the generic one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from userproxybench.loaders.labelled import LabelledCase
    from userproxybench.models import Grade


@dataclass(frozen=True)
class CaseGrader:
    """Whoever is measured."""

    name: str
    """Name in the report."""
    rubric_source: str
    """Which rubric is answered."""
    grade: Callable[[Sequence[LabelledCase]], list[Grade]]
    """Grades cases, one grade each, in their order."""


def case_grader(
    grader: str,
    *,
    budget: float | None,
    jobs: int,
    api_base: str | None = None,
    config: Path | None = None,
) -> CaseGrader:
    """The grader that a name stands for: `rules`, or a model as litellm names it.

    Raises:
        InputError: no model is named, or a budget is given and its price is not known.
    """
    if grader == "rules":
        return CaseGrader("rules", "derived", _by_rules)
    from userproxybench.audit.judges import RULES_AND, model_grader
    from userproxybench.cli.roles import read_roles
    from userproxybench.errors import InputError

    if grader.startswith(RULES_AND):
        raise InputError(
            f"`--grader {grader}`: the generic rubric has no checks for rules to answer. Measure "
            "'rules' and the model apart"
        )
    roles = read_roles(config=config, budget=budget, api_base=api_base)
    judge = model_grader(roles.model("grader", grader), with_rules=False, jobs=jobs)

    def by_model(cases: Sequence[LabelledCase]) -> list[Grade]:
        from userproxybench import rules
        from userproxybench.blinding import Names
        from userproxybench.grading import GradingTask, MemoryStore, grade_trajectories

        tasks = [GradingTask(c.trajectory, c.contract, rules.generic(c.contract)) for c in cases]
        run = grade_trajectories(tasks, grader=judge, store=MemoryStore(), names=Names.of_run(()))
        return list(run.grades)

    return CaseGrader(judge.name, "generic", by_model)


def _by_rules(cases: Sequence[LabelledCase]) -> list[Grade]:
    from userproxybench import rules

    return [rules.grade(c.trajectory, c.contract, rules.derive(c.contract)) for c in cases]
