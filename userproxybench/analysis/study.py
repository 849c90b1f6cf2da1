"""One set of tables → every result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from userproxybench.analysis.comparability import (
    Obstacle,
    insurmountable,
    obstacles,
    scored_proxies,
    unknowns,
)
from userproxybench.analysis.costs import (
    Basis,
    Costs,
    Override,
    PriceLookup,
    choose_basis,
    cost_notes,
    costs,
)
from userproxybench.analysis.effort import Effort, effort
from userproxybench.analysis.failures import Failures, failures
from userproxybench.analysis.ground import ShareCurve, share_curve
from userproxybench.analysis.pairs import Pair, Spread, pairs, spreads
from userproxybench.analysis.panel import RESAMPLES, SEED, Panel
from userproxybench.analysis.probe import Probe, probe
from userproxybench.analysis.scores import Scores, Setting, scores
from userproxybench.errors import InputError
from userproxybench.tables import Tables


@dataclass(frozen=True)
class Options:
    """What a caller may set."""

    basis: Basis | None = None
    """Basis of the costs; `None`: the one that prices most proxies."""
    prices: PriceLookup | None = None
    """List prices by name of the proxy."""
    overrides: Mapping[str, Override] = field(default_factory=dict)
    """Costs that the user sets."""
    allow_different: bool = False
    """Compare proxies although more than the proxy differs."""
    resamples: int = RESAMPLES
    """Bootstrap replicates."""
    seed: int = SEED
    """Seed of the bootstrap."""


@dataclass(frozen=True)
class Analysis:
    """Every result of one set of tables."""

    grader: str
    """The instrument, or `unknown`."""
    rubric_source: str
    """Which rubrics, or `unknown`."""
    episodes: int
    """Trajectories."""
    proxies: tuple[str, ...]
    """Names of the proxies."""
    domains: tuple[str, ...]
    """Names of the domains."""
    tasks: int
    """Tasks."""
    resamples: int
    """Bootstrap replicates behind the intervals."""
    scores: Scores
    """UFS per proxy, domain and variant."""
    costs: Costs
    """Costs on all bases."""
    failures: Failures
    """Failures, and reward against them."""
    effort: Effort | None
    """Effort of the agent; `None` where the proxies cannot be compared."""
    probe: Probe | None
    """Gold writes; `None` where no task has one."""
    pairs: tuple[Pair, ...] | None
    """Proxy against proxy; `None` where they cannot be compared."""
    reward_spreads: tuple[Spread, ...] | None
    """Reward per domain over proxies; `None` where they cannot be compared."""
    curve: ShareCurve | None
    """Selection shares; `None` without costs, comparability, or tasks to resample."""
    obstacles: tuple[Obstacle, ...]
    """What keeps the proxies from being compared."""
    notes: tuple[str, ...]
    """What a reader must know."""

    @property
    def compared(self) -> bool:
        """Whether proxies were set against each other."""
        return self.pairs is not None


def analyse(tables: Tables, options: Options | None = None) -> Analysis:
    """Every result of checked tables. The same tables and options give the same results.

    Results that set proxies against each other are left out where more than the proxy differs,
    unless `allow_different`. Raises `InputError` for tables without an episode.
    """
    options = options or Options()
    panel = Panel.of(tables)
    if not len(panel):
        raise InputError("the tables hold no episode: nothing to analyse")
    found = costs(panel, prices=options.prices, overrides=options.overrides)
    basis = options.basis or choose_basis(found)
    against, without = scored_proxies(panel)
    barred = tuple(obstacles(against))
    overridden = options.allow_different and insurmountable(barred) is None
    fair = bool(len(against)) and (not barred or overridden)
    rng, count = np.random.default_rng(options.seed), options.resamples
    return Analysis(
        grader=_only(tables, "grader"),
        rubric_source=_only(tables, "rubric_source"),
        episodes=len(panel),
        proxies=panel.proxies,
        domains=panel.domains,
        tasks=len(panel.tasks),
        resamples=count,
        scores=scores(panel, found, Setting(basis, fair, count), rng=rng),
        costs=found,
        failures=failures(panel),
        effort=effort(against, rng=rng, resamples=count) if fair else None,
        probe=probe(panel),
        pairs=pairs(against, rng=rng, resamples=count) if fair else None,
        reward_spreads=spreads(against.shared(), ("reward",)) if fair else None,
        curve=_curve(against, options, basis) if fair else None,
        obstacles=barred,
        notes=(*_comparison_notes(barred, without, fair=fair), *_notes(panel, found, basis)),
    )


def _curve(panel: Panel, options: Options, basis: Basis | None) -> ShareCurve | None:
    common = panel.shared()
    if basis is None or not len(common):
        return None
    kept = {name: own for name, own in options.overrides.items() if name in common.proxies}
    found = costs(common, prices=options.prices, overrides=kept)
    rng = np.random.default_rng(options.seed)
    return share_curve(common, found, basis, rng=rng, resamples=options.resamples)


def _comparison_notes(barred: tuple[Obstacle, ...], without: list[str], *, fair: bool) -> list[str]:
    notes = [f"no scored episode, not compared: {', '.join(without)}"] if without else []
    shown = "; ".join(f"{one.what} {one.detail}" for one in barred)
    if barred and fair:
        notes.append(f"compared all the same: {shown}")
    elif barred:
        remedy = "" if insurmountable(barred) else " (override with --allow-different)"
        notes.append(f"proxies not compared: {shown}{remedy}")
    return notes


def _notes(panel: Panel, found: Costs, basis: Basis | None) -> list[str]:
    notes = unknowns(panel)
    if basis is None:
        notes.append("no proxy has a known cost on any basis: no frontier")
    elif basis == "mixed":
        notes.append("costs stand on mixed bases, which do not compare like with like")
    return [*notes, *cost_notes(found.proxies)]


def _only(tables: Tables, column: str) -> str:
    kinds = tables.verdicts[column].dropna().unique().tolist()
    return str(kinds[0]) if len(kinds) == 1 else "unknown"
