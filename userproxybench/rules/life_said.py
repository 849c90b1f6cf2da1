"""Events in the user's life that the blueprint knows nothing of: an illness, a funeral."""

from __future__ import annotations

from collections.abc import Iterator

from userproxybench.rules.cues import Cue, mark_of
from userproxybench.rules.fact_questions import assertions
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import all_stems, stems, word_set

_EVENTS = frozenset(
    """ill sick illness flu hospital hospitalized surgery operation funeral died death deceased
    accident emergency injured injury pregnant pregnancy wedding married divorce divorced laid fired
    burgled robbed mugged unwell sickness feverish christening baptism graduation anniversary
    birthday honeymoon interview exam""".split()
)
_KNOWN = stems(" ".join((*_EVENTS, "health medical weather passed lost family personal story")))
"""Stems of which one, seen anywhere, is ground enough for such an event."""
_MINE = Cue(r"\b(?:i|i['’]m|i['’]ve|my|we|our|me)\b")


@finder(own=mark_of(_EVENTS))
def life_events(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`My mother has fallen ill`, where the blueprint has no event of the kind."""
    known = all_stems(ledger.visible_texts(reply.index))
    if known & _KNOWN:
        return
    for sentence, clause in assertions(reply.text):
        event = _EVENTS & word_set(clause)
        if event and _MINE.found(clause):
            reason = "the blueprint knows of no such event"
            yield Finding(sentence.start, sentence.text, "life", "unsupported", reason)
            return
