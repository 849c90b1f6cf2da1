"""A text cut into sentences, passages and words, each distinct piece read once."""

from __future__ import annotations

import re
from itertools import chain
from typing import NamedTuple

from userproxybench.rules.caches import kept, kept_longer

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TITLE = "|".join(rf"(?<=\b{title})" for title in ("Dr", "Mr", "Ms", "Mrs", "Prof"))
_SENTENCE = re.compile(rf"(?:[^.?!\n;]++|[.?!;](?=[^\s\"'”’)])|(?:{_TITLE})\.)+[.?!;]*[\"'”’)]*")
_STOPS = (".", "?", "!", ";")


class Sentence(NamedTuple):
    """One sentence of a text."""

    text: str
    is_question: bool
    """It ends in a question mark."""


class Placed(NamedTuple):
    """One sentence of a text, with its place."""

    text: str
    start: int
    end: int
    is_question: bool
    """It ends in a question mark."""


@kept(512)
def placed_sentences(text: str) -> tuple[Placed, ...]:
    """The sentences of a text, and where they stand; a line break ends one."""
    found = []
    end = 0
    for said, asks in sentences(text):
        start = text.index(said, end)
        end = start + len(said)
        found.append(Placed(said, start, end, asks))
    return tuple(found)


@kept_longer(4096)
def _sentences(passage: str) -> tuple[Sentence, ...]:
    body = passage[:-1]
    if not (_has_stop(body) or "\n" in body or body.isspace()) and body:  # as most are
        one = passage.strip()
        return (Sentence(one, is_question(one)),)
    said = map(str.strip, _SENTENCE.findall(passage))
    return tuple(Sentence(one, is_question(one)) for one in said if one)


@kept(512)
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text; a line break ends one."""
    said = passages(text)
    return _sentences(text) if len(said) < 2 else tuple(chain.from_iterable(map(_sentences, said)))


def _has_stop(text: str) -> bool:
    return "." in text or "?" in text or "!" in text or ";" in text


def is_question(sentence: str) -> bool:
    """Whether a sentence ends in a question mark."""
    return sentence.rstrip("\"'”’) ").endswith("?")


_PASSAGE = re.compile(r"\S[^.?!;]*+(?:[.?!;](?!\s)[^.?!;]*+)*+[.?!;]?")
_LONG = 120
"""Characters from which most texts have a break, so that looking for one first is wasted."""
_BREAK = re.compile(r"[.?!;]\s")
_TITLED = re.compile(r"\b(?:Dr|Mr|Ms|Mrs|Prof)\.\s|\s[.?!;]")


_TITLE_ENDS = ("Dr.", "Mr.", "Ms.", "Mrs.", "Prof.", " .", " ?", " !", " ;")


def _may_be_titled(parts: list[str]) -> bool:
    for part in parts:  # noqa: SIM110 (a generator costs twice as much here)
        if part.endswith(_TITLE_ENDS):
            return True
    return False


@kept_longer(4096)
def passages(text: str) -> tuple[str, ...]:
    """A text cut where white space follows a full stop or the like; only white space is left out.

    No phrase or sentence reaches over the end of a passage, so each distinct one need be read only
    once. A text with titles (`Dr. Osk`) or stops that stand alone is left whole.
    """
    if text[:1] in _STOPS or (len(text) < _LONG and not _BREAK.search(text)):
        return (text,)
    parts = _PASSAGE.findall(text)
    if len(parts) < 2:
        return (text,)
    if _may_be_titled(parts) and _TITLED.search(text):
        return (text,)
    parts[-1] = parts[-1].rstrip()
    return tuple(map(_one_for_all, parts))


@kept_longer(4096)
def _one_for_all(text: str) -> str:
    """One string for all passages or words that read alike: neither held nor compared twice."""
    return text


_APART = bytes(at if chr(at).isalnum() or chr(at) == "'" else ord(" ") for at in range(256))
"""White space for all that is in no word; for ASCII alone."""


@kept_longer(1024)
def _words(passage: str) -> tuple[str, ...]:
    lower = passage.lower().replace("’", "'")
    if not lower.isascii():
        return tuple(map(_one_for_all, _WORD.findall(lower)))
    said = lower.encode().translate(_APART).decode().split()
    if "'" in lower:
        said = [word for one in said for word in (_WORD.findall(one) if "'" in one else (one,))]
    return tuple(map(_one_for_all, said))


@kept(512)
def words(text: str) -> tuple[str, ...]:
    """Lower-case words of a text, straight apostrophes."""
    parts = passages(text)
    return _words(text) if len(parts) < 2 else tuple(chain.from_iterable(map(_words, parts)))


@kept_longer(4096)
def words_in(passage: str) -> frozenset[str]:
    """The set of `words` of a passage, or of any text that is not worth cutting."""
    return frozenset(_words(passage))


def has_word(text: str, wanted: frozenset[str]) -> bool:
    """Whether a text has any of some words."""
    for passage in passages(text):  # noqa: SIM110 (a generator costs twice as much here)
        if not wanted.isdisjoint(words_in(passage)):
            return True
    return False


@kept(512)
def word_set(text: str) -> frozenset[str]:
    """The set of `words`."""
    parts = passages(text)
    return words_in(text) if len(parts) < 2 else frozenset().union(*map(words_in, parts))
