"""Arithmetic on printed numbers: the value as printed, and the range that rounding leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Literal

Outcome = Literal["match", "rounding", "differs", "needs trajectories"]


@dataclass(frozen=True, slots=True)
class Span:
    """A value, and the least and greatest it can be."""

    value: Fraction
    """Taken as printed."""
    low: Fraction
    """Least."""
    high: Fraction
    """Greatest."""

    @classmethod
    def exact(cls, value: int | Fraction) -> Span:
        """A number known exactly."""
        return cls(Fraction(value), Fraction(value), Fraction(value))

    @classmethod
    def printed(cls, number: Decimal) -> Span:
        """A printed number: half a unit of its last digit either way."""
        half = Fraction(unit(number)) / 2
        value = Fraction(number)
        return cls(value, value - half, value + half)

    def __add__(self, other: Span) -> Span:
        """Sum."""
        return Span(self.value + other.value, self.low + other.low, self.high + other.high)

    def __sub__(self, other: Span) -> Span:
        """Difference."""
        return Span(self.value - other.value, self.low - other.high, self.high - other.low)

    def __mul__(self, other: Span) -> Span:
        """Product of spans of numbers that are not negative."""
        return Span(self.value * other.value, self.low * other.low, self.high * other.high)

    def __truediv__(self, other: Span) -> Span:
        """Quotient of spans of numbers above 0."""
        return Span(self.value / other.value, self.low / other.high, self.high / other.low)


def mean(spans: Sequence[Span]) -> Span:
    """Unweighted mean."""
    return total(spans) / Span.exact(len(spans))


def total(spans: Sequence[Span]) -> Span:
    """Sum of several."""
    return sum(spans, Span.exact(0))


def unit(number: Decimal) -> Decimal:
    """One unit of the last printed digit."""
    return Decimal(1).scaleb(int(number.as_tuple().exponent))


def rounded(value: Fraction, like: Decimal) -> Decimal:
    """`value` at the digits of `like`, halves away from 0."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact.quantize(unit(like), rounding=ROUND_HALF_UP)


def judge(published: Decimal, recomputed: Span) -> Outcome:
    """Whether a printed number follows from others.

    `match`: the recomputed value rounds to it. `rounding`: it does not, but the digits cut from
    the inputs can explain it. `differs`: they cannot.
    """
    if rounded(recomputed.value, published) == published:
        return "match"
    mine = Span.printed(published)
    overlap = recomputed.low <= mine.high and mine.low <= recomputed.high
    return "rounding" if overlap else "differs"


def share(printed: Decimal, n: int) -> Fraction | None:
    """The one k/n that prints like this; `None` when none or several do."""
    span = Span.printed(printed)
    fitting = [
        Fraction(k, n)
        for k in range(int(span.low * n), int(span.high * n) + 2)
        if 0 <= k <= n and rounded(Fraction(k, n), printed) == printed
    ]
    return fitting[0] if len(fitting) == 1 else None
