"""Values that identify something: how people write them, and one form to compare them in."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue, marks
from userproxybench.rules.numbers import ORDINAL_WORD, numbers, ordinal
from userproxybench.rules.text import passages, squash, words, words_in

ValueKind = Literal["email", "handle", "code", "phone", "money", "date", "measure", "card_digits"]

MONTHS = (
    {
        name: place % 12 + 1
        for place, name in enumerate(
            "january february march april may june july august september october november december "
            "jan feb mar apr may jun jul aug sep oct nov dec".split()
        )
    }
    | {
        name: place + 1
        for place, name in enumerate(
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
            "diciembre".split()
        )
    }
    | {
        name: place + 1
        for place, name in enumerate(
            "januar februar märz april mai juni juli august september oktober november "
            "dezember".split()
        )
    }
    | {"sept": 9}
)
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_M = f"(?=[{''.join(sorted({name[0] for name in MONTHS}))}])"
"""A look at the first letter of a month, and below of a day: most words go no further."""
_D = r"(?=[\defnst])"
_EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_HANDLE = r"[a-zA-Z]+(?:_[a-zA-Z]+)*_\d+\b"
_CODE = (
    r"#?(?<![\w-])(?=[A-Za-z\d#-]*\d)(?=[A-Za-z\d#-]*[A-Z])[A-Z\d]+(?:-[A-Za-z\d]+)*(?![\w-])"
    r"|#\d{3,}"
)
_PHONE = r"(?:\+\d{1,3}[\s-]?)?(?:\(\d{3}\)\s?|\b\d{3}[\s-])\d{3,4}(?:[\s-]\d{2,4})?\b"
_DATE = (
    rf"\b{_M}(?:{_MONTH})\.?\s+(?:the\s+)?(?P<d1>\d{{1,2}}(?:st|nd|rd|th)?|{ORDINAL_WORD})\b"
    rf"(?:,?\s+(?P<y1>\d{{4}}))?"
    rf"|\b{_D}(?P<d2>\d{{1,2}}(?:st|nd|rd|th)?|{ORDINAL_WORD})\.?\s+(?:of\s+|de\s+)?(?:{_MONTH})\b"
    rf"(?:,?\s+(?P<y2>\d{{4}}))?"
    r"|\b(?P<y3>\d{4})-(?P<m3>\d{2})-(?P<d3>\d{2})\b"
    r"|\b(?P<m4>\d{1,2})/(?P<d4>\d{1,2})(?:/(?P<y4>\d{2,4}))?\b"
)
_MONTH_SAID = Cue(rf"\b(?:{_MONTH})\b")
_DATED = re.compile(r"\d(?:-\d\d-\d|/\d)")
_FORMS = {"email": _EMAIL, "handle": _HANDLE, "date": _DATE, "phone": _PHONE, "code": _CODE}
_CODE_EXACT = re.compile(_CODE)
_SHORTEST_CODE = 4
_UNIT = (
    r"mbps|mbit(?:/s|s)?|megabits?|gbps|gb|gigabytes?|bar|degrees?|°\s?[cf]?|litres?|liters?|l/min|"
    r"metres?|meters?|cm|centimet\w+|kg|kilos?|percent|%|ms|milliseconds?|volts?|watts?|psi|"
    r"grad|liter|meter|metros|litros|grados"
)
_MEASURED = re.compile(rf"^\s?-?\s?(?:{_UNIT})\b|^\s?[%°]", re.IGNORECASE)
_NEXT = r"(?:(?![.?!;]\s)\W){0,4}"
"""A few signs that end no sentence."""
_CARD = Cue(
    rf"\b(?:ending|ends|termina\w*|endet|endend)(?:\s+(?:in|with|on|en|auf|mit))?{_NEXT}(?P<digits>\d{{3,4}})\b"
    rf"|\blast (?:four|4)(?: digits)?(?: are| is)?{_NEXT}(?P<more>\d{{4}})\b",
)


class Value(NamedTuple):
    """One value in a text."""

    kind: ValueKind
    """What sort of value."""
    canon: str
    """The form to compare: letters and digits, or `mm-dd` for a date."""
    start: int
    """First character."""
    end: int
    """One past the last character."""
    year: int | None = None
    """Dates: the year where one is given."""


@kept(512)
def values(text: str) -> tuple[Value, ...]:
    """Identifiers, contacts, dates, card endings and measures of a text, in order."""
    said = _undivided(text)
    if len(said) < 2:
        return _values(text)
    found: list[Value] = []
    at = 0
    for passage in filter(_values, said):
        at = text.index(passage, at)
        for kind, canon, start, end, year in _values(passage):
            found.append(Value(kind, canon, at + start, at + end, year))
        at += len(passage)
    return tuple(found)


def most_money(text: str) -> float:
    """The largest sum of money in a text; 0 where there is none."""
    return max(map(_most_money, passages(text)))


@kept_longer(4096)
def _most_money(passage: str) -> float:
    return max((float(v.canon) for v in _values(passage) if v.kind == "money"), default=0)


def dates(text: str) -> list[Value]:
    """The dates of a text."""
    return [value for value in values(text) if value.kind == "date"]


@kept_longer(2048)
def date_set(text: str) -> frozenset[str]:
    """All dates of a text, as `mm-dd`."""
    if not marks(text) & _MONTH_SAID.bit and _DATED.search(text) is None:
        return frozenset()
    return frozenset().union(*map(_dates, _undivided(text)))


@kept_longer(4096)
def _dates(passage: str) -> frozenset[str]:
    if _DATED.search(passage) is None and _MONTH_NAMES.isdisjoint(words_in(passage)):
        return frozenset()
    return frozenset(value.canon for value in _values(passage) if value.kind == "date")


def _undivided(text: str) -> tuple[str, ...]:
    """The passages of a text, unless a date may reach from one to the next: `on the 5. May`."""
    said = passages(text)
    if len(said) < 2 or not marks(text) & _MONTH_SAID.bit:
        return said
    for before, after in pairwise(said):
        if before[-1] == "." and _may_go_on(before, after):
            return (text,)
    return said


def _may_go_on(before: str, after: str) -> bool:
    """Whether a date may begin at the end of a passage and go on in the next."""
    if not _MONTH_NAMES.isdisjoint(words_in(before)) and words(before)[-1] in _MONTH_NAMES:
        return _DAY_FIRST.match(after) is not None
    dayed = before[-2:-1].isdecimal() or before[-3:-1].lower() in _SUFFIXES
    return dayed and not _MONTH_NAMES.isdisjoint(words(after)[:1])


@kept_longer(4096)
def _values(passage: str) -> tuple[Value, ...]:
    found = []
    if _might_hold_value(passage):
        dated = _DATED.search(passage) is not None or _MONTH_SAID.found(passage)
        for match in _pattern("@" in passage, "_" in passage, dated).finditer(passage):
            value = _value(match, passage)
            if value is not None:
                found.append(value)
    found.extend(_measures(passage))
    for ending in _CARD.finditer(passage):
        digits = ending.group("digits") or ending.group("more")
        found.append(Value("card_digits", digits, ending.start(), ending.end()))
    found.sort(key=_place)
    return tuple(found)


@lru_cache(maxsize=8)
def _pattern(email: bool, handle: bool, date: bool) -> re.Pattern[str]:
    """A pattern for the forms that a passage may hold, told from its characters."""
    may_be = {"email": email, "handle": handle, "date": date}
    forms = (f"(?P<{kind}>{form})" for kind, form in _FORMS.items() if may_be.get(kind, True))
    return re.compile("|".join(forms), re.IGNORECASE)


def _place(value: Value) -> tuple[int, bool]:
    return value.start, value.kind in ("money", "measure")


_DAY_FIRST = re.compile(rf"(?:the\s+)?(?:\d|{ORDINAL_WORD})", re.IGNORECASE)
_SUFFIXES = frozenset(("st", "nd", "rd", "th"))
_DIGIT = re.compile(r"[\d@]")
_MONTH_NAMES = frozenset(MONTHS)


def _might_hold_value(text: str) -> bool:
    return _DIGIT.search(text) is not None or not _MONTH_NAMES.isdisjoint(words_in(text))


def _value(match: re.Match[str], text: str) -> Value | None:
    start, end = match.span()
    raw = text[start:end]
    kind = match.lastgroup
    if kind == "date":
        return _date(match)
    if kind == "email":
        return Value("email", raw.rstrip(".").lower(), start, end)
    if kind == "handle":
        return Value("handle", raw.lower(), start, end)
    if kind == "phone":
        return Value("phone", squash(raw), start, end)
    is_code = _CODE_EXACT.fullmatch(raw) and len(squash(raw)) >= _SHORTEST_CODE
    return Value("code", squash(raw), start, end) if is_code else None


def _date(match: re.Match[str]) -> Value | None:
    group = match.groupdict()
    raw = match.group("date").lower()
    year = next((group[name] for name in ("y1", "y2", "y3", "y4") if group[name]), None)
    if group["d3"]:
        month, day = int(group["m3"]), int(group["d3"])
    elif group["d4"]:
        month, day = int(group["m4"]), int(group["d4"])
        if month > 12 >= day:
            month, day = day, month
    else:
        name = next(m for m in re.findall(r"[a-zäé]+", raw) if m in MONTHS)
        token = (group["d1"] or group["d2"]).lower().replace(" ", "-")
        number = ordinal(token) or (int(token) if token.isdigit() else 0)
        month, day = MONTHS[name], number
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    full = int(year) + (2000 if year and len(year) == 2 else 0) if year else None
    return Value("date", f"{month:02d}-{day:02d}", match.start(), match.end(), full)


_PRICED = re.compile(
    r"\s?(?:dollars?|euros?|bucks|pounds?|usd|eur|dólares)\b|\s?[€$£]", re.IGNORECASE
)


def _measures(text: str) -> list[Value]:
    found = []
    for number in numbers(text):
        after = text[number.end : number.end + 16]
        before = text[max(0, number.start - 2) : number.start].rstrip()
        if before[-1:] in ("$", "€", "£") or _PRICED.match(after):
            found.append(Value("money", f"{number.value:g}", number.start, number.end))
        elif _MEASURED.match(after):
            found.append(Value("measure", f"{number.value:g}", number.start, number.end))
    return found
