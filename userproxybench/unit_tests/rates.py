"""Pass rates per test, domain and user model, in the layout of AcCoRD's Table 6."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from userproxybench.accord.format import DOMAINS, Domain
from userproxybench.accord.rules import TEST_TITLES, TESTS, TestName
from userproxybench.accord.tables import TextTable
from userproxybench.models import Record
from userproxybench.stats import (
    cluster_sums,
    percentile_interval,
    resample,
    resampled_ratios,
    wilson_interval,
)
from userproxybench.unit_tests.running import UnitResult

_RESAMPLES = 2000


class PassRate(Record):
    """How one user model does on one test in one domain."""

    test: TestName
    """Which test."""
    domain: Domain
    """shop or travel."""
    user_model: str
    """Simulator under test."""
    yes: int
    """Responses that pass."""
    no: int
    """Responses that fail."""
    not_applicable: int
    """Responses to which the test does not apply."""
    ungraded: int
    """Responses without an answer."""
    rate: float | None
    """yes / (yes + no); `None` where both are 0."""
    low: float | None
    """Lower end at 95 %: Wilson, or the bootstrap over scenarios where that reaches lower."""
    high: float | None
    """Upper end, likewise."""

    @property
    def n(self) -> int:
        """Responses that pass or fail."""
        return self.yes + self.no


def pass_rates(tested: Iterable[UnitResult], *, rng: np.random.Generator) -> list[PassRate]:
    """Rates of every domain, user model and test that occurs, in that order."""
    groups: dict[tuple[Domain, str, TestName], list[UnitResult]] = {}
    for each in tested:
        groups.setdefault((each.domain, each.user_model, each.test), []).append(each)
    order = sorted(groups, key=lambda key: (DOMAINS.index(key[0]), key[1], key[2]))
    return [_rate(groups[key], rng) for key in order]


def _rate(group: Sequence[UnitResult], rng: np.random.Generator) -> PassRate:
    first = group[0]
    counts = dict.fromkeys(("yes", "no", "n/a", "ungraded"), 0)
    for each in group:
        counts[each.outcome] += 1
    n = counts["yes"] + counts["no"]
    low, high = _interval(group, counts["yes"], n, rng) if n else (None, None)
    return PassRate(
        test=first.test,
        domain=first.domain,
        user_model=first.user_model,
        yes=counts["yes"],
        no=counts["no"],
        not_applicable=counts["n/a"],
        ungraded=counts["ungraded"],
        rate=counts["yes"] / n if n else None,
        low=low,
        high=high,
    )


def _interval(
    group: Sequence[UnitResult], yes: int, n: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Wilson's interval, widened to the bootstrap over scenarios.

    Turns of one scenario are not independent, so Wilson alone is too narrow; the bootstrap alone
    has no width where every turn passes.
    """
    wilson = wilson_interval(yes, n)
    answered = [each for each in group if each.outcome in ("yes", "no")]
    names, clusters = np.unique([each.scenario for each in answered], return_inverse=True)
    values = np.array([[float(each.outcome == "yes"), 1.0] for each in answered])
    strata = np.zeros(len(names), dtype=np.intp)
    sums = cluster_sums(values, clusters.astype(np.intp), strata, sizes=(len(names), 1))
    drawn = resample(sums, resamples=_RESAMPLES, rng=rng)[:, 0, :]
    bootstrap = percentile_interval(resampled_ratios(drawn[:, 0], drawn[:, 1]))
    if bootstrap is None:
        return wilson.low, wilson.high
    return min(wilson.low, bootstrap.low), max(wilson.high, bootstrap.high)


def rates_table(rates: Sequence[PassRate]) -> TextTable:
    """Layout of Table 6: a row per test, a column per domain and user model."""
    columns = list(dict.fromkeys((rate.domain, rate.user_model) for rate in rates))
    cells = {(rate.test, rate.domain, rate.user_model): rate for rate in rates}
    header = ("Test", *(f"{domain.capitalize()}: {model}" for domain, model in columns))
    rows = []
    for test in TESTS:
        found = [cells.get((test, *column)) for column in columns]
        if any(found):
            title = f"{test}: {TEST_TITLES[test]}"
            rows.append((title, *(_cell(rate) if rate else "" for rate in found)))
    return TextTable("Unit test pass rates (as AcCoRD Table 6)", header, tuple(rows))


def _cell(rate: PassRate) -> str:
    if rate.rate is None or rate.low is None or rate.high is None:
        return "-"
    return f"{rate.rate:.1%} [{100 * rate.low:.0f}, {100 * rate.high:.0f}]"


def counts_table(rates: Sequence[PassRate]) -> TextTable:
    """What stands behind each rate."""
    header = ("Domain", "User", "Test", "Pass rate", "n", "yes", "no", "n/a", "ungraded")
    rows = tuple(
        (
            rate.domain,
            rate.user_model,
            rate.test,
            _cell(rate),
            str(rate.n),
            str(rate.yes),
            str(rate.no),
            str(rate.not_applicable),
            str(rate.ungraded),
        )
        for rate in rates
    )
    return TextTable("Counts behind the rates", header, rows)
