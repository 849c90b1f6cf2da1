"""Yes to a statement of the agent that the blueprint contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.counts_said import is_to_change
from userproxybench.rules.cues import Cue
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.rivals import Qualified, qualified, values_of
from userproxybench.rules.text import any_of, sentences, stems, word_set
from userproxybench.rules.values import dates

_CHECKS = Cue(
    r"\b(?:is (?:that|this) (?:right|correct|so)\b|right\?|correct\?|yes\?|"
    r"(?:have|did) i (?:got|get|understand)\b|(?:just )?to confirm\b|can you confirm\b)",
)
_AGREES = Cue(r"^\W*(?:yes|yeah|yep|yup|correct|right|exactly|that['’]s (?:right|correct)|sí|ja)\b")
_CORRECTS = Cue(any_of("but / actually / no / not / except / though / however / only"))


_SO_FAR = Cue(any_of("already / so far / currently / at present"))
_EACH = Cue(any_of("each / apiece / parts? of"))


@finder(own=_AGREES.bit, heard=_CHECKS.bit)
def agreed(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`Yes, that's right, Gold`, where the blueprint says Silver."""
    if not _AGREES.found(reply.text) or not _CHECKS.found(reply.agent):
        return
    if _CORRECTS.found(reply.text):
        return
    for asked in _checked(reply.agent):
        other = _other_address(ledger, asked) or _other_date(ledger, asked)
        if other:
            reason = f"the blueprint says {other}"
            shown = sentences(reply.turn.text)[0].text
            yield Finding(0, shown, f"yes {other}", "differs", reason)
            return
    things = [thing for asked in _checked(reply.agent) for thing in qualified(asked)]
    for thing in things:
        own = values_of(ledger, thing)
        if any(other.noun == thing.noun and other.value in own for other in things):
            continue
        if thing.value.isdigit() and _EACH.found(reply.agent):
            continue
        counts = thing.value.isdigit() and not _SO_FAR.found(reply.agent)
        if counts and (is_to_change(ledger.facts, thing.noun) or _was_told(ledger, reply, thing)):
            continue
        if own and not own & word_set(reply.text):
            reason = f"the blueprint says {min(own)} {thing.noun}…, not {thing.value}"
            shown = sentences(reply.turn.text)[0].text
            yield Finding(0, shown, f"yes {thing.value} {thing.noun}", "differs", reason)
            return


def _was_told(ledger: Ledger, reply: Reply, thing: Qualified) -> bool:
    """Whether the agent had said so before, and the user had heard it."""
    before = ledger.replies[reply.position - 1].index if reply.position else 0
    return any(thing in qualified(text) for text in ledger.agent_before(before))


def _other_address(ledger: Ledger, asked: str) -> str:
    """The blueprint's address, where another number in the same street is asked about."""
    for fact in ledger.facts.facts:
        if fact.kind != "address" or fact.value in asked:
            continue
        number, _, street = fact.value.partition(" ")
        if number[0].isdigit() and re.search(rf"\d\w* {re.escape(street)}", asked):
            return fact.value
    return ""


def _other_date(ledger: Ledger, asked: str) -> str:
    """The blueprint's only date, where another one is asked about for the same thing."""
    own = [fact for fact in ledger.facts.facts if fact.kind in ("date", "birth_date")]
    named = [value.canon for value in dates(asked)]
    if len(own) != 1 or len(named) != 1 or named[0] in {d.canon for d in dates(own[0].value)}:
        return ""
    told = (i.text for i in ledger.facts.instructions if own[0].value in i.text)
    shared = stems(asked) & frozenset[str]().union(*map(stems, told)) - stems(own[0].value)
    return own[0].value if len(shared) >= _SAME_THING else ""


_SAME_THING = 2


def _checked(agent: str) -> list[str]:
    """What an agent turn asks to be confirmed: its questions, and what stands right before one."""
    said = sentences(agent)
    found: list[str] = []
    for before, sentence in zip(("", *(s.text for s in said)), said, strict=False):
        if _CHECKS.found(sentence.text) and sentence.is_question:
            found.append(f"{before} {sentence.text}")
    return found
