"""Grade trajectories with a model: one criterion per call, blind, stored before it counts.

`grade_trajectories` is the verb; `cases` prepares what a judge may see, `asking` puts one question
to it, `estimating` says beforehand what that will cost.
"""

from userproxybench.grading.cases import (
    Case,
    GradingTask,
    Question,
    Settings,
    instrument,
)
from userproxybench.grading.estimating import Estimate, estimate
from userproxybench.grading.results import Flips, GradingRun
from userproxybench.grading.running import (
    MemoryStore,
    ModelGrader,
    VerdictStore,
    grade_trajectories,
)

__all__ = [
    "Case",
    "Estimate",
    "Flips",
    "GradingRun",
    "GradingTask",
    "MemoryStore",
    "ModelGrader",
    "Question",
    "Settings",
    "VerdictStore",
    "estimate",
    "grade_trajectories",
    "instrument",
]
