"""Which words a pattern cannot match without, read off the pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple


class Anchor(NamedTuple):
    """A word, or the start of one, in lower case."""

    word: str
    """Letters, digits, straight apostrophes."""
    whole: bool
    """The word ends there."""


Needed = frozenset[Anchor] | None
"""Anchors of which every match has one; `None` where there is no telling."""
_Kind = Literal["letter", "apostrophe", "gap", "edge", "group", "look", "other"]


class _Node(NamedTuple):
    kind: _Kind
    text: str
    groups: tuple[tuple[_Node, ...], ...] = ()
    least: int = 1
    most: int = 1


_TOKEN = re.compile(
    r"(?P<escape>\\u[0-9a-f]{4}|\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|(?P<look>\((?:\?<?[=!]))|(?P<open>\((?:\?(?::|P<\w+>|[a-z]+:))?)|(?P<close>\))|(?P<or>\|)"
    r"|(?P<times>[*+?]|\{\d*,?\d*\})[?+]?|(?P<char>.)",
    re.DOTALL,
)
_LETTERS = re.compile(r"\[[^\W\d_]+\]")
_WIDE = re.compile(r"(?<!\\)\.|\[\^|\\[WSD.!;]|(?<!\[)\^|\$|[!;]|\\\?(?![|)]|$)")
_LOOKS = re.compile(r"\(\?<?[=!]")
_LOOKS_ON = re.compile(r"\(\?[=!][\w|]+\)")
"""A look at the very next word, which is in the same sentence."""


def is_local(pattern: str) -> bool:
    """Whether no match can reach over the end of a sentence."""
    pattern = _LOOKS_ON.sub("", pattern)
    return _WIDE.search(_LOOKS.sub("(", pattern)) is None and not _LOOKS.search(pattern)


def anchors(pattern: str) -> Needed:
    """Words of which every match of a pattern has at least one."""
    tokens = _TOKEN.finditer(pattern)
    found = _any(_parsed(tokens), fresh=False, closed=False)
    return found[0]


def guarded(pattern: str) -> str:
    """The same pattern behind a look at the first letter: most words go no further."""
    groups = _parsed(_TOKEN.finditer(pattern))
    letters, may_be_empty = _firsts(groups)
    if letters is None or may_be_empty:
        return pattern
    either = "".join(sorted({*letters, *"".join(letters).upper()}))
    edge = "\\b" if all(nodes[0].text == "\\b" for nodes in groups) else ""
    return f"{edge}(?=[{either}])(?:{pattern})"


def _firsts(groups: Iterable[tuple[_Node, ...]]) -> tuple[frozenset[str] | None, bool]:
    """The letters that a match of any alternative may begin with, and whether one may be empty.

    `None` where it may begin with anything.
    """
    found = frozenset[str]()
    empty = False
    for nodes in groups:
        for node in nodes:
            letters, passed = _first(node)
            if letters is None:
                return None, False
            found |= letters
            if not passed:
                break
        else:
            empty = True
    return found, empty


def _first(node: _Node) -> tuple[frozenset[str] | None, bool]:
    """As `_firsts`, of one node: `passed` where a match may begin after it."""
    if node.kind in ("edge", "look"):
        return frozenset(), True
    if node.kind == "letter":
        return frozenset(node.text), not node.least
    if node.kind == "apostrophe" or _LETTERS.fullmatch(node.text):
        return frozenset(node.text.strip("[]")), not node.least
    if node.kind == "group":
        letters, empty = _firsts(node.groups)
        return letters, empty or not node.least
    return None, False


def _parsed(tokens: Iterator[re.Match[str]]) -> tuple[tuple[_Node, ...], ...]:
    """The alternatives up to the closing bracket."""
    done: list[tuple[_Node, ...]] = []
    nodes: list[_Node] = []
    for token in tokens:
        kind, text = token.lastgroup, token.group()
        if kind == "close":
            break
        if kind == "or":
            done.append(tuple(nodes))
            nodes = []
        elif kind == "times":
            nodes[-1] = _repeated(nodes[-1], token["times"])
        elif kind in ("open", "look"):
            nodes.append(_Node("look" if kind == "look" else "group", text, _parsed(tokens)))
        else:
            nodes.append(_Node(_kind(text), text.lower()))
    return (*done, tuple(nodes))


def _repeated(node: _Node, times: str) -> _Node:
    if times in ("*", "?"):
        return node._replace(least=0, most=1 if times == "?" else 2)
    if times == "+":
        return node._replace(most=2)
    return node._replace(least=int(times[1:].partition(",")[0].rstrip("}") or 0), most=2)


def _kind(text: str) -> _Kind:
    if text.isalnum():
        return "letter"
    if text in ("'", "’") or (text[0] == "[" and set(text[1:-1]) <= set("'’")):
        return "apostrophe"
    if text in ("\\b", "^", "$"):
        return "edge"
    if text in ("\\s", "\\W") or (text != "." and text[0] not in "\\[") or text[1:] in _MARKS:
        return "gap"
    return "other"


_MARKS = tuple('.?!,;:()[]{}$*+|/-#"')


def _any(groups: Iterable[tuple[_Node, ...]], *, fresh: bool, closed: bool) -> tuple[Needed, bool]:
    """Anchors of alternatives, and whether a word begins after each of them."""
    found: frozenset[Anchor] | None = frozenset()
    ends = True
    for nodes in groups:
        run = _Run(fresh=fresh)
        for place, node in enumerate(nodes):
            after = nodes[place + 1] if place + 1 < len(nodes) else None
            run.take(node, closed=closed if after is None else _bounds(after))
        run.close(whole=closed)
        ends = ends and run.fresh
        best = run.best()
        found = None if found is None or best is None else found | best
    return found, ends


def _bounds(node: _Node) -> bool:
    """Whether a word that stands before it must end there."""
    return node.kind in ("gap", "edge") and node.least > 0


class _Run:
    """The words of one alternative, node by node."""

    def __init__(self, *, fresh: bool) -> None:
        self.fresh = fresh
        self.words: list[str] = []
        self.found: list[frozenset[Anchor]] = []

    def take(self, node: _Node, *, closed: bool) -> None:
        """Go on by one node; `closed` where a word must end after it."""
        if node.kind == "letter":
            self._letter(node)
        elif node.kind == "apostrophe":
            self._apostrophe(node)
        elif node.kind == "group":
            self._group(node, closed=closed)
        elif node.kind in ("gap", "edge"):
            inside = bool(self.words)
            self.close(whole=node.least > 0)
            self.fresh = node.least > 0 or (self.fresh and not inside)
        else:
            self.close(whole=False)
            self.fresh = self.fresh and node.kind == "look"

    def close(self, *, whole: bool) -> None:
        """End the word that is being read."""
        if self.words:
            self.found.append(frozenset(Anchor(word, whole) for word in self.words))
            self.words = []

    def best(self) -> Needed:
        """The longest words."""
        return max(self.found, key=_worth, default=None)

    def _letter(self, node: _Node) -> None:
        if not self.words and not self.fresh:
            return
        longer = [word + node.text for word in self.words or [""]]
        if not self.words and not node.least:
            self.fresh = False
            return
        self.words = longer if node.least else self.words + longer
        self.fresh = False
        if node.most > 1:
            self.words = [word for word in self.words if word]
            self.close(whole=False)

    def _apostrophe(self, node: _Node) -> None:
        if self.words:
            longer = [word + "'" for word in self.words]
            self.words = longer if node.least else self.words + longer
        else:
            self.fresh = False

    def _group(self, node: _Node, *, closed: bool) -> None:
        fresh = self.fresh and not self.words
        self.close(whole=False)
        found, ends = _any(node.groups, fresh=fresh, closed=closed and node.most == 1)
        if node.least and found:
            self.found.append(found)
        self.fresh = ends and (fresh or node.least > 0)


_COMMON = frozenset(
    """a an the i you your my me it that this they there is are am was were be been have has had do
    did does not no to of in on at for from and or but if with as so what which who when where why
    how can could would will should may please
    """.split()
)
"""Words that tell little: nearly every text has them."""


def _worth(found: frozenset[Anchor]) -> float:
    """How rare the words of an alternative are, at a guess: long ones, and no little ones."""
    least = min(len(anchor.word) + (2 if anchor.whole else 0) for anchor in found)
    return least - 10 * any(anchor.whole and anchor.word in _COMMON for anchor in found)
