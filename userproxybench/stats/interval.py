"""What every interval holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided confidence interval."""

    low: float
    """Lower end."""
    high: float
    """Upper end."""
    confidence: float
    """Nominal coverage, 0.95 for 95 %."""
    method: str
    """How it was made."""


def check_confidence(confidence: float) -> None:
    """Raise `ValueError` unless `confidence` lies strictly between 0 and 1."""
    if not 0 < confidence < 1:
        raise ValueError(f"`confidence` is {confidence!r}; expected a number between 0 and 1")
