"""The papers' tables and figures from their published numbers, and a check of what follows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from userproxybench.analysis.sheet import Sheet
from userproxybench.paper.checks import Check, checks
from userproxybench.paper.implied import Implied, implied
from userproxybench.paper.published import UserProxyBench, published
from userproxybench.paper.sheets import accord_sheets, checks_sheet, implied_sheets, table1, table2
from userproxybench.plots import (
    FORMATS,
    FrontierPoint,
    RewardPoint,
    cost_fidelity_frontier,
    rendered,
    reward_range,
)
from userproxybench.stats import wilson_interval

__all__ = ["Reproduction", "reproduce"]


@dataclass(frozen=True)
class Reproduction:
    """What `userproxybench paper` writes and prints."""

    files: dict[str, bytes]
    """File name to content."""
    sheets: tuple[Sheet, ...]
    """The tables."""
    checks: tuple[Check, ...]
    """Every statement, checked."""
    implied: Implied
    """Intervals and pick shares that the paper's n implies."""


def reproduce() -> Reproduction:
    """Tables, figures and checks from the published numbers; the same bytes each time."""
    numbers = published()
    paper = numbers.userproxybench
    found = implied(paper, rng=np.random.default_rng(0))
    made = checks(numbers)
    sheets = [
        table1(paper),
        table2(paper),
        *accord_sheets(numbers.accord),
        *implied_sheets(found),
        checks_sheet(made),
    ]
    files = {
        f"{one.name}.{ending}": text.encode("utf-8")
        for one in sheets
        for ending, text in (("csv", one.csv()), ("md", one.markdown()), ("tex", one.latex()))
    }
    return Reproduction(files | _figures(paper, found), tuple(sheets), tuple(made), found)


def _figures(paper: UserProxyBench, found: Implied) -> dict[str, bytes]:
    intervals = {one.proxy: one.interval for one in found.intervals}
    shares = {one.proxy: 1 - one.dominated_share for one in found.intervals}
    frontier = cost_fidelity_frontier(
        [
            FrontierPoint(
                proxy.name,
                float(proxy.cost),
                float(proxy.ufs),
                intervals[proxy.name],
                shares[proxy.name],
            )
            for proxy in paper.proxies
        ],
        basis="published dollars",
        interval="95 % implied by the published n",
    )
    rewards = reward_range(
        [
            _reward_point(paper, domain, at)
            for domain in ("Telecom", "Airline", "Retail", "Banking")
            for at in range(len(paper.proxies))
        ],
        interval="95 % Wilson, from the published n",
    )
    drawn = {"figure1": frontier, "figure2": rewards}
    return {
        f"{name}.{kind}": rendered(figure, kind)
        for name, figure in drawn.items()
        for kind in FORMATS
    }


def _reward_point(paper: UserProxyBench, domain: str, at: int) -> RewardPoint:
    proxy = paper.proxies[at]
    reward, n = float(proxy.domains[domain].reward), paper.reward_n(proxy, domain)
    return RewardPoint(proxy.name, domain, reward, wilson_interval(round(reward * n), n))
