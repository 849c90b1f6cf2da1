"""What fails, where, and whether the reward notices."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from userproxybench.analysis.panel import Mask, Panel
from userproxybench.models import FAMILIES, Family, Mode
from userproxybench.stats import Difference, Signs, rate_difference, signs

AT_LEAST = 5
"""Episodes on either side of a comparison within a cell."""
Others = Literal["not failed", "passed"]
"""What a failed family is compared with: all other scored episodes, or those where it passed."""


@dataclass(frozen=True, slots=True)
class FamilyCount:
    """How often a family failed under one proxy in one domain."""

    proxy: str
    """The proxy."""
    domain: str
    """The domain."""
    family: Family
    """The family."""
    episodes: int
    """Scored episodes in which it failed."""
    applicable: int
    """Scored episodes in which it failed or passed."""
    scored: int
    """Scored episodes."""
    criteria: int
    """Criteria of it that failed."""

    @property
    def share(self) -> float | None:
        """Share of scored episodes in which it failed."""
        return self.episodes / self.scored if self.scored else None


@dataclass(frozen=True, slots=True)
class CriteriaCount:
    """Criteria of one mode in one domain, each counted once per task."""

    domain: str
    """The domain."""
    family: Family
    """Family of the mode."""
    mode: Mode | str
    """The mode, or empty where the verdicts do not name one."""
    criteria: int
    """Different criteria, keyed by domain, task and criterion id."""
    tasks: int
    """Tasks that have one."""
    passed: int
    """Answers `pass`."""
    failed: int
    """Answers `fail`."""
    not_applicable: int
    """Answers `not_applicable`."""
    ungraded: int
    """Answers `ungraded`."""


@dataclass(frozen=True, slots=True)
class RewardTable:
    """Reward against fidelity, over scored episodes with a reward."""

    proxy: str
    """The proxy, or `all`."""
    domain: str
    """The domain, or `all`."""
    pass_pass: int
    """Successful and faithful."""
    pass_fail: int
    """Successful, and the contract was violated."""
    fail_pass: int
    """Not successful, and faithful."""
    fail_fail: int
    """Neither."""

    @property
    def n(self) -> int:
        """Episodes in the table."""
        return self.pass_pass + self.pass_fail + self.fail_pass + self.fail_fail

    @property
    def share_of_successes(self) -> float | None:
        """Share of successful episodes that fail UFS."""
        successes = self.pass_pass + self.pass_fail
        return self.pass_fail / successes if successes else None

    @property
    def share_of_all(self) -> float | None:
        """Share of all episodes that are successful and fail UFS."""
        return self.pass_fail / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class CellEffect:
    """Success where a family failed less success where it did not, in one cell."""

    family: Family
    """The family."""
    proxy: str
    """The proxy."""
    domain: str
    """The domain."""
    others: Others
    """What it is compared with."""
    difference: Difference
    """The difference in success."""


@dataclass(frozen=True, slots=True)
class FamilyEffect:
    """The cells of one family taken together."""

    family: Family
    """The family."""
    others: Others
    """What it is compared with."""
    cells: Signs
    """Mean, median and signs over cells with at least five episodes a side."""


@dataclass(frozen=True)
class Failures:
    """All of the above."""

    counts: tuple[FamilyCount, ...]
    """By family, domain, proxy."""
    criteria: tuple[CriteriaCount, ...]
    """By domain, family, mode."""
    reward: tuple[RewardTable, ...]
    """All, then per domain, then per proxy."""
    cells: tuple[CellEffect, ...]
    """Cells that are large enough."""
    effects: tuple[FamilyEffect, ...]
    """Per family and reading."""


def failures(panel: Panel) -> Failures:
    """Failure counts, and how they go with the agent's success."""
    cells = tuple(_cells(panel))
    return Failures(
        counts=tuple(_counts(panel)),
        criteria=_criteria(panel),
        reward=_reward(panel),
        cells=cells,
        effects=tuple(
            FamilyEffect(family, others, signs(_differences(cells, family, others)))
            for family in FAMILIES
            for others in ("not failed", "passed")
        ),
    )


def _counts(panel: Panel) -> list[FamilyCount]:
    scored = panel.status == "scored"
    rows = []
    for family in FAMILIES:
        outcome = panel.words(family)
        criteria = np.array([tally.failed for tally in panel.tallies[family]], dtype=int)
        for domain, proxy, mine in _each_cell(panel, scored):
            rows.append(
                FamilyCount(
                    proxy=proxy,
                    domain=domain,
                    family=family,
                    episodes=int((outcome[mine] == "failed").sum()),
                    applicable=int(np.isin(outcome[mine], ("failed", "passed")).sum()),
                    scored=int(mine.sum()),
                    criteria=int(criteria[mine].sum()),
                )
            )
    return rows


def _criteria(panel: Panel) -> tuple[CriteriaCount, ...]:
    verdicts = panel.tables.verdicts
    task_of = dict(zip(panel.words("episode_id").tolist(), panel.task.tolist(), strict=True))
    answers: Counter[tuple[str, str, str, str]] = Counter()
    criteria: dict[tuple[str, str, str], set[tuple[int, str]]] = {}
    columns = (verdicts[name].fillna("").tolist() for name in _CRITERIA_COLUMNS)
    for episode, criterion, family, mode, verdict in zip(*columns, strict=True):
        task = task_of[episode]
        key = (panel.tasks[task][0], family, mode)
        answers[(*key, verdict)] += 1
        criteria.setdefault(key, set()).add((task, criterion))
    order = {family: at for at, family in enumerate(FAMILIES)}
    return tuple(
        CriteriaCount(
            domain=key[0],
            family=key[1],  # type: ignore[arg-type]  # the frame holds checked families only
            mode=key[2],
            criteria=len(members),
            tasks=len({task for task, _ in members}),
            passed=answers[(*key, "pass")],
            failed=answers[(*key, "fail")],
            not_applicable=answers[(*key, "not_applicable")],
            ungraded=answers[(*key, "ungraded")],
        )
        for key, members in sorted(
            criteria.items(),
            key=lambda item: (item[0][0], order[item[0][1]], item[0][2]),  # type: ignore[index]
        )
    )


def _reward(panel: Panel) -> tuple[RewardTable, ...]:
    success, faithful = panel.numbers("success"), panel.fidelity
    known = np.isfinite(success) & np.isfinite(faithful)

    def table(proxy: str, domain: str, mine: Mask) -> RewardTable:
        mine = mine & known
        won, kept = success[mine] == 1, faithful[mine] == 1
        return RewardTable(
            proxy=proxy,
            domain=domain,
            pass_pass=int((won & kept).sum()),
            pass_fail=int((won & ~kept).sum()),
            fail_pass=int((~won & kept).sum()),
            fail_fail=int((~won & ~kept).sum()),
        )

    return (
        table("all", "all", known),
        *(table("all", name, panel.domain == at) for at, name in enumerate(panel.domains)),
        *(table(name, "all", panel.proxy == at) for at, name in enumerate(panel.proxies)),
        *(table(proxy, domain, mine) for domain, proxy, mine in _each_cell(panel, known)),
    )


def _cells(panel: Panel) -> list[CellEffect]:
    success = panel.numbers("success")
    usable = (panel.status == "scored") & np.isfinite(success)
    rows = []
    for family in FAMILIES:
        outcome = panel.words(family)
        for domain, proxy, mine in _each_cell(panel, usable):
            sides: tuple[tuple[Others, Mask], ...] = (
                ("not failed", mine & (outcome != "")),
                ("passed", mine & np.isin(outcome, ("failed", "passed"))),
            )
            for others, kept in sides:
                gap = rate_difference(
                    success[kept] == 1, outcome[kept] == "failed", at_least=AT_LEAST
                )
                if gap is not None:
                    rows.append(CellEffect(family, proxy, domain, others, gap))
    return rows


def _differences(cells: tuple[CellEffect, ...], family: Family, others: str) -> list[float]:
    return [
        cell.difference.estimate
        for cell in cells
        if cell.family == family and cell.others == others
    ]


def _each_cell(panel: Panel, among: Mask) -> list[tuple[str, str, Mask]]:
    return [
        (domain, proxy, among & (panel.domain == at) & (panel.proxy == code))
        for at, domain in enumerate(panel.domains)
        for code, proxy in enumerate(panel.proxies)
    ]


_CRITERIA_COLUMNS = ("episode_id", "criterion_id", "family", "mode", "verdict")
