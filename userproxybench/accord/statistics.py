"""What a set of scenarios is made of: AcCoRD's Table 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from userproxybench.accord.format import DOMAINS, DYNAMICS, Domain, Dynamic, Scenario
from userproxybench.models import Record


class DatasetStatistics(Record):
    """Preferences per scenario of one domain."""

    domain: Domain
    """shop or travel."""
    scenarios: int
    """Scenarios."""
    preferences: int
    """Preferences over all scenarios."""
    per_dynamic: dict[Dynamic, int]
    """Preferences of each dynamic."""
    unknown_dynamic: int
    """Preferences whose dynamic is not known."""

    @property
    def per_scenario(self) -> float:
        """Mean number of preferences."""
        return self.preferences / self.scenarios

    def average(self, dynamic: Dynamic) -> float:
        """Mean number of preferences of one dynamic per scenario."""
        return self.per_dynamic[dynamic] / self.scenarios

    def share(self, dynamic: Dynamic) -> float | None:
        """Share of all preferences; `None` where there are none."""
        return self.per_dynamic[dynamic] / self.preferences if self.preferences else None


def dataset_statistics(scenarios: Iterable[Scenario]) -> list[DatasetStatistics]:
    """Statistics of each domain that occurs, shop first."""
    by_domain: dict[Domain, list[Scenario]] = {}
    for scenario in scenarios:
        by_domain.setdefault(scenario.domain, []).append(scenario)
    found = []
    for domain in DOMAINS:
        if domain in by_domain:
            members = by_domain[domain]
            counts = Counter(p.dynamic for scenario in members for p in scenario.preferences)
            found.append(
                DatasetStatistics(
                    domain=domain,
                    scenarios=len(members),
                    preferences=counts.total(),
                    per_dynamic={dynamic: counts[dynamic] for dynamic in DYNAMICS},
                    unknown_dynamic=counts[None],
                )
            )
    return found
