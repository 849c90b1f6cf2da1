"""What tau2 writes around its simulations: run info, rewards, reviews."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from msgspec import Raw, UnsetType

from userproxybench.loaders.buffers import decode_part
from userproxybench.loaders.identity import (
    hosting,
    is_model,
    same_model,
    settings_hash,
    without_path,
)
from userproxybench.loaders.messages import number, text_of
from userproxybench.loaders.records import ProxyIdentity
from userproxybench.loaders.shapes import RewardInfo, Simulation
from userproxybench.models import ReviewFinding, digest


class Side(msgspec.Struct):
    """tau2 `user_info` or `agent_info`."""

    implementation: str | None = None
    llm: str | None = None
    llm_args: object = None
    global_simulation_guidelines: str | None = None
    persona_config: object = None


class EnvironmentInfo(msgspec.Struct):
    """tau2 `environment_info`."""

    domain_name: str | None = None
    policy: str | None = None


class Info(msgspec.Struct):
    """tau2 `info`."""

    num_trials: object = None
    user_info: Side | None = None
    agent_info: Side | None = None
    environment_info: EnvironmentInfo | None = None


class ActionOf(msgspec.Struct):
    """The action that a check is about."""

    name: str = ""
    requestor: str | None = None


class ActionCheck(msgspec.Struct):
    """One action check of a reward."""

    action: ActionOf | None = None
    tool_type: str | None = None


class ReviewError(msgspec.Struct):
    """One finding of a review; every field as free as dumps make it."""

    source: object = None
    error_type: object = None
    error_tags: object = None
    severity: object = None
    turn_idx: object = None
    tick_start: object = None
    reasoning: object = None


class Review(msgspec.Struct):
    """tau2 `review` or `user_only_review`."""

    errors: list[ReviewError] | None = None


class RawModel(msgspec.Struct):
    """The only part of `raw_data` that is ever read."""

    model: object = None


class Witness(msgspec.Struct):
    """A message, as far as it witnesses its model."""

    role: object = None
    raw_data: RawModel | None = None


class CallOf(msgspec.Struct):
    """A call, by name."""

    name: str = ""


class TickCalls(msgspec.Struct):
    """A voice tick, as far as it shows what the agent called."""

    agent_tool_calls: list[CallOf] | None = None


class Caller(msgspec.Struct):
    """A message, as far as it shows who called what."""

    role: object = None
    tool_calls: list[CallOf] | None = None


UNKNOWN = "unknown"
"""Domain or agent that nothing names."""


@dataclass(frozen=True)
class Meta:
    """What a run says about its proxy, agent and domain."""

    domain: str
    """Domain, or "unknown"."""
    proxy: ProxyIdentity
    """The user proxy."""
    agent: str
    """Agent, or "unknown"."""
    agent_hash: str = ""
    """Hash over the agent's settings."""
    domain_version: str = ""
    """Hash over the agent policy."""
    hosting: str = ""
    """Hosting of the user model."""
    guidelines: str | None = None
    """Guidelines as recorded."""
    voice: bool = False
    """Whether this is a voice run."""


class Witnesses(NamedTuple):
    """The models that raw data name."""

    user: str | None = None
    """Of the first user message that has any."""
    agent: str | None = None
    """Of the first agent message that has any."""


_SEARCHED = 20
"""Simulations searched for a witness where `info` names no model."""


def witnesses_of(simulations: Sequence[Simulation], *, user: object, agent: object) -> Witnesses:
    """Models named by raw data: one simulation confirms `info`, more are searched without it."""
    found: dict[str, str | None] = {}
    for role, recorded in (("user", user), ("assistant", agent)):
        searched = simulations[: 1 if is_model(recorded) else _SEARCHED]
        models = (_witness(simulation.messages, role) for simulation in searched)
        found[role] = next((model for model in models if model), None)
    return Witnesses(found["user"], found["assistant"])


def _witness(messages: Raw | UnsetType, role: str) -> str | None:
    try:
        found = decode_part(messages, list[Witness]) or []
    except msgspec.DecodeError:
        return None
    for message in found:
        model = message.raw_data.model if message.role == role and message.raw_data else None
        if isinstance(model, str) and model:
            return without_path(model)
    return None


def callers(messages: Raw | UnsetType) -> list[Caller]:
    """The messages, as far as they show who called what; empty when that cannot be read."""
    try:
        return decode_part(messages, list[Caller]) or []
    except msgspec.DecodeError:
        return []


def agent_tools(simulation: Simulation) -> set[str]:
    """Names of the tools the agent called; empty where that cannot be read."""
    names = {
        call.name
        for message in callers(simulation.messages)
        if message.role == "assistant"
        for call in message.tool_calls or ()
    }
    try:
        ticks = decode_part(simulation.ticks, list[TickCalls]) or []
    except msgspec.DecodeError:
        ticks = []
    return names.union(call.name for tick in ticks for call in tick.agent_tool_calls or ())


def tool_types(reward: RewardInfo | None) -> Iterable[tuple[str, str]]:
    """(tool, type) as the action checks of a reward record them."""
    try:
        checks = decode_part(reward.action_checks, list[ActionCheck]) if reward else None
    except msgspec.DecodeError:
        return
    for check in checks or []:
        if check.action is not None and check.tool_type:
            yield check.action.name, check.tool_type


def findings_of(raw: Raw | UnsetType, *, user_only: bool) -> Iterable[ReviewFinding]:
    """The findings about the user; an unexpected value in one field drops no finding."""
    try:
        review = decode_part(raw, Review)
    except msgspec.DecodeError:
        return
    for error in (review.errors if review is not None else None) or []:
        if not user_only and error.source != "user":
            continue
        tags = error.error_tags if isinstance(error.error_tags, list) else [error.error_type]
        turn = error.turn_idx if error.turn_idx is not None else error.tick_start
        yield ReviewFinding(
            turn=int(at) if (at := number(turn)) is not None else None,
            tags=tuple(text_of(tag) for tag in tags if tag),
            severity=text_of(error.severity),
            reasoning=text_of(error.reasoning),
        )


def meta_of(
    info: Info, *, domain: str | None, fallback: str, witnesses: Witnesses
) -> tuple[Meta, list[str]]:
    """What `info` says, checked against `raw_data`, and the assumptions made.

    `fallback` is the file or folder name, used where neither names a model.
    """
    user, agent = info.user_info or Side(), info.agent_info or Side()
    environment = info.environment_info or EnvironmentInfo()
    proxy, notes = _proxy_of(user, fallback, witnesses.user)
    meta = Meta(
        domain=environment.domain_name or domain or UNKNOWN,
        proxy=proxy,
        agent=_agent_name(agent, witnesses.agent),
        agent_hash=settings_hash(
            agent.llm or "", agent.llm_args, implementation=agent.implementation or ""
        )
        if agent.llm
        else "",
        domain_version=digest(environment.policy) if environment.policy else "",
        hosting=hosting(proxy.name) if proxy.source in ("recorded", "raw_data") else "",
        guidelines=user.global_simulation_guidelines,
        voice="voice" in (user.implementation or ""),
    )
    return meta, notes


def _proxy_of(user: Side, fallback: str, witness: str | None) -> tuple[ProxyIdentity, list[str]]:
    name, source, notes = without_path(user.llm or ""), "recorded", []
    if user.implementation == "dummy_user":
        name = "dummy_user"
        notes.append("the user is a dummy: no simulator ran, whatever model info names")
    elif witness and not (is_model(name) and same_model(name, witness)):
        said = f"info names {name!r}" if name else "info names no user model"
        notes.append(f"user model {witness!r} read from raw_data.model; {said}")
        name, source = witness, "raw_data"
    elif not is_model(name):
        notes.append(f"no user model recorded: proxy named {fallback!r} after the file or folder")
        name, source = fallback, "name"
    hash_ = settings_hash(
        name if source != "name" else "",
        [user.llm_args, user.persona_config],
        implementation=user.implementation or "",
        text=user.global_simulation_guidelines or "",
    )
    bare = source == "name" and user == Side()
    return ProxyIdentity(name, "" if bare else hash_, source), notes  # type: ignore[arg-type]  # literals above


def _agent_name(agent: Side, witness: str | None) -> str:
    name = without_path(agent.llm or "") if is_model(agent.llm) else witness
    kind = agent.implementation
    if kind in (None, "", "llm_agent"):
        return name or UNKNOWN
    return f"{name} ({kind})" if name else str(kind)
