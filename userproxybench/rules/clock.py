"""Times of day as people write and say them, in minutes of a twelve-hour clock."""

from __future__ import annotations

import re
from typing import NamedTuple

from userproxybench.rules.caches import kept_longer

_HOURS = {
    word: place + 1
    for place, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_HOUR = rf"(?:{'|'.join(_HOURS)}|\d{{1,2}})"
_TIME = re.compile(
    rf"\b(?P<h1>\d{{1,2}})(?:[:h](?P<m1>\d{{2}})(?!\d)|\.(?P<m2>\d{{2}})(?=\s?[ap]\.?m\b))"
    rf"|\b(?P<part>half past|quarter past|quarter to)\s+(?P<h2>{_HOUR})\b"
    rf"|(?<![.:\d])\b(?P<h3>{_HOUR})\s?(?:o['’]clock|a\.?m\b|p\.?m\b)",
    re.IGNORECASE,
)
_PART = {"half past": 30, "quarter past": 15, "quarter to": -15}
_CLOCK = re.compile(r"\d(?:[:h]\d\d|\s?[ap]\.?m\b)", re.IGNORECASE)
_CLOCK_WORDS = ("past", "quarter", "clock")


class Time(NamedTuple):
    """One time of day in a text."""

    minutes: int
    """Minutes after twelve; mornings and evenings alike."""
    start: int
    """First character."""
    end: int
    """One past the last."""


def may_tell_time(text: str) -> bool:
    """Whether a text has what every time of day has one of."""
    lower = text.lower()
    return any(word in lower for word in _CLOCK_WORDS) or _CLOCK.search(text) is not None


@kept_longer(4096)
def times_of_day(text: str) -> tuple[Time, ...]:
    """The times of day of a text, in order."""
    if not may_tell_time(text):
        return ()
    found = []
    for match in _TIME.finditer(text):
        hour = match["h1"] or match["h2"] or match["h3"]
        hours = int(hour) if hour.isdigit() else _HOURS[hour.lower()]
        minutes = int(match["m1"] or match["m2"] or 0) + _PART.get((match["part"] or "").lower(), 0)
        found.append(Time((hours * 60 + minutes) % 720, *match.span()))
    return tuple(found)
