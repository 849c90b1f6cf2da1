"""Yes to a statement of the agent that the blueprint contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.finding import Finding
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.rivals import Qualified, qualified, values_of
from userproxybench.rules.text import any_of, sentences, word_set

_CHECKS = re.compile(
    r"\b(?:is (?:that|this) (?:right|correct|so)\b|right\?|correct\?|yes\?|"
    r"(?:have|did) i (?:got|get|understand)\b|(?:just )?to confirm\b|can you confirm\b)",
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
    for thing in _checked(reply.agent):
        own = values_of(ledger, thing)
        if own and thing.value not in own and not own & word_set(reply.text):
            reason = f"the blueprint says {min(own)} {thing.noun}…, not {thing.value}"
            shown = sentences(reply.turn.text)[0].text
            yield Finding(0, shown, f"yes {thing.value} {thing.noun}", "differs", reason)
            return


def _checked(agent: str) -> list[Qualified]:
    """What an agent turn asks to be confirmed: its questions, and what stands right before one."""
    said = sentences(agent)
    found: list[Qualified] = []
    for before, sentence in zip(("", *(s.text for s in said)), said, strict=False):
        if _CHECKS.search(sentence.text) and sentence.is_question:
            found += (*qualified(before), *qualified(sentence.text))
    return found
