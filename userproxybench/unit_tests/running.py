"""Work through all cases: rules, a model, or both; every answer is stored before it counts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from userproxybench.accord.format import Domain
from userproxybench.accord.rules import (
    Answer,
    Exchange,
    RuleGrader,
    TestName,
    UnitOutcome,
    precondition,
)
from userproxybench.blinding import Names
from userproxybench.errors import JudgeError
from userproxybench.llm import LanguageModel, Step, fan_out
from userproxybench.llm.metering import Metered
from userproxybench.models import Record, digest
from userproxybench.models.exchange import Reply
from userproxybench.prompting import prompt_file
from userproxybench.replies import RETRIED
from userproxybench.unit_tests.asking import Shown, ask, candidate_prompt, read_response
from userproxybench.unit_tests.cases import UnitCase
from userproxybench.unit_tests.questions import Wordings


class UnitResult(Record):
    """The answer to one test on one user turn."""

    file: str
    """File of the dump."""
    scenario: str
    """Scenario or task id."""
    domain: Domain
    """Whose wording was used."""
    user_model: str
    """Simulator that wrote the response."""
    rollout: int | None
    """Repetition."""
    trajectory: str
    """`Trajectory.id`."""
    turn: int
    """Message index of the user turn, or of the turn that the candidate answered in its place."""
    test: TestName
    """Which test."""
    outcome: UnitOutcome
    """The answer."""
    reason: str
    """Why, in a line."""
    grader: str
    """Who answered: `scenario` (ruled out by it), `rules`, or a model."""
    response: str
    """The response under test."""


class StoredText(NamedTuple):
    """What is kept under a key: an answer, or a candidate's response."""

    outcome: str
    """Outcome, or `response`."""
    text: str
    """Reason, or the response."""


class AnswerStore(Protocol):
    """Where answers are before they count; `store.UnitTestLog` is one."""

    def find(self, key: str) -> StoredText | None:
        """What is on file under a key."""
        ...

    def add(self, key: str, stored: StoredText) -> None:
        """Keep it; it is safe when this returns."""
        ...

    def add_reply(self, key: str, role: str, reply: Reply) -> None:
        """Keep a raw reply; it is safe when this returns."""
        ...


@dataclass
class MemoryStore:
    """A store that forgets everything when the process ends."""

    kept: dict[str, StoredText] = field(default_factory=dict)
    """Texts by key."""

    def find(self, key: str) -> StoredText | None:
        """What is kept under a key."""
        return self.kept.get(key)

    def add(self, key: str, stored: StoredText) -> None:
        """Keep it."""
        self.kept[key] = stored

    def add_reply(self, key: str, role: str, reply: Reply) -> None:
        """Raw replies are not kept."""


@dataclass(frozen=True)
class Bench:
    """Who answers, and whose responses are tested."""

    questions: Wordings
    """The questions."""
    rules: Mapping[str, RuleGrader] | None = None
    """Rules per dump file; `None`: no rules."""
    judge: LanguageModel | None = None
    """The model that answers what rules do not."""
    candidate: LanguageModel | None = None
    """Whose responses are tested; `None`: the recorded ones."""
    jobs: int = 8
    """Calls in flight at once."""

    @property
    def name(self) -> str:
        """Name of the grader."""
        parts = ["rules"] if self.rules is not None else []
        return "+".join([*parts, *([self.judge.name] if self.judge else [])])

    @property
    def instrument(self) -> Mapping[str, object]:
        """Everything that may move an answer."""
        return {
            "grader": self.name,
            "judge": dict(self.judge.identity) if self.judge else None,
            "candidate": dict(self.candidate.identity) if self.candidate else None,
            "questions": self.questions.hash,
            "prompts": {
                name: prompt_file(name).hash
                for name in ("unit_test", "candidate_response", "repair_reply")
            },
        }


class RunResult(NamedTuple):
    """What a run gave."""

    tested: tuple[UnitResult, ...]
    """Answers in the order of cases and tests."""
    calls: int
    """Model calls made."""
    reused: int
    """Answers and responses found on file."""
    notes: tuple[str, ...]
    """What a reader must know."""


def run_tests(
    cases: Sequence[UnitCase],
    *,
    bench: Bench,
    store: AnswerStore,
    on_progress: Callable[[int, int], None] | None = None,
) -> RunResult:
    """Put every test to every case.

    Raises:
        ModelError: the model cannot be reached or refuses us; what is stored stays stored.
    """
    run = _Run(
        bench,
        store,
        Names.of_run(case.trajectory for case in cases),
        judge=Metered(bench.judge) if bench.judge else None,
        candidate=Metered(bench.candidate) if bench.candidate else None,
    )
    found: dict[int, tuple[UnitResult, ...]] = {}
    jobs = bench.jobs if bench.judge or bench.candidate else 1
    for index, tested in fan_out(list(enumerate(cases)), run.work, jobs=jobs):
        found[index] = tested
        if on_progress is not None:
            on_progress(len(found), len(cases))
    ordered = tuple(tested for index in sorted(found) for tested in found[index])
    calls = sum(model.calls for model in run.models)
    return RunResult(ordered, calls, run.reused, tuple(run.notes()))


class Decided(NamedTuple):
    """An answer and who gave it."""

    answer: Answer
    """The answer."""
    grader: str
    """`scenario` or `rules`."""


def without_model(bench: Bench, case: UnitCase, test: TestName, response: str) -> Decided:
    """The answer that needs no model; `ungraded` where there is none."""
    open_ = Decided(Answer("ungraded", "no_rule: takes a model grader"), "rules")
    if case.scenario is None:
        return open_
    ruled_out = precondition(test, case.scenario)
    if ruled_out:
        return Decided(ruled_out, "scenario")
    rules = (bench.rules or {}).get(case.trajectory.source.file)
    if rules is None:
        return open_
    exchange = Exchange(case.exchange.before, response)
    return Decided(rules.answer(test, case.scenario, exchange), "rules")


Item = tuple[int, UnitCase]


@dataclass
class _Run:
    """State that the threads of one run share."""

    bench: Bench
    store: AnswerStore
    names: Names
    judge: Metered | None
    candidate: Metered | None
    reused: int = 0
    guard: threading.Lock = field(default_factory=threading.Lock)

    @property
    def models(self) -> list[Metered]:
        """The models in use."""
        return [model for model in (self.judge, self.candidate) if model is not None]

    def work(self, item: Item) -> Step[Item, tuple[int, tuple[UnitResult, ...]]]:
        """All tests on one case, one after the other: they share a prompt prefix."""
        index, case = item
        try:
            response = self._response(case)
        except JudgeError as error:
            failed = Answer("ungraded", str(error))
            return Step((index, tuple(self._record(case, t, failed, "", "") for t in case.tests)))
        tested = tuple(self._tested(case, test, response) for test in case.tests)
        return Step((index, tested))

    def notes(self) -> Iterator[str]:
        """What a reader must know about the run."""
        if self.reused:
            yield f"{self.reused} answers were on file and cost nothing"
        if self.bench.questions.given:
            count = len(self.bench.questions.given)
            yield f"{count} of 12 questions are worded by the folder given with --prompts"
        for model in self.models:
            if model.exhausted:
                yield f"stopped asking {model.name}: {model.exhausted}"

    def _response(self, case: UnitCase) -> str:
        candidate = self.candidate
        if candidate is None:
            return case.exchange.response
        prompt = candidate_prompt(case)
        key = digest([dict(candidate.identity), prompt.text])
        kept = self._kept(key)
        if kept is not None:
            return kept.text
        reply = candidate.complete(prompt)
        self.store.add_reply(key, "candidate", reply)
        response = read_response(reply)
        self.store.add(key, StoredText("response", response))
        return response

    def _tested(self, case: UnitCase, test: TestName, response: str) -> UnitResult:
        decided = without_model(self.bench, case, test, response)
        judge = self.judge
        if judge is not None and decided.answer.outcome == "ungraded":
            answer = self._judged(judge, case, test, response)
            return self._record(case, test, answer, judge.name, response)
        return self._record(case, test, decided.answer, decided.grader, response)

    def _judged(self, judge: Metered, case: UnitCase, test: TestName, response: str) -> Answer:
        shown = Shown(case, response, self.names)
        prompt = shown.question(test, self.bench.questions)
        key = digest([dict(judge.identity), prompt.text])
        kept = self._kept(key)
        if kept is not None and kept.outcome in _OUTCOMES:
            return Answer(_OUTCOMES[kept.outcome], kept.text)

        def keep(reply: Reply) -> None:
            self.store.add_reply(key, "grader", reply)

        try:
            reply = ask(shown, test, self.bench.questions, judge=judge, keep=keep)
        except JudgeError as error:
            answer = Answer("ungraded", str(error))
            if error.reason in RETRIED:
                return answer
        else:
            answer = Answer(reply.answer, reply.reason)
        self.store.add(key, StoredText(answer.outcome, answer.reason))
        return answer

    def _kept(self, key: str) -> StoredText | None:
        kept = self.store.find(key)
        if kept is not None:
            with self.guard:
                self.reused += 1
        return kept

    def _record(
        self, case: UnitCase, test: TestName, answer: Answer, grader: str, response: str
    ) -> UnitResult:
        trajectory = case.trajectory
        return UnitResult(
            file=trajectory.source.file,
            scenario=trajectory.task_id,
            domain=case.domain,
            user_model=self.user_model(trajectory.proxy),
            rollout=trajectory.trial,
            trajectory=trajectory.id,
            turn=case.turn,
            test=test,
            outcome=answer.outcome,
            reason=answer.reason,
            grader=grader,
            response=response,
        )

    def user_model(self, recorded: str) -> str:
        """Whose response is under test."""
        return self.bench.candidate.name if self.bench.candidate else recorded


_OUTCOMES: Mapping[str, UnitOutcome] = {
    "yes": "yes",
    "no": "no",
    "n/a": "n/a",
    "ungraded": "ungraded",
}
