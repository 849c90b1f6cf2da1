"""Short talks under short blueprints, and the turns that rules on derived criteria charge."""

from __future__ import annotations

from tests.builders import contract, trajectory, turn, turns, user_tool
from userproxybench.models import Blueprint, Contract, Mode, Turn
from userproxybench.rules import derive, grade
from userproxybench.rules.ledger import Ledger, build_ledger

GREETING = "agent: City library, hello. How can I help?"


def under(tools: tuple[str, ...] = (), **blueprint: str) -> Contract:
    """A contract of these blueprint fields and user tools."""
    return contract(
        blueprint=Blueprint.model_validate(blueprint),
        user_tools=tuple(user_tool(name) for name in tools),
    )


def talk(*lines: str) -> tuple[Turn, ...]:
    """Turns from `"user: Hi"` lines; `"call: tool"` and `"result: text"` are the user's own."""
    made: list[Turn] = []
    for index, line in enumerate(lines):
        speaker, text = line.split(": ", 1)
        if speaker == "call":
            made.append(turn(index, "user", calls=(text,)))
        elif speaker == "result":
            made.append(turn(index, "tool", text, requestor="user"))
        else:
            made.append(turn(index, speaker, text))
    return tuple(made)


def charged(mode: Mode, bound: Contract, *lines: str) -> list[int]:
    """The turns of a talk that any criterion of a mode fails on."""
    spoken = trajectory(turns_=talk(*lines), under=bound)
    verdicts = grade(spoken, bound, derive(bound)).verdicts
    return sorted({v.turn for v in verdicts if v.mode == mode and v.turn is not None})


def noted(bound: Contract, *lines: str) -> list[tuple[str, int]]:
    """The protocol notes of a talk."""
    notes = grade(trajectory(turns_=talk(*lines), under=bound), bound, derive(bound)).protocol
    return [(note.mode, note.turn) for note in notes]


def ledger(bound: Contract, *lines: str) -> Ledger:
    """The ledger of a talk."""
    return build_ledger(trajectory(turns_=talk(*lines), under=bound), bound)


__all__ = ["GREETING", "charged", "ledger", "noted", "talk", "turns", "under"]
