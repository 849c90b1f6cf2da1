"""What grading will cost, said before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from userproxybench.blinding import Names
from userproxybench.grading.cases import Case, GradingTask, Question
from userproxybench.grading.running import ModelGrader, VerdictStore
from userproxybench.llm import Price
from userproxybench.replies import ungraded_reason

_BYTES_PER_TOKEN = 4
_COMPLETION_TOKENS = 150
"""Tokens of a usual reply; reasoning models write more."""


class Estimate(NamedTuple):
    """Calls, tokens and dollars of a run that has not been made. Token counts are approximate."""

    calls: int
    """Calls to make, without repairs."""
    on_file: int
    """Verdicts found on file."""
    by_rules: int
    """Verdicts that rules give."""
    prompt_tokens: int
    """Prompt tokens over all calls, at four bytes a token."""
    cached_tokens: int
    """Of these, tokens that a provider with a prefix cache reads from it."""
    completion_tokens: int
    """Completion tokens, at 150 a reply."""
    usd: float | None
    """Dollars without a cache; `None` without a known price."""
    usd_cached: float | None
    """Dollars with one."""
    usd_worst: float | None
    """Dollars that a budget must hold for the dearest single call."""


def estimate(
    tasks: Sequence[GradingTask],
    *,
    grader: ModelGrader,
    store: VerdictStore,
    price: Price | None = None,
    names: Names | None = None,
) -> Estimate:
    """What `grade_trajectories` would do with the same arguments."""
    withheld = names or Names.of_run(task.trajectory for task in tasks)
    sums = Estimate(0, 0, 0, 0, 0, 0, None, None, None)
    written = 0
    worst = 0.0
    for task in tasks:
        case = Case(task, withheld, grader.settings, grader.judge)
        if task.trajectory.not_auditable or not case.view.user_turns:
            continue
        by_rules = _decided(case, grader)
        questions, on_file = _open(case, grader, store, by_rules)
        prompts = [case.prompt(question) for question in questions]
        sizes = [_tokens(prompt.text) for prompt in prompts]
        prefix = _tokens(case.file.system + case.prefix) if questions else 0
        least = grader.judge.cache_minimum
        if least is not None and prefix < least:
            prefix = 0
        written += prefix if len(questions) > 1 else 0
        if price is not None:
            limit = grader.judge.max_tokens
            worst = max([worst, *(price.worst_case(prompt, limit) for prompt in prompts)])
        sums = sums._replace(
            calls=sums.calls + len(questions),
            on_file=sums.on_file + on_file,
            by_rules=sums.by_rules + len(by_rules),
            prompt_tokens=sums.prompt_tokens + sum(sizes),
            cached_tokens=sums.cached_tokens + prefix * max(0, len(questions) - 1),
            completion_tokens=sums.completion_tokens + len(questions) * _COMPLETION_TOKENS,
        )
    if price is None:
        return sums
    return sums._replace(
        usd=price.of(sums.prompt_tokens, sums.completion_tokens),
        usd_cached=price.of(
            sums.prompt_tokens,
            sums.completion_tokens,
            cache_read=sums.cached_tokens,
            cache_write=written,
        ),
        usd_worst=worst,
    )


def _tokens(text: str) -> int:
    return len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN


def _decided(case: Case, grader: ModelGrader) -> set[str]:
    if grader.rules is None:
        return set()
    grade = grader.rules(*case.task)
    return {item.criterion_id for item in grade.verdicts if ungraded_reason(item) != "no_rule"}


def _open(
    case: Case, grader: ModelGrader, store: VerdictStore, by_rules: set[str]
) -> tuple[list[Question], int]:
    left = [item for item in case.task.rubric.criteria if item.id not in by_rules]
    questions: list[Question] = []
    on_file = 0
    for sample in range(grader.settings.samples):
        missing = [item for item in left if store.find(case.key(item, sample)) is None]
        on_file += len(left) - len(missing)
        if grader.settings.mode == "per-criterion":
            questions += [Question(case, (item,), sample) for item in missing]
        elif missing:
            questions.append(Question(case, tuple(missing), sample))
    return questions, on_file
