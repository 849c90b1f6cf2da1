"""Full-duplex voice: utterances joined from ticks."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

import msgspec
from msgspec import Raw, UnsetType

from userproxybench.loaders.buffers import decode_part
from userproxybench.loaders.messages import LooseMessage, Message, number, text_of, tool_calls
from userproxybench.models import Requestor, ToolCall, Turn

_CHUNK = re.compile(r"<chunk[^>]*>(.*?)</chunk>", re.DOTALL)


class Chunk(msgspec.Struct):
    """What one side said in one tick."""

    content: object = None
    audio_script_gold: object = None
    contains_speech: object = None
    cost: object = None
    raw_data: Raw | UnsetType = msgspec.UNSET
    tool_calls: object = None


class Tick(msgspec.Struct):
    """One tick: what both sides said and did in the same fraction of a second."""

    tick_id: object = None
    agent_chunk: Chunk | None = None
    user_chunk: Chunk | None = None
    agent_tool_calls: object = None
    user_tool_calls: object = None
    agent_tool_results: list[LooseMessage] | None = None
    user_tool_results: list[LooseMessage] | None = None


class Conversation(msgspec.Struct):
    """A voice conversation in turns."""

    turns: list[Turn]
    """Turns; their index counts utterances, calls and results in the order they began."""
    messages: list[Message]
    """The user's utterances as messages with their cost."""
    first_tick: dict[int, int]
    """Tick in which a turn began, by turn index."""
    has_text: bool
    """Whether any chunk of the user holds text."""


@dataclass
class _Utterance:
    speaker: Requestor
    tick: int
    pieces: list[str] = field(default_factory=list)
    script: str = ""
    cost: float = 0.0

    def text(self) -> str:
        """What was said: the joined pieces, else what the script meant to say."""
        joined = "".join(self.pieces)
        if joined.strip():
            return joined
        return "".join(html.unescape(piece) for piece in _CHUNK.findall(self.script))


@dataclass
class _Joiner:
    turns: list[Turn] = field(default_factory=list)
    first_tick: dict[int, int] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    open: dict[Requestor, _Utterance] = field(default_factory=dict)
    waiting: dict[Requestor, list[ToolCall]] = field(
        default_factory=lambda: {"agent": [], "user": []}
    )
    has_text: bool = False

    def hear(self, speaker: Requestor, chunk: Chunk | None, tick: int) -> None:
        """Take one chunk: begin, go on with, or end an utterance."""
        text = text_of(chunk.content) if chunk else ""
        if chunk is None or not (text or chunk.contains_speech):
            self.close(speaker)
            return
        script = text_of(chunk.audio_script_gold)
        current = self.open.get(speaker)
        if current is not None and _uuid(script) != _uuid(current.script):
            self.close(speaker)
            current = None
        if current is None:
            current = self.open[speaker] = _Utterance(speaker, tick)
        current.pieces.append(text)
        current.script = script or current.script
        current.cost += number(chunk.cost) or 0.0

    def close(self, speaker: Requestor) -> None:
        """End the open utterance of a speaker."""
        utterance = self.open.pop(speaker, None)
        if utterance is None:
            return
        text = utterance.text()
        if not text.strip():
            return
        self.has_text = self.has_text or speaker == "user"
        self.add(Turn(len(self.turns), speaker, text), utterance.tick)
        if speaker == "user":
            self.messages.append(Message(role="user", cost=utterance.cost or None))

    def add(self, turn: Turn, tick: int) -> None:
        """Append a turn."""
        self.first_tick[turn.index] = tick
        self.turns.append(turn)

    def call(self, speaker: Requestor, value: object, tick: int) -> None:
        """Take the tool calls of a tick."""
        if calls := tool_calls(value):
            self.waiting[speaker] += calls
            self.add(Turn(len(self.turns), speaker, "", calls), tick)

    def answer(self, speaker: Requestor, results: list[LooseMessage] | None, tick: int) -> None:
        """Take the tool results of a tick."""
        queue = self.waiting[speaker]
        for result in results or []:
            at = next((at for at, call in enumerate(queue) if call.id == result.id), 0)
            tool = queue.pop(at).name if queue else ""
            text = text_of(result.content)
            turn = Turn(len(self.turns), "tool", text, (), speaker, tool, bool(result.error))
            self.add(turn, tick)


def join_ticks(raw: Raw | UnsetType) -> Conversation | None:
    """The utterances of a voice conversation; `None` where there are no ticks.

    Consecutive ticks of one speaker that hold speech are one utterance. Its text is the joined
    content (what was spoken, also when it was interrupted), or the gold script where the chunks
    hold none. An utterance stands where it ended, so that an answer follows its question.

    Raises:
        msgspec.DecodeError: not a list of ticks.
    """
    ticks = decode_part(raw, list[Tick])
    if not ticks:
        return None
    joiner = _Joiner()
    for position, tick in enumerate(ticks):
        at = int(number(tick.tick_id) or position)
        joiner.hear("agent", tick.agent_chunk, at)
        joiner.hear("user", tick.user_chunk, at)
        joiner.call("agent", tick.agent_tool_calls, at)
        joiner.call("user", tick.user_tool_calls, at)
        joiner.answer("agent", tick.agent_tool_results, at)
        joiner.answer("user", tick.user_tool_results, at)
    for speaker in sorted(joiner.open, key=lambda who: joiner.open[who].tick):
        joiner.close(speaker)
    return Conversation(joiner.turns, joiner.messages, joiner.first_tick, joiner.has_text)


def _uuid(script: str) -> str:
    match = re.match(r'<message uuid="([^"]*)"', script)
    return match[1] if match else ""
