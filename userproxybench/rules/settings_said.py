"""Settings that the user says it has made, against the latest one that it did make."""

from __future__ import annotations

import re

from userproxybench.rules.ledger import Called, Ledger, Reply
from userproxybench.rules.text import word_set
from userproxybench.rules.tool_words import tool_words, widened

_TARGET = re.compile(
    r"\b(?:to|on|off|onto|into|at)\s+(?:the\s+)?[\"'“‘]?(?P<value>[\w-]+)", re.IGNORECASE
)
_PART = re.compile(r"\band\b|\bthen\b|[,;:]")


def other_setting(ledger: Ledger, reply: Reply, sentence: str) -> Called | None:
    """`I turned the valve back to service`, where its tool was last called with `bypass`."""
    for part in _PART.split(sentence):
        targets = {match["value"].lower() for match in _TARGET.finditer(part)}
        targets &= word_set(reply.agent)
        call = _latest(ledger, reply, widened(part)) if targets else None
        if call is None or call in reply.calls:
            continue
        if not targets & word_set(" ".join((call.result, *map(str, call.arguments.values())))):
            return call
    return None


def _latest(ledger: Ledger, reply: Reply, said: frozenset[str]) -> Called | None:
    """The latest successful call, with arguments, of a tool that words name the object of."""
    for call in reversed(ledger.calls_before(reply.index)):
        tool = tool_words(call.tool)
        if call.ok and call.arguments and not tool.reads and tool.key & said:
            return call
    return None
