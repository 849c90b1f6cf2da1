"""The numbers that two papers print, with the digits they print."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from importlib import resources

from pydantic import Field

from userproxybench.models import Record


class Cell(Record):
    """One proxy in one domain (Table 2)."""

    reward: Decimal
    """Agent reward."""
    ufs: Decimal
    """UFS."""
    unscorable: int = 0
    """Tasks without an applicable criterion; they count for the reward only."""
    failed_to_run: int = 0
    """Tasks lost to an infrastructure error; they count for neither."""


class Proxy(Record):
    """One row of Table 1, with its cells of Table 2."""

    name: str
    """Its name."""
    hosting: str
    """`hosted` or `open`."""
    dominated: bool
    """Marked as dominated."""
    cost: Decimal
    """Dollars per simulation."""
    reward: Decimal
    """Agent reward, mean over domains."""
    ufs: Decimal
    """UFS, mean over domains."""
    prompt_tokens: int
    """Prompt tokens per simulation."""
    completion_tokens: int
    """Completion tokens per simulation."""
    domains: dict[str, Cell]
    """Its cells."""


class Pick(Record):
    """A pick that the paper names."""

    required: Decimal
    """UFS asked for."""
    proxy: str
    """Cheapest proxy that has it."""


class Repeated(Record):
    """A number printed twice, once with fewer digits."""

    source: str
    """Where."""
    statement: str
    """What."""
    full: Decimal
    """With more digits."""
    short: Decimal
    """With fewer."""


class Open(Record):
    """A statement that only trajectories can confirm."""

    source: str
    """Where."""
    statement: str
    """What."""
    published: str
    """As printed."""
    bounds: str = ""
    """Name of the bounds that the published tables put on it, where they do."""


class UserProxyBench(Record):
    """The UserProxyBench paper."""

    title: str
    """Title."""
    authors: str
    """Authors."""
    tasks: dict[str, int]
    """Tasks per domain."""
    criteria: dict[str, int]
    """Criteria per domain."""
    proxies: tuple[Proxy, ...]
    """Tables 1 and 2."""
    stated: dict[str, Decimal]
    """Numbers in the text that follow from others."""
    picks: tuple[Pick, ...]
    """Picks named in the text."""
    repeated: tuple[Repeated, ...]
    """Numbers printed twice."""
    open: tuple[Open, ...]
    """What needs trajectories."""

    def proxy(self, name: str) -> Proxy:
        """The proxy of this name."""
        return next(proxy for proxy in self.proxies if proxy.name == name)

    def reward_n(self, proxy: Proxy, domain: str) -> int:
        """Episodes behind a reward."""
        return self.tasks[domain] - proxy.domains[domain].failed_to_run

    def ufs_n(self, proxy: Proxy, domain: str) -> int:
        """Episodes behind a UFS."""
        return self.reward_n(proxy, domain) - proxy.domains[domain].unscorable


class PreferenceDomain(Record):
    """One row of AcCoRD's Table 2; pairs are (average, per cent)."""

    name: str
    """The domain."""
    search_space: str
    """As printed."""
    preferences: Decimal
    """Average preferences per scenario."""
    hard: tuple[Decimal, Decimal]
    """Hard underspecification."""
    soft: tuple[Decimal, Decimal]
    """Soft underspecification."""
    unachievable: tuple[Decimal, Decimal]
    """Unachievable."""
    triggered: tuple[Decimal, Decimal]
    """Triggered."""

    def dynamics(self) -> tuple[tuple[Decimal, Decimal], ...]:
        """The four dynamics in printed order."""
        return (self.hard, self.soft, self.unachievable, self.triggered)


class Result(Record):
    """One row of AcCoRD's Tables 3 and 4 (Shop)."""

    model: str
    """Agent model."""
    method: str
    """Prompting method."""
    completion: Decimal
    """Task completion rate, per cent."""
    outcome: Decimal
    """Outcome score."""
    perfect: Decimal
    """Perfect outcome rate, per cent."""
    task: Decimal
    """Task score."""
    dynamics: tuple[Decimal, ...] = ()
    """Preference scores: hard, soft, unachievable, triggered; empty where not in our source."""
    actions: tuple[Decimal, ...] = ()
    """Environment actions: mean, median."""
    utterances: tuple[Decimal, ...] = ()
    """Utterances: mean, median."""


class UnitTest(Record):
    """One row of AcCoRD's Table 6."""

    name: str
    """The test."""
    rates: tuple[Decimal, ...]
    """Pass rates, per cent: Shop then Travel, Claude-Sonnet-4.5 then GPT-5.1."""


class Accord(Record):
    """The AcCoRD paper."""

    title: str
    """Title."""
    scenarios: int
    """Scenarios per domain."""
    rollouts: int
    """Rollouts per scenario."""
    domains: tuple[PreferenceDomain, ...]
    """Table 2."""
    results: tuple[Result, ...]
    """Tables 3 and 4, as far as our source gives them."""
    unit_tests: tuple[UnitTest, ...]
    """Table 6, as far as our source gives it."""


class Published(Record):
    """Both papers."""

    userproxybench: UserProxyBench
    """UserProxyBench."""
    accord: Accord = Field()
    """AcCoRD."""


def published() -> Published:
    """The published numbers, from the data file of the package."""
    file = resources.files("userproxybench") / "data" / "published.toml"
    raw = tomllib.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
    return Published.model_validate(raw)
