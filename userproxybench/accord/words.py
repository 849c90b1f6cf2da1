"""Words of a text, and whether a preference's value is said in it, denied, or not there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

Stance = Literal["asserts", "denies"]

_TOKEN = re.compile(r"[$€£]?\d+(?:[.,]\d+)*|[a-z]+(?:'[a-z]+)*|[.!?]+|[,;:–—\n]|(?<=\s)-(?=\s)")
_NUMBERS = {
    "zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100, "one": 1,
}  # fmt: skip
_SPELLINGS = {
    "colour": "color", "gray": "grey", "kilogram": "kg", "kilo": "kg", "kgs": "kg",
    "litre": "liter", "l": "liter", "gram": "g", "metre": "meter", "centimeter": "cm",
    "centimetre": "cm", "usd": "dollar", "eur": "euro", "s": "small", "m": "medium",
    "xl": "extralarge", "stopover": "stop", "jan": "january", "feb": "february",
    "aug": "august", "sept": "september", "oct": "october", "nov": "november", "dec": "december",
}  # fmt: skip
_FILLER = frozenset(
    "a an the of in on at to by with for from and or is be it its my our your their this that "
    "under below within before after up most least more less than no not maximum max "
    "minimum about around roughly near close between dollar euro per only just like".split()
)
"""Words that carry no part of a value: `at most $60` is said by `60`."""
_NEGATORS = re.compile(
    r"^(no|not|never|without|nor|neither|none|nothing|cannot|hardly|except|\w+n't)$"
)
_HARMLESS = re.compile(
    r"\b(no (more|less|later|earlier) than|not (more|less) than|no problem|no worries|never mind"
    r"|(do|would)(n't| not) mind|not only|not sure|no doubt|or nothing|why not|if not)\b"
)
_ALL_BUT = re.compile(r"\b(anything|everything|all|any \w+) but\b")
_INSTEAD = re.compile(r"\b(instead of|rather than|other than|apart from)$")
_ENDS = frozenset(",;:–—-\n")


class Word(NamedTuple):
    """One word, or a mark that ends a clause or sentence."""

    text: str
    """Normal form: lower case, singular, digits for number words."""
    clause: int
    """Number of the clause it stands in."""
    sentence: int
    """Number of the sentence it stands in."""
    raw: str
    """As written, lower case."""


class Mention(NamedTuple):
    """A value found in a text."""

    stance: Stance
    """Whether it is said or denied."""
    sentence: int
    """Number of the sentence."""
    start: int
    """Position of its first word."""
    end: int
    """One past the position of its last word."""


def folded(text: str) -> str:
    """Lower case, no accents, straight apostrophes."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'").replace("‘", "'"))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[Word, ...]:
    """The words of a text in order."""
    found = []
    clause = sentence = 0
    plain = _HARMLESS.sub(lambda match: "at most" if "than" in match[0] else "", folded(text))
    plain = _ALL_BUT.sub("except", plain)
    for token in _TOKEN.findall(plain):
        if token[0] in ".!?":
            sentence += 1
            clause += 1
        elif token in _ENDS or token == "but":
            clause += 1
        else:
            found.append(Word(stem(token), clause, sentence, token))
    return tuple(found)


@lru_cache(maxsize=8192)
def stem(token: str) -> str:
    """Normal form of one word."""
    if token[0].isdigit() or token[0] in "$€£":
        return number(token)
    token = token.removesuffix("'s")
    if token in _NUMBERS:
        return str(_NUMBERS[token])
    if len(token) > 3 and token.endswith("ies"):
        token = token[:-3] + "y"
    elif len(token) > 4 and re.search(r"(ss|x|ch|sh)es$", token):
        token = token[:-2]
    elif len(token) > 3 and re.search(r"[^su]s$", token):
        token = token[:-1]
    return _SPELLINGS.get(token, token)


def number(token: str) -> str:
    """A number in one spelling: `$1,200.00` is `1200`."""
    digits = re.sub(r"[$€£]|,(?=\d{3}\b)", "", token).replace(",", ".")
    try:
        return f"{float(digits):g}"
    except ValueError:
        return digits


def is_number(word: str) -> bool:
    """Whether a normal form is a number."""
    return word[:1].isdigit()


@lru_cache(maxsize=4096)
def content(phrase: str) -> tuple[str, ...]:
    """The words of a phrase that carry its meaning; all of them where none would be left."""
    every = tuple(word.text for word in words(phrase))
    kept = tuple(text for text in every if text not in _FILLER)
    return kept or every


def core(value: str, attribute: str) -> tuple[str, ...]:
    """What of a value is left when its attribute is understood: `hard` of `hard shell`."""
    about = set(content(attribute))
    return tuple(text for text in content(value) if text not in about) or content(value)


def mentions(text: str, wanted: Sequence[str]) -> list[Mention]:
    """Every place where the words `wanted` stand together in a text, in any order."""
    if not wanted:
        return []
    spoken = words(text)
    solid = [
        at for at, word in enumerate(spoken) if word.text not in _FILLER or word.text in wanted
    ]
    found: list[Mention] = []
    for first in range(len(solid)):
        window = _window(spoken, solid, first, wanted)
        if window and not (found and window[0] < found[-1].end):
            start, end = window
            stance: Stance = "denies" if _denied(spoken, start, end) else "asserts"
            found.append(Mention(stance, spoken[start].sentence, start, end))
    return found or _joined(spoken, wanted)


def _window(
    spoken: Sequence[Word], solid: Sequence[int], first: int, wanted: Sequence[str]
) -> tuple[int, int] | None:
    """The span from word `first` that holds all of `wanted` with at most one stranger between."""
    start = solid[first]
    if spoken[start].text not in wanted:
        return None
    left = list(wanted)
    strangers = 0
    for at in solid[first:]:
        if spoken[at].sentence != spoken[start].sentence or strangers > 1:
            return None
        if spoken[at].text in left:
            left.remove(spoken[at].text)
        else:
            strangers += 1
        if not left:
            return start, at + 1
    return None


def _joined(spoken: Sequence[Word], wanted: Sequence[str]) -> list[Mention]:
    """A compound written apart or together: `non stop`, `nonstop`."""
    solid = "".join(wanted)
    if len(solid) < 6 or is_number(solid):
        return []
    for size in range(1, 4):
        for start in range(len(spoken) - size + 1):
            piece = spoken[start : start + size]
            if "".join(word.text for word in piece) == solid:
                stance: Stance = "denies" if _denied(spoken, start, start + size) else "asserts"
                return [Mention(stance, piece[0].sentence, start, start + size)]
    return []


def _denied(spoken: Sequence[Word], start: int, end: int) -> bool:
    """Whether a negation governs the words `start` to `end`: before them, or just after."""
    clause = spoken[start].clause
    before = [word.raw for word in spoken[max(0, start - 5) : start] if word.clause == clause]
    after = [word.raw for word in spoken[end : end + 2] if word.clause == spoken[end - 1].clause]
    if any(_NEGATORS.match(word) for word in before) or _INSTEAD.search(" ".join(before)):
        return True
    return any(_NEGATORS.match(word) for word in after)


def said(text: str, phrases: Iterable[str], attribute: str = "") -> list[Mention]:
    """Mentions of any of several phrases; with an attribute, its words may be left out."""
    found: list[Mention] = []
    for phrase in phrases:
        found += mentions(text, content(phrase))
        if attribute and not found:
            found += mentions(text, core(phrase, attribute))
    return found


def asserts(text: str, phrases: Iterable[str], attribute: str = "") -> bool:
    """Whether any of several phrases is said and not denied."""
    return any(mention.stance == "asserts" for mention in said(text, phrases, attribute))


def denies(text: str, phrases: Iterable[str], attribute: str = "") -> bool:
    """Whether any of several phrases is denied and none is said."""
    found = said(text, phrases, attribute)
    return bool(found) and all(mention.stance == "denies" for mention in found)


def sentences(text: str) -> list[str]:
    """Sentences with their closing mark; decimal points do not close one."""
    pieces = re.findall(r"[^.!?\n]+(?:\.(?=\d)[^.!?\n]*)*[.!?]*", text)
    return [piece.strip() for piece in pieces if piece.strip()]
