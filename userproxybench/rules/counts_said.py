"""How many of a thing: what the user says or agrees to, against the counts of the blueprint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.fact_questions import assertions
from userproxybench.rules.facts import Facts
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import NUMBER_WORDS, number_set, numbers
from userproxybench.rules.plain import NO_COUNT, PLAIN
from userproxybench.rules.text import STOPWORDS, any_of, is_negated, stem, word_stems

_AFTER = re.compile(r"[ -]?(?P<words>[A-Za-z][\w'’-]*(?: [A-Za-z][\w'’-]*){0,2})")
_ASKS = Cue(any_of("how / what / which / number / size / many / large / tell / your"))
_PARTLY = Cue(
    any_of("""
    of / other / left / remaining / more / extra / about / around / only / first / square / nearly
    almost / roughly / under / over / some / approximately
    """)
)


_SPARE = frozenset("left free available remaining spare more fewer less room space".split())
"""After a count of what others have: `3 seats left`."""
_ROOM_FOR = re.compile(r"\b(?:room|space|places|holds|seats)(?: for| up to)? $", re.IGNORECASE)
_BEFORE = 16


_IN_PARTS = re.compile(
    rf"[ -]?[A-Za-z]+ (?:\d|(?:{'|'.join(sorted(NUMBER_WORDS))})\b)", re.IGNORECASE
)
"""After the first part of a measure: `seventeen metres forty`, `six foot two`."""


class Counted(NamedTuple):
    """So many of a thing."""

    value: float
    """How many."""
    noun: str
    """Stem of the thing."""


@kept_longer(4096)
def counted(text: str) -> tuple[Counted, ...]:
    """The things that a text gives a number of: `twelve hectares`, `24 standard hives`."""
    found = []
    for number in numbers(text):
        after = _AFTER.match(text, number.end)
        if _ROOM_FOR.search(text[max(0, number.start - _BEFORE) : number.start]):
            continue
        if _IN_PARTS.match(text, number.end):
            continue
        said = after["words"].lower().split(" ") if after else []
        for word in said if _SPARE.isdisjoint(said) else ():
            noun = stem(word)
            if word in STOPWORDS or noun in NO_COUNT:
                break
            found.append(Counted(number.value, noun))
    return tuple(found)


@kept(512)
def _given(facts: Facts) -> dict[str, frozenset[float]]:
    """Noun → its numbers in the blueprint."""
    found: dict[str, frozenset[float]] = {}
    for item in facts.instructions:
        for value, noun in counted(item.text):
            found[noun] = found.get(noun, frozenset()) | {value}
    return found


@lru_cache(maxsize=512)
def _explained(facts: Facts, noun: str) -> frozenset[float]:
    """What the blueprint's counts of a thing come to: sums, differences and multiples."""
    own, every = _given(facts)[noun], number_set(facts.text)
    near = {number_set(i.text) for i in facts.instructions if noun in word_stems(i.text)}
    counts = frozenset[float]().union(*_given(facts).values())
    sets = (own, *near, counts) if len(counts) <= _MANY else (own, *near)
    pairs = [pair for some in sets for pair in combinations(some, 2)]
    sums = {x for a, b in pairs for x in (a + b, abs(a - b))} | {2 * a for a in own}
    most = sorted(own)[:_FEW]
    totals = {sum(some) for n in range(3, len(most) + 1) for some in combinations(most, n)}
    less = {abs(max(own) - (a + b)) for some in (own, *near) for a, b in combinations(some, 2)}
    lots = {a * b for a in own for b in every}
    return every.union(sums, _changed(facts, noun), totals, less, lots)


_FEW = 6
_MANY = 12
"""Counts of a blueprint above which any sum may come out by chance."""


def is_to_change(facts: Facts, noun: str) -> bool:
    """Whether the blueprint wants more or fewer of a thing."""
    texts = (i.text for i in facts.instructions if _CHANGE.found(i.text))
    return any(noun in word_stems(text) for text in texts)


@lru_cache(maxsize=512)
def _changed(facts: Facts, noun: str) -> frozenset[float]:
    """The counts of a thing, and as many more or fewer as the blueprint wants."""
    wanted = (i.text for i in facts.instructions if _CHANGE.found(i.text))
    by = frozenset[float]().union(
        *(number_set(text) for text in wanted if noun in word_stems(text))
    )
    return frozenset(x for a in _given(facts)[noun] for b in by for x in (a + b, a - b))


_CHANGE = Cue(any_of("more / fewer / less / additional / extra / add / added / drop / another"))


def other_count(ledger: Ledger, text: str, is_known: Callable[[float], bool]) -> Counted | None:
    """The first count of a text that the blueprint gives otherwise, and nothing known explains."""
    given = _given(ledger.facts)
    for count in counted(text):
        if count.noun not in given or count.noun in PLAIN or count.value <= 1:
            continue
        if count.value in _explained(ledger.facts, count.noun):
            continue
        if not is_known(count.value):
            return count
    return None


@kept_longer(4096)
def _shares(text: str) -> frozenset[tuple[float, float, str]]:
    """`three of the six glasses`: how many, of how many, of what."""
    found = set()
    for part, whole in pairwise(numbers(text)):
        after = _AFTER.match(text, whole.end)
        if after and _OF.fullmatch(text[part.end : whole.start]):
            found.add((part.value, whole.value, stem(after["words"].lower().split(" ")[0])))
    return frozenset(found)


_OF = re.compile(r" of (?:the |my |your |our )?", re.IGNORECASE)


def _other_share(ledger: Ledger, text: str) -> bool:
    """Whether a text gives another share of the same whole than the blueprint."""
    own = _shares(ledger.facts.text)
    return any(
        share not in own and any(share[1:] == other[1:] for other in own) for share in _shares(text)
    )


@finder(heard=_ASKS.bit)
def other_counts(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`It's twelve hectares`, where the blueprint says eleven."""
    if reply.calls or "?" not in reply.agent or not numbers(reply.text):
        return
    if not (_given(ledger.facts) or _shares(ledger.facts.text)):
        return
    for sentence, clause in assertions(reply.text):
        if not numbers(clause) or is_negated(clause):
            continue
        if _other_share(ledger, clause):
            reason = "the blueprint gives another share of them"
            yield Finding(sentence.start, sentence.text, "share", "differs", reason)
            return
        if _PARTLY.found(clause):
            continue
        count = other_count(ledger, clause, lambda n: ledger.shows_number(n, reply.index))
        if count is not None and count.noun in word_stems(ledger.facts.text):
            given = ", ".join(f"{value:g}" for value in sorted(_given(ledger.facts)[count.noun]))
            reason = f"the blueprint says {given} {count.noun}…, not {count.value:g}"
            key = f"count {count.value:g} {count.noun}"
            yield Finding(sentence.start, sentence.text, key, "differs", reason)
            return
