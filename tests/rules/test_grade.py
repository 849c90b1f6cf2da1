from tests.builders import trajectory
from tests.rules.talks import GREETING, talk, under
from userproxybench.models import Grade, Rubric
from userproxybench.rules import derive, generic, grade

BOUND = under(reason_for_call="You want to borrow a projector.", known_info="You are Ida Marsh.")
TALK = (GREETING, "user: Hi, Ida Marsh here. I'd like to borrow a projector.")
MANY = 600
"""Rubrics beyond what is kept planned."""


def graded(rubric: Rubric) -> Grade:
    return grade(trajectory(turns_=talk(*TALK), under=BOUND), BOUND, rubric)


def test_each_rubric_is_answered_by_its_own_criteria_however_many_there_are() -> None:
    derived = derive(BOUND)
    first = graded(derived)
    for at in range(MANY):
        kept = derived.criteria[at % len(derived.criteria)]
        alone = derived.model_copy(update={"criteria": (kept,)})
        expected = first.verdicts[at % len(derived.criteria)]
        assert graded(alone).verdicts == (expected,)
    assert graded(derived) == first


def test_a_failure_names_its_turn_and_a_pass_after_it_does_not() -> None:
    derived = derive(BOUND)
    failed = [verdict for verdict in graded(derived).verdicts if verdict.verdict == "fail"]
    assert [(verdict.turn, verdict.quotation) for verdict in failed] == [(1, "Hi, Ida Marsh here.")]
    quiet = trajectory(turns_=talk(GREETING, "user: I'd like to borrow a projector."), under=BOUND)
    again = [v for v in grade(quiet, BOUND, derived).verdicts if v.turn is not None or v.quotation]
    assert again == []


def test_what_only_a_reader_can_decide_is_ungraded() -> None:
    verdicts = graded(generic(BOUND)).verdicts
    assert {verdict.verdict for verdict in verdicts} == {"ungraded"}
    assert {verdict.reason.partition(":")[0] for verdict in verdicts} == {"no_rule"}
