"""Missed information: requests, and values of the wish, that the user never raises."""

from __future__ import annotations

import re
from functools import lru_cache

from userproxybench.models.checks import Raises, Tells
from userproxybench.rules.answer import NOT_APPLICABLE, Answer, Hit, answer
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import Facts
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.moves import is_refusal, is_transfer
from userproxybench.rules.text import all_stems, any_of, squash, stem, stems, words
from userproxybench.rules.values import values


def raises(ledger: Ledger, check: Raises) -> Answer:
    """Evaluate `Raises`: none of the words of a required request by the time the user stops."""
    end = _stop(ledger)
    if end is None:
        return NOT_APPLICABLE
    wanted = _wanted(ledger.facts, check)
    if not wanted:
        return NOT_APPLICABLE
    if not wanted.isdisjoint(_roots(ledger.own_stems)):
        return answer([], arose=True)
    told = all_stems(ledger.agent_before(end.index))
    if 2 * len(wanted & _roots(told)) >= len(wanted):
        return answer([], arose=True)
    reason = f"never raised: {check.sentence.strip()!r}"
    return answer([Hit(end.index, end.turn.text, reason)], arose=True)


_GENERIC = frozenset(
    stem(word)
    for word in """agent ask mention tell order booking reservation request second first done end
    conversation hang sure make information details question process using insist refuse try help
    check provide include both reason description confirmation confirm""".split()
)
"""Stems of what talks with agents are made of: they tell no request from another."""


def _roots(found: frozenset[str]) -> frozenset[str]:
    """The heads of stems: `compensate` and `compensation` are one."""
    return frozenset({one[:6] for one in found})


@lru_cache(maxsize=1024)
def _wanted(facts: Facts, check: Raises) -> frozenset[str]:
    """The roots of what is to be raised; empty where there is too little to know it by."""
    wanted = frozenset(stem(word) for term in check.terms for word in words(term))
    if not wanted:
        wanted = stems(check.said or check.sentence) - _of_reason(facts, check) - _GENERIC
    return frozenset() if not check.terms and len(wanted) < _LEAST_WORDS else _roots(wanted)


def _of_reason(facts: Facts, check: Raises) -> frozenset[str]:
    """Stems of the reason for call, the sentence itself left out."""
    others = (item for item in facts.reason if item.text != check.sentence)
    return all_stems(item.text for item in others)


def tells(ledger: Ledger, check: Tells) -> Answer:
    """Evaluate `Tells`: a value of the request that nobody has named by the time the user stops.

    One of several identifiers of a kind is missed when another was named; a lone one may have
    been looked up by the agent without a word.
    """
    end = _stop(ledger)
    if end is None:
        return NOT_APPLICABLE
    spoken = [*ledger.agent_before(end.index), *(reply.text for reply in ledger.replies)]
    if not check.others and not _is_aim(ledger.facts, check.value):
        return NOT_APPLICABLE
    mine = {(v.kind, v.canon) for v in values(check.value)}
    if any(kind == "date" for kind, _ in mine) and any(_DAY.found(text) for text in spoken):
        return NOT_APPLICABLE
    if _is_named(check.value, spoken):
        return answer([], arose=True)
    if check.others and not any(_is_named(other, spoken) for other in check.others):
        return NOT_APPLICABLE
    reason = f"{check.value!r} of the request was never named"
    return answer([Hit(end.index, end.turn.text, reason)], arose=True)


@lru_cache(maxsize=1024)
def _is_aim(facts: Facts, date: str) -> bool:
    """Whether a wish is for a date itself, not for a thing that bears it or a day beside it."""
    for item in facts.reason:
        before, found, _ = item.text.partition(date)
        if found and not _BESIDE.found(item.text) and _FOR.search(before.strip()):
            return _ARRANGES.found(before)
    return False


_FOR = re.compile(
    r"\b(?:for|on|to|by|from|until|till|through|and|the)(?: the)?$"
    r"|\bsame \w+ as (?:your |the |on )*(?:\w+)?$",
    re.IGNORECASE,
)
_ARRANGES = Cue(
    r"\b(?:book|reserve|rebook|move|reschedule|postpone|schedule|arrange|hire|rent|order|change"
    r"|shift|fix|bring forward|deliver(?:ed)?|collect(?:ed)?|pick(?:ed)? up|sent|start|table|fly"
    r"|travel|stay)\b(?![^.;]*\b(?:that|which|who|since|because|bought|ordered|booked|dated|was|is"
    r"|were|are|has|have|had)\b)",
)
_BESIDE = Cue(
    any_of("(?:days?|evening|morning|night|weeks?|eve|later|earlier) (?:before|after|ahead|of)"),
)


def _is_named(value: str, spoken: list[str]) -> bool:
    mine, needle = {(v.kind, v.canon) for v in values(value)}, squash(value)
    return any(needle in squash(t) or mine & {(v.kind, v.canon) for v in values(t)} for t in spoken)


_DAY = Cue(
    any_of("""
    today / tomorrow / yesterday / tonight / (?:mon|tues|wednes|thurs|fri|satur|sun)day
    (?:last|next|this) (?:week|month) / days? ago / heute / morgen / gestern / hoy / mañana / ayer
    """),
)


def _stop(ledger: Ledger) -> Reply | None:
    """The reply, not the first, that ends a talk whose agent neither refused nor handed over."""
    end = next((reply for reply in ledger.replies if reply.token), None)
    if end is None or end.token != "STOP":
        return None
    if not end.position or is_refusal(end.agent) or is_transfer(end.agent):
        return None
    return end


_LEAST_WORDS = 2
