"""Every kind of fault mended in the rules stays mended: its violating and its clean twin."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from userproxybench.loaders.labelled import LabelledCase, read_cases
from userproxybench.rules import derive, grade

HERE = Path(__file__).parents[2] / "trajectories" / "calibration"


def twins() -> Iterator[LabelledCase]:
    for path in sorted(HERE.glob("kinds_*.jsonl")):
        yield from read_cases(path)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in twins()])
def test_a_kind_of_fault_is_told_from_its_clean_twin(case: LabelledCase) -> None:
    found = grade(case.trajectory, case.contract, derive(case.contract))
    turns = {v.turn for v in found.verdicts if v.verdict == "fail"}
    turns |= {note.turn for note in found.protocol}
    assert turns >= {label.turn for label in case.violations}
    assert case.violations or not turns
