"""Arithmetic on printed numbers keeps track of what rounding leaves open."""

from decimal import Decimal
from fractions import Fraction

import pytest

from userproxybench.paper.spans import Span, judge, mean, rounded, share


def test_a_printed_number_is_half_a_unit_wide() -> None:
    span = Span.printed(Decimal("0.450"))
    assert (span.low, span.high) == (Fraction(4495, 10000), Fraction(4505, 10000))


@pytest.mark.parametrize(
    ("published", "value", "half", "outcome"),
    [
        pytest.param("0.84", "0.8449", "0", "match", id="rounds to it"),
        pytest.param("0.84", "0.845", "0.001", "rounding", id="within what rounding allows"),
        pytest.param("0.84", "0.846", "0.0005", "differs", id="beyond it"),
        pytest.param("-0.52", "-0.515", "0", "match", id="halves go away from 0"),
    ],
)
def test_outcomes(published: str, value: str, half: str, outcome: str) -> None:
    centre, reach = Fraction(value), Fraction(half)
    assert judge(Decimal(published), Span(centre, centre - reach, centre + reach)) == outcome


def test_products_and_quotients_widen() -> None:
    a, b = Span.printed(Decimal("0.72")), Span.printed(Decimal("0.644"))
    product = a * b
    assert product.low == Fraction("0.715") * Fraction("0.6435")
    assert (a / b).high == Fraction("0.725") / Fraction("0.6435")
    assert (a - b).low == Fraction("0.715") - Fraction("0.6445")


def test_mean_of_spans() -> None:
    got = mean([Span.exact(1), Span.printed(Decimal("0.5"))])
    assert (got.value, got.low) == (Fraction(3, 4), Fraction(725, 1000))


def test_digits_of_the_print_are_kept() -> None:
    assert rounded(Fraction(2, 3), Decimal("0.000")) == Decimal("0.667")


@pytest.mark.parametrize(
    ("printed", "n", "expected"),
    [
        pytest.param("0.474", 114, Fraction(54, 114), id="one fits"),
        pytest.param("0.500", 97, None, id="none fits"),
        pytest.param("0.5", 1000, None, id="several fit"),
        pytest.param("1.000", 50, Fraction(1), id="all"),
    ],
)
def test_a_share_is_found_where_one_whole_number_fits(
    printed: str, n: int, expected: Fraction | None
) -> None:
    assert share(Decimal(printed), n) == expected
