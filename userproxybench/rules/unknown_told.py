"""Since when, and whether: answers to what the blueprint marks as unknown, guesses included."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.caches import kept
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import Facts, Instruction
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import numbers
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import (
    any_of,
    is_future,
    is_hypothetical,
    is_uncertain,
    placed_sentences,
    sentences,
    stems,
    word_set,
)
from userproxybench.rules.unknown_said import answers_unknown, stated_before
from userproxybench.rules.values import MONTHS

_SPAN = r"(?:days?|weeks?|months?|years?|seasons?|summers?|winters?)"
_TIME_UNKNOWN = Cue(any_of("when / how long / how old / since / which day / the date / what date"))
_ASKS_TIME = Cue(
    any_of(rf"""
    when / since / how long / how old / how many {_SPAN} / what (?:year|month|day|date)
    which (?:year|month|day|date|week) / {_SPAN} or {_SPAN}
    """),
)
_TIME = Cue(
    any_of(rf"""
    (?:\w+|a few|a couple of) {_SPAN} / (?:last|this|early|late|mid) (?:{"|".join(MONTHS)})
    (?:in|since|around|about|from) (?:the )?(?:spring|summer|autumn|fall|winter|christmas|easter)
    (?:in|since|around|about|from) (?:{"|".join(MONTHS)}) / last (?:week|month|year) / yesterday
    """),
)
_ASIDE = Cue(
    any_of("""
    would / could / will / shall / whether / if / know / look / check / ask / need / wait / within
    from now / best / suits? / prefer / fine / next / before / after / until
    """),
)
_PARTS = re.compile(r",|;|\b(?:or|nor|and)\b")


@finder(own=_TIME.bit, heard=_ASKS_TIME.bit)
def unknown_times(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`Three years or so, I'd guess`, where the user does not know since when."""
    asked = [s.text for s in sentences(reply.agent) if s.is_question]
    if reply.calls or not any(map(_ASKS_TIME.found, asked)):
        return
    for item in ledger.facts.unknown:
        if not _TIME_UNKNOWN.found(item.text) or not _is_touched(item, reply.agent):
            continue
        for sentence in placed_sentences(reply.text):
            told = _TIME.search(sentence.text)
            if told is None or sentence.is_question or is_uncertain(sentence.text):
                continue
            guess = _GUESS.sub(" ", sentence.text)
            if _ASIDE.found(guess) or _is_given(ledger, reply, told.group()):
                continue
            yield answers_unknown(sentence.start, sentence.text, item)
            return


_GUESS = Cue(
    r"\b(?:i(?:['’]d| would| will| do)?(?: have to)? (?:guess|say|think|believe|reckon)|could be|"
    r"if i had to guess|i couldn['’]t swear to it)\b",
)


def _is_touched(item: Instruction, agent: str) -> bool:
    """Whether an agent turn speaks of the thing whose time is unknown."""
    said = stems(agent) - PLAIN
    return any(
        _TIME_UNKNOWN.found(part) and (stems(part) - PLAIN) & said
        for part in _PARTS.split(item.text)
    )


def _is_given(ledger: Ledger, reply: Reply, told: str) -> bool:
    """Whether the blueprint gives this time, or the agent has said it."""
    if any(told.lower() in text.lower() for text in stated_before(ledger, reply)):
        return True
    if word_set(told) - _LITTLE <= word_set(ledger.blueprint_text):
        return True
    days = _days(told)
    return bool(days) and any(
        abs(mine - days[0]) <= _ROUGHLY * mine for mine in _days(ledger.blueprint_text)
    )


_ROUGHLY = 0.15
_UNITS = {"day": 1, "fortnight": 14, "week": 7, "month": 30.4, "year": 365, "season": 91}
_UNIT = re.compile(r"[ -](?P<unit>day|fortnight|week|month|year|season)", re.IGNORECASE)


@kept(512)
def _days(text: str) -> tuple[float, ...]:
    """How many days the spans of a text last."""
    found = ((number.value, _UNIT.match(text, number.end)) for number in numbers(text))
    spans = tuple(count * _UNITS[unit["unit"].lower()] for count, unit in found if unit)
    return (*spans, 14.0) if "fortnight" in text else spans


_LITTLE = frozenset("in since around about from the last this early late mid".split())


_WHETHER = Cue(
    r"\b(?:know|remember|recall|sure|say|certain|unsure|nor|or)\s+(?:if|whether)\b(?P<what>[^.;]*)",
)
_YES_NO = Cue(
    r"(?:^|[,.:;!?]\s|\band\s|\bor\s)\W*(?:was|were|is|are|did|does|do|has|have|had|can|will)\b",
)
_LEAD = Cue(
    r"^\W*(?:yes|yeah|yep|no|nope|it (?:was|is|did|does|has)|they (?:were|are|did|do|have))\b"
)
_MOST = 0.5


@finder()
def unknown_whether(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`No shoulder strap in there`, where the user does not know whether there was one."""
    open_ = _left_open(ledger.facts)
    if reply.calls or not open_ or "?" in reply.text or "?" not in reply.agent:
        return
    asked = [s.text for s in sentences(reply.agent) if s.is_question]
    for item, what in open_:
        about = [question for question in asked if _is_about(question, what)]
        if about and _owns_up(reply.text, what):
            continue
        for sentence in placed_sentences(reply.text) if about else ():
            text = sentence.text
            doubtful = is_uncertain(text) or is_hypothetical(text) or is_future(text)
            if doubtful or _ASIDE.found(text) or _DOUBTS.found(text):
                continue
            alone = len(asked) == 1 and _LEAD.found(text) and not _TWO.search(asked[0])
            if alone or (what & stems(text) and not _SHARED_VIEW & word_set(text)):
                yield answers_unknown(sentence.start, text, item)
                return


@kept(512)
def _left_open(facts: Facts) -> tuple[tuple[Instruction, frozenset[str]], ...]:
    """The sentences that say the user does not know whether, and what about."""
    found = ((item, _WHETHER.search(item.text)) for item in facts.unknown)
    told = ((item, stems(unsure["what"]) - PLAIN) for item, unsure in found if unsure)
    return tuple((item, what) for item, what in told if what)


_TWO = re.compile(
    r"\b(?:and|or) (?:is|are|was|were|do|does|did|has|have|can|which|what|how)\b", re.I
)
"""Two questions in one: the answer may be to the other."""


def _owns_up(text: str, what: frozenset[str]) -> bool:
    """Whether a reply says somewhere that it does not know what is asked for."""
    unsure = [s.text for s in sentences(text) if is_uncertain(s.text) or _DOUBTS.found(s.text)]
    return any(what & stems(said) or not stems(said) - PLAIN for said in unsure)


_DOUBTS = Cue(
    any_of("""
    maybe / perhaps / possibly / might / may / no idea / hard to / guess / think / hope / no clue
    no one / nobody / nothing / myster\\w* / beats / unclear / unknown / news to me / can't / cannot
    (?:said|told|mentioned) / couldn't / faintest
    """),
)
_SHARED_VIEW = frozenset("i'd please want wish".split())


def _is_about(question: str, what: frozenset[str]) -> bool:
    """Whether a yes-or-no question is after what is unknown."""
    shared = what & stems(question)
    return len(shared) >= _MOST * len(what) and _YES_NO.found(question)
