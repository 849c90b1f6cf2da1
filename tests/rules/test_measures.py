import math

import pytest

from userproxybench.rules.measures import Bounds, bounds, measured, measures


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("You are done at 40 Mbps or more.", Bounds(40, math.inf, "mbp")),
        ("It must be no more than 6 bar.", Bounds(-math.inf, 6, "bar")),
        ("Accept between 60 and 62 grams.", Bounds(60, 62, "gram")),
        ("It must take at least 3 days.", None),
        ("You pay at most 40 euros.", None),
        ("The tank holds 120 litres.", None),
    ],
    ids=["least", "most", "between", "time", "money", "no bound"],
)
def test_bounds_are_read_off_a_sentence(sentence: str, wanted: Bounds | None) -> None:
    assert bounds(sentence) == wanted


def test_a_measure_is_found_by_its_unit() -> None:
    text = "level: 34 l of 120 l; humidity: 55 %"
    assert measured(text, "l") == (34.0, 120.0)
    assert measured(text, "percent") == (55.0,)


def test_times_and_sums_are_no_measures() -> None:
    assert measures("3 days, 20 euros and 7 bar") == ((7.0, "bar"),)
