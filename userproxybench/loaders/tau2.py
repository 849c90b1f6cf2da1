"""Reading tau2 simulations, whatever file they came in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import msgspec

from userproxybench.errors import LoadError
from userproxybench.loaders import contracts
from userproxybench.loaders.contracts import Task, task_key
from userproxybench.loaders.domains import domain_of
from userproxybench.loaders.records import Episode, LoadOptions, ProxyIdentity
from userproxybench.loaders.shapes import LoadErrorFor
from userproxybench.loaders.tau2_episode import (
    Entry,
    Kept,
    Tools,
    contract_of,
    task_of,
    trajectory_of,
)
from userproxybench.loaders.tau2_schema import UNKNOWN, callers, tool_types
from userproxybench.models import Contract, Source

SURVEYED = 500
"""Simulations that are all read ahead to infer user tools."""
SAMPLED = 150
"""Size of the even sample that is read ahead of longer runs."""


class Tau2Reader(ABC):
    """Shared reading of tau2 simulations; subclasses say where they come from."""

    format: str

    def __init__(self, name: str, options: LoadOptions) -> None:
        self.name = name
        self.options = options
        self.notes: list[str] = []
        self.proxies: Sequence[ProxyIdentity] = ()
        self._kept: list[Kept] = []
        self._tools: defaultdict[str, Tools] = defaultdict(Tools)
        self._domains: dict[int, str] = {}
        self._contracts: dict[tuple[str, str, ProxyIdentity], Contract] = {}

    @abstractmethod
    def entries(self) -> int:
        """Number of simulations in the dump."""

    @abstractmethod
    def read(self, index: int) -> Entry:
        """One simulation as the dump has it; raises `LoadError` where it cannot be read."""

    def entry(self, index: int) -> Entry:
        """One simulation, its domain looked for in task and tools where the run names none."""
        entry = self.read(index)
        if entry.meta.domain != UNKNOWN:
            return entry
        if index not in self._domains:
            self._domains[index] = domain_of(entry.simulation, entry.task) or UNKNOWN
        return entry._replace(meta=replace(entry.meta, domain=self._domains[index]))

    def tasks(self) -> Iterable[tuple[str, Task]]:
        """(domain, task) of all tasks the dump holds apart from its simulations."""
        return ()

    def __len__(self) -> int:
        return len(self._kept)

    def episode(self, index: int) -> Episode:
        """Read one episode."""
        kept = self._kept[index]
        entry = self.entry(kept.entry)
        contract = self.contract(entry)
        place = f"simulations[{kept.entry}]"
        try:
            trajectory = trajectory_of(entry, contract, kept, self.source(kept.entry))
        except (msgspec.DecodeError, RecursionError) as error:
            raise LoadErrorFor.item(self.name, place, error) from error
        return Episode(trajectory, contract)

    def source(self, index: int) -> Source:
        """Where a simulation was read."""
        return Source(self.name, index)

    def contract(self, entry: Entry) -> Contract:
        """The contract of one task under one proxy, built once."""
        key = (entry.meta.domain, task_of(entry), entry.meta.proxy)
        contract = self._contracts.get(key)
        if contract is None:
            tools = self._tools[entry.meta.domain]
            contract = contract_of(entry, tools, self.options.guidelines)
            self._contracts[key] = contract
        return contract

    def survey(self) -> None:
        """Read ahead what an episode needs to know of the others: keys, tools, proxies."""
        self._kept = list(self._keys())
        for domain, task in self.tasks():
            self._learn_task(domain, task)
        total = len(self._kept)
        step = 1 if total <= SURVEYED else -(-total // SAMPLED)
        for kept in self._kept[::step]:
            try:
                self._learn(self.entry(kept.entry))
            except LoadError:
                continue
        if self._domains:
            found = ", ".join(sorted(set(self._domains.values())))
            self.notes.append(f"no domain recorded; read from tasks or tools: {found}")
        if step > 1:
            self.notes.append(
                f"user tools inferred from every {step}th simulation and all reference actions"
            )

    def _learn(self, entry: Entry) -> None:
        tools = self._tools[entry.meta.domain]
        if entry.task is not None:
            self._learn_task(entry.meta.domain, entry.task)
        for message in callers(entry.simulation.messages):
            if message.role == "user" and message.tool_calls:
                tools.names.update(call.name for call in message.tool_calls)
        tools.types.update(tool_types(entry.simulation.reward_info))
        tools.evident = tools.evident or not all(map(contracts.is_gate, tools.names))

    def _learn_task(self, domain: str, task: Task) -> None:
        tools = self._tools[domain]
        tools.names.update(action.name for action in contracts.user_actions(task))
        tools.evident = tools.evident or contracts.has_user_side(task)

    def _keys(self) -> Iterator[Kept]:
        """Drop identical repetitions; keep different simulations of one id apart."""
        seen: dict[str, list[int]] = {}
        cells: dict[tuple[str, str, str], str] = {}
        proxies: dict[ProxyIdentity, None] = {}
        dropped: list[str] = []
        for index in range(self.entries()):
            try:
                entry = self.entry(index)
            except LoadError:
                yield Kept(index, f"{self.name}#{index}")
                continue
            proxies[entry.meta.proxy] = None
            recorded = task_key(entry.simulation.id)
            id_ = recorded if len(recorded) >= 32 else f"{self.name}#{recorded or index}"
            notes: list[str] = []
            earlier = seen.setdefault(id_, [])
            if any(self._same(index, other) for other in earlier):
                dropped.append(recorded)
                continue
            earlier.append(index)
            if len(earlier) > 1:
                notes.append(f"simulation id {recorded!r} occurs with different content")
                id_ = f"{id_}~{len(earlier)}"
            notes += self._collision(entry, id_, cells)
            yield Kept(index, id_, tuple(notes))
        self.proxies = tuple(proxies)
        if dropped:
            self.notes.append(
                f"{len(dropped)} identical repetitions dropped: {some(dict.fromkeys(dropped))}"
            )

    def _same(self, index: int, other: int) -> bool:
        one, two = (self.entry(at).simulation for at in (index, other))
        return msgspec.json.encode(one) == msgspec.json.encode(two)

    def _collision(
        self, entry: Entry, id_: str, cells: dict[tuple[str, str, str], str]
    ) -> list[str]:
        if entry.simulation.trial is None:
            return []
        cell = (entry.meta.domain, task_of(entry), task_key(entry.simulation.trial))
        first = cells.setdefault(cell, id_)
        if first == id_:
            return []
        return [f"repeats task {cell[1]}, trial {cell[2]} of {first} under another id"]


def some(values: Iterable[str], limit: int = 5) -> str:
    """The first few of many names, for a message."""
    shown = list(values)
    more = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return ", ".join(shown[:limit]) + more
