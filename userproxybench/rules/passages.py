"""A text cut into sentences, passages and words, each distinct piece read once."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TITLE = "|".join(rf"(?<=\b{title})" for title in ("Dr", "Mr", "Ms", "Mrs", "Prof"))
_SENTENCE = re.compile(rf"(?:[^.?!\n;]++|[.?!;](?=[^\s\"'”’)])|(?:{_TITLE})\.)+[.?!;]*[\"'”’)]*")
_STOPS = (".", "?", "!", ";")


class Sentence(NamedTuple):
    """One sentence of a text, with its place."""

    text: str
    start: int
    end: int

    @property
    def is_question(self) -> bool:
        """Whether it ends in a question mark."""
        return self.text.rstrip("\"'”’) ").endswith("?")


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text; a line break ends one."""
    found = []
    for match in _SENTENCE.finditer(text):
        raw = match.group()
        stripped = raw.strip()
        if stripped:
            start = match.start() + len(raw) - len(raw.lstrip())
            found.append(Sentence(stripped, start, start + len(stripped)))
    return tuple(found)


_PASSAGE = re.compile(r"(?:[^.?!;]++|[.?!;](?!\s))+[.?!;]?")


@lru_cache(maxsize=4096)
def passages(text: str) -> tuple[str, ...]:
    """A text cut where white space follows a full stop or the like; only white space is left out.

    No phrase reaches over the end of a passage, so each distinct one need be read only once.
    """
    if text[:1] in _STOPS:
        return (text,)
    parts = _PASSAGE.findall(text)
    return tuple(part.strip() for part in parts) if len(parts) > 1 else (text,)


@lru_cache(maxsize=4096)
def _words(passage: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(passage.lower().replace("’", "'")))


@lru_cache(maxsize=1024)
def words(text: str) -> tuple[str, ...]:
    """Lower-case words of a text, straight apostrophes."""
    parts = passages(text)
    return _words(text) if len(parts) < 2 else tuple(chain.from_iterable(map(_words, parts)))


@lru_cache(maxsize=4096)
def _word_set(passage: str) -> frozenset[str]:
    return frozenset(_words(passage))


@lru_cache(maxsize=2048)
def word_set(text: str) -> frozenset[str]:
    """The set of `words`."""
    parts = passages(text)
    return _word_set(text) if len(parts) < 2 else frozenset().union(*map(_word_set, parts))
