"""Every error a caller is expected to meet.

UserProxyBenchError
├── InputError             a file, folder, table or flag is not what it should be (exit 2)
│   ├── LoadError          a dump, or one item in it, cannot be read
│   ├── RubricError        a rubric file breaks the rules of `rubrics lint`
│   └── RunFolderError     a run folder is busy, foreign, or made by another instrument
├── GateNotMetError        the question was answered, and the answer is no (exit 1)
├── ModelError             a model call that will not heal ends the run (exit 2)
│   └── BudgetError        the next call could cross the budget
└── JudgeError             one item could not be graded; becomes `ungraded`, never a verdict
"""

from __future__ import annotations

from typing import ClassVar


class UserProxyBenchError(Exception):
    """Base of all expected errors: one line for people, and an exit code."""

    exit_code: ClassVar[int] = 2


class InputError(UserProxyBenchError):
    """Something given by the user is not what it should be."""


class LoadError(InputError):
    """A dump, or one item of it, cannot be read.

    The message names the file, the place in it, what was found and what to do.
    """

    def __init__(self, file: str, problem: str, remedy: str, *, place: str = "") -> None:
        where = f"{file}: {place}" if place else file
        super().__init__(f"{where}: {problem}. {remedy}")
        self.file = file
        self.place = place
        self.problem = problem
        self.remedy = remedy


class RubricError(InputError):
    """A rubric breaks a rule that a machine can check."""


class RunFolderError(InputError):
    """A run folder cannot be used: busy, foreign, or made by another instrument."""


class GateNotMetError(UserProxyBenchError):
    """The question was answered, and the answer is no."""

    exit_code: ClassVar[int] = 1


class ModelError(UserProxyBenchError):
    """A model call failed in a way that no retry can heal."""


class BudgetError(ModelError):
    """The next model call could cross the budget."""


class JudgeError(UserProxyBenchError):
    """One item could not be graded. `reason` is one of `models.UngradedReason`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
