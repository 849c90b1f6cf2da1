"""What the paper's own n implies about the numbers it prints without intervals."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from userproxybench.paper.checks import shares
from userproxybench.paper.published import UserProxyBench
from userproxybench.stats import Correlation, Interval, dominated, macro_interval, picks

DRAWS = 20_000
"""Parametric resamples."""


@dataclass(frozen=True, slots=True)
class ImpliedInterval:
    """UFS of one proxy with the interval that its n implies."""

    proxy: str
    """Its name."""
    ufs: float
    """UFS, mean over domains, from the cells of Table 2."""
    pooled: float
    """The other reading: UFS over all episodes."""
    interval: Interval
    """Price-Bonett interval of a mean of four independent shares."""
    n: int
    """Episodes behind it."""
    dominated_share: float
    """Share of parametric resamples in which another proxy dominates it."""


@dataclass(frozen=True, slots=True)
class ImpliedPick:
    """How a published pick fares when every share is drawn again."""

    required: float
    """UFS asked for."""
    proxy: str
    """The published pick."""
    survives: float
    """Share of parametric resamples in which it is the pick."""
    runner_up: str
    """The most frequent other answer, or `none qualifies`."""
    runner_up_share: float
    """Share of that answer."""


@dataclass(frozen=True)
class Implied:
    """All of it."""

    intervals: tuple[ImpliedInterval, ...]
    """By cost, dearest first."""
    picks: tuple[ImpliedPick, ...]
    """By required UFS."""
    correlations: tuple[tuple[str, Correlation], ...]
    """Published correlations over seven proxies with their Fisher intervals."""


def implied(paper: UserProxyBench, *, rng: np.random.Generator) -> Implied:
    """Intervals and pick shares, every cell of Table 2 drawn as a binomial of its n.

    Costs are held fixed, and proxies are drawn independently: that they share tasks, which would
    narrow differences, cannot be told from the tables.
    """
    share = np.array([[float(s.value) for s in shares(paper, p, "ufs")] for p in paper.proxies])
    n = np.array([[paper.ufs_n(p, domain) for domain in p.domains] for p in paper.proxies])
    drawn = (rng.binomial(n, share, size=(DRAWS, *n.shape)) / n).mean(axis=2)
    costs = np.array([float(p.cost) for p in paper.proxies])
    repeated = np.broadcast_to(costs, drawn.shape)
    beaten = dominated(repeated, drawn).mean(axis=0)
    return Implied(
        intervals=tuple(
            ImpliedInterval(
                proxy=proxy.name,
                ufs=float(share[at].mean()),
                pooled=float((share[at] * n[at]).sum() / n[at].sum()),
                interval=macro_interval(share[at] * n[at], n[at]),
                n=int(n[at].sum()),
                dominated_share=float(beaten[at]),
            )
            for at, proxy in enumerate(paper.proxies)
        ),
        picks=tuple(
            _pick(paper, picks(repeated, drawn, float(one.required)), one.required, one.proxy)
            for one in paper.picks
        ),
        correlations=tuple(_correlations(len(paper.proxies))),
    )


def _pick(paper: UserProxyBench, taken: np.ndarray, required: Decimal, proxy: str) -> ImpliedPick:
    names = [*(one.name for one in paper.proxies), "none qualifies"]
    shares_of = {name: float((taken % len(names) == at).mean()) for at, name in enumerate(names)}
    survives = shares_of.pop(proxy)
    runner_up = max(shares_of, key=lambda name: shares_of[name])
    return ImpliedPick(float(required), proxy, survives, runner_up, shares_of[runner_up])


def _correlations(n: int) -> list[tuple[str, Correlation]]:
    return [
        ("agent turns with UFS, r = .955", _fisher(0.955, n)),
        ("agent turns with reward, r = .594", _fisher(0.594, n)),
    ]


def _fisher(r: float, n: int) -> Correlation:
    """Fisher's interval of a printed r."""
    reach = 1.959963984540054 / (n - 3) ** 0.5
    low, high = np.tanh(np.arctanh(r) - reach), np.tanh(np.arctanh(r) + reach)
    return Correlation(r, Interval(float(low), float(high), 0.95, "Fisher z"), n, "Pearson")
