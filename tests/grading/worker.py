"""Grades 100 trajectories by 5 criteria in a process of its own, so that it can be killed.

One parent imports litellm and forks a worker per line `URL FOLDER` on stdin; it prints the
worker's process id, and its exit status when it has ended.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.builders import contract, criterion, rubric, trajectory
from userproxybench.grading import (
    GradingTask,
    ModelGrader,
    Settings,
    grade_trajectories,
    instrument,
)
from userproxybench.litellm_model import LiteLLMModel, bundled_prices
from userproxybench.llm import ModelSpec
from userproxybench.models import MODES
from userproxybench.store import RunFolder

JOBS = 8
BOUND = contract()
RUBRIC = rubric(
    *(
        criterion(f"c{number}", MODES[number], statement=f"The user keeps to rule {number}.")
        for number in range(5)
    )
)
TASKS = [
    GradingTask(
        trajectory(
            "agent: Hello", f"user: I want order {index}.", "user: Bye.", id=f"e-{index:04d}"
        ),
        BOUND,
        RUBRIC,
    )
    for index in range(100)
]


def grade(url: str, path: Path) -> None:
    """One run, resumed where the folder has a past."""
    model = LiteLLMModel(ModelSpec("openai/judge", api_base=url, backoff=0.01))
    made_by = instrument(model, Settings())
    with RunFolder.create_or_resume(path, made_by) as folder:
        grade_trajectories(TASKS, grader=ModelGrader(model, jobs=JOBS), store=folder)


def main() -> None:
    """Fork a worker per line."""
    bundled_prices()  # imports litellm once, before any fork
    print("ready", flush=True)
    for line in sys.stdin:
        url, path = line.split()
        worker = os.fork()
        if worker == 0:
            grade(url, Path(path))
            os._exit(0)
        print(worker, flush=True)
        _, status = os.waitpid(worker, 0)
        print(status, flush=True)


if __name__ == "__main__":
    main()
