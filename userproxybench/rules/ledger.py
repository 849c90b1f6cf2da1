"""One pass over a trajectory, against its contract: what was asked, said, claimed, called."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from userproxybench.models import Contract, Trajectory, Turn
from userproxybench.rules.asks import asked_kinds
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import Facts, read_facts
from userproxybench.rules.numbers import number_set, numbers
from userproxybench.rules.text import squash, stems
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


@dataclass(frozen=True)
class Reply:
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

    @property
    def index(self) -> int:
        """Message index."""
        return self.turn.index


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
    agent_said: list[tuple[int, str]] = field(default_factory=list)
    visible: list[tuple[int, str]] = field(default_factory=list)

    @cached_property
    def own_stems(self) -> frozenset[str]:
        """Content stems of all that the user says."""
        return frozenset[str]().union(*(stems(reply.text) for reply in self.replies))

    @cached_property
    def own_numbers(self) -> frozenset[str]:
        """All numbers that the user says, in digits."""
        return frozenset(f"{n.value:g}" for reply in self.replies for n in numbers(reply.text))

    def agent_before(self, index: int) -> list[str]:
        """What the agent said to the user before a message index."""
        return [text for at, text in self.agent_said if at < index]

    def agent_after(self, index: int) -> list[str]:
        """What the agent said to the user after a message index."""
        return [text for at, text in self.agent_said if at > index]

    def asked_before(self, index: int) -> frozenset[str]:
        """All kinds that any agent turn before a message index may have asked for."""
        return self._asked[bisect_left(self.agent_said, index, key=_turn)]

    @cached_property
    def _asked(self) -> list[frozenset[str]]:
        """Kinds asked for in the first agent turns."""
        each = (asked_kinds(text) for _, text in self.agent_said)
        return list(accumulate(each, or_, initial=frozenset()))

    def calls_before(self, index: int) -> list[Called]:
        """User calls before a message index."""
        return [call for call in self.calls if call.turn < index]

    @cached_property
    def tool_names(self) -> tuple[str, ...]:
        """Names of the user's tools."""
        return tuple(tool.name for tool in self.contract.user_tools)

    @cached_property
    def blueprint_text(self) -> str:
        """All that the blueprint says, the persona left out."""
        said = (item.text for item in self.facts.instructions if item.source != "persona")
        return "\n".join(said)

    @cached_property
    def contract_text(self) -> str:
        """Blueprint and tool texts as one."""
        fields = self.contract.blueprint.texts().values()
        tools = (f"{tool.name} {tool.description}" for tool in self.contract.user_tools)
        return "\n".join((*fields, *tools))

    def visible_texts(self, index: int) -> list[str]:
        """All texts that could ground the user's words before a message index.

        Contract, agent speech, own tool results, scripted turns; never the user's own words.
        """
        return [self.contract_text, *(text for at, text in self.visible if at < index)]

    def is_visible(self, squashed: str, index: int) -> bool:
        """Whether letters and digits occur in anything visible before a message index."""
        return any(squashed in squash(text) for text in self.visible_texts(index))

    def visible_numbers(self, index: int) -> frozenset[float]:
        """Values of all numbers visible before a message index."""
        return self._numbers[bisect_left(self.visible, index, key=_turn)]

    @cached_property
    def _numbers(self) -> list[frozenset[float]]:
        """Numbers in the contract and the first visible texts."""
        texts = (self.contract_text, *(text for _, text in self.visible))
        return list(accumulate(map(number_set, texts), or_))

    def visible_dates(self, index: int) -> frozenset[str]:
        """All dates (`mm-dd`) visible before a message index."""
        return self._dates[bisect_left(self.visible, index, key=_turn)]

    @cached_property
    def _dates(self) -> list[frozenset[str]]:
        """Dates in the contract and the first visible texts."""
        texts = (self.contract_text, *(text for _, text in self.visible))
        return list(accumulate(map(date_set, texts), or_))

    def visible_stems(self, index: int) -> frozenset[str]:
        """Content stems of all that is visible before a message index."""
        return frozenset[str]().union(*(stems(text) for text in self.visible_texts(index)))


def _turn(said: tuple[int, str]) -> int:
    return said[0]


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
                ledger.agent_said.append((turn.index, turn.text))
                ledger.visible.append((turn.index, turn.text))
        elif turn.speaker == "tool":
            _take_result(ledger, turn, waiting, recent)
        elif turn.tool_calls:
            waiting = _take_calls(ledger, turn, recent)
        else:
            if turn.scripted:
                ledger.visible.append((turn.index, turn.text))
            else:
                ledger.replies.append(_reply(turn, agent, recent, len(ledger.replies)))
            agent, recent = [], []
    return ledger


def _reply(turn: Turn, agent: list[str], recent: list[Called], position: int) -> Reply:
    text, token = split_token(turn.text)
    return Reply(turn, text, token, "\n".join(agent), tuple(recent), position)


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
    ledger.visible.append((turn.index, turn.text))
    if not waiting:
        return
    place = waiting.pop(0)
    asked, done = ledger.calls[place], _answered(ledger.calls[place], turn)
    ledger.calls[place] = done
    if asked in recent:
        recent[recent.index(asked)] = done


def split_token(text: str) -> tuple[str, str]:
    """A user turn as (speech, stop token)."""
    match = TOKENS.search(text)
    if not match:
        return text, ""
    token = match.group(1).upper().replace("_", "-").replace(" ", "-")
    return TOKENS.sub("", text).strip(), token


def _answered(call: Called, turn: Turn) -> Called:
    ok = not turn.error and not turn.text.lower().startswith(("error", "failed"))
    return call._replace(result_turn=turn.index, result=turn.text, ok=ok)
