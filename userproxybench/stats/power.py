"""How many tasks it takes."""

from __future__ import annotations

import math


def tasks_to_tell_apart(
    a_only: float, b_only: float, *, alpha: float = 0.05, power: float = 0.8
) -> int | None:
    """Tasks at which McNemar's test finds the difference of two proxies with the given power.

    n = (z(1 - alpha/2) √ψ + z(power) √(ψ - δ²))² / δ², where ψ = a_only + b_only is the share of
    tasks on which the two differ, and δ = a_only - b_only the difference. `None` when there is no
    difference to find.

    Reference: Connor (1987), Biometrics 43; R: MESS::power_mcnemar_test.
    """
    from scipy import stats

    discordant, gap = a_only + b_only, abs(a_only - b_only)
    if min(a_only, b_only) < 0 or discordant > 1:
        raise ValueError(f"`a_only` {a_only!r} and `b_only` {b_only!r} are not shares of tasks")
    if gap == 0:
        return None
    level, strength = float(stats.norm.ppf(1 - alpha / 2)), float(stats.norm.ppf(power))
    root = level * math.sqrt(discordant) + strength * math.sqrt(discordant - gap * gap)
    return math.ceil((root / gap) ** 2)
