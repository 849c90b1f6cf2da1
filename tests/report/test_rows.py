from __future__ import annotations

from typing import Any

from tests.builders import contract, criterion, rubric, trajectory
from tests.report.runs import material
from userproxybench.models import MODES, PROTOCOL_MODES, Grade, ProtocolNote, Verdict
from userproxybench.report.rows import COLUMNS, listing


def verdict(outcome: str, **more: object) -> Verdict:
    given = {
        "criterion_id": "c1",
        "family": "goal_deviation",
        "mode": "premature_stop",
        "verdict": outcome,
        "turn": 5,
        "quotation": "Yes. ###STOP###",
        "reason": "stops before the outcome",
        "grader": "rules",
        **more,
    }
    return Verdict.model_validate(given)


def graded(*verdicts: Verdict, protocol: tuple[ProtocolNote, ...] = ()) -> Grade:
    return Grade(
        trajectory_id="episode-0001",
        grader="rules",
        rubric_source="derived",
        verdicts=verdicts,
        protocol=protocol,
    )


def only_row(grade: Grade, **more: Any) -> dict[str, object]:
    under = contract()
    found = listing(
        material([trajectory(under=under, **more)], [under], [grade], [rubric(criterion())]), ()
    )
    return dict(zip(COLUMNS, found.rows[0], strict=True))


def test_a_row_says_what_failed_first_and_in_which_words() -> None:
    row = only_row(graded(verdict("fail")), reward=1.0)
    assert row["what"] == "premature_stop"
    assert row["quote"] == "Yes. ###STOP###"
    assert (row["fidelity"], row["reward"], row["failed"], row["applicable"]) == (0, 1, 1, 1)


def test_outcomes_of_one_mode_share_a_digit() -> None:
    row = only_row(graded(verdict("pass"), verdict("not_applicable", criterion_id="c2")))
    digits = str(row["modes"])
    assert len(digits) == len(MODES)
    assert digits[MODES.index("premature_stop")] == "5"


def test_faults_of_form_are_bits() -> None:
    note = ProtocolNote(mode="late_stop", turn=5)
    row = only_row(graded(verdict("pass"), protocol=(note,)))
    assert row["protocol"] == 1 << PROTOCOL_MODES.index("late_stop")


def test_what_is_missing_stays_missing() -> None:
    row = only_row(graded(verdict("ungraded", reason="refusal")))
    assert (row["reward"], row["cost"], row["trial"], row["fidelity"]) == (None, None, None, None)


def test_tasks_are_ordered_by_number_where_they_are_numbers() -> None:
    bounds = [contract(task_id=name) for name in ("10", "9", "b")]
    said = [trajectory(under=one, id=one.task_id) for one in bounds]
    found = listing(material(said, bounds, []), ())
    assert found.ids == ("b", "9", "10")


def test_a_long_quotation_is_cut_in_the_list_only() -> None:
    row = only_row(graded(verdict("fail", quotation="x" * 5000)))
    assert len(str(row["quote"])) == 160
