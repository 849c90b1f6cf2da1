"""Values that exclude each other: gold and silver, two bags and three."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.ledger import Ledger
from userproxybench.rules.plain import NO_COUNT
from userproxybench.rules.text import stem, words

_NUMERALS = {
    name: str(place + 1)
    for place, name in enumerate("one two three four five six seven eight nine ten".split())
}
_CLASSES = tuple(
    frozenset(names.split())
    for names in (
        "gold silver bronze platinum diamond regular basic standard premium",
        "economy business",
        "debit credit gift",
        "monthly yearly annual weekly",
        "red blue green black white grey gray brown yellow orange purple pink beige olive",
        "small medium large",
        "monday tuesday wednesday thursday friday saturday sunday",
    )
)
_NUMBERS = frozenset((*_NUMERALS, *_NUMERALS.values()))
_OF = {word: rivals for rivals in (*_CLASSES, _NUMBERS) for word in rivals}
_PREDICATE = Cue(
    r"\b(\w{4,}) (?:is|are|was|were|comes in|came in) (?:an? |the |in |on |for )*(\w+)", 0
)


class Qualified(NamedTuple):
    """A thing and the one of several exclusive values that it has."""

    noun: str
    """Stem of the thing."""
    value: str
    """Its value, numerals in digits."""
    rivals: frozenset[str]
    """What could stand instead."""


@kept_longer(2048)
def qualified(text: str) -> tuple[Qualified, ...]:
    """What a text says of which thing: `a Silver member`, `two bags`, `the sofa is grey`."""
    found = []
    said = words(text)
    for word, after in pairwise(said):
        rivals = _OF.get(word)
        counts = rivals is not _NUMBERS or stem(after) not in NO_COUNT
        if rivals and after not in rivals and len(after) > 3 and counts:
            found.append(Qualified(stem(after), _NUMERALS.get(word, word), rivals))
    for noun, word in _PREDICATE.findall(text.lower()):
        if word in _OF and word not in _NUMBERS:
            found.append(Qualified(stem(noun), word, _OF[word]))
    return tuple(found)


def values_of(ledger: Ledger, thing: Qualified) -> set[str]:
    """The values of the same sort that the blueprint gives to the same thing."""
    return {
        other.value
        for item in ledger.facts.instructions
        for other in qualified(item.text)
        if other.noun == thing.noun and other.rivals is thing.rivals
    }
