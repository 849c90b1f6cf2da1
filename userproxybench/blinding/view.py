"""A trajectory under its contract, rendered for a judge."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from userproxybench.blinding.inert import Shown, fenced, quoted, show, show_all
from userproxybench.blinding.names import Names
from userproxybench.models import Contract, ToolCall, Trajectory, Turn


class View(NamedTuple):
    """One trajectory under its contract, as a judge may see it."""

    guidelines: str
    """Fenced block."""
    blueprint: str
    """Fenced block."""
    user_tools: str
    """Fenced block."""
    conversation: str
    """Fenced block."""
    user_turns: dict[int, Shown]
    """What each unscripted user turn says or calls, by message index."""
    redactions: int
    """User turns in which a name was withheld."""


def view(trajectory: Trajectory, contract: Contract, names: Names) -> View:
    """Everything about one trajectory that a judge may see."""
    names = names.within(trajectory, [*_texts(trajectory), *_contract_texts(contract)])
    spoken = _spoken(trajectory, names)
    quotable = {
        turn.index: _with_calls(spoken.get(turn.index, Shown("", "")), turn.tool_calls)
        for turn in trajectory.turns
        if turn.speaker == "user" and not turn.scripted
    }
    return View(
        **_blocks(_ByHash(contract), names)._asdict(),
        conversation=fenced(_conversation(trajectory.turns, spoken, names)),
        user_turns=quotable,
        redactions=sum(shown.redactions > 0 for shown in quotable.values()),
    )


class ContractBlocks(NamedTuple):
    """A contract in three fenced blocks."""

    guidelines: str
    blueprint: str
    user_tools: str


def contract_blocks(contract: Contract, names: Names) -> ContractBlocks:
    """The contract as a reader of prompts may see it; gold writes are no part of it."""
    fields = [
        line
        for name, text in contract.blueprint.texts().items()
        for line in (f"#### {name}", *quoted(show(text, names).text))
    ]
    tools = [
        f"> {_line(f'{tool.name}: {tool.description}' if tool.description else tool.name, names)}"
        for tool in contract.user_tools
    ]
    return ContractBlocks(
        guidelines=fenced(quoted(show(contract.guidelines, names).text)),
        blueprint=fenced(fields),
        user_tools=fenced(tools or ["(none)"]),
    )


class _ByHash:
    """A contract that is known by its hash."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self._known_by = (contract.hash, contract.text_of("user_tools"))

    def __hash__(self) -> int:
        return hash(self._known_by)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByHash) and self._known_by == other._known_by


@functools.lru_cache(maxsize=256)
def _blocks(bound: _ByHash, names: Names) -> ContractBlocks:
    """The trials of a task share their contract, so it is rendered once."""
    return contract_blocks(bound.contract, names)


def conversation(trajectory: Trajectory, names: Names) -> str:
    """The conversation as a fenced block."""
    names = names.within(trajectory, _texts(trajectory))
    spoken = _spoken(trajectory, names)
    return fenced(_conversation(trajectory.turns, spoken, names))


def _spoken(trajectory: Trajectory, names: Names) -> dict[int, Shown]:
    return show_all({turn.index: turn.text for turn in trajectory.turns if turn.text}, names)


def _texts(trajectory: Trajectory) -> list[str]:
    calls = (call for turn in trajectory.turns for call in turn.tool_calls)
    return [
        *(turn.text for turn in trajectory.turns if turn.text),
        *(f"{call.name} {call.arguments}" for call in calls),
    ]


def _contract_texts(contract: Contract) -> list[str]:
    return [
        contract.guidelines,
        contract.text_of("user_tools"),
        *contract.blueprint.texts().values(),
    ]


def _conversation(turns: Sequence[Turn], spoken: dict[int, Shown], names: Names) -> list[str]:
    lines: list[str] = []
    for hidden, group in groupby(turns, key=lambda turn: not turn.visible_to_user):
        run = list(group)
        if hidden:
            span = (
                f"turn {run[0].index}" if len(run) == 1 else f"turns {run[0].index}-{run[-1].index}"
            )
            lines.append(f"### {span} · the agent works with its own tools (hidden from the user)")
            continue
        for turn in run:
            said = spoken.get(turn.index)
            lines += [_heading(turn), *_tool_lines(turn, names), *quoted(said.text if said else "")]
    return lines


def _heading(turn: Turn) -> str:
    if turn.speaker == "tool":
        outcome = "failed call" if turn.error else "result"
        return f"### turn {turn.index} · {outcome} of the user's own tool (only the user sees it)"
    notes = ["scripted by the benchmark, not by the user"] if turn.scripted else []
    if turn.speaker == "user" and turn.tool_calls:
        notes.append("calls its own tools; the agent sees nothing of this turn")
    elif not turn.text:
        notes.append("empty")
    return f"### turn {turn.index} · {turn.speaker}" + (f" ({'; '.join(notes)})" if notes else "")


def _tool_lines(turn: Turn, names: Names) -> list[str]:
    if turn.speaker == "tool":
        return [f"> {_line(turn.tool, names)}"] if turn.tool else []
    if turn.speaker == "agent":
        return []
    return [f"> {_line(_call(call), names)}" for call in turn.tool_calls]


def _call(call: ToolCall) -> str:
    return f"{call.name}({json.dumps(call.arguments, ensure_ascii=False, default=str)})"


def _with_calls(shown: Shown, calls: Sequence[ToolCall]) -> Shown:
    """The turn's text followed by its calls, so that a tool name can be quoted."""
    if not calls:
        return shown
    tail = "".join(f"\n{_call(call)}" for call in calls)
    return Shown(shown.original + tail, shown.text + tail, shown.cuts, shown.redactions)


def _line(text: str, names: Names) -> str:
    return " ".join(show(text, names).text.split())
