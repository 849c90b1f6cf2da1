"""What is in a dump, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from userproxybench.errors import LoadError
from userproxybench.loaders.records import Episode
from userproxybench.models import IdentitySource, Record, Trajectory


class ProxyDescription(Record):
    """One user proxy in an input."""

    name: str
    """Name, as tables will show it."""
    identity: IdentitySource
    """Where the name comes from."""
    settings_hash: str
    """Hash over recorded settings and guidelines; empty where nothing is recorded."""
    hosting: str
    """`hosted`, `open`, or empty where unknown."""
    episodes: int
    """Episodes of this proxy."""


class CostDescription(Record):
    """Recorded user-side cost of an input."""

    usd: float
    """Dollars over the episodes whose cost is known."""
    known: int
    """Episodes whose cost is known."""
    calls: int
    """Turns written by simulators."""
    priced_calls: int
    """Of these, with a recorded cost."""
    metered_calls: int
    """Of these, with recorded tokens."""
    prompt_tokens: int
    """Prompt tokens over the metered calls."""
    completion_tokens: int
    """Completion tokens over the metered calls."""
    discarded_attempts: int
    """User turns thrown away and made anew; their cost is not recorded."""


class Description(Record):
    """What is in one input."""

    file: str
    """Name of the file or folder."""
    format: str
    """Format found."""
    episodes: int
    """Episodes, damaged ones left out."""
    auditable: int
    """Of these, with something to grade."""
    damaged: tuple[str, ...]
    """Messages of the items that cannot be read."""
    domains: dict[str, int]
    """Episodes per domain."""
    proxies: tuple[ProxyDescription, ...]
    """User proxies."""
    agents: dict[str, int]
    """Episodes per agent."""
    tasks: int
    """Distinct (domain, task id)."""
    trials: dict[str, int]
    """Episodes per recorded trial; `unknown` where none is recorded."""
    terminations: dict[str, int]
    """Episodes per way of ending."""
    not_auditable: dict[str, int]
    """Episodes with nothing to grade, per reason."""
    blueprints: int
    """Episodes whose blueprint is in the dump."""
    guidelines: dict[str, int]
    """Episodes per source of the guidelines."""
    user_tools: tuple[str, ...]
    """Tools of the users' own."""
    cost: CostDescription
    """Recorded cost."""
    notes: tuple[str, ...]
    """Every assumption made, those on single episodes with their number."""


def describe(
    file: str, format_: str, notes: Iterable[str], episodes: Iterable[Episode | LoadError]
) -> Description:
    """Count what the episodes of an input hold."""
    tally = _Tally()
    for episode in episodes:
        if isinstance(episode, LoadError):
            tally.damaged.append(str(episode))
        else:
            tally.add(episode)
    return tally.description(file, format_, tuple(notes))


_COUNTED = (
    "calls",
    "priced_calls",
    "metered_calls",
    "prompt_tokens",
    "completion_tokens",
    "discarded_attempts",
)


class _Tally:
    def __init__(self) -> None:
        self.damaged: list[str] = []
        self.counts: dict[str, Counter[str]] = {
            name: Counter()
            for name in (
                "domains",
                "agents",
                "trials",
                "terminations",
                "not_auditable",
                "guidelines",
                "notes",
            )
        }
        self.proxies: Counter[tuple[str, IdentitySource, str, str]] = Counter()
        self.tasks: set[tuple[str, str]] = set()
        self.tools: set[str] = set()
        self.episodes = self.auditable = self.blueprints = 0
        self.usd, self.known = 0.0, 0
        self.cost: dict[str, int] = dict.fromkeys(_COUNTED, 0)

    def add(self, episode: Episode) -> None:
        """Count one episode."""
        trajectory, contract = episode
        counts = self.counts
        self.episodes += 1
        self.auditable += not trajectory.not_auditable
        self.blueprints += not contract.blueprint.is_empty
        self.tasks.add((trajectory.domain, trajectory.task_id))
        self.tools.update(tool.name for tool in contract.user_tools)
        counts["domains"][trajectory.domain] += 1
        counts["agents"][trajectory.agent] += 1
        counts["trials"]["unknown" if trajectory.trial is None else str(trajectory.trial)] += 1
        counts["terminations"][trajectory.termination] += 1
        counts["guidelines"][contract.guidelines_source] += 1
        counts["notes"].update((*trajectory.notes, *contract.notes))
        if trajectory.not_auditable:
            counts["not_auditable"][trajectory.not_auditable] += 1
        key = (
            trajectory.proxy,
            trajectory.proxy_identity,
            trajectory.proxy_settings_hash,
            trajectory.hosting,
        )
        self.proxies[key] += 1
        self._add_cost(trajectory)

    def _add_cost(self, trajectory: Trajectory) -> None:
        cost = trajectory.cost
        if cost.usd is not None:
            self.usd += cost.usd
            self.known += 1
        for name in _COUNTED:
            self.cost[name] += getattr(cost, name) or 0

    def description(self, file: str, format_: str, notes: tuple[str, ...]) -> Description:
        """The counts as a record."""
        counted = [
            f"{note} ({count} of {self.episodes} episodes)"
            for note, count in self.counts["notes"].items()
            if note not in notes
        ]
        return Description(
            file=file,
            format=format_,
            episodes=self.episodes,
            auditable=self.auditable,
            damaged=tuple(self.damaged),
            domains=dict(self.counts["domains"]),
            proxies=tuple(
                ProxyDescription(
                    name=name, identity=identity, settings_hash=hash_, hosting=hosting, episodes=n
                )
                for (name, identity, hash_, hosting), n in self.proxies.items()
            ),
            agents=dict(self.counts["agents"]),
            tasks=len(self.tasks),
            trials=dict(self.counts["trials"]),
            terminations=dict(self.counts["terminations"]),
            not_auditable=dict(self.counts["not_auditable"]),
            blueprints=self.blueprints,
            guidelines=dict(self.counts["guidelines"]),
            user_tools=tuple(sorted(self.tools)),
            cost=CostDescription(usd=self.usd, known=self.known, **self.cost),
            notes=(*notes, *counted),
        )
