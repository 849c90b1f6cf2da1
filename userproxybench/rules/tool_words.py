"""Words that name a tool: what the agent asks for, and what the user speaks of."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from userproxybench.rules.asks import questions
from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue, marks
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import STOPWORDS, passages, sentences, stem, words

_READS = frozenset(
    """check read run list get view show test see look inspect measure find query status can
    verify""".split()
)
READ_STEMS = frozenset(stem(word) for word in (*(_READS - {"can"}), "ran", "looked"))
"""Stems of the verbs of tools that only look."""
_PLAIN_OBJECTS = frozenset("status setting settings mode info preference page detail".split())
_SYNONYMS: dict[str, frozenset[str]] = {
    stem(word): frozenset(stem(other) for other in group.split())
    for group in (
        "restart reboot reset powercycle cycle shut",
        "reseat replug unplug plug reinsert reconnect push pull put take remove insert",
        "toggle turn switch enable disable activate deactivate",
        "set change adjust switch",
        "press hold push",
        "pair connect link",
    )
    for word in group.split()
}
_SAME_THING = {
    stem(word): frozenset(stem(other) for other in group.split())
    for group in ("device phone handset smartphone", "wifi wireless", "airplane flight aeroplane")
    for word in group.split()
}
_OFF_AND_ON = Cue(r"\boff\b.{0,30}\b(?:and|then)\b.{0,12}\bon\b")
_FIRST_WORD = re.compile(
    r"(?:\W*(?:then|now|next|first|ok(?:ay)?|good|great|alright|all right|right|so|and|please|also|"
    r"finally|thanks|thank you|perfect|fine|sure|well|once more|again|after that)\b[,.:;!]*\s+)*"
    r"\W*([a-z]+)",
    re.IGNORECASE,
)
_ONCE_MORE = Cue(r"\b(?:again|once more|one more time|re-?\w+)\b")
_PRONOUNS = frozenset(stem(word) for word in ("it", "them", "that", "those", "this", "these"))
_ORDERS = frozenset(
    """go pull take open look have do make put tell give keep hold press push turn switch try run
    check read list restart reboot reset unplug plug send set start test see measure bleed tune
    pair connect toggle enable disable remove insert reseat swap move note count""".split()
)


class ToolWords(NamedTuple):
    """How people speak of one tool."""

    name: str
    """Its name."""
    key: frozenset[str]
    """Stems of the object words of its name."""
    verb: frozenset[str]
    """Stems that name its action, synonyms included; empty for tools that only look."""
    reads: bool
    """It only looks."""


class _Asked(NamedTuple):
    best: tuple[ToolWords, ...]
    """The tools that the words fit best."""
    all: tuple[ToolWords, ...]
    """All that they fit at all."""


@kept_longer(512)
def tool_words(name: str) -> ToolWords:
    """The words of a tool's name."""
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|\d+|[A-Z]+(?![a-z])", name)]
    head = stem(parts[0]) if parts else ""
    reads = bool(parts) and parts[0] in _READS
    named = [part for part in parts[1:] if part not in STOPWORDS]
    objects = [part for part in named if part not in _PLAIN_OBJECTS] or named
    key = frozenset(stem(part) for part in objects)
    verb = frozenset() if reads else frozenset({head}) | _SYNONYMS.get(head, frozenset())
    return ToolWords(name, key, verb, reads)


def tools_of(ledger: Ledger, only: tuple[str, ...]) -> tuple[ToolWords, ...]:
    """The user's tools, or some of them."""
    return _tools(only or ledger.tool_names)


@kept_longer(512)
def _tools(names: tuple[str, ...]) -> tuple[ToolWords, ...]:
    return tuple(tool_words(name) for name in names)


@kept_longer(4096)
def widened(text: str) -> frozenset[str]:
    """Stems of all words of a text, joined words in both forms, one word for the same thing."""
    parts = passages(text)
    if len(parts) > 1:
        found: frozenset[str] = frozenset().union(*map(widened, parts))
        return found | _RESTARTS if _OFF_AND_ON.found(text) else found
    said = {stem(word.removesuffix("'s")) for word in words(text)}
    if "-" in text or "_" in text:
        said |= {stem(word) for word in words(text.replace("-", "").replace("_", " "))}
    if _OFF_AND_ON.found(text):
        said |= _RESTARTS
    for same in _SAME_THING.keys() & said:
        said |= _SAME_THING[same]
    return frozenset(said)


def names_any(said: frozenset[str], text: str) -> bool:
    """Whether a text has any of some stems, `widened`."""
    for passage in passages(text):
        if not said.isdisjoint(widened(passage)):
            return True
    return not said.isdisjoint(_RESTARTS) and _OFF_AND_ON.search(text) is not None


def overlap(tool: ToolWords, text: Set[str]) -> int:
    """How well words name a tool: object words count once, the action once; 0 when neither fits."""
    objects = len(tool.key & text)
    if tool.reads:
        looks = bool(READ_STEMS & text)
        enough = objects >= min(len(tool.key), 2) or (looks and objects)
        return objects + looks if enough and tool.key else 0
    acted = bool(tool.verb & text)
    return objects + acted if acted and (objects or not tool.key) else 0


def asked_for(ledger: Ledger, reply: Reply, only: tuple[str, ...]) -> tuple[ToolWords, ...]:
    """Tools that the agent's last words ask for."""
    names = only or ledger.tool_names
    if not reply.agent or not names:
        return ()
    return _asked(reply.agent, names).best or (
        _asked_again(ledger, reply) if reply.heard & _ONCE_MORE.bit else ()
    )


def any_asked(agent: str, ledger: Ledger) -> bool:
    """Whether an agent turn asks for any of the user's tools."""
    return bool(_asked(agent, ledger.tool_names).all)


def asks_to_look(agent: str, ledger: Ledger) -> bool:
    """Whether all that an agent turn asks for of the user's tools is a look."""
    best = _asked(agent, ledger.tool_names).best
    return bool(best) and all(tool.reads for tool in best)


def _asked_again(ledger: Ledger, reply: Reply) -> tuple[ToolWords, ...]:
    """Tools used before that the agent asks for by their verb: `list them once more`."""
    said = _said_once_more(reply.agent)
    if not said & _PRONOUNS:
        return ()
    used = {call.tool for call in ledger.calls_before(reply.index)} & set(ledger.tool_names)
    tools = (tool_words(name) for name in sorted(used))
    return tuple(t for t in tools if stem(re.split(r"[_\W]", t.name.lower())[0]) in said)


@kept(512)
def _said_once_more(agent: str) -> frozenset[str]:
    """Stems of the sentences that ask for something again."""
    if not _ONCE_MORE.found(agent):
        return frozenset()
    return widened(" ".join(s.text for s in sentences(agent) if _ONCE_MORE.found(s.text)))


@lru_cache(maxsize=256)
def _asked(agent: str, names: tuple[str, ...]) -> _Asked:
    """The tools that an agent turn asks for."""
    tools, places, telling = _vocabulary(names)
    wanted = _wanted(agent, telling)
    touched = {at for word in wanted if word in places for at in places[word]}
    scored = [(tools[at], overlap(tools[at], wanted)) for at in sorted(touched)]
    best = max([score for _, score in scored], default=0)
    if not best:
        return _NO_TOOL
    return _Asked(
        best=tuple([tool for tool, score in scored if score == best]),
        all=tuple([tool for tool, score in scored if score]),
    )


_NO_TOOL = _Asked((), ())


class _Vocabulary(NamedTuple):
    tools: tuple[ToolWords, ...]
    """The tools."""
    places: dict[str, tuple[int, ...]]
    """Stem of any word that names tools → the places of those tools."""
    telling: frozenset[str]
    """Stems that name these tools, or a look."""


@kept_longer(512)
def _vocabulary(names: tuple[str, ...]) -> _Vocabulary:
    tools = _tools(names)
    stems = frozenset[str]().union(*(tool.key | tool.verb for tool in tools))
    places = {
        word: tuple(at for at, tool in enumerate(tools) if word in tool.key | tool.verb)
        for word in stems
    }
    return _Vocabulary(tools, places, READ_STEMS | stems)


def _wanted(agent: str, telling: frozenset[str]) -> set[str]:
    """Stems of all that an agent turn asks for, as far as they name tools or looks.

    Off and on again may be in two sentences.
    """
    found: set[str] = set()
    for passage in passages(agent):
        asked = _requested(passage)
        if not telling.isdisjoint(asked):
            found |= telling & asked
    restarts = telling & _RESTARTS
    if restarts - found and marks(agent) & _OFF_AND_ON.bit:
        requests = chain.from_iterable(map(_requests, passages(agent)))
        if _OFF_AND_ON.pattern.search(" ".join(dict.fromkeys(requests))):
            found |= restarts
    return found


@kept_longer(4096)
def _requested(passage: str) -> frozenset[str]:
    """Stems of what a passage asks for."""
    asked = _requests(passage)
    return widened(asked[0]) if len(asked) == 1 else _NOTHING.union(*map(widened, asked))


_NOTHING = frozenset[str]()
_RESTARTS = frozenset((stem("restart"), stem("reboot")))


@kept_longer(4096)
def _requests(passage: str) -> tuple[str, ...]:
    """The sentences of a passage that ask, request or order."""
    ordered = (s.text for s in sentences(passage) if _is_order(s.text))
    return tuple(dict.fromkeys((*questions(passage), *ordered)))


@kept_longer(4096)
def _is_order(sentence: str) -> bool:
    first = _FIRST_WORD.match(sentence)
    return first is not None and first.group(1).lower() in _ORDERS


def asked_tools(ledger: Ledger, reply: Reply, only: tuple[str, ...]) -> list[str]:
    """Names of the tools that the agent's last words ask for."""
    return [tool.name for tool in asked_for(ledger, reply, only)]


def fits(tool: ToolWords, verb: str) -> bool:
    """Whether a verb is the action of a tool."""
    return verb in tool.verb if tool.verb else verb in READ_STEMS


def named_by(
    tools: tuple[ToolWords, ...], verb: str, clause: frozenset[str]
) -> tuple[ToolWords, ...]:
    """The tools whose action a verb is and whose object a clause names."""
    return tuple(tool for tool in tools if fits(tool, verb) and tool.key & clause)
