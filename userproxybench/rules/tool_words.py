"""Words that name a tool: what the agent asks for, and what the user speaks of."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from userproxybench.rules.asks import questions
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import stem, words

READS = frozenset(
    "check read run list get view show test see look inspect measure find query status can verify".split()
)

_SYNONYMS: dict[str, frozenset[str]] = {
    stem(word): frozenset(stem(other) for other in group)
    for group in (
        ("restart", "reboot", "reset", "powercycle", "cycle"),
        ("reseat", "replug", "unplug", "plug", "reinsert", "reconnect", "push", "pull"),
        ("toggle", "turn", "switch", "enable", "disable", "activate", "deactivate"),
        ("set", "change", "adjust", "switch"),
        ("press", "hold", "push"),
        ("pair", "connect", "link"),
        ("wifi", "wi-fi", "wireless"),
    )
    for word in group
}


class ToolWords(NamedTuple):
    name: str
    key: frozenset[str]
    """Stems of the object words of its name."""
    verb: frozenset[str]
    """Stems that name its action, synonyms included."""
    reads: bool


@lru_cache(maxsize=1024)
def tool_words(name: str) -> ToolWords:
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|\d+|[A-Z]+(?![a-z])", name)]
    head = stem(parts[0]) if parts else ""
    reads = bool(parts) and parts[0] in READS
    key = frozenset(stem(part) for part in parts[1:] if part not in ("status", "the", "my"))
    verb = frozenset() if reads else frozenset({head}) | _SYNONYMS.get(head, frozenset())
    return ToolWords(name, key, verb, reads)


def tools_of(ledger: Ledger, only: tuple[str, ...]) -> list[ToolWords]:
    names = only or tuple(tool.name for tool in ledger.contract.user_tools)
    return [tool_words(name) for name in names]


@lru_cache(maxsize=8192)
def widened(text: str) -> frozenset[str]:
    found = {stem(word) for word in words(text)}
    joined = text.lower().replace("-", "").replace("_", " ")
    return frozenset(found | {stem(word) for word in words(joined)})


def overlap(tool: ToolWords, text: frozenset[str]) -> int:
    """How well words name a tool: object words count once, the action once; 0 when neither fits."""
    objects = len(tool.key & text)
    if tool.reads:
        return objects if objects >= min(len(tool.key), 2) and tool.key else 0
    acted = bool(tool.verb & text)
    return objects + acted if acted and (objects or not tool.key) else 0


def asked_for(ledger: Ledger, reply: Reply, only: tuple[str, ...]) -> list[ToolWords]:
    """Tools that the agent's last words ask for."""
    wanted = widened(" ".join(questions(reply.agent)))
    scored = [(tool, overlap(tool, wanted)) for tool in tools_of(ledger, only)]
    best = max((score for _, score in scored), default=0)
    return [tool for tool, score in scored if score == best and best > 0]


def asked_tools(ledger: Ledger, reply: Reply, only: tuple[str, ...]) -> list[str]:
    """Names of the tools that the agent's last words ask for."""
    return [tool.name for tool in asked_for(ledger, reply, only)]


def fits(tool: ToolWords, verb: str) -> bool:
    return (
        verb in tool.verb
        if tool.verb
        else verb in {stem(word) for word in READS | {"ran", "looked"}}
    )


def named_by(tools: list[ToolWords], verb: str, clause: frozenset[str]) -> list[ToolWords]:
    return [tool for tool in tools if fits(tool, verb) and (tool.key & clause)]
