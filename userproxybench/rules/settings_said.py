"""Settings that the user says it has made, against the latest one that it did make."""

from __future__ import annotations

import re

from userproxybench.rules.ledger import Called, Ledger, Reply
from userproxybench.rules.numbers import number_set
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
        made = " ".join((call.result, *map(str, call.arguments.values())))
        if not (targets & _as_said(made) or number_set(part) & number_set(made)):
            return call
    return None


def _as_said(made: str) -> frozenset[str]:
    """The words of a setting, `true` said as `on`."""
    words = word_set(made)
    either = (word for word, said in _SWITCHED.items() if word in words for word in said)
    return words.union(either)


_SWITCHED = {"true": ("on",), "false": ("off",), "enabled": ("on",), "disabled": ("off",)}


def _latest(ledger: Ledger, reply: Reply, said: frozenset[str]) -> Called | None:
    """The latest successful call, with arguments, of a tool that words name the object of."""
    for call in reversed(ledger.calls_before(reply.index)):
        tool = tool_words(call.tool)
        if call.ok and call.arguments and not tool.reads and tool.key & said:
            return call
    return None
