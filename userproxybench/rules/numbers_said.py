"""Bare numbers given in answer to a question for an identifier, a count or a measure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations

from userproxybench.rules.asks import asked_kinds
from userproxybench.rules.caches import kept
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
from userproxybench.rules.numbers import PERCENT, Number, number_set, numbers
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
    counts = not reply.calls and not ledger.contract.user_tools
    taken = [(value.start, value.end) for value in values(text) if value.kind != "measure"]
    for number in found:
        if any(start <= number.start < end for start, end in taken):
            continue
        invented = (
            _is_unknown_id(ledger, reply, number)
            or (counts and _is_unknown_count(ledger, reply, number))
            or _is_company(ledger, reply, number)
        )
        if invented and is_asserted(sentence_at(text, number.start), text, number.start):
            yield Finding(number.start, text[number.start : number.end], "n" + number.digits)


@kept(512)
def _asks_how_many(agent: str) -> bool:
    return _HOW_MANY.found(agent)


def _is_unknown_id(ledger: Ledger, reply: Reply, number: Number) -> bool:
    if len(number.digits) < 4 or number.value % 1 or not asked_kinds(reply.agent) & _IDS:
        return False
    if ledger.is_visible(number.digits, reply.index):
        return False
    if ledger.shows_number(number.value, reply.index):
        return False
    return knows_who_it_is(ledger) or rival(ledger, number.digits) is not None


def _is_unknown_count(ledger: Ledger, reply: Reply, number: Number) -> bool:
    if number.value <= 12 or not _asks_how_many(reply.agent):
        return False
    sentence = sentence_at(reply.turn.text, number.start).text
    decimals = re.compile(rf"\d[.,]{re.escape(number.digits)}\b")
    if number.value in _worked_out(ledger.facts) or decimals.search(ledger.contract_text):
        return False
    if _is_clock(reply.turn.text, number) or _is_converted(ledger, reply.turn.text, number):
        return False
    return not explains(ledger.visible_numbers(reply.index), number.value, sentence)


@kept(512)
def _worked_out(facts: Facts) -> frozenset[float]:
    """What comes of up to three numbers that stand in one sentence of a blueprint."""
    found: set[float] = set()
    parts: set[float] = set()
    for item in facts.instructions:
        own = [number.value for number in numbers(item.text)][:_MANY]
        found.add(sum(own))
        for a, b in combinations(own, 2):
            found.update((a + b, abs(a - b), a * b))
        for a, b, c in permutations(own, 3):
            found.update((a * b + c, abs(a * b - c), (a + b) * c, abs(a + b - c)))
        parts.update(_parts(item.text, own, _FRACTION.found(facts.text)))
    return frozenset(found | parts | {x + 1 for x in found} | {2 * x for x in found})


def _parts(text: str, own: list[float], fractions: bool) -> Iterator[float]:
    """Shares of numbers, and of products of two, that a text gives by fractions or percentages."""
    wholes = (*own, *(a * b for a, b in combinations(own, 2)))
    shares = (*(_FRACTIONS if fractions else ()), *(one / 100 for one in _percentages(text)))
    for whole in wholes:
        for share in shares:
            yield from _parted(whole, share)


def _percentages(text: str) -> list[float]:
    return [n.value for n in numbers(text) if PERCENT.match(text, n.end)]


def _parted(whole: float, share: float) -> tuple[float, float, float]:
    """A share of a whole, what is left of it and the whole with as much again, rounded."""
    part = round(whole * share)
    return part, whole - part, whole + part


_FRACTION = Cue(any_of("hal(?:f|ves) / thirds? / quarters? / fifths? / tenths? / doubled? / twice"))
_FRACTIONS = (1 / 2, 1 / 3, 2 / 3, 1 / 4, 3 / 4, 1 / 5, 1 / 10)
_MANY = 8
"""Numbers of one sentence that are looked at."""
_CLOCK_AFTER = re.compile(
    r":\d\d|\s?(?:[ap]\.?m\b|o['’]clock|h\b)|(?:st|nd|rd|th)\b", re.IGNORECASE
)
_CLOCK_BEFORE = re.compile(
    r"\d:$|['’]$|\b(?:past|quarter to|until|till|by|at|twenty-?one|twenty|nine|ten|eleven) $",
    re.IGNORECASE,
)


def _is_clock(text: str, number: Number) -> bool:
    """Whether a number is of a time of day or a day of the month."""
    after = _CLOCK_AFTER.match(text, number.end) is not None
    return after or _CLOCK_BEFORE.search(text[: number.start]) is not None


_UNIT = (
    r"(?:feet|foot|ft|inch(?:es)?|yards?|miles?|met(?:re|er)s?|cm|mm|km|m|(?:centi|milli|kilo)\w+"
    r"|kg|kilos?|grams?|g|tons?|tonnes?|pounds?|lbs?|ounces?|oz|stones?|lit(?:re|er)s?|gallons?"
    r"|pints?|degrees?|square|sq|acres?|hectares?)\b"
)
_UNIT_AFTER = re.compile(rf"\s?-?\s?(?:{_UNIT}|°)", re.IGNORECASE)
_UNIT_BETWEEN = re.compile(rf"[ -](?:{_UNIT})\W{{0,2}}(?:and )?", re.IGNORECASE)
_ONE_UNIT = re.compile(rf"\ba {_UNIT} (?:and )?$", re.IGNORECASE)
_PER_UNIT = (2.54, 3.281, 2.205, 6.35, 14, 1.609, 4.546, 3.785, 1.76, 10.76, 28.35, 1.094, 2.471)
"""How many of one unit make one of another: centimetres an inch, feet a metre and so on."""
_DECIMAL = (1, 10, 100, 1000, 12)
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|some|approx\w*|just (?:over|under)|maybe|circa"
    r"|getting on for|say)(?: an?)? $",
    re.IGNORECASE,
)
_OR_SO = re.compile(r"(?: \w+)? (?:or so|give or take|odd|ish)\b|-?ish\b|-odd\b", re.IGNORECASE)
_NEAR = 0.2
_CLOSE = 0.04


def _is_converted(ledger: Ledger, text: str, number: Number) -> bool:
    """Whether a figure may be a known one rounded, in another unit, or said in two parts."""
    before = text[: number.start]
    known = number_set(ledger.contract_text)
    if _ABOUT.search(before) or _OR_SO.match(text, number.end):
        near = (abs(value - number.value) <= _NEAR * value for value in known)
        return any(near) or _in_other_unit(ledger.contract_text, number.value)
    if _in_parts(text, number.start) & known or _is_age(number.value, known):
        return True
    return _UNIT_AFTER.match(text, number.end) is not None and _in_other_unit(
        ledger.contract_text, number.value
    )


def _is_age(value: float, known: frozenset[float]) -> bool:
    """Whether a figure may be the years since a known year; what year it is, nobody says."""
    return any(_THIS_YEAR[0] <= year + value <= _THIS_YEAR[1] for year in known if year > _A_YEAR)


_A_YEAR = 1900
_THIS_YEAR = (2018, 2032)


def _in_parts(text: str, at: int) -> frozenset[float]:
    """What two numbers with a unit between them may mean: `one metre ninety` is 1.9."""
    found = []
    last = next(n for n in numbers(text) if n.start == at)
    if _ONE_UNIT.search(text[:at]):
        found += [round((1 + last.value / 10 ** len(last.digits)) * unit, 4) for unit in _DECIMAL]
    for one, two in pairwise(numbers(text)):
        if at in (one.start, two.start) and _UNIT_BETWEEN.fullmatch(text[one.end : two.start]):
            parts = one.value + two.value / 10 ** len(two.digits)
            found += [round(parts * unit, 4) for unit in _DECIMAL] + [one.value * 12 + two.value]
    return frozenset(found)


def _in_other_unit(known: str, value: float) -> bool:
    """Whether a measure is one of a text in another unit."""
    return any(
        abs(value - one) <= _CLOSE * value
        for k in _measures(known)
        for unit in _PER_UNIT
        for ten in (1, 100)
        for one in (k * unit * ten, k / unit * ten, k * unit / ten, k / unit / ten)
    )


@kept(512)
def _measures(text: str) -> frozenset[float]:
    """The numbers of a text that have a unit of length, weight or the like."""
    return frozenset(n.value for n in numbers(text) if _UNIT_AFTER.match(text, n.end))


def _is_company(ledger: Ledger, reply: Reply, number: Number) -> bool:
    """More people than one, where the blueprint speaks of nobody but the user."""
    if not (2 <= number.value <= 12 and reply.heard & _HOW_MANY_PEOPLE.bit):
        return False
    if not _HOW_MANY_PEOPLE.found(reply.agent):
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
