from __future__ import annotations

import pytest

from tests.builders import contract, criterion, rubric, trajectory
from tests.report.runs import material
from tests.report.test_rows import graded, verdict
from userproxybench.models import Grade, ReviewFinding, Verdict
from userproxybench.report import LabelledTurn, Labels, Material, Reading
from userproxybench.report.disagreement import Comparison, comparisons

UNDER = contract()
RUBRIC = rubric(criterion(), under=UNDER)


def against(ours: Verdict, theirs: Verdict, statement: str | None = None) -> Comparison:
    asked = RUBRIC if statement is None else rubric(criterion(statement=statement), under=UNDER)
    other = Reading("judge-x", "derived", {"episode-0001": graded(theirs)}, {UNDER.hash: asked})
    return comparisons(shown(ours, others=(other,)))[0]


def shown(ours: Verdict, **more: object) -> Material:
    review = more.pop("review", ())
    said = trajectory(under=UNDER, review=review)
    return material([said], [UNDER], [graded(ours)], [RUBRIC], **more)  # type: ignore[arg-type]  # open keywords


def test_alone_there_is_nothing_to_compare() -> None:
    assert comparisons(shown(verdict("fail"))) == []


def test_findings_at_one_turn_agree_whatever_they_are_called() -> None:
    found = against(verdict("fail"), verdict("fail", criterion_id="c9"), statement="Another.")
    assert (found.shared, found.only_main, found.only_other) == (1, 0, 0)
    assert found.differences == ()


def test_a_further_turn_counts_as_the_place() -> None:
    found = against(verdict("fail", turn=1, further_turns=(5,)), verdict("fail", turn=5))
    assert (found.shared, found.only_main, found.only_other) == (1, 0, 0)


def test_one_criterion_answered_differently_is_told_once() -> None:
    found = against(verdict("fail"), verdict("pass", turn=None, reason="was answered"))
    [difference] = found.differences
    assert difference.kind == "criterion"
    assert difference.turn == 5
    assert difference.main == "fail: stops before the outcome"
    assert difference.others == "pass: was answered"
    assert (found.only_main, found.criteria[("fail", "pass")]) == (1, 1)


def test_criteria_under_one_id_with_other_statements_are_not_the_same() -> None:
    found = against(verdict("fail"), verdict("pass", turn=None), statement="Something else.")
    assert found.criteria == {}
    assert [one.kind for one in found.differences] == ["only_main"]


def test_an_episode_that_one_could_not_judge_is_left_out() -> None:
    assert against(verdict("fail"), verdict("ungraded", turn=None)).both == 0


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (Labels(True, (LabelledTurn(5, ("premature_stop",)),)), (1, 1, 0, 0)),
        (Labels(True, (LabelledTurn(3, ("dumps_blueprint",)),)), (1, 0, 1, 1)),
        (Labels(True), (1, 0, 1, 0)),
        (Labels(True, tolerated=(LabelledTurn(5, ("premature_stop",)),)), (1, 0, 0, 0)),
        (Labels(True, tolerated=(LabelledTurn(5),)), (1, 0, 0, 0)),
        (Labels(True, tolerated=(LabelledTurn(5, ("abandons_goal",)),)), (1, 0, 1, 0)),
        (Labels(False), (0, 0, 0, 0)),
    ],
    ids=["same", "elsewhere", "clean", "tolerated", "tolerated whole", "other mode", "uncertain"],
)
def test_labels_of_people(labels: Labels, expected: tuple[int, int, int, int]) -> None:
    [found] = comparisons(shown(verdict("fail"), labels={"episode-0001": labels}))
    assert (found.both, found.shared, found.only_main, found.only_other) == expected


def test_a_review_in_the_dump_is_compared_where_it_found_something() -> None:
    review = (ReviewFinding(3, ("hallucination",), "minor", "made up"),)
    [found] = comparisons(shown(verdict("fail"), review=review))
    assert found.name == "tau2 review"
    assert found.agreement is None
    assert [(one.kind, one.turn) for one in found.differences] == [
        ("only_main", 5),
        ("only_other", 3),
    ]


def test_kappa_is_over_any_violation() -> None:
    bounds = [contract(task_id=str(at)) for at in range(4)]
    said = [trajectory(under=one, id=one.task_id) for one in bounds]

    def grades(outcomes: str) -> list[Grade]:
        words = {"f": "fail", "p": "pass"}
        return [
            graded(verdict(words[letter])).model_copy(update={"trajectory_id": str(at)})
            for at, letter in enumerate(outcomes)
        ]

    other = Reading("judge-x", "derived", {one.trajectory_id: one for one in grades("fpfp")})
    [found] = comparisons(material(said, bounds, grades("ffpp"), others=(other,)))
    assert found.agreement is not None
    assert found.agreement.estimate == pytest.approx(0)
    assert found.table == {(True, True): 1, (True, False): 1, (False, True): 1, (False, False): 1}
