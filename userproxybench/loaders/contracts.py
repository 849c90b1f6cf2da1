"""Contracts out of tau2 tasks: blueprint, user tools, gold writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from userproxybench.loaders.messages import text_of
from userproxybench.models import Blueprint, GoldWrite, UserTool

_READS = re.compile(
    r"^(check|get|run|can|list|find|search|is|has|view|read|show|look|verify|calculate|test)_|_check$"
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_GATE = re.compile(r"(^|_)(stop|end|finish|done)(_|$)")
_FIELDS = ("reason_for_call", "known_info", "unknown_info", "task_instructions")


class Scenario(msgspec.Struct):
    """tau2 `user_scenario`."""

    persona: object = None
    instructions: object = None


class HistoryMessage(msgspec.Struct):
    """One message that was there before the conversation began."""

    role: object = None
    content: object = None


class InitialState(msgspec.Struct):
    """tau2 `initial_state`, as far as it shows in the messages."""

    message_history: list[HistoryMessage] | None = None


class Action(msgspec.Struct):
    """One action of the reference solution."""

    requestor: str | None = None
    name: str = ""
    arguments: dict[str, object] | None = None
    compare_args: list[str] | None = None


class EnvAssertion(msgspec.Struct):
    """One assertion on the environment after the conversation."""

    env_type: str | None = None


class Criteria(msgspec.Struct):
    """tau2 `evaluation_criteria`."""

    actions: list[Action] | None = None
    env_assertions: list[EnvAssertion] | None = None
    nl_assertions: list[str] | None = None
    communicate_info: list[str] | None = None


class Task(msgspec.Struct):
    """One tau2 task; ticket, description and policies are not the user's."""

    id: object = None
    user_scenario: Scenario | str | None = None
    initial_state: InitialState | None = None
    evaluation_criteria: Criteria | None = None
    user_tools: list[object] | None = None


def task_key(value: object) -> str:
    """A task id as text: 7, 7.0 and "7" are one task, "07" is another."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else "" if value is None else text_of(value)


def blueprint_of(scenario: Scenario | str | None) -> Blueprint:
    """The private scenario; absent and empty fields are `None`, never "nothing"."""
    if scenario is None:
        return Blueprint()
    if isinstance(scenario, str):
        return Blueprint(instructions=scenario or None)
    persona = text_of(scenario.persona) or None
    instructions = scenario.instructions
    if not isinstance(instructions, dict):
        return Blueprint(persona=persona, instructions=text_of(instructions) or None)
    fields = {name: _lines(instructions.get(name)) for name in _FIELDS}
    others = [
        f"{name}: {text}"
        for name, value in instructions.items()
        if name not in (*_FIELDS, "domain") and (text := _lines(value))
    ]
    return Blueprint(persona=persona, instructions="\n".join(others) or None, **fields)


def _lines(value: object) -> str | None:
    if isinstance(value, list):
        return "\n".join(text_of(item) for item in value) or None
    return text_of(value) or None


def looks_double_encoded(blueprint: Blueprint) -> bool:
    """Whether UTF-8 text was read as Latin-1 on its way into the dump."""
    return any(
        _reads_as_utf8(run)
        for text in blueprint.texts().values()
        if not text.isascii()
        for run in _NOT_ASCII.findall(text)
    )


def _reads_as_utf8(run: str) -> bool:
    for encoding in ("latin-1", "cp1252"):
        try:
            return len(run.encode(encoding).decode()) < len(run)
        except UnicodeError:
            continue
    return False


def user_actions(task: Task) -> list[Action]:
    """The reference actions that are the user's."""
    criteria = task.evaluation_criteria
    actions = (criteria.actions if criteria else None) or []
    return [action for action in actions if action.requestor == "user"]


def is_gate(name: str) -> bool:
    """Whether a user tool only asks whether to stop: it acts on nothing in the world."""
    return bool(_GATE.search(name))


def has_user_side(task: Task) -> bool:
    """Whether a task shows that its user had tools."""
    criteria = task.evaluation_criteria
    assertions = (criteria.env_assertions if criteria else None) or []
    return (
        bool(task.user_tools)
        or bool(user_actions(task))
        or any(assertion.env_type == "user" for assertion in assertions)
    )


def gold_writes(task: Task, types: Mapping[str, str]) -> tuple[GoldWrite, ...]:
    """The reference user actions that change the world; checks and look-ups are left out."""
    return tuple(
        GoldWrite(
            name=action.name,
            arguments=action.arguments or {},
            compare=None if action.compare_args is None else tuple(action.compare_args),
        )
        for action in user_actions(task)
        if is_write(action.name, types)
    )


def is_write(name: str, types: Mapping[str, str]) -> bool:
    """By the recorded tool type, else by name."""
    recorded = types.get(name)
    return recorded == "write" if recorded else not (_READS.search(name) or is_gate(name))


def tools_named(names: Iterable[str], types: Mapping[str, str]) -> tuple[UserTool, ...]:
    """Inferred tools, in a fixed order."""
    return tuple(
        UserTool(name=name, writes=types[name] == "write" if name in types else None)
        for name in sorted(set(names))
    )


def recorded_tools(value: list[object]) -> tuple[UserTool, ...]:
    """Tools as a task lists them: names, or schemas in tau2's or OpenAI's shape."""
    tools = []
    for item in value:
        if isinstance(item, str):
            tools.append(UserTool(name=item))
        elif isinstance(item, dict):
            inner = item.get("function") if isinstance(item.get("function"), dict) else item
            if isinstance(inner, dict) and isinstance(name := inner.get("name"), str):
                tools.append(UserTool(name=name, description=text_of(inner.get("description"))))
    return tuple(tools)
