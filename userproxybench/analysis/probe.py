"""The judge-free probe: gold user writes that were missed, beside the verdicts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from userproxybench.analysis.panel import Mask, Panel, means, number
from userproxybench.analysis.scores import ranks

RELEVANT_MODES = ("skips_requested_action", "unexecuted_action_claim")
"""Modes that speak of a step the user owes: the reading of "a directly relevant criterion"."""


@dataclass(frozen=True, slots=True)
class ProbedProxy:
    """UFS of one proxy with and without the probe, over domains that have gold user writes."""

    proxy: str
    """Its name."""
    episodes: int
    """Scored episodes with a gold user write."""
    missed: int
    """Of these, with one missed."""
    ufs: float | None
    """UFS, mean over these domains."""
    ufs_with_probe: float | None
    """UFS when a missed gold write fails the episode."""
    rank: int | None
    """Rank by `ufs`."""
    rank_with_probe: int | None
    """Rank by `ufs_with_probe`."""


@dataclass(frozen=True)
class Probe:
    """Gold writes against verdicts."""

    episodes: int
    """Scored episodes with a gold user write."""
    missed: int
    """Of these, with one missed."""
    missed_all_pass: int
    """Of those, with every applicable criterion passed."""
    missed_relevant_pass: int
    """Of those, with a relevant criterion applied and none failed."""
    proxies: tuple[ProbedProxy, ...]
    """By name."""

    @property
    def ranking_changes(self) -> bool:
        """Whether folding the probe in would change any rank."""
        return any(one.rank != one.rank_with_probe for one in self.proxies)


def probe(panel: Panel) -> Probe | None:
    """The probe over scored episodes; `None` where no task has a gold user write."""
    writes = panel.numbers("missed_gold_writes")
    usable = np.isfinite(writes) & (panel.status == "scored")
    if not usable.any():
        return None
    missed = usable & (writes > 0)
    return Probe(
        episodes=int(usable.sum()),
        missed=int(missed.sum()),
        missed_all_pass=int((missed & (panel.fidelity == 1)).sum()),
        missed_relevant_pass=int((missed & _relevant_pass(panel)).sum()),
        proxies=_proxies(panel, usable, missed),
    )


def _relevant_pass(panel: Panel) -> Mask:
    verdicts = panel.tables.verdicts
    relevant = verdicts[verdicts["mode"].isin(RELEVANT_MODES)]
    ids = panel.words("episode_id")
    ended = {
        verdict: np.isin(ids, relevant.loc[relevant["verdict"] == verdict, "episode_id"].tolist())
        for verdict in ("pass", "fail")
    }
    return ended["pass"] & ~ended["fail"]


def _proxies(panel: Panel, usable: Mask, missed: Mask) -> tuple[ProbedProxy, ...]:
    plain = np.where(usable, panel.fidelity, np.nan)
    folded = np.where(missed, 0.0, plain)
    made = means(panel, [plain, folded], rng=np.random.default_rng(0), resamples=1)
    without, with_probe = made[0].macro, made[1].macro
    before, after = ranks(without), ranks(with_probe)
    return tuple(
        ProbedProxy(
            proxy=name,
            episodes=int((usable & (panel.proxy == at)).sum()),
            missed=int((missed & (panel.proxy == at)).sum()),
            ufs=number(without[at]),
            ufs_with_probe=number(with_probe[at]),
            rank=before[at],
            rank_with_probe=after[at],
        )
        for at, name in enumerate(panel.proxies)
    )
