"""One trajectory made ready for a judge: what it may see, what it is asked, under which keys."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from userproxybench.blinding import Names, View, fenced, quoted, show, view
from userproxybench.errors import InputError
from userproxybench.llm import LanguageModel
from userproxybench.models import Contract, Criterion, Rubric, Trajectory, digest
from userproxybench.models.exchange import Prompt
from userproxybench.prompting import PromptFile, prompt_file

GradingMode = Literal["per-criterion", "per-trajectory"]


@dataclass(frozen=True)
class Settings:
    """How a judge is asked. Part of the instrument."""

    mode: GradingMode = "per-criterion"
    """All criteria in one call is another instrument, never in one table with the first."""
    samples: int = 1
    """How often each question is asked; the answer of more than half counts."""
    confirm: bool = False
    """Put each failure to the judge again, its quotation quoted back, before it counts."""

    @property
    def prompts(self) -> tuple[str, ...]:
        """Names of the prompt files in use; the first one carries the question."""
        first = "grade" if self.mode == "per-criterion" else "grade_trajectory"
        return (first, "repair_reply", *(["confirm_grade"] if self.confirm else []))


class GradingTask(NamedTuple):
    """One trajectory, what bound its user, and what it is held against."""

    trajectory: Trajectory
    """The conversation."""
    contract: Contract
    """What its user was told."""
    rubric: Rubric
    """The criteria, as `Rubric.under` gives them for this contract."""


class Question(NamedTuple):
    """One call: some criteria (one, in `per-criterion` mode) of one case, for one sample."""

    case: Case
    """What it is about."""
    criteria: tuple[Criterion, ...]
    """What is asked."""
    sample: int = 0
    """Repetition."""
    cache: bool = False
    """More questions on this case follow, so its prefix is worth caching."""

    @property
    def keys(self) -> dict[str, str]:
        """Key of each criterion's verdict."""
        return {item.id: self.case.key(item, self.sample) for item in self.criteria}


@dataclass(frozen=True)
class Case:
    """One task as one judge sees it."""

    task: GradingTask
    """What is graded."""
    names: Names
    """Names of the whole run, to be withheld."""
    settings: Settings
    """How it is asked."""
    judge: LanguageModel
    """Who is asked; only its identity is used here."""
    made_by: str = ""
    """Digest of the instrument, where the caller has it already."""

    @cached_property
    def view(self) -> View:
        """What the judge may see."""
        return view(self.task.trajectory, self.task.contract, self.names)

    @cached_property
    def file(self) -> PromptFile:
        """The prompt that carries the question."""
        return prompt_file(self.settings.prompts[0])

    @cached_property
    def prefix(self) -> str:
        """The part of the prompt that all its calls share.

        Raises:
            InputError: a name that would tell the judge whom it judges is left in it.
        """
        shown = self.view
        text = self.file.fill_prefix(
            guidelines=shown.guidelines,
            blueprint=shown.blueprint,
            user_tools=shown.user_tools,
            conversation=shown.conversation,
        )
        self.check_blind(text)
        return text

    def check_blind(self, text: str) -> None:
        """Stop the run when a prompt holds a name, a file name or an id."""
        template = self.file.text
        leaks = self.names.leaks(text, self.task.trajectory, template=template)
        if leaks:
            raise InputError(
                f"the judge would see {', '.join(map(repr, leaks))} in the prompt for "
                f"{self.task.trajectory.id!r}. This is a fault of the program: please report it"
            )

    def prompt(self, question: Question) -> Prompt:
        """The exact text of one call."""
        if self.settings.mode == "per-criterion":
            suffix = self.file.fill_suffix(criterion=self._described(question.criteria))
        else:
            suffix = self.file.fill_suffix(
                criteria=self._described(question.criteria), count=str(len(question.criteria))
            )
        self.check_blind(suffix)
        return Prompt(self.file.system, self.prefix, suffix, cache=question.cache)

    def inert(self, text: str) -> str:
        """Foreign text as a fenced block."""
        return fenced(quoted(show(text, self.names).text))

    def _described(self, criteria: Sequence[Criterion]) -> str:
        return fenced([line for item in criteria for line in self._lines_of[item.id]])

    @cached_property
    def _lines_of(self) -> dict[str, list[str]]:
        return {item.id: self._lines(item) for item in self.task.rubric.criteria}

    def _lines(self, item: Criterion) -> list[str]:
        named = self.settings.mode == "per-trajectory"
        parts = [
            f"Id: {item.id}" if named else "",
            f"Statement: {item.statement}",
            f"Applies when: {item.applies_when}" if item.applies_when else "",
            f"Mode of failure: {item.mode}",
            f"Stands on ({item.grounding.source}): {self._span(item)}" if item.grounding else "",
        ]
        shown = (show(part, self.names).text for part in parts if part)
        return [line for part in shown for line in quoted(part)]

    def _span(self, item: Criterion) -> str:
        found = item.grounding.resolve(self.task.contract) if item.grounding else None
        return found or "(not found in this contract)"

    @cached_property
    def hash(self) -> str:
        """Digest of the contract and the trajectory as the judge sees them."""
        shown = self.view
        return digest([shown.guidelines, shown.blueprint, shown.user_tools, shown.conversation])

    @cached_property
    def _instrument(self) -> str:
        return self.made_by or digest(instrument(self.judge, self.settings))

    @cached_property
    def _rubric_hashes(self) -> dict[str, str]:
        """What of the rubric each criterion's verdict depends on: itself, or all of it."""
        criteria = self.task.rubric.criteria
        alone = self.settings.mode == "per-criterion"
        return {
            item.id: digest([item.id, self._described((item,) if alone else criteria)])
            for item in criteria
        }

    def key(self, item: Criterion, sample: int) -> str:
        """Key of a verdict: judge, parameters, endpoint, prompts, rubric, trajectory, sample."""
        parts = (self._instrument, self._rubric_hashes[item.id], self.hash, str(sample))
        return hashlib.sha256("/".join(parts).encode()).hexdigest()[:32]


def instrument(judge: LanguageModel, settings: Settings) -> Mapping[str, object]:
    """Everything about a model grader that may move a verdict."""
    return {
        "grader": judge.name,
        "judge": dict(judge.identity),
        "mode": settings.mode,
        "samples": settings.samples,
        "confirm": settings.confirm,
        "prompts": {name: prompt_file(name).hash for name in settings.prompts},
    }
