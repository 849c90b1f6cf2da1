from __future__ import annotations

import pytest

from tests.builders import contract, criterion, rubric
from userproxybench.linting import Finding, lint
from userproxybench.models import Criterion, Grounding, Rubric

BOUND = contract()
OTHER = contract(blueprint=BOUND.blueprint.model_copy(update={"persona": "Someone else."}))
TOPICS = ("order number", "zip code", "full name", "account", "refund", "email", "phone", "address")


def sound(count: int = 4) -> list[Criterion]:
    return [
        criterion(f"c{number}", statement=f"The user never makes up its {TOPICS[number]}.")
        for number in range(count)
    ]


def with_last(**more: object) -> Rubric:
    *others, last = sound()
    return rubric(*others, last.model_copy(update=more))


def test_sound_rubric_has_no_findings() -> None:
    assert lint(rubric(*sound()), BOUND) == []
    assert lint(rubric(*sound(8)), BOUND) == []


@pytest.mark.parametrize(
    ("held", "check"),
    [
        (with_last(statement="The agent confirms."), "about_the_user"),
        (with_last(statement="The user is polite."), "within_contract"),
        (with_last(statement="The user waits. The user confirms."), "atomic"),
        (with_last(statement="The user " + "word " * 70), "atomic"),
        (with_last(statement=" "), "atomic"),
        (with_last(statement="The user never makes up its zip code!"), "not_redundant"),
        (with_last(family="groundedness"), "taxonomy_fit"),
        (with_last(grounding=None), "span_is_verbatim"),
        (
            with_last(grounding=Grounding.of("persona", "you are in a hurry", 0, 18)),
            "span_is_verbatim",
        ),
        (with_last(grounding=Grounding.of("known_info", "You are", 0, 7)), "span_is_verbatim"),
        (with_last(id="c0"), "ids"),
        (rubric(*sound(3)), "size"),
        (rubric(*sound(4), under=contract(task_id="x", guidelines="other")), "stale"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_fault_is_found(held: Rubric, check: str) -> None:
    found = lint(held, OTHER if check == "stale" else BOUND)
    assert check in {item.check for item in found}
    assert all(item.problem for item in found)


@pytest.mark.parametrize(
    "statement",
    [
        "The user asks for Dr. Smith by name.",
        "The user says that it lives in St. Louis.",
        "The user says that J. Doe travels along.",
        "The user pays no more than $5.50 for it.",
    ],
)
def test_abbreviations_end_no_sentence(statement: str) -> None:
    assert lint(with_last(statement=statement), BOUND) == []


def test_spans_are_left_alone_without_the_task_text() -> None:
    lost = Grounding.of("persona", "you are in a hurry", 0, 18)
    assert lint(with_last(grounding=lost)) == []


def test_nine_criteria_are_too_many() -> None:
    more = [*sound(8), criterion("c9", statement="The user stays until the end.")]
    assert lint(rubric(*more), BOUND) == [Finding("", "size", "9 criteria; a task has 4 to 8")]
