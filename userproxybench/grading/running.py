"""Grade many trajectories: warm the provider's cache, fan out, store, combine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

import pydantic

from userproxybench.blinding import Names
from userproxybench.grading.asking import ask
from userproxybench.grading.cases import Case, GradingTask, Question, Settings, instrument
from userproxybench.grading.results import GradingRun, Part, collected
from userproxybench.llm import LanguageModel, Metered, Step, fan_out
from userproxybench.models import (
    Contract,
    Criterion,
    Grade,
    GradingFailure,
    Rubric,
    Trajectory,
    Verdict,
    digest,
)
from userproxybench.models.exchange import Prompt, Reply, StoredVerdict
from userproxybench.replies import is_final, schema_of, ungraded_reason

Rules = Callable[[Trajectory, Contract, Rubric], Grade]
"""Answers what a rule can decide; every other criterion is `ungraded: no_rule`."""


class VerdictStore(Protocol):
    """Where verdicts are before they count; `store.RunFolder` is one."""

    def find(self, key: str) -> Verdict | None:
        """The verdict already paid for under a key."""
        ...

    def add(self, verdict: StoredVerdict) -> None:
        """Write a verdict; it survives the death of the process."""
        ...

    def note_reply(self, key: str, role: str, reply: Reply) -> None:
        """Write a raw reply; it survives the death of the process."""
        ...

    def flush(self) -> None:
        """Make everything written so far safe against the death of the machine."""
        ...


@dataclass
class MemoryStore:
    """A store that forgets everything when the process ends."""

    verdicts: dict[str, StoredVerdict] = field(default_factory=dict)
    """Verdicts by key."""
    replies: list[Reply] = field(default_factory=list)
    """Raw replies."""

    def find(self, key: str) -> Verdict | None:
        """The verdict under a key, unless it is one to try again."""
        found = self.verdicts.get(key)
        return found.verdict if found and is_final(found.verdict) else None

    def add(self, verdict: StoredVerdict) -> None:
        """Keep a verdict."""
        self.verdicts[verdict.key] = verdict

    def note_reply(self, key: str, role: str, reply: Reply) -> None:
        """Keep a reply."""
        del key, role
        self.replies.append(reply)

    def flush(self) -> None:
        """Nothing is safe here."""


@dataclass(frozen=True)
class ModelGrader:
    """A judge, and how it is put to work."""

    judge: LanguageModel
    """The model in the grader's role."""
    settings: Settings = field(default_factory=Settings)
    """How it is asked."""
    rules: Rules | None = None
    """Answers criteria that a rule can decide (`rules+MODEL`); the judge is asked the rest."""
    jobs: int = 8
    """Calls in flight at once."""

    @property
    def name(self) -> str:
        """Name of the grader in tables."""
        return f"rules+{self.judge.name}" if self.rules else self.judge.name


def grade_trajectories(
    tasks: Sequence[GradingTask],
    *,
    grader: ModelGrader,
    store: VerdictStore,
    names: Names | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> GradingRun:
    """Grade every task; each verdict is stored before it counts, and found again the next time.

    Args:
        tasks: What to grade, one per trajectory.
        grader: Who grades.
        store: Where verdicts and replies go.
        names: Names to withhold; `None`: the models of the trajectories in `tasks`.
        on_progress: Told how many verdicts have come in so far.

    Raises:
        ModelError: the judge cannot be reached or refuses us; what is stored stays stored.
    """
    withheld = names or Names.of_run(task.trajectory for task in tasks)
    judge = Metered(grader.judge)
    run = _Run(grader, judge, store, withheld, digest(instrument(judge, grader.settings)))
    parts: list[Part] = []
    arrived = 0
    items: Sequence[GradingTask | Question] = tasks
    for part in fan_out(items, run.work, jobs=grader.jobs, settle=store.flush):
        parts.append(part)
        arrived += len(part.verdicts)
        if on_progress is not None:
            on_progress(arrived)
    result = collected(tasks, parts, grader.name)
    return result._replace(calls=judge.calls, notes=tuple(_notes(result, run)))


@dataclass
class _Run:
    """State that the threads of one run share."""

    grader: ModelGrader
    judge: Metered
    store: VerdictStore
    names: Names
    made_by: str

    def work(self, item: GradingTask | Question) -> Step[GradingTask | Question, Part]:
        """Open a case, or ask a question of an open one."""
        if isinstance(item, Question):
            return Step(Part(item.case.task.trajectory.id, self._asked(item)))
        return self._opened(item)

    def _opened(self, task: GradingTask) -> Step[GradingTask | Question, Part]:
        """Answer what needs no call, ask the first question, and leave the rest to all threads."""
        trajectory = task.trajectory
        case = Case(task, self.names, self.grader.settings, self.judge, self.made_by)
        if trajectory.not_auditable or not case.view.user_turns:
            detail = trajectory.not_auditable or "no user turn"
            failure = GradingFailure(
                trajectory_id=trajectory.id,
                grader=self.grader.name,
                reason="no_text",
                detail=detail,
            )
            return Step(Part(trajectory.id, failure=failure))
        by_rules = self._by_rules(case)
        left = [item for item in task.rubric.criteria if item.id not in by_rules]
        found = [*by_rules.values(), *self._on_file(case, left)]
        for stored in found:
            self.store.add(stored)
        answered = {(stored.verdict.criterion_id, stored.sample) for stored in found}
        questions = _questions(case, left, answered)
        asked = self._asked(questions[0]) if questions else ()
        part = Part(
            trajectory.id,
            (*found, *asked),
            reused=len(found) - len(by_rules),
            by_rules=len(by_rules),
            redacted_turns=case.view.redactions,
            uncached=bool(questions) and self._too_short(case),
        )
        return Step(part, questions[1:])

    def _too_short(self, case: Case) -> bool:
        least = self.judge.cache_minimum
        return least is not None and len(case.prefix) // 4 < least

    def _by_rules(self, case: Case) -> dict[str, StoredVerdict]:
        if self.grader.rules is None:
            return {}
        grade = self.grader.rules(*case.task)
        return {
            verdict.criterion_id: StoredVerdict(
                key=digest(["rules", verdict.criterion_id, case.key(item, 0)]),
                trajectory_id=case.task.trajectory.id,
                verdict=verdict,
            )
            for item, verdict in zip(case.task.rubric.criteria, grade.verdicts, strict=True)
            if ungraded_reason(verdict) != "no_rule"
        }

    def _on_file(self, case: Case, criteria: Sequence[Criterion]) -> list[StoredVerdict]:
        stored = []
        for sample in range(self.grader.settings.samples):
            for item in criteria:
                key = case.key(item, sample)
                verdict = self.store.find(key)
                if verdict is not None:
                    trajectory_id = case.task.trajectory.id
                    stored.append(
                        StoredVerdict(
                            key=key, trajectory_id=trajectory_id, verdict=verdict, sample=sample
                        )
                    )
        return stored

    def _asked(self, question: Question) -> tuple[StoredVerdict, ...]:
        keys = question.keys
        name = next(iter(keys.values()))

        def call(prompt: Prompt, kind: type[pydantic.BaseModel], limit: int) -> Reply:
            return self._call(name, prompt, kind, limit)

        verdicts = tuple(
            StoredVerdict(
                key=keys[verdict.criterion_id],
                trajectory_id=question.case.task.trajectory.id,
                verdict=verdict,
                sample=question.sample,
            )
            for verdict in ask(question, call)
        )
        for stored in verdicts:
            self.store.add(stored)
        return verdicts

    def _call(self, key: str, prompt: Prompt, kind: type[pydantic.BaseModel], limit: int) -> Reply:
        reply = self.judge.complete(prompt, schema=_schema(kind), max_tokens=limit)
        self.store.note_reply(key, "grader", reply)
        return reply


@cache
def _schema(kind: type[pydantic.BaseModel]) -> dict[str, object]:
    return schema_of(kind)


def _questions(
    case: Case, criteria: Sequence[Criterion], answered: set[tuple[str, int]]
) -> list[Question]:
    """The calls still to make, sample by sample."""
    questions = []
    for sample in range(case.settings.samples):
        open_ = tuple(item for item in criteria if (item.id, sample) not in answered)
        if case.settings.mode == "per-criterion":
            questions += [Question(case, (item,), sample) for item in open_]
        elif open_:
            questions.append(Question(case, open_, sample))
    cached = len(questions) > 1
    return [question._replace(cache=cached) for question in questions]


def _notes(result: GradingRun, run: _Run) -> Iterable[str]:
    if result.reused:
        yield f"{result.reused} verdicts were on file and cost nothing"
    if run.grader.rules is not None:
        share = result.by_rules / max(1, result.by_rules + result.by_model)
        yield f"rules answered {result.by_rules} criteria ({share:.0%}), the model the rest"
    if result.redacted_turns:
        yield f"{result.redacted_turns} user turns name a model; the name was withheld"
    if result.flips.rate is not None:
        yield (
            f"{result.flips.flipped} of {result.flips.questions} repeated questions "
            f"({result.flips.rate:.1%}) were not answered alike"
        )
    if result.uncached:
        yield (
            f"{result.uncached} trajectories have a prompt prefix under the provider's minimum of "
            f"{run.judge.cache_minimum} tokens and are not cached"
        )
    if run.judge.exhausted:
        yield f"stopped asking: {run.judge.exhausted}"
