"""One pass over a trajectory, against its contract: what was asked, said, claimed, called."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import attrgetter, or_
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from userproxybench.models import Contract, Trajectory, Turn
from userproxybench.rules.asks import asked_kinds
from userproxybench.rules.cues import ANY, Cue, marks
from userproxybench.rules.facts import Facts, read_facts
from userproxybench.rules.numbers import all_digits, all_values, names_number, number_set
from userproxybench.rules.text import all_stems, squash
from userproxybench.rules.values import date_set

if TYPE_CHECKING:
    from userproxybench.rules.values_said import Issue

TOKENS = Cue(r"#{2,4}\s?(STOP|TRANSFER|OUT[-_ ]OF[-_ ]SCOPE)\s?#{2,4}")


class Called(NamedTuple):
    """One call of a user tool, with its result."""

    tool: str
    """Tool name."""
    arguments: dict[str, object]
    """Arguments."""
    turn: int
    """Message index of the call."""
    result_turn: int | None
    """Message index of the result; `None` when there is none."""
    result: str
    """Text of the result."""
    ok: bool
    """The call succeeded."""


_TURN = attrgetter("turn")


class Reply(msgspec.Struct, frozen=True):
    """One user turn that the agent heard, with what came before it."""

    turn: Turn
    """The user turn."""
    text: str
    """Its text without stop tokens."""
    token: str
    """`STOP`, `TRANSFER`, `OUT-OF-SCOPE`, or empty."""
    agent: str
    """The agent's words since the last turn it heard; empty at the opening."""
    calls: tuple[Called, ...]
    """User calls since the last turn the agent heard."""
    position: int
    """Number of heard user turns before this one."""
    said: int
    """Marks of `text`: which patterns may match in it."""
    heard: int
    """Marks of `agent`."""
    index: int
    """Message index."""


_FAILED = Cue(
    r"\b(?:fail(?:ed|ure|s)?|error|could not|couldn['’]t|unable|not found|no measurement|"
    r"timed? out|aborted|invalid|unavailable|busy)\b",
)


@dataclass
class Ledger:
    """The typed events of one trajectory, and what was visible when."""

    trajectory: Trajectory
    contract: Contract
    facts: Facts
    replies: list[Reply] = field(default_factory=list)
    calls: list[Called] = field(default_factory=list)
    value_issues: list[Issue] | None = None
    said: int = ANY
    """Marks of all that the user says."""
    heard: int = ANY
    """Marks of all that the agent says to the user."""
    agent_turns: list[int] = field(default_factory=list)
    """Message indices of what the agent says to the user."""
    agent_texts: list[str] = field(default_factory=list)
    """What the agent says there."""
    visible_turns: list[int] = field(default_factory=list)
    """Message indices of all that the user gets to see."""
    shown: list[str] = field(default_factory=list)
    """What it sees there."""

    @cached_property
    def own_stems(self) -> frozenset[str]:
        """Content stems of all that the user says."""
        return all_stems(reply.text for reply in self.replies)

    @cached_property
    def own_letters(self) -> str:
        """Letters and digits of all that the user says, a line for each reply."""
        return "\n".join(squash(reply.text) for reply in self.replies)

    @cached_property
    def own_digits(self) -> frozenset[str]:
        """Digits of all numbers that the user says, leading zeros kept."""
        return all_digits(reply.text for reply in self.replies)

    @cached_property
    def own_numbers(self) -> frozenset[str]:
        """All numbers that the user says, in digits."""
        return all_values(reply.text for reply in self.replies)

    def agent_before(self, index: int) -> list[str]:
        """What the agent said to the user before a message index."""
        return self.agent_texts[: bisect_left(self.agent_turns, index)]

    def agent_after(self, index: int) -> list[str]:
        """What the agent said to the user after a message index."""
        return self.agent_texts[bisect_right(self.agent_turns, index) :]

    def asked_before(self, index: int) -> frozenset[str]:
        """All kinds that any agent turn before a message index may have asked for."""
        return self._asked[bisect_left(self.agent_turns, index)]

    @cached_property
    def _asked(self) -> list[frozenset[str]]:
        """Kinds asked for in the first agent turns."""
        return list(accumulate(map(asked_kinds, self.agent_texts), or_, initial=frozenset()))

    def calls_before(self, index: int) -> list[Called]:
        """User calls before a message index."""
        return self.calls[: bisect_left(self.calls, index, key=_TURN)]

    @cached_property
    def tool_names(self) -> tuple[str, ...]:
        """Names of the user's tools."""
        return tuple(tool.name for tool in self.contract.user_tools)

    @property
    def blueprint_text(self) -> str:
        """All that the blueprint says, the persona left out."""
        return self.facts.text

    @cached_property
    def contract_text(self) -> str:
        """Blueprint and tool texts as one."""
        tools = self.contract.user_tools
        return _contract_text(
            tuple(self.contract.blueprint.texts().values()),
            tuple(tool.name for tool in tools),
            tuple(tool.description for tool in tools),
        )

    def visible_texts(self, index: int) -> list[str]:
        """All texts that could ground the user's words before a message index.

        Contract, agent speech, own tool results, scripted turns; never the user's own words.
        """
        return [self.contract_text, *self.shown[: bisect_left(self.visible_turns, index)]]

    def _latest_first(self, index: int) -> Iterator[str]:
        last = bisect_left(self.visible_turns, index) - 1
        return (self.shown[at] for at in range(last, -1, -1))

    def is_visible(self, squashed: str, index: int) -> bool:
        """Whether letters and digits occur in anything visible before a message index."""
        seen = self._latest_first(index)
        return squashed in squash(self.contract_text) or any(
            squashed in squash(text) for text in seen
        )

    def visible_numbers(self, index: int) -> frozenset[float]:
        """Values of all numbers visible before a message index."""
        return self._numbers[bisect_left(self.visible_turns, index)]

    @cached_property
    def _numbers(self) -> list[frozenset[float]]:
        """Numbers in the contract and the first visible texts."""
        texts = (self.contract_text, *self.shown)
        return list(accumulate(map(number_set, texts), or_))

    def shows_number(self, value: float, index: int) -> bool:
        """Whether a number of this value is visible before a message index."""
        seen = self._latest_first(index)
        return value in number_set(self.contract_text) or any(
            names_number(text, value) for text in seen
        )

    def shows_date(self, date: str, index: int) -> bool:
        """Whether a date (`mm-dd`), or the same with day and month exchanged, is visible so far."""
        either = (date, f"{date[3:]}-{date[:2]}")
        seen = self._latest_first(index)
        return not date_set(self.contract_text).isdisjoint(either) or any(
            not date_set(text).isdisjoint(either) for text in seen
        )

    def visible_dates(self, index: int) -> frozenset[str]:
        """All dates (`mm-dd`) visible before a message index."""
        return self._dates[bisect_left(self.visible_turns, index)]

    @cached_property
    def _dates(self) -> list[frozenset[str]]:
        """Dates in the contract and the first visible texts."""
        texts = (self.contract_text, *self.shown)
        return list(accumulate(map(date_set, texts), or_))

    def visible_stems(self, index: int) -> frozenset[str]:
        """Content stems of all that is visible before a message index."""
        return all_stems(self.visible_texts(index))


@lru_cache(maxsize=512)
def _contract_text(fields: tuple[str, ...], names: tuple[str, ...], told: tuple[str, ...]) -> str:
    return "\n".join((*fields, *map(" ".join, zip(names, told, strict=True))))


def build_ledger(trajectory: Trajectory, contract: Contract) -> Ledger:
    """Read one trajectory into its ledger."""
    ledger = Ledger(trajectory, contract, read_facts(contract))
    agent: list[str] = []
    recent: list[Called] = []
    waiting: list[int] = []
    for turn in trajectory.turns:
        if turn.speaker == "agent":
            if turn.text.strip():
                agent.append(turn.text)
                ledger.agent_turns.append(turn.index)
                ledger.agent_texts.append(turn.text)
                _show(ledger, turn)
        elif turn.speaker == "tool":
            _take_result(ledger, turn, waiting, recent)
        elif turn.tool_calls:
            waiting = _take_calls(ledger, turn, recent)
        else:
            if turn.scripted:
                _show(ledger, turn)
            else:
                reply = _reply(turn, agent, recent, len(ledger.replies))
                ledger.replies.append(reply)
                ledger.said |= reply.said
                ledger.heard |= reply.heard
            agent, recent = [], []
    for text in ledger.agent_after(ledger.replies[-1].index if ledger.replies else -1):
        ledger.heard |= marks(text)
    return ledger


def _show(ledger: Ledger, turn: Turn) -> None:
    ledger.visible_turns.append(turn.index)
    ledger.shown.append(turn.text)


def _reply(turn: Turn, agent: list[str], recent: list[Called], position: int) -> Reply:
    text, token = split_token(turn.text)
    heard = agent[0] if len(agent) == 1 else "\n".join(agent)
    calls, said, others = tuple(recent), marks(text), marks(heard)
    return Reply(turn, text, token, heard, calls, position, said, others, turn.index)


def _take_calls(ledger: Ledger, turn: Turn, recent: list[Called]) -> list[int]:
    """Enter the calls of a user turn; their places in `calls`, in which results are awaited."""
    first = len(ledger.calls)
    made = [
        Called(call.name, call.arguments, turn.index, None, "", False) for call in turn.tool_calls
    ]
    ledger.calls += made
    recent += made
    return list(range(first, first + len(made)))


def _take_result(ledger: Ledger, turn: Turn, waiting: list[int], recent: list[Called]) -> None:
    """Enter the result of a user call with the call that has waited longest."""
    if turn.requestor != "user":
        return
    _show(ledger, turn)
    if not waiting:
        return
    place = waiting.pop(0)
    asked, done = ledger.calls[place], _answered(ledger.calls[place], turn)
    ledger.calls[place] = done
    if asked in recent:
        recent[recent.index(asked)] = done


def split_token(text: str) -> tuple[str, str]:
    """A user turn as (speech, stop token)."""
    match = TOKENS.search(text) if "##" in text else None
    if not match:
        return text, ""
    token = match.group(1).upper().replace("_", "-").replace(" ", "-")
    return TOKENS.sub("", text).strip(), token


def _answered(call: Called, turn: Turn) -> Called:
    ok = not turn.error and not turn.text[:6].lower().startswith(("error", "failed"))
    return Called(call.tool, call.arguments, call.turn, turn.index, turn.text, ok)
