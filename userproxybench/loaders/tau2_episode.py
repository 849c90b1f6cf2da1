"""One tau2 simulation made into a trajectory and a contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from userproxybench.loaders import contracts, guideline_choice, voice
from userproxybench.loaders.buffers import is_null
from userproxybench.loaders.contracts import Task, task_key
from userproxybench.loaders.costs import user_cost
from userproxybench.loaders.limits import ending
from userproxybench.loaders.messages import Message, derive_ending, number, read_messages, turns_of
from userproxybench.loaders.shapes import Simulation
from userproxybench.loaders.tau2_schema import Meta, findings_of
from userproxybench.models import Contract, ReviewFinding, Source, Trajectory, Turn, UserTool

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


def task_of(entry: Entry) -> str:
    """Task id as text; a stripped dump holds it in the simulation's id."""
    simulation = entry.simulation
    return task_key(simulation.id if simulation.task_id is None else simulation.task_id)


def contract_of(entry: Entry, tools: Tools, given: str | None) -> Contract:
    """The contract of one task under one proxy; `given` is the text of `--guidelines`."""
    meta, task = entry.meta, entry.task
    listed = task.user_tools if task else None
    recorded = listed is not None
    user_tools: tuple[UserTool, ...] = (
        contracts.recorded_tools(listed)
        if listed is not None
        else contracts.tools_named(tools.names, tools.types)
    )
    has_tools = bool(user_tools) if recorded else tools.evident
    variant: guideline_choice.Variant = (
        "tau2_tools" if has_tools else "voice" if meta.voice or _has_ticks(entry) else "tau2"
    )
    chosen = guideline_choice.choose(meta.guidelines, variant, given)
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


def _has_ticks(entry: Entry) -> bool:
    ticks = entry.simulation.ticks
    return not isinstance(ticks, UnsetType) and not is_null(ticks)


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
        content.notes.append(
            "voice: turns are utterances joined from ticks; turn-taking checks are not in the cost"
        )
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


def trajectory_of(entry: Entry, contract: Contract, kept: Kept, source: Source) -> Trajectory:
    """One simulation as a trajectory.

    Raises:
        msgspec.DecodeError: its messages or ticks cannot be read.
    """
    simulation, meta = entry.simulation, entry.meta
    content = _content(entry)
    notes = [*kept.notes, *content.notes]
    termination = simulation.termination_reason
    if not isinstance(termination, str) or not termination:
        derived = derive_ending(content.turns)
        termination = derived.reason
        notes.append(f"termination derived: {derived.rule}")
    recorded = simulation.reward_info
    reward = None if recorded is None else number(recorded.reward)
    if reward is None and recorded is not None and recorded.reward is not None:
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
        content.empty or _not_auditable(content.turns, ending(termination)),
        meta.proxy.source,
        meta.proxy.settings_hash,
        meta.agent_hash,
        meta.domain_version,
        meta.hosting,
        _review(simulation, content.first_tick),
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


def _review(simulation: Simulation, first_tick: dict[int, int] | None) -> tuple[ReviewFinding, ...]:
    if simulation.review is UNSET and simulation.user_only_review is UNSET:
        return ()
    findings = []
    for raw, user_only in ((simulation.review, False), (simulation.user_only_review, True)):
        for finding in findings_of(raw, user_only=user_only):
            if first_tick and finding.turn is not None:
                begun = [turn for turn, tick in first_tick.items() if tick <= finding.turn]
                finding = msgspec.structs.replace(finding, turn=max(begun, default=None))
            findings.append(finding)
    return tuple(findings)
