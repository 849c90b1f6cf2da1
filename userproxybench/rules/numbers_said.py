"""Bare numbers given in answer to a question for an identifier, a count or a measure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from userproxybench.rules.asks import asked_kinds
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import Facts
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.identifiers_said import (
    explains,
    is_asserted,
    knows_who_it_is,
    rival,
)
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import Number, numbers
from userproxybench.rules.text import any_of, sentence_at, word_set, words
from userproxybench.rules.values import values

_IDS = frozenset({"zip", "user_id", "order_id", "reservation_id", "card_digits", "phone"})
_HOW_MANY = Cue(
    any_of("""
    how (?:many|much|long|often|old|far|big|large|tall|high|wide|heavy)
    what (?:year|age|size|speed|time|height|width|length|weight|amount|number)
    height / width / weight / length / age / size
    """),
)
_HOW_MANY_PEOPLE = Cue(
    any_of(
        "(?:how many|number of|total) (?:\\w+ )?(?:passengers|people|persons|travell?ers|guests)"
    ),
)
_SHORT = 8
"""Words of a reply that answers the count and nothing else."""
_COMPANY = frozenset(
    """passenger passengers people persons family friend friends wife husband partner son daughter
    kids children child brother sister mother father parents couple both together group party
    companion companions guest guests adult adults visitor visitors
    we us our traveling travelling colleague colleagues""".split()
)


@finder()
def bare_numbers(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """Numbers that answer the agent and are nowhere to be seen."""
    text = reply.turn.text
    found = numbers(text)
    if not found or not reply.agent:
        return
    wants_id = bool(asked_kinds(reply.agent) & _IDS)
    wants_count = not reply.calls and _asks_how_many(reply.agent)
    taken = [(value.start, value.end) for value in values(text) if value.kind != "measure"]
    for number in found:
        if any(start <= number.start < end for start, end in taken):
            continue
        invented = (
            (wants_id and _is_unknown_id(ledger, reply, number))
            or (wants_count and _is_unknown_count(ledger, reply, number))
            or _is_company(ledger, reply, number)
        )
        if invented and is_asserted(sentence_at(text, number.start), text, number.start):
            yield Finding(number.start, text[number.start : number.end], "n" + number.digits)


@lru_cache(maxsize=256)
def _asks_how_many(agent: str) -> bool:
    return _HOW_MANY.found(agent)


def _is_unknown_id(ledger: Ledger, reply: Reply, number: Number) -> bool:
    if len(number.digits) < 4 or number.value % 1:
        return False
    if ledger.is_visible(number.digits, reply.index):
        return False
    if ledger.shows_number(number.value, reply.index):
        return False
    return knows_who_it_is(ledger) or rival(ledger, number.digits) is not None


def _is_unknown_count(ledger: Ledger, reply: Reply, number: Number) -> bool:
    if number.value <= 12 or ledger.contract.user_tools:
        return False
    sentence = sentence_at(reply.turn.text, number.start).text
    decimals = re.compile(rf"\d[.,]{re.escape(number.digits)}\b")
    if number.value in _worked_out(ledger.facts) or decimals.search(ledger.contract_text):
        return False
    return not explains(ledger.visible_numbers(reply.index), number.value, sentence)


@lru_cache(maxsize=512)
def _worked_out(facts: Facts) -> frozenset[float]:
    """The sums and products of the numbers that stand in one sentence of a blueprint."""
    found: set[float] = set()
    for item in facts.instructions:
        own = [number.value for number in numbers(item.text)]
        found.add(sum(own))
        found.update(x for a, b in combinations(own, 2) for x in (a + b, a * b))
    return frozenset(found)


def _is_company(ledger: Ledger, reply: Reply, number: Number) -> bool:
    """More people than one, where the blueprint speaks of nobody but the user."""
    if not 2 <= number.value <= 12 or not _HOW_MANY_PEOPLE.found(reply.agent):
        return False
    line = sentence_at(reply.turn.text, number.start).text
    if not _COMPANY & word_set(line) and len(words(reply.text)) > _SHORT:
        return False
    if any(number.value in {n.value for n in numbers(text)} for text in _told(ledger, reply)):
        return False
    return not _COMPANY & word_set("\n".join(i.text for i in ledger.facts.instructions))


def _told(ledger: Ledger, reply: Reply) -> list[str]:
    """What the agent said of how many people there are."""
    return [text for text in ledger.agent_before(reply.index) if _COMPANY & word_set(text)]
