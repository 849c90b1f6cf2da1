"""A grader is measured against labels: what is right, what is missed, what counts neither way."""

from __future__ import annotations

import pytest

from tests import builders
from userproxybench.calibration import Grader, calibrate, findings_of, rate
from userproxybench.loaders.labelled import LabelledCase, Span, Violation
from userproxybench.models import FAMILY_OF, Grade, Mode, ProtocolNote, Verdict

STOP: Mode = "premature_stop"
TELL: Mode = "volunteers_unasked_info"


def violation(turn: int, mode: Mode, *accepted: Mode) -> Violation:
    return Violation(turn=turn, family=FAMILY_OF[mode], mode=mode, accept_modes=accepted)


def case(name: str, *violations: Violation, **more: object) -> LabelledCase:
    given: dict[str, object] = {
        "id": name,
        "file": "cases.jsonl",
        "domain": "shop",
        "pair": None,
        "ambiguous": False,
        "verdict": "violation" if violations else "clean",
        "violations": violations,
        "tolerated": (),
        "must_not_flag": (),
        "trajectory": builders.trajectory(id=name),
        "contract": builders.contract(),
        **more,
    }
    return LabelledCase.model_validate(given)


def grade(name: str, *found: tuple[int, Mode], protocol: tuple[ProtocolNote, ...] = ()) -> Grade:
    verdicts = tuple(
        Verdict(
            criterion_id=f"c{number}",
            family=FAMILY_OF[mode],
            mode=mode,
            verdict="fail",
            turn=turn,
            quotation="x",
        )
        for number, (turn, mode) in enumerate(found)
    )
    return Grade(
        trajectory_id=name,
        grader="rules",
        rubric_source="derived",
        verdicts=verdicts,
        protocol=protocol,
    )


def answering(**found: tuple[tuple[int, Mode], ...]) -> Grader:
    return lambda labelled: grade(labelled.id, *found.get(labelled.id, ()))


def test_recall_and_precision_count_violations_and_findings() -> None:
    cases = [case("a", violation(5, STOP)), case("b", violation(1, TELL)), case("c")]
    grader = answering(a=((5, STOP),), c=((1, TELL),))
    report, mistakes = calibrate(cases, grader, name="rules", rubric_source="derived")
    # 2 violations, 1 found; 2 findings, 1 right; 1 clean case, 1 flagged
    assert (report.overall.recall.k, report.overall.recall.n) == (1, 2)
    assert (report.overall.precision.k, report.overall.precision.n) == (1, 2)
    assert report.overall.clean_false_alarm_rate.value == 1.0
    assert [mistake.kind for mistake in mistakes] == ["missed", "false alarm"]


def test_an_accepted_mode_is_right_and_a_second_finding_on_it_counts_once() -> None:
    cases = [case("a", violation(5, STOP, "abandons_goal"))]
    grader = answering(a=((5, "abandons_goal"), (5, STOP)))
    report, mistakes = calibrate(cases, grader, name="rules", rubric_source="derived")
    assert report.overall.recall.value == report.overall.precision.value == 1.0
    assert report.overall.precision.n == 1
    assert mistakes == []


def test_the_right_mode_at_the_wrong_turn_is_a_miss_and_a_false_alarm() -> None:
    report, _ = calibrate(
        [case("a", violation(5, STOP))],
        answering(a=((3, STOP),)),
        name="rules",
        rubric_source="derived",
    )
    assert report.overall.recall.value == report.overall.precision.value == 0.0
    assert report.overall.turn_accuracy.value == 0.0


@pytest.mark.parametrize(
    "more",
    [{"tolerated": (Span(turn=1),)}, {"ambiguous": True, "verdict": "ambiguous"}],
    ids=["tolerated turn", "ambiguous case"],
)
def test_what_is_not_certain_counts_neither_way(more: dict[str, object]) -> None:
    report, _ = calibrate(
        [case("a", **more)], answering(a=((1, TELL),)), name="rules", rubric_source="derived"
    )
    assert report.overall.precision.n == 0
    assert report.overall.precision.value is None


def test_a_sprung_trap_is_named() -> None:
    trapped = case("a", must_not_flag=(Span(turn=1, modes=(TELL,)),))
    report, mistakes = calibrate(
        [trapped], answering(a=((1, TELL),)), name="rules", rubric_source="derived"
    )
    assert (report.overall.traps.k, report.overall.traps.n) == (1, 1)
    assert mistakes[0].kind == "trap sprung"


def test_a_pair_is_told_apart_only_when_the_clean_twin_is_left_alone() -> None:
    pair = [case("a", violation(5, STOP), pair="b"), case("b", pair="a")]
    for found, told in ((((5, STOP),), 1), (((5, STOP),), 0)):
        noise = () if told else ((1, TELL),)
        grader = answering(a=found, b=noise)
        report, _ = calibrate(pair, grader, name="rules", rubric_source="derived")
        assert (report.overall.pairs.k, report.overall.pairs.n) == (told, 1)


def test_protocol_modes_are_scored_apart() -> None:
    note = ProtocolNote(mode="empty_turn", turn=3)
    fault = Violation(turn=3, family="protocol", mode="empty_turn", accept_modes=())
    report, _ = calibrate(
        [case("a", fault)],
        lambda labelled: grade(labelled.id, protocol=(note,)),
        name="rules",
        rubric_source="derived",
    )
    assert report.protocol.recall.value == report.protocol.precision.value == 1.0
    assert report.overall.recall.n == report.overall.precision.n == 0


def test_further_turns_of_one_verdict_are_findings_too() -> None:
    verdict = Verdict(
        criterion_id="c",
        family=FAMILY_OF[STOP],
        mode=STOP,
        verdict="fail",
        turn=3,
        further_turns=(7,),
    )
    whole = Grade(trajectory_id="a", grader="r", rubric_source="derived", verdicts=(verdict,))
    assert [finding.turn for finding in findings_of(whole)] == [3, 7]


def test_a_rate_of_nothing_is_unknown() -> None:
    assert rate(0, 0).value is None
    half = rate(1, 2)
    assert half.low is not None
    assert half.high is not None
    assert half.low < 0.5 < half.high
