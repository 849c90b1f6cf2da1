"""Measures that a blueprint sentence calls for: at least 40 Mbps, 6 bar or less, 60 to 62 grams."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.numbers import Number, numbers
from userproxybench.rules.text import STOPWORDS, any_of, stem

_PERCENT = "percent"
_UNIT = re.compile(r"\s?(?P<unit>[A-Za-z/%°]+)(?P<rest>.{0,24})")
_NOT_A_MEASURE = Cue(
    any_of(r"""
    dollars? / euros? / pounds? / usd / eur / gbp / cents? / and / to / or / in / on / at / of / if
    years? / months? / weeks? / days? / nights? / hours? / minutes? / min / seconds? / o'clock / am
    people / persons? / adults? / children / kids / times? / pm / more / less / for / with / is
    jan\w* / feb\w* / march / april / june / july / aug(?:ust)? / sept\w* / oct(?:ober)? / nov\w*
    dec\w* / (?:mon|tues|wednes|thurs|fri|satur|sun)day
    """)
    + r"|^(?:st|nd|rd|th)$",
)
_LOW = Cue(
    any_of("""
    at least / (?:no|not|nothing) (?:less|lower|fewer|below|under)(?: than)? / more than
    over / above / minimum(?: of)? / reads? / shows? / says / reach(?:es)? / hits?
    mindestens / al menos
    """)
    + r"\W*$",
)
_HIGH = Cue(
    any_of("""
    at (?:the )?most / up to / below / under / less than / lower than / maximum(?: of)?
    höchstens / como máximo
    """)
    + r"\W*$",
)
_NO_MORE = Cue(r"\b(?:no|not|nothing) (?:more|higher|above|over)(?: than)?\W*$")
_OR_MORE = Cue(r"^\W*(?:or|and) (?:more|above|over|higher|better|faster|up|upwards?)\b")
_OR_LESS = Cue(r"^\W*(?:or|and) (?:less|below|under|lower|fewer|down)\b|^\W*(?:at (?:the )?most)\b")
_FROM = Cue(
    r"(?<!change )(?<!changed )(?<!increase )(?<!raise )(?<!raised )(?<!reduce )(?<!reduced )"
    r"(?<!switch )(?<!upgrade )(?<!lower )(?<!increased )(?<!extended )(?<!runs )(?<!up )(?<!down )"
    r"\b(?:between|from)\s+\S+\s+(?:and|to)\s*$",
)
_BEFORE = 36


_BY = Cue(
    r"(?<!or )(?<!and )\b(?:(?:larg|bigg|long|high|small|wid|heavi|fast|slow|dear|cheap|deep|clos"
    r"|near|old|young|low|short|narrow|furth)er|away|apart"
    r"|(?:more|less) than (?:now|before|the|your|it|that))\b",
)
"""After a measure that something differs by: `up to 40 metres longer`."""


class Bounds(NamedTuple):
    """Between what a measure has to lie, both ends included."""

    low: float
    """The least."""
    high: float
    """The most."""
    unit: str
    """Stem of the unit."""

    def hold(self, value: float) -> bool:
        """Whether a value lies within."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        """As a reason names it."""
        if self.high == math.inf:
            return f"{self.low:g}"
        return f"{self.high:g}" if self.low == -math.inf else f"{self.low:g} to {self.high:g}"


@kept_longer(2048)
def bounds(sentence: str) -> Bounds | None:
    """The first measure that a sentence sets bounds to."""
    found = numbers(sentence)
    for place, number in enumerate(found):
        after = _UNIT.match(sentence, number.end)
        if after is None or _is_no_unit(after):
            continue
        low = found[place - 1] if place else None
        if _BY.search(after["rest"]):
            continue
        made = _bounds(sentence, number, low, _unit(after["unit"]), after["rest"])
        if made is not None:
            return made
    return None


def _is_no_unit(after: re.Match[str]) -> bool:
    """Whether what follows a number is no unit but a little word, a month or `p.m.`."""
    word = after["unit"].lower()
    clock = word in ("a", "p") and after["rest"].startswith(".m")
    return clock or word in STOPWORDS or _NOT_A_MEASURE.search(word) is not None


def _unit(written: str) -> str:
    return _PERCENT if written == "%" else stem(written.lower())


def _bounds(
    sentence: str, number: Number, low: Number | None, unit: str, rest: str
) -> Bounds | None:
    before = sentence[max(0, number.start - _BEFORE) : number.start]
    if low is not None and _FROM.found(before):
        return Bounds(low.value, number.value, unit)
    most = _NO_MORE.found(before) or (_HIGH.found(before) and not _LOW.found(before))
    if most or _OR_LESS.found(rest):
        return Bounds(-math.inf, number.value, unit)
    if _OR_MORE.found(rest) or _LOW.found(before):
        return Bounds(number.value, math.inf, unit)
    return None


def measured(text: str, unit: str) -> tuple[float, ...]:
    """The values that a text gives in a unit, named by the stem that words for it begin with."""
    if unit != _PERCENT and unit not in text.lower():
        return ()
    return _by_unit(text).get(unit, ())


@kept(512)
def _by_unit(text: str) -> dict[str, tuple[float, ...]]:
    """The values of a text by the stem of their unit, or of whatever word comes next."""
    found: dict[str, tuple[float, ...]] = {}
    for number in numbers(text):
        after = _UNIT.match(text, number.end)
        if after is not None:
            unit = _unit(after["unit"])
            found[unit] = (*found.get(unit, ()), number.value)
    return found


@kept_longer(2048)
def measures(text: str) -> tuple[tuple[float, str], ...]:
    """The figures of a text that have a unit other than time or money, with its stem."""
    found = []
    for number in numbers(text):
        after = _UNIT.match(text, number.end)
        if after is not None and not _is_no_unit(after):
            found.append((number.value, _unit(after["unit"])))
    return tuple(found)
