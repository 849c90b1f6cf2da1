"""Episodes out of tau2 simulations, whatever file they came in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
from msgspec import UnsetType

from userproxybench.errors import LoadError
from userproxybench.loaders import contracts, guidelines, voice
from userproxybench.loaders.buffers import decode_part, is_null
from userproxybench.loaders.contracts import Task, task_key
from userproxybench.loaders.costs import user_cost
from userproxybench.loaders.messages import Message, derive_ending, number, read_messages, turns_of
from userproxybench.loaders.records import Episode, LoadOptions, ProxyIdentity
from userproxybench.loaders.shapes import LoadErrorFor, Simulation
from userproxybench.loaders.tau2_schema import Meta, RewardInfo, callers, findings_of
from userproxybench.models import Contract, ReviewFinding, Source, Trajectory, Turn, UserTool

SURVEYED = 500
"""Simulations read ahead to infer user tools; beyond that an even sample is taken."""

_NO_TEXT = "no text: this dump has been stripped of what was said, content cannot be audited"
_SOLO = "no simulator: the user never speaks in this conversation"


class Entry(NamedTuple):
    """One simulation with what the dump says around it."""

    simulation: Simulation
    """The simulation, large parts undecoded."""
    meta: Meta
    """Its run."""
    task: Task | None
    """Its task, where the dump has it."""


class Kept(NamedTuple):
    """Which entry an episode is read from."""

    entry: int
    """Position in the dump."""
    id: str
    """Trajectory id."""
    notes: tuple[str, ...] = ()
    """Remarks on its key."""


@dataclass
class Tools:
    """User tools of one domain in one input."""

    names: set[str] = field(default_factory=set)
    """Names of tools that were called or that the reference solution calls."""
    types: dict[str, str] = field(default_factory=dict)
    """Recorded tool types, by name."""
    evident: bool = False
    """Whether anything shows that the user had tools."""


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
        self._contracts: dict[tuple[str, str, ProxyIdentity], Contract] = {}

    @abstractmethod
    def entries(self) -> int:
        """Number of simulations in the dump."""

    @abstractmethod
    def entry(self, index: int) -> Entry:
        """One simulation; raises `LoadError` where it cannot be read."""

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
            trajectory = _trajectory(entry, contract, kept, self.source(kept.entry))
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
            contract = _contract(entry, tools, self.options.guidelines)
            self._contracts[key] = contract
        return contract

    def survey(self) -> None:
        """Read ahead what an episode needs to know of the others: keys, tools, proxies."""
        self._kept = list(self._keys())
        for domain, task in self.tasks():
            self._learn_task(domain, task)
        total = len(self._kept)
        step = max(1, -(-total // SURVEYED))
        for kept in self._kept[::step]:
            try:
                self._learn(self.entry(kept.entry))
            except LoadError:
                continue
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
        for check in (_reward_info(entry.simulation).action_checks) or []:
            if check.action and check.tool_type:
                tools.types[check.action.name] = check.tool_type
        tools.evident = tools.evident or bool(tools.names)

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


def task_of(entry: Entry) -> str:
    """Task id as text; a stripped dump holds it in the simulation's id."""
    simulation = entry.simulation
    return task_key(simulation.id if simulation.task_id is None else simulation.task_id)


def some(values: Iterable[str], limit: int = 5) -> str:
    """The first few of many names, for a message."""
    shown = list(values)
    more = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return ", ".join(shown[:limit]) + more


def _contract(entry: Entry, tools: Tools, given: str | None) -> Contract:
    meta, task = entry.meta, entry.task
    listed = task.user_tools if task else None
    recorded = listed is not None
    user_tools: tuple[UserTool, ...] = (
        contracts.recorded_tools(listed)
        if listed is not None
        else contracts.tools_named(tools.names, tools.types)
    )
    has_tools = bool(user_tools) if recorded else tools.evident
    variant: guidelines.Variant = "tau2_tools" if has_tools else "voice" if meta.voice else "tau2"
    chosen = guidelines.choose(meta.guidelines, variant, given)
    blueprint = contracts.blueprint_of(task.user_scenario if task else None)
    notes = [chosen.note] if chosen.note else []
    if blueprint.is_empty:
        notes.append("no blueprint in the dump: what the user was told is not known")
    elif contracts.looks_double_encoded(blueprint):
        notes.append("the blueprint is double-encoded text: matching it against speech may fail")
    return Contract(
        domain=meta.domain,
        task_id=task_of(entry),
        blueprint=blueprint,
        guidelines=chosen.text,
        guidelines_source=chosen.source,
        user_tools=user_tools,
        user_tools_source="recorded" if recorded else "inferred" if user_tools else "none",
        gold_user_writes=contracts.gold_writes(task, tools.types) if task else (),
        notes=tuple(notes),
    )


@dataclass
class _Content:
    """The conversation of one simulation."""

    turns: list[Turn]
    messages: Sequence[Message]
    scripted: frozenset[int] = frozenset()
    first_tick: dict[int, int] | None = None
    empty: str = ""
    notes: list[str] = field(default_factory=list)


def _content(entry: Entry) -> _Content:
    simulation = entry.simulation
    spoken = voice.join_ticks(simulation.ticks)
    if spoken is not None:
        content = _Content(spoken.turns, spoken.messages, first_tick=spoken.first_tick)
        content.notes.append("voice: turns are utterances joined from ticks")
        content.empty = "" if spoken.has_text else _NO_TEXT
        return content
    messages, repaired = read_messages(simulation.messages)
    scripted = scripted_of(messages, entry.task)
    content = _Content(turns_of(messages, scripted), messages, scripted)
    if scripted:
        content.notes.append(f"{len(scripted)} messages were not written by the simulator")
    if repaired:
        content.notes.append(repaired)
    return content


def scripted_of(messages: Sequence[Message], task: Task | None) -> frozenset[int]:
    """Indices of user messages that the simulator did not write.

    Those copied from the task's message history, and those without cost, usage and raw data in
    a conversation where other user messages have them.
    """
    state = task.initial_state if task else None
    history = (state.message_history if state else None) or []
    copied = {
        index
        for index, (old, message) in enumerate(zip(history, messages, strict=False))
        if message.role == "user" and (old.role, old.content) == ("user", message.content)
    }
    bare, metered = [], False
    for index, message in enumerate(messages):
        if message.role != "user":
            continue
        if message.cost is None and message.usage is None:
            raw = message.raw_data
            if isinstance(raw, UnsetType):
                continue
            if is_null(raw):
                bare.append(index)
                continue
        metered = True
    return frozenset(copied.union(bare if metered else ()))


def _reward_info(simulation: Simulation) -> RewardInfo:
    try:
        found = decode_part(simulation.reward_info, RewardInfo)
        return RewardInfo() if found is None else found
    except msgspec.DecodeError:
        return RewardInfo()


def _trajectory(entry: Entry, contract: Contract, kept: Kept, source: Source) -> Trajectory:
    simulation, meta = entry.simulation, entry.meta
    content = _content(entry)
    notes = [*kept.notes, *content.notes]
    termination = simulation.termination_reason
    if not isinstance(termination, str) or not termination:
        ending = derive_ending(content.turns)
        termination = ending.reason
        notes.append(f"termination derived: {ending.rule}")
    recorded = _reward_info(simulation).reward
    reward = number(recorded)
    if recorded is not None and reward is None:
        notes.append("the reward is not a finite number: read as missing")
    costed = user_cost(
        content.messages,
        scripted=content.scripted,
        total=number(simulation.user_cost),
        discarded=int(number(simulation.hallucination_retries_used) or 0),
    )
    return Trajectory(
        kept.id,
        task_of(entry),
        meta.domain,
        meta.proxy.name,
        meta.agent,
        tuple(content.turns),
        contract.hash,
        source,
        termination,
        _whole(simulation.trial),
        _whole(simulation.seed),
        reward,
        costed.cost,
        (*notes, *costed.notes),
        content.empty or _not_auditable(content.turns, termination),
        meta.proxy.source,
        meta.proxy.settings_hash,
        meta.agent_hash,
        meta.domain_version,
        meta.hosting,
        tuple(_review(simulation, content.first_tick)),
    )


def _whole(value: object) -> int | None:
    found = number(value)
    return int(found) if found is not None else None


def _not_auditable(turns: Sequence[Turn], termination: str) -> str:
    if not turns:
        return f"no messages: the run ended with {termination}"
    if termination == "infrastructure_error":
        return "infrastructure_error: the run was broken off by its machinery"
    if not any(turn.speaker == "user" and not turn.scripted for turn in turns):
        return _SOLO
    return ""


def _review(simulation: Simulation, first_tick: dict[int, int] | None) -> Iterator[ReviewFinding]:
    for raw, user_only in ((simulation.review, False), (simulation.user_only_review, True)):
        for finding in findings_of(raw, user_only=user_only):
            if first_tick and finding.turn is not None:
                begun = [turn for turn, tick in first_tick.items() if tick <= finding.turn]
                finding = msgspec.structs.replace(finding, turn=max(begun, default=None))
            yield finding
