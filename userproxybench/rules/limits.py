"""Blueprint sentences → how much the user pays at most, for all or for one of a kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.numbers import numbers
from userproxybench.rules.text import STOPWORD_STEMS, any_of, stem

if TYPE_CHECKING:
    from userproxybench.rules.orders import Instruction

_CEILING = Cue(
    any_of("""
    upto / up to / at most / (?:no|not) more than / not (?:\\w+ ){1,4}(?:more than|over|above)
    maximum (?:of|is) / max(?:imum)? / less than / under
    (?:budget|limit)(?: is| of)? / (?:budget|limit) (?:for|on) .{1,30} is / höchstens
    bis zu / como máximo / hasta
    """)
    + r"\W+(?:\w+\W+){0,2}?$",
)
_OVER = Cue(
    any_of("more than / over / above / exceeds? / exceeding / higher than / past")
    + r"\W+(?:\w+\W+){0,3}?$",
)
_OR_LESS = re.compile(
    r"^\W{0,2}(?:dollars|euros?|usd|eur|pounds)?\W{0,2}(?:or (?:less|under|below)|at (?:the )?most"
    r"|or cheaper|max(?:imum)?)\b",
    re.IGNORECASE,
)
_PRICED = re.compile(
    r"[$€£]|\b(?:dollars?|euros?|usd|eur|pays?|price|costs?|fees?|budget|spend|charged?|gebühr)\b",
    re.IGNORECASE,
)
_REJECTS = Cue(
    any_of("""
    turn .{1,20} down / decline / refuse / reject / do not / don't / not / leave / keep / forget
    end / won't / say no / skip / drop it / cancel it / lehn\\w* / rechaza\\w*
    """),
)
_PREFERS = Cue(
    any_of("prefer\\w* / ideally / roughly / around / try to / rather not / hope / if possible")
)
_EACH = Cue(any_of("each / a head / apiece / per \\w+ / an? (?:hour|day|night|week|month|year)"))
_MONEY = r"(?:dollars?|euros?|usd|eur|pounds?|bucks|[$€£])"
PER_UNIT = Cue(
    rf"^\s?(?:{_MONEY}\s?)?(?:each|apiece|a head"
    r"|(?:(?:an?|per|pro|por|je|for (?:an?|each|every))\s|/\s?)"
    r"(?P<unit>(?!time\b|total\b|lot\b)[a-z]+))\b",
)
"""What follows a price for one of a kind: `48 euros a hive`."""
_ON_TOP_OF = Cue(any_of("more / extra / on top / additional\\w*"))
_THAN = Cue(
    r"\b(?:more|dearer|higher|extra|on top|cheaper|less) (?:than|of)\b"
    r"|^(?: \w+)? (?:over|above|beyond|below|under) (?:the|your|what|its|that|list|now)\b",
)
"""A limit for a rise: `up to 15 a month more than now`."""
_NO_SUM = re.compile(
    r"\s?%|:\d\d|\s(?:per ?cent|people|kg|km|cm|mm|[ap]\.?m)\b"
    r"|[\s-](?!(?:euros|dollars|pounds|francs|crowns|bucks|pesos|zlotys|plus|is|as|this|was|unless"
    r"|includes|covers|always|perhaps|regardless)\b)[a-z]+[a-rt-z]s\b",
)
"""After what is no sum: `up to 3 nights`."""
_ONLY_FREE = Cue(
    r"\bonly (?:if|when|as long as)\b[^.;]*\b(?:free|(?:pay|costs?|charged?) (?:you )?nothing"
    r"|no (?:extra |additional )?(?:cost|charge|fee)s?)\b"
    r"|\bpay (?:nothing|no) (?:extra|more|additional)\b"
    r"|\bif\b[^,;.\d]*\b(?:costs?|charged?)\b(?! (?:more|less|over|above|under|up)\b)[^,;.\d]*,"
    r"\s*(?:you )?(?:do without|decline|refuse|leave it|skip it|say no|drop it|turn it down)\b",
)
_PAY_NOTHING = Cue(r"\bpay (?:nothing|no) (?:extra|more|additional)\b")


def limits(items: Iterable[Instruction]) -> Iterator[tuple[Instruction, float]]:
    """Price ceilings: `up to 40`, `8 or less`, `over 200, turn it down`, `only if it is free`."""
    for item in items:
        top = None if _PREFERS.found(item.text) else ceiling(item.text)
        if top is None and _ONLY_FREE.found(item.text):
            yield item, 0.0
        elif top is not None and not _is_vague(item.text, top):
            yield item, top


def _is_vague(sentence: str, top: float) -> bool:
    """Whether a ceiling is for one of a kind that its amount does not name, or for a rise."""
    ends = [number.end for number in numbers(sentence) if number.value == top]
    if any(_THAN.found(sentence[end : end + NEAR]) for end in ends):
        return True
    if per_unit(sentence, top) is None:
        return _EACH.found(sentence)
    return any(_ON_TOP_OF.found(sentence[end : end + NEAR]) for end in ends)


NEAR = 40
"""Characters beside a number in which what it is the price of is told."""


@lru_cache(maxsize=2048)
def per_unit(sentence: str, amount: float) -> str | None:
    """Stem of what an amount of a sentence is the price of one of; empty: `each`."""
    for number in numbers(sentence):
        after = sentence[number.end : number.end + NEAR]
        per = PER_UNIT.match(after) if number.value == amount else None
        if per:
            return stem((per["unit"] or "").lower())
    return None


_FREE_WORDS = frozenset(
    map(
        stem,
        """free pay paid nothing cost costs charge charged fee fees accept take want agree offered
        offer agent long time included otherwise refuse ask
        extra without decline leave skip drop turn""".split(),
    )
)
_ON_TOP = frozenset(map(stem, "extra more surcharge difference top additional upgrade".split()))


@kept_longer(2048)
def topic(sentence: str) -> frozenset[str]:
    """Stems of what a sentence wants for nothing, joined words as one."""
    if _PAY_NOTHING.found(sentence):
        return _ON_TOP
    said = (word.replace("-", "") for word in _JOINED.findall(sentence.lower()))
    return frozenset(stem(word) for word in said if len(word) > 2) - _FREE_WORDS - STOPWORD_STEMS


_JOINED = re.compile(r"[a-zà-ÿ]+(?:-[a-zà-ÿ]+)*")


_CLAUSE = 300
"""Characters on either side of a number that are read for what it limits."""


@kept_longer(2048)
def ceiling(sentence: str) -> float | None:
    """How much a sentence says the user would pay at most, be it a mere preference."""
    if _PRICED.search(sentence):
        for number in numbers(sentence):
            before = sentence[max(0, number.start - _CLAUSE) : number.start]
            after = sentence[number.end : number.end + _CLAUSE]
            if _NO_SUM.match(after):
                continue
            turned_down = _OVER.search(before) and _REJECTS.search(after)
            if _CEILING.found(before) or _OR_LESS.search(after) or turned_down:
                return number.value
    return None


_FLOOR = Cue(
    r"\b(?:accept|take|settle for|agree to|want|content with|satisfied with)\b[^.;]{0,40}?"
    r"\b(?:at least|(?:no|not|nothing) (?:less|lower|below|under)(?: than)?)\W+(?:\w+\W+)?$",
)
MONEY = "money"
"""In place of a unit: the bound is a sum."""


@kept_longer(2048)
def floor(sentence: str) -> float | None:
    """How much a sentence says the user must be offered at least."""
    if _PRICED.search(sentence):
        for number in numbers(sentence):
            if _FLOOR.found(sentence[: number.start]):
                return number.value
    return None
