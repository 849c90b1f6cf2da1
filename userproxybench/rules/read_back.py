"""Yes to a summary that gives a count or an identifier otherwise than the blueprint."""

from __future__ import annotations

from collections.abc import Iterator

from userproxybench.rules.assent import declines, goes_ahead
from userproxybench.rules.counts_said import other_count
from userproxybench.rules.cues import Cue
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.identifiers_said import rival
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import number_set
from userproxybench.rules.text import (
    any_of,
    placed_sentences,
    sentence_at,
    sentences,
    squash,
    words,
)
from userproxybench.rules.values import values

_SUMS_UP = Cue(
    any_of("""
    to sum up / in summary / to recap / to summari[sz]e / let me (?:read|repeat|go over|recap|sum)
    read\\w* (?:it|that|this|them|everything) back / to confirm / have i got / did i get
    (?:does|do|is|are) (?:everything|all|that|it|this|these) (?:agree|match|fit|right|correct)
    so (?:that's|that is|it's|i have) / all correct / is (?:that|this|everything) (?:all )?right
    """),
)
_AGREES = Cue(
    r"^\W*(?:yes|yeah|yep|yup|correct|right|exactly|perfect|that(?:['’]s| is| all)|everything)\b",
)
_CORRECTS = Cue(any_of("but / actually / not / except / though / however / careful / wait"))


@finder(own=_AGREES.bit, heard=_SUMS_UP.bit)
def read_back(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`Yes, that all agrees`, to 24 chairs where the blueprint says 28."""
    if not reply.position or not _AGREES.found(reply.text) or not _SUMS_UP.found(reply.agent):
        return
    if declines(reply.text) or _CORRECTS.found(reply.text) or number_set(reply.text):
        return
    if not goes_ahead(reply.text) and "?" not in reply.agent:
        return
    wrong = _wrong(ledger, reply)
    if wrong:
        shown = sentences(reply.turn.text)[0].text
        yield Finding(0, shown, f"yes {wrong}", "differs", f"the agent read back {wrong}")


def _wrong(ledger: Ledger, reply: Reply) -> str:
    """What a summary gives otherwise than the blueprint, and nobody had named before."""
    before = ledger.replies[reply.position - 1]
    own = " ".join(earlier.text for earlier in ledger.replies[: reply.position])
    known = ledger.visible_numbers(before.index) | number_set(own)
    summary = reply.agent[_first_sum(reply.agent) :]
    count = other_count(ledger, summary, known.__contains__)
    if count is not None:
        return f"{count.value:g} {count.noun}…"
    for value in values(summary):
        said = squash(value.canon)
        if _FRESH.found(sentence_at(summary, value.start).text):
            continue
        if value.kind not in _READ_OUT or ledger.is_visible(said, before.index):
            continue
        fact = rival(ledger, summary[value.start : value.end])
        mine = squash(fact.value) if fact is not None else said
        if said not in squash(own) and mine not in squash(reply.agent) and _close(mine, said):
            return summary[value.start : value.end]
    return ""


_FRESH = Cue(
    any_of("""
    new / replace\\w* / reference / tracking / case / ticket / label / instead / voucher / claim
    """),
)
"""Beside an identifier that the agent has just made."""
_READ_OUT = ("code", "email", "phone")


def _first_sum(agent: str) -> int:
    """Where the sentence starts, or the one before a bare question, that sums up."""
    said = placed_sentences(agent)
    place = next((n for n, s in enumerate(said) if _SUMS_UP.found(s.text)), 0)
    short = len(words(said[place].text)) <= _BARE and said[place].is_question
    return said[max(0, place - short)].start


_BARE = 6


def _close(one: str, other: str) -> bool:
    """Whether two identifiers differ in a character or two: one is the other misread."""
    apart = sum(a != b for a, b in zip(one, other, strict=False))
    return len(one) == len(other) and 0 < apart <= _MISREAD


_MISREAD = 2
