"""Foreign text made inert: names withheld, control characters and special tokens made visible.

Two rules keep the structure of a prompt safe from the text inside it. Every line of foreign text
starts with `| ` or `> `, so that no line of it can be a heading or a fence. And every block of
foreign text stands in a fence that is longer than any run of its character inside.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from userproxybench.blinding.names import Names

WITHHELD = "[name withheld]"
_SPECIAL_TOKEN = (
    r"<\|[^|<>\n]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|</?s>|\[/?INST\]|<</?SYS>>"  # noqa: RUF001
    r"|</?(?:start|end)_of_(?:turn|text)>|<(?:bos|eos|pad)>"
)
_UNSEEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_FENCES = "~=*#`"


_ODD = re.compile(r"[^\x20-;=-Z\\-~\n\t]")
"""Anything but plain ASCII without `<` and `[`; special tokens and unseen characters have some."""


class Cut(NamedTuple):
    """A piece of the original that is shown as something else."""

    shown_start: int
    shown_end: int
    start: int
    end: int


@dataclass(frozen=True)
class Shown:
    """Foreign text as a judge sees it, and the way back to the original."""

    original: str
    """Text as recorded."""
    text: str
    """Text as shown."""
    cuts: tuple[Cut, ...] = ()
    """Where the two differ."""
    redactions: int = 0
    """Names withheld."""

    def locate(self, quotation: str) -> str | None:
        """The words of the original that a quotation of the shown text stands for.

        White space, typographic quotation marks and dashes do not matter; everything else does.
        """
        words = _folded(quotation).text.strip().strip("\"'").removesuffix("...").strip()
        if not words:
            return None
        here = _folded(self.text)
        at = here.text.find(words)
        if at < 0:
            return None
        start = self._back(here.places[at], first=True)
        return self.original[start : self._back(here.places[at + len(words) - 1] + 1)]

    def _back(self, position: int, *, first: bool = False) -> int:
        shift = 0
        for cut in self.cuts:
            if cut.shown_start < position < cut.shown_end:
                return cut.start if first else cut.end
            if position < cut.shown_end:
                break
            shift = cut.end - cut.shown_end
        return position + shift


class _Folded(NamedTuple):
    text: str
    places: list[int]


_FOLDS = str.maketrans(
    "\u2018\u2019\u201c\u201d\u00ab\u00bb\u2010\u2011\u2012\u2013\u2014", '\'\'""""-----'
)


def _folded(text: str) -> _Folded:
    """Runs of white space as one space, typography as plain characters, each with its place."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text.translate(_FOLDS).replace("\u2026", "\x00")):
        if character.isspace():
            if characters and characters[-1] == " ":
                continue
            character = " "
        for plain in "..." if character == "\x00" else character:
            characters.append(plain)
            places.append(place)
    return _Folded("".join(characters), places)


def show(text: str, names: Names) -> Shown:
    """Foreign text with names withheld and everything made visible that acts unseen."""
    if _is_plain(text, names):
        return Shown(text, text)
    pieces, cuts = [], []
    last = length = redactions = 0
    for match in _inert(names).finditer(text):
        start, end = match.span()
        shown = _stand_in(match.lastgroup or "", match.group())
        pieces += [text[last:start], shown]
        length += start - last
        cuts.append(Cut(length, length + len(shown), start, end))
        length += len(shown)
        last = end
        redactions += match.lastgroup == "name"
    if not cuts:
        return Shown(text, text)
    return Shown(text, "".join([*pieces, text[last:]]), tuple(cuts), redactions)


def show_all(texts: Mapping[int, str], names: Names) -> dict[int, Shown]:
    """Many texts at once; most trajectories hold nothing to change, and one look tells."""
    if _is_plain("\n".join(texts.values()), names):
        return {key: Shown(text, text) for key, text in texts.items()}
    return {key: show(text, names) for key, text in texts.items()}


def _is_plain(text: str, names: Names) -> bool:
    return not _ODD.search(text) and not names.may_occur(text)


@functools.lru_cache(maxsize=64)
def _inert(names: Names) -> re.Pattern[str]:
    """Finds whatever must not be shown as it is."""
    return re.compile(
        rf"(?P<name>{names.pattern})|(?P<special>{_SPECIAL_TOKEN})|(?P<line>\r\n?)"
        rf"|(?P<unseen>{_UNSEEN})",
        re.IGNORECASE,
    )


def _stand_in(kind: str, found: str) -> str:
    if kind == "name":
        return WITHHELD
    if kind == "special":
        return f"{found[0]}\\{found[1:]}"
    if kind == "line":
        return "\n"
    return found.encode("unicode_escape", "backslashreplace").decode("ascii")


def quoted(text: str) -> list[str]:
    """Each line behind `| `; nothing for an empty text."""
    return [f"| {line}" for line in text.split("\n")] if text else []


def fenced(lines: Iterable[str]) -> str:
    """A block in a fence that does not occur in it."""
    body = "\n".join(lines)
    longest = {mark: _longest_run(body, mark) for mark in _FENCES}
    mark = min(_FENCES, key=lambda mark: longest[mark])
    fence = mark * max(5, longest[mark] + 1)
    return f"{fence}\n{body}\n{fence}"


def _longest_run(text: str, mark: str) -> int:
    if mark * 5 not in text:
        return 4 if mark in text else 0
    return max(len(run) for run in re.findall(re.escape(mark) + "+", text))
