"""Numbers as people write and say them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, pairwise
from typing import NamedTuple

from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.text import passages, words_in

_UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
} | {"oh": 0, "nought": 0, "nil": 0}
_TENS = {
    word: 10 * (place + 2)
    for place, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
_SCALES = {"hundred": 100, "thousand": 1000}
_ORDINALS = {
    word: place + 1
    for place, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
        "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth "
        "twentieth".split()
    )
} | {"thirtieth": 30}
_NUMBER_WORD = "|".join(sorted((*_UNITS, *_TENS, *_SCALES), key=len, reverse=True))
_JOINT = r"(?:[\s-]+|(?<=hundred)\s+and\s+|(?<=thousand)\s+and\s+|\s+and\s+(?=a\s+half\b))"
_SPOKEN = Cue(rf"\b(?:{_NUMBER_WORD})\b(?:{_JOINT}(?:{_NUMBER_WORD}|point|a\s+half)\b)*")
PERCENT = re.compile(r"\s?(?:%|per ?cent\b)", re.IGNORECASE)
"""What follows a number that is a percentage."""
NUMBER_WORDS = frozenset((*_UNITS, *_TENS, *_SCALES))
_DIGIT = re.compile(r"\d")
_WRITTEN = re.compile(r"(\d(?<![\w.]\d)(?:\d{0,2}(?:,\d{3})+|\d*))(\.\d+)?(?!\d)")
"""It begins with a digit, and not with what may not stand before one: a search is faster so."""


class Number(NamedTuple):
    """One number in a text."""

    value: float
    """Its value; for digits read out one by one, the number they spell."""
    digits: str
    """Its digits, leading zeros kept."""
    start: int
    """First character."""
    end: int
    """One past the last character."""
    spoken: bool
    """Written in words."""


@kept(512)
def numbers(text: str) -> tuple[Number, ...]:
    """All numbers of a text, written and spoken, in order."""
    said = passages(text)
    if len(said) < 2:
        return _numbers(text)
    found: list[Number] = []
    at = 0
    for passage in filter(_numbers, said):
        at = text.index(passage, at)
        for value, digits, start, end, spoken in _numbers(passage):
            found.append(Number(value, digits, at + start, at + end, spoken))
        at += len(passage)
    return tuple(found)


@kept_longer(512)
def number_set(text: str) -> frozenset[float]:
    """The values of all numbers of a text."""
    return frozenset().union(*map(_number_set, passages(text)))


def has_numbers(text: str) -> bool:
    """Whether a text has any number."""
    for passage in passages(text):  # noqa: SIM110 (a generator costs twice as much here)
        if _numbers(passage):
            return True
    return False


def names_number(text: str, value: float) -> bool:
    """Whether a text has a number of this value."""
    for passage in passages(text):  # noqa: SIM110 (a generator costs twice as much here)
        if value in _number_set(passage):
            return True
    return False


def all_digits(texts: Iterable[str]) -> frozenset[str]:
    """The digits of all numbers of some texts, leading zeros kept."""
    return frozenset().union(*map(_digits_in, chain.from_iterable(map(passages, texts))))


@kept_longer(4096)
def _digits_in(passage: str) -> frozenset[str]:
    return frozenset(number.digits for number in _numbers(passage))


def all_values(texts: Iterable[str]) -> frozenset[str]:
    """The values of all numbers of some texts, in digits."""
    return frozenset().union(*map(_values_in, chain.from_iterable(map(passages, texts))))


@kept_longer(4096)
def _values_in(passage: str) -> frozenset[str]:
    return frozenset(f"{value:g}" for value in _number_set(passage))


@kept_longer(4096)
def _number_set(passage: str) -> frozenset[float]:
    return frozenset(number.value for number in _numbers(passage))


@kept_longer(4096)
def _numbers(text: str) -> tuple[Number, ...]:
    found = list(map(_written, _WRITTEN.finditer(text) if _DIGIT.search(text) else ()))
    if not NUMBER_WORDS.isdisjoint(words_in(text)):
        for match in _SPOKEN.finditer(text):
            found.extend(_spoken(match))
        found.sort(key=lambda number: number.start)
        return _scaled(text, found)
    return tuple(found)


def _scaled(text: str, found: list[Number]) -> tuple[Number, ...]:
    """`5 hundred` and `1.5 thousand` as the one number that they are."""
    made: list[Number] = []
    for number in found:
        scale = _SCALES.get(text[number.start : number.end].lower())
        last = made[-1] if made else None
        if scale is None or last is None or last.spoken or text[last.end : number.start] != " ":
            made.append(number)
            continue
        value = last.value * scale
        made[-1] = Number(value, _digits(value), last.start, number.end, False)
    return tuple(made)


def _digits(value: float) -> str:
    return f"{value:.12g}".replace(".", "")


def is_label(text: str, number: Number) -> bool:
    """List numbers, `one` as a pronoun, 4G and the like, and small counts: not a figure."""
    after = text[number.end : number.end + 2]
    if number.start == 0 and after[:1] in ".)":
        return True
    if after[:1].isalpha() or (number.start and text[number.start - 1].isalpha()):
        return True
    return number.spoken and number.value <= 3


def ordinal(word: str) -> int | None:
    """The value of an ordinal in words or digits (`third`, `twenty-third`, `3rd`)."""
    match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", word)
    if match:
        return int(match.group(1))
    head, _, tail = word.rpartition("-")
    if head in _TENS and tail in _ORDINALS:
        return _TENS[head] + _ORDINALS[tail]
    return _ORDINALS.get(word)


ORDINAL_WORD = rf"(?:(?:twenty|thirty)[-\s])?(?:{'|'.join(_ORDINALS)})"


def _written(match: re.Match[str]) -> Number:
    whole = match.group(1).replace(",", "")
    fraction = match.group(2) or ""
    return Number(
        float(whole + fraction),
        whole + fraction.replace(".", ""),
        match.start(),
        match.end(),
        False,
    )


def _spoken(match: re.Match[str]) -> list[Number]:
    parts = re.findall(r"[a-z]+", match.group().lower())
    value, digits = _evaluate(parts)
    return [Number(value, digits, match.start(), match.end(), True)]


def _evaluate(parts: list[str]) -> tuple[float, str]:
    """Value and digits of a run of number words."""
    scale = _SCALES.get(parts[-1])
    if scale is not None and _is_broken(parts[:-1]):
        value = _evaluate(parts[:-1])[0] * scale
        return value, _digits(value)
    half = parts[-2:] == ["a", "half"]
    parts = [part for part in (parts[:-2] if half else parts) if part != "and"]
    if "point" in parts:
        cut = parts.index("point")
        whole, digits = _evaluate(parts[:cut]) if cut else (0.0, "0")
        tail = "".join(str(_UNITS.get(part, _TENS.get(part, ""))) for part in parts[cut + 1 :])
        return (float(f"{int(whole)}.{tail}") if tail else whole), digits + tail
    if _is_digit_run(parts):
        digits = _read_out(parts)
        return float(digits), digits
    total = group = 0
    for part in parts:
        if part == "hundred":
            group = max(group, 1) * 100
        elif part == "thousand":
            total, group = total + max(group, 1) * 1000, 0
        else:
            group += _UNITS.get(part, 0) + _TENS.get(part, 0)
    value = total + group
    return (value + 0.5, f"{value}5") if half else (float(value), str(value))


def _is_broken(parts: list[str]) -> bool:
    """Whether number words end in a half or in decimals: `two and a half`, `two point five`."""
    if "point" in parts:
        decimals = parts[parts.index("point") + 1 :]
        return bool(decimals) and not any(part in _SCALES for part in decimals)
    return parts[-2:] == ["a", "half"]


def _read_out(parts: list[str]) -> str:
    """Digits of words read out one after the other: `twenty-one fifty` is 2150."""
    digits = ""
    tens = 0
    for part in parts:
        if tens and 0 < _UNITS.get(part, 0) < 10:
            digits, tens = digits + str(tens + _UNITS[part]), 0
            continue
        digits, tens = digits + (str(tens) if tens else ""), _TENS.get(part, 0)
        if not tens:
            digits += str(_UNITS.get(part, ""))
    return digits + (str(tens) if tens else "")


def _is_digit_run(parts: list[str]) -> bool:
    """`four four seven one`, `fifteen twenty`: not a number but digits read out."""
    if len(parts) < 2 or any(part in _SCALES for part in parts):
        return False
    for before, after in pairwise(parts):
        if before in _TENS and after in _UNITS and 0 < _UNITS[after] < 10:
            if len(parts) == 2:
                return False
            continue
        return True
    return False
