"""What a machine can check of a rubric, before a reader is paid and in `rubrics lint`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from userproxybench.models import FAMILY_OF, Contract, Criterion, Rubric, RubricCheck

LintCheck = RubricCheck | Literal["size", "ids", "stale"]
FEWEST, MOST = 4, 8
"""Criteria of a rubric that is written for one task (UserProxyBench, section 2)."""

_STYLE = re.compile(
    r"\b(polite|politeness|friendly|natural(ly)?|realistic(ally)?|human-like|tone|concise(ly)?"
    r"|fluent|grammatical|appropriate(ly)?|reasonabl[ey])\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(
    r"(?<!\b[A-Z])(?<!\bMr|\bMs|\bDr|\bSt|\bNo|\bvs)(?<!\bMrs|\bInc)[.!?]\s+(?=[A-Z\"'])"
)
"""End of a sentence within a text; titles and initials end none."""
_MOST_WORDS = 60
_SHORTEST_SPAN = 8
_SAME = 0.8


class Finding(NamedTuple):
    """One fault of a rubric."""

    criterion: str
    """Id of the criterion; empty for the rubric as a whole."""
    check: LintCheck
    """The check it fails."""
    problem: str
    """What is wrong, in one line."""


def lint(rubric: Rubric, contract: Contract | None = None) -> list[Finding]:
    """All faults that need no reader; spans only with the contract at hand."""
    faults = list(_whole(rubric, contract))
    for index, criterion in enumerate(rubric.criteria):
        faults += faults_of(criterion, contract, rubric.criteria[:index])
    return faults


def faults_of(
    criterion: Criterion, contract: Contract | None, before: Sequence[Criterion] = ()
) -> list[Finding]:
    """The faults of one criterion among those that stand before it."""
    found = [
        ("span_is_verbatim", _span_fault(criterion, contract)),
        ("taxonomy_fit", _mode_fault(criterion)),
        ("about_the_user", _subject_fault(criterion)),
        ("within_contract", _style_fault(criterion)),
        ("atomic", _size_fault(criterion)),
        ("not_redundant", _repeat_fault(criterion, before)),
    ]
    return [Finding(criterion.id, check, problem) for check, problem in found if problem]  # type: ignore[arg-type]  # literals


def _whole(rubric: Rubric, contract: Contract | None) -> Iterable[Finding]:
    count = len(rubric.criteria)
    if not FEWEST <= count <= MOST:
        yield Finding("", "size", f"{count} criteria; a task has {FEWEST} to {MOST}")
    for name, times in Counter(criterion.id for criterion in rubric.criteria).items():
        if times > 1:
            yield Finding(name, "ids", f"id {name!r} is used {times} times")
    if contract is not None and rubric.match(contract) == "stale":
        yield Finding("", "stale", "was written for another text of this task")


def _span_fault(criterion: Criterion, contract: Contract | None) -> str:
    grounding = criterion.grounding
    if grounding is None:
        return "has no grounding span"
    if grounding.end - grounding.start < _SHORTEST_SPAN:
        return f"its span has {grounding.end - grounding.start} characters, too few to stand on"
    if contract is not None and grounding.resolve(contract) is None:
        return f"its span does not occur in {grounding.source}"
    return ""


def _mode_fault(criterion: Criterion) -> str:
    family = FAMILY_OF[criterion.mode]
    return "" if family == criterion.family else f"mode {criterion.mode!r} belongs to {family}"


def _subject_fault(criterion: Criterion) -> str:
    return "" if re.search(r"\buser\b", criterion.statement, re.I) else "does not name the user"


def _style_fault(criterion: Criterion) -> str:
    found = _STYLE.search(criterion.statement)
    return f"judges style or taste: {found.group()!r}" if found else ""


def _size_fault(criterion: Criterion) -> str:
    statement = criterion.statement.strip()
    if not statement:
        return "is empty"
    if _SENTENCE_END.search(statement):
        return "has more than one sentence"
    words = len(statement.split())
    return f"has {words} words, more than {_MOST_WORDS}" if words > _MOST_WORDS else ""


def _repeat_fault(criterion: Criterion, before: Sequence[Criterion]) -> str:
    words = _words(criterion.statement)
    for other in before:
        theirs = _words(other.statement)
        shared = len(words & theirs) / max(1, len(words | theirs))
        if shared >= _SAME:
            return f"says the same as {other.id!r}"
    return ""


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
