"""Messages of any dump, brought into turns."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET, Raw, UnsetType

from userproxybench.loaders.buffers import decode, decode_noting, is_null
from userproxybench.loaders.limits import LARGEST
from userproxybench.models import Requestor, ToolCall, Turn

STOP_TOKENS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")
"""What ends a conversation, anywhere in the last user message."""

SPEAKERS: dict[str, Requestor] = {"assistant": "agent", "user": "user"}


class Usage(msgspec.Struct, gc=False):
    """Token usage of one model call."""

    prompt_tokens: int | float | None = None
    completion_tokens: int | float | None = None


class Message(msgspec.Struct, gc=False):
    """One message as tau2 writes it; `raw_data` is passed over unparsed."""

    role: str = ""
    content: object = None
    tool_calls: tuple[ToolCall, ...] | None = None
    requestor: str | None = None
    error: bool | None = False
    tool_error: bool | None = False
    id: str | None = None
    name: str | None = None
    cost: float | None = None
    usage: Usage | None = None
    raw_data: Raw | UnsetType = UNSET


class LooseMessage(msgspec.Struct):
    """One message of any other writer: OpenAI calls, arguments as text, parts as content."""

    role: object = ""
    content: object = None
    tool_calls: object = None
    requestor: object = None
    error: object = None
    id: object = None
    tool_call_id: object = None
    name: object = None
    tool_name: object = None
    tool_error: object = None
    cost: object = None
    usage: object = None
    raw_data: Raw | UnsetType = UNSET
    tool_messages: object = None


_tau2 = msgspec.json.Decoder(list[Message])


class Messages(NamedTuple):
    """The messages of a conversation."""

    items: list[Message]
    """The messages in order."""
    repaired: str
    """What had to be repaired to read them."""


def read_messages(raw: Raw | UnsetType) -> Messages:
    """The messages of a conversation; empty where there are none.

    Raises:
        msgspec.DecodeError: not a list of messages.
    """
    if isinstance(raw, UnsetType):
        return Messages([], "")
    try:
        return Messages(_tau2.decode(raw), "")
    except (msgspec.DecodeError, RecursionError):
        if is_null(raw):
            return Messages([], "")
        loose, repaired = decode_noting(raw, list[LooseMessage])
    return Messages([strict(message) for message in loose], repaired)


def strict(message: LooseMessage) -> Message:
    """A message of another writer in tau2's shape."""
    return Message(
        role=message.role if isinstance(message.role, str) else "",
        content=message.content,
        tool_calls=tool_calls(message.tool_calls) or None,
        requestor=message.requestor if isinstance(message.requestor, str) else None,
        error=bool(message.error or message.tool_error),
        id=text_of(message.tool_call_id or message.id),
        name=text_of(message.name or message.tool_name),
        cost=number(message.cost),
        usage=usage_of(message.usage),
        raw_data=message.raw_data,
    )


def tool_calls(value: object) -> tuple[ToolCall, ...]:
    """Calls in tau2's or OpenAI's shape; what is neither is left out."""
    calls = value if isinstance(value, list) else []
    return tuple(call for item in calls if (call := _call(item)) is not None)


def _call(item: object) -> ToolCall | None:
    if not isinstance(item, dict):
        return None
    inner = item.get("function")
    inner = inner if isinstance(inner, dict) else item
    name = inner.get("name")
    if not isinstance(name, str):
        return None
    return ToolCall(name, arguments_of(inner.get("arguments")), text_of(item.get("id")))


def arguments_of(value: object) -> dict[str, object]:
    """Arguments as an object, from an object, JSON text or a printed Python dictionary."""
    if isinstance(value, str):
        return _parsed(value)
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}


def _parsed(text: str) -> dict[str, object]:
    data = text.encode("utf-8", "replace")
    try:
        return decode(data, dict[str, object])
    except msgspec.DecodeError:
        pass
    try:
        printed = msgspec.json.encode(ast.literal_eval(data.decode()))
        return decode(printed, dict[str, object])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, OverflowError):
        return {"": text} if text else {}


def usage_of(value: object) -> Usage | None:
    """Token usage under tau2's or OpenAI's names."""
    if not isinstance(value, dict):
        return None
    return Usage(
        number(value.get("prompt_tokens", value.get("input_tokens"))),
        number(value.get("completion_tokens", value.get("output_tokens"))),
    )


def number(value: object) -> float | None:
    """A finite number of a sensible size, else `None`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if -LARGEST <= value <= LARGEST else None


def text_of(value: object) -> str:
    """Content as text: a string, the text parts of a list, or JSON for anything else."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list):
        return "".join(
            text_of(part.get("text", part.get("content")) if isinstance(part, dict) else part)
            for part in value
        )
    return msgspec.json.encode(value).decode()


def turns_of(messages: Iterable[Message], scripted: Container[int] = ()) -> list[Turn]:
    """Messages as turns; system messages are dropped, but counted in the index.

    A tool result belongs to the open call with its id, else to the oldest open call of its
    requestor: ids repeat within a conversation, and may be empty.
    """
    turns: list[Turn] = []
    add = turns.append
    waiting: dict[str, list[ToolCall]] = {"assistant": [], "user": []}
    for index, message in enumerate(messages):
        content = message.content
        text = content if type(content) is str else text_of(content)
        role = message.role
        if role == "tool":
            add(_result(index, message, text, waiting))
        elif speaker := SPEAKERS.get(role):
            if calls := message.tool_calls:
                waiting[role] = list(calls)
                add(Turn(index, speaker, text, calls, None, "", False, index in scripted))
            elif index in scripted:
                add(Turn(index, speaker, text, (), None, "", False, True))
            else:
                add(Turn(index, speaker, text))
    return turns


def _result(index: int, message: Message, text: str, waiting: dict[str, list[ToolCall]]) -> Turn:
    asker = message.requestor
    if asker is None:
        asker = "user" if waiting["user"] and not waiting["assistant"] else "assistant"
    queue = waiting["user" if asker == "user" else "assistant"]
    tool = message.name or ""
    if queue:
        tool = _take(queue, message.id).name
    who: Requestor = "user" if asker == "user" else "agent"
    return Turn(index, "tool", text, (), who, tool, bool(message.error or message.tool_error))


def _take(queue: list[ToolCall], id_: str | None) -> ToolCall:
    """The open call with this id, else the oldest."""
    if id_ and len(queue) > 1:
        for at, call in enumerate(queue):
            if call.id == id_:
                return queue.pop(at)
    return queue.pop(0)


def has_stop_token(text: str) -> bool:
    """Whether a text holds one of the tokens that end a conversation."""
    return "###" in text and any(token in text for token in STOP_TOKENS)


class Ending(msgspec.Struct, frozen=True):
    """A derived termination and the rule that gave it."""

    reason: str
    rule: str


def derive_ending(turns: Sequence[Turn], *, transferred: bool = False) -> Ending:
    """How a conversation ended, where the dump does not say."""
    if not turns:
        return Ending("error", "there are no messages")
    last = turns[-1]
    if last.speaker == "user" and has_stop_token(last.text):
        return Ending("user_stop", "the last user message holds a stop token")
    if last.speaker == "agent":
        if has_stop_token(last.text):
            return Ending("agent_stop", "the last agent message holds a stop token")
        return Ending("unknown", "the conversation ends on the agent's words")
    if last.speaker == "tool" and (transferred or last.tool == "transfer_to_human_agents"):
        return Ending("transfer", "the last message is the result of the transfer to a human")
    return Ending("max_steps", "the last message ends nothing: no stop token, no transfer")
