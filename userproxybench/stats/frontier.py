"""Cost against fidelity: what is dominated, what to pick, and how often."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Selection:
    """How a choice fares under resampling; `picked` and `none` together make 1."""

    picked: Array
    """Share of replicates in which each option is the pick."""
    dominated: Array
    """Share of replicates in which each option is dominated."""
    none: float
    """Share in which nothing qualifies."""
    resamples: int
    """Number of replicates."""


def dominated(costs: Array, values: Array) -> NDArray[np.bool_]:
    """Which options another one beats: no dearer, no worse, and better in one of the two.

    Works on the last axis. An option without a cost or a value dominates nothing and is not
    dominated.
    """
    out = np.zeros(np.broadcast_shapes(costs.shape, values.shape), dtype=bool)
    for other in range(values.shape[-1]):
        one = slice(other, other + 1)
        cost, value = costs[..., one], values[..., one]
        as_good = (cost <= costs) & (value >= values)
        out |= as_good & ((cost < costs) | (value > values))
    return out


def pick(costs: Array, values: Array, required: float) -> int | None:
    """Index of the cheapest option with a value of at least `required`, or `None`.

    Of equally cheap ones the better is taken, then the first. One without a cost is never taken.
    """
    index = int(picks(costs[None, :], values[None, :], required)[0])
    return None if index < 0 else index


def picks(costs: Array, values: Array, required: float) -> NDArray[np.intp]:
    """`pick` for each row of (replicates, options); -1 where nothing qualifies."""
    qualifies = (values >= required) & np.isfinite(costs)
    price = np.where(qualifies, costs, np.inf)
    cheapest = price.min(axis=1, keepdims=True)
    worth = np.where(qualifies & (price == cheapest), values, -np.inf)
    return np.where(qualifies.any(axis=1), worth.argmax(axis=1), -1)


def selection(costs: Array, values: Array, required: float) -> Selection:
    """How often each option is picked and dominated over replicates (replicates, options)."""
    taken = picks(costs, values, required)
    options = values.shape[1]
    return Selection(
        picked=np.array([float((taken == option).mean()) for option in range(options)]),
        dominated=dominated(costs, values).mean(axis=0),
        none=float((taken < 0).mean()),
        resamples=values.shape[0],
    )
