"""Yes to a statement of the agent that the blueprint contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from userproxybench.rules.finding import Finding
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import any_of, sentences, stem, word_set, words

_RIVALS = tuple(
    frozenset(names.split())
    for names in (
        "gold silver bronze platinum diamond regular basic standard premium",
        "economy business",
        "debit credit gift",
        "monthly yearly annual weekly",
        "red blue green black white grey gray brown yellow orange purple pink beige olive",
        "small medium large",
        "monday tuesday wednesday thursday friday saturday sunday",
        "one two three four five six seven eight nine ten 1 2 3 4 5 6 7 8 9 10",
    )
)
_PREDICATE = re.compile(
    r"\b(\w{4,}) (?:is|are|was|were|comes in|came in) (?:an? |the |in |on |for )*(\w+)"
)
_NUMERAL = {
    name: str(place + 1)
    for place, name in enumerate("one two three four five six seven eight nine ten".split())
}
_Qualified = tuple[str, str, frozenset[str]]
_CHECKS = re.compile(
    any_of("""
    is that (?:right|correct|so) / is this (?:right|correct) / right\\? / correct\\? / yes\\?
    (?:have|did) i (?:got|get|understand) / just to confirm / to confirm / can you confirm
    """)
    .replace("\\b(?:", "(?:")
    .replace(")\\b", ")"),
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|correct|right|exactly|that['’]s (?:right|correct)|sí|ja)\b", re.I
)
_CORRECTS = re.compile(any_of("but / actually / no / not / except / though / however / only"), re.I)


def agreed(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`Yes, that's right, Gold`, where the blueprint says Silver."""
    if not _AGREES.search(reply.text) or not _CHECKS.search(reply.agent):
        return
    if _CORRECTS.search(reply.text):
        return
    for head, said, rivals in _checked(reply.agent):
        own = {
            other
            for item in ledger.facts.instructions
            for other_head, other, _ in _qualified(item.text)
            if other_head == head and other in rivals
        }
        if own and said not in own and not any(o in word_set(reply.text) for o in own):
            reason = f"the blueprint says {min(own)} {head}…, not {said}"
            yield Finding(0, _sentence(reply.turn.text), "yes" + said + head, "differs", reason)
            return


def _checked(agent: str) -> list[_Qualified]:
    """What an agent turn asks to be confirmed: its questions, and what stands right before one."""
    said = sentences(agent)
    found: list[_Qualified] = []
    for before, sentence in zip(("", *(s.text for s in said)), said, strict=False):
        if _CHECKS.search(sentence.text) and sentence.is_question:
            found += (*_qualified(before), *_qualified(sentence.text))
    return found


@lru_cache(maxsize=8192)
def _qualified(text: str) -> tuple[_Qualified, ...]:
    """(stem of the noun, its qualifier, what could stand instead) of a text."""
    found = []
    said = words(text)
    for word, after in pairwise(said):
        for rivals in _RIVALS:
            if word in rivals and after not in rivals and len(after) > 3:
                found.append((stem(after), _NUMERAL.get(word, word), rivals))
    for noun, word in _PREDICATE.findall(text.lower()):
        found += [(stem(noun), word, rivals) for rivals in _RIVALS[:-1] if word in rivals]
    return tuple(found)


def _sentence(text: str) -> str:
    first = sentences(text)
    return first[0].text if first else text
