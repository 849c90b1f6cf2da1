"""Patterns that are looked for only where the words that they need occur.

Most texts hold none of the words of most patterns. The words that each pattern cannot do without
are read off the pattern itself; each word is looked up once, and a text then tells in one step
which patterns may match in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

from userproxybench.rules.anchors import Anchor, anchors, guarded, is_local
from userproxybench.rules.caches import forget, kept, kept_longer
from userproxybench.rules.passages import passages, words_in

ANY = 1
"""The mark that every text carries: for patterns that need no word."""


@dataclass
class _Index:
    """Which patterns a word, or a word that starts so, may belong to: a bit for each."""

    whole: dict[str, int] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)
    bits: int = 0


_INDEX = _Index()


class Cue:
    """A pattern, and the words without which it cannot match."""

    __slots__ = ("bit", "found", "pattern")

    found: Callable[[str], bool]
    """Whether it matches anywhere in a text."""

    def __init__(self, pattern: str, flags: int = re.IGNORECASE) -> None:
        self.pattern = re.compile(guarded(pattern), flags)
        self.bit = _entered(pattern)
        self.found = self._in_passages() if is_local(pattern) else self._in_text()

    def search(self, text: str) -> re.Match[str] | None:
        """The first match."""
        return self.pattern.search(text) if _read(text)[0] & self.bit else None

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the start."""
        return self.pattern.match(text) if _read(text)[0] & self.bit else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match of the whole."""
        return self.pattern.fullmatch(text) if _read(text)[0] & self.bit else None

    def findall(self, text: str) -> list[Any]:  # as `re` has it: strings, or tuples of groups
        """All matches, or their groups."""
        return self.pattern.findall(text) if _read(text)[0] & self.bit else []

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches."""
        return self.pattern.finditer(text) if _read(text)[0] & self.bit else iter(())

    def split(self, text: str) -> list[str]:
        """What stands between the matches."""
        return self.pattern.split(text) if _read(text)[0] & self.bit else [text]

    def sub(self, put: str, text: str) -> str:
        """The text with other words in place of the matches."""
        return self.pattern.sub(put, text) if _read(text)[0] & self.bit else text

    def _in_text(self) -> Callable[[str], bool]:
        search, bit = self.pattern.search, self.bit

        def found(text: str) -> bool:
            return bool(_read(text)[0] & bit) and search(text) is not None

        return found

    def _in_passages(self) -> Callable[[str], bool]:
        """For a pattern that cannot match across passages: each distinct one is searched once."""
        search, bit = self.pattern.search, self.bit

        @kept_longer(256)
        def here(passage: str) -> bool:
            return search(passage) is not None

        def found(text: str) -> bool:
            held, parts = _read(text)
            if held & bit:
                for said in parts:
                    if _marks(said) & bit and here(said):
                        return True
            return False

        return found


def mark_of(said: Iterable[str]) -> int:
    """The bit of the texts that hold any of some words, apostrophes straight."""
    return _enter(Anchor(word, True) for word in said)


def _entered(pattern: str) -> int:
    """Enter the words of a pattern into the index; its bit."""
    needed = anchors(pattern)
    return ANY if needed is None else _enter(needed)


def _enter(needed: Iterable[Anchor]) -> int:
    _INDEX.bits += 1
    bit = 1 << _INDEX.bits
    for anchor in needed:
        index = _INDEX.whole if anchor.whole else _INDEX.starts
        index[anchor.word] = index.get(anchor.word, 0) | bit
    forget(_word_marks, _marks, _read)
    return bit


@kept_longer(4096)
def _word_marks(word: str) -> int:
    """Bits of the patterns that a word may belong to, any part of `i'd've` included."""
    parts = word.split("'")
    found = 0
    for first in range(len(parts)):
        head = "'".join(parts[first:])
        for end in range(1, len(head) + 1):
            found |= _INDEX.starts.get(head[:end], 0)
        for last in range(first + 1, len(parts) + 1):
            found |= _INDEX.whole.get("'".join(parts[first:last]), 0)
    return found


@kept_longer(4096)
def _marks(passage: str) -> int:
    return reduce(or_, map(_word_marks, words_in(passage)), ANY)


@kept(512)
def _read(text: str) -> tuple[int, tuple[str, ...]]:
    """Bits of the patterns that may match in a text, and its passages."""
    said = passages(text)
    return _marks(text) if len(said) < 2 else reduce(or_, map(_marks, said)), said


def marks(text: str) -> int:
    """Bits of the patterns that may match in a text."""
    return _read(text)[0]
