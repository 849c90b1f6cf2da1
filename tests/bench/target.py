"""One promise about speed, memory or size, and what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Target:
    """A measured figure and its bound."""

    name: str
    """What was measured."""
    value: float
    """The figure."""
    sense: Literal["<=", ">="]
    """Which side of the bound is good."""
    bound: float
    """The bound."""
    unit: str = "x"
    """Unit of both; `x` is a ratio."""

    @property
    def met(self) -> bool:
        """Whether the figure keeps the promise."""
        return self.value <= self.bound if self.sense == "<=" else self.value >= self.bound

    def __str__(self) -> str:
        mark = "ok  " if self.met else "MISS"
        figure = f"{self.value:8.2f} {self.unit:3s} ({self.sense} {self.bound:g} {self.unit})"
        return f"{mark} {self.name:<58s} {figure}"
