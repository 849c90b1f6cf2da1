"""What a violation does to the interaction, even where the reward stays the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from userproxybench.analysis.pairs import Spread, spreads
from userproxybench.analysis.panel import Array, Panel, means, number
from userproxybench.stats import (
    Correlation,
    Effect,
    Exposure,
    Interval,
    exposure_effects,
    pearson,
)

QUANTITIES = ("agent_tool_calls", "agent_questions", "agent_asking_turns", "agent_turns")
"""What over-disclosure may spare the agent."""
EFFORTS = ("agent_turns", "agent_messages")
"""Readings of the agent's effort."""
Target = Literal["ufs", "reward"]


@dataclass(frozen=True, slots=True)
class DisclosureEffect:
    """A quantity among successful episodes, with premature disclosure less without."""

    quantity: str
    """Column of `episodes`."""
    effect: Effect
    """The difference under one reading."""


@dataclass(frozen=True, slots=True)
class EffortPoint:
    """One proxy in the effort figure."""

    proxy: str
    """Its name."""
    effort: float | None
    """Mean effort on the common tasks."""
    ufs: float | None
    """UFS on the common tasks, mean over domains."""
    reward: float | None
    """Reward on the common tasks, mean over domains."""
    ufs_interval: Interval | None
    """Task-cluster bootstrap interval of `ufs`."""
    reward_interval: Interval | None
    """Task-cluster bootstrap interval of `reward`."""


@dataclass(frozen=True, slots=True)
class EffortCorrelation:
    """Over proxies: mean effort of the agent against UFS or reward."""

    effort: str
    """Column of `episodes` that is taken for effort."""
    target: Target
    """What it is set against."""
    on: Literal["common tasks", "all tasks"]
    """Tasks over which the target is taken; effort is always over the common ones."""
    correlation: Correlation
    """Pearson's r over proxies."""


@dataclass(frozen=True)
class Effort:
    """All of the above."""

    disclosure: tuple[DisclosureEffect, ...]
    """By quantity and reading."""
    proxies: tuple[str, ...]
    """Names behind `Effect.by_proxy`."""
    points: tuple[EffortPoint, ...]
    """Points of the figure: `agent_turns` on the common tasks."""
    correlations: tuple[EffortCorrelation, ...]
    """By effort, target and tasks."""
    common_tasks: int
    """Tasks that all proxies completed."""
    spreads: tuple[Spread, ...]
    """Spread of mean effort and questions over proxies on the common tasks."""


def effort(panel: Panel, *, rng: np.random.Generator, resamples: int) -> Effort:
    """Effects of disclosure, and effort against fidelity and reward."""
    common = panel.only(_completed_by_all(panel)) if len(panel) else panel
    return Effort(
        disclosure=_disclosure(panel, rng, resamples),
        proxies=panel.proxies,
        points=_points(common, rng, resamples),
        correlations=_correlations(panel, common),
        common_tasks=len(common.tasks),
        spreads=spreads(common, ("agent_turns", "agent_messages", "agent_questions")),
    )


def _disclosure(
    panel: Panel, rng: np.random.Generator, resamples: int
) -> tuple[DisclosureEffect, ...]:
    outcome = panel.words("premature_disclosure")
    usable = (panel.numbers("success") == 1) & (panel.status == "scored") & (outcome != "")
    rows: list[DisclosureEffect] = []
    for quantity in QUANTITIES:
        values = panel.numbers(quantity)
        kept = usable & np.isfinite(values)
        data = Exposure(
            quantity=values[kept],
            exposed=outcome[kept] == "failed",
            proxy=panel.proxy[kept],
            task=panel.task[kept],
            domain_of_task=panel.domain_of_task,
            proxies=len(panel.proxies),
        )
        effects = exposure_effects(data, rng=rng, resamples=resamples)
        rows += [DisclosureEffect(quantity, effect) for effect in effects]
    return tuple(rows)


def _completed_by_all(panel: Panel) -> np.ndarray:
    there = np.zeros((len(panel.tasks), len(panel.proxies)), dtype=bool)
    there[panel.task[panel.took_place], panel.proxy[panel.took_place]] = True
    everywhere: np.ndarray = np.all(there, axis=1)
    return everywhere[panel.task]


def _macros(panel: Panel) -> dict[str, Array]:
    columns = {
        "ufs": panel.fidelity,
        "reward": panel.numbers("reward"),
        **{name: panel.numbers(name) for name in EFFORTS},
    }
    made = means(panel, list(columns.values()), rng=np.random.default_rng(0), resamples=1)
    return {
        name: mean.pooled if name in EFFORTS else mean.macro
        for name, mean in zip(columns, made, strict=True)
    }


def _points(common: Panel, rng: np.random.Generator, resamples: int) -> tuple[EffortPoint, ...]:
    if not len(common):
        return ()
    columns = [common.numbers("agent_turns"), common.fidelity, common.numbers("reward")]
    turns, ufs, reward = means(common, columns, rng=rng, resamples=resamples)
    ufs_intervals, reward_intervals = ufs.macro_intervals(), reward.macro_intervals()
    return tuple(
        EffortPoint(
            proxy=name,
            effort=number(turns.pooled[at]),
            ufs=number(ufs.macro[at]),
            reward=number(reward.macro[at]),
            ufs_interval=ufs_intervals[at],
            reward_interval=reward_intervals[at],
        )
        for at, name in enumerate(common.proxies)
    )


def _correlations(panel: Panel, common: Panel) -> tuple[EffortCorrelation, ...]:
    if common.proxies != panel.proxies:
        return ()
    here, everywhere = _macros(common), _macros(panel)
    targets: tuple[Target, ...] = ("ufs", "reward")
    rows = []
    for name in EFFORTS:
        for target in targets:
            rows.append(
                EffortCorrelation(name, target, "common tasks", pearson(here[name], here[target]))
            )
            rows.append(
                EffortCorrelation(
                    name, target, "all tasks", pearson(here[name], everywhere[target])
                )
            )
    return tuple(rows)
