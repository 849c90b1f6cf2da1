"""Earlier dealings that nothing the user may know gives: `last year you charged me nothing`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import tells_story
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import (
    any_of,
    is_hypothetical,
    is_uncertain,
    placed_sentences,
    word_set,
)
from userproxybench.rules.values import date_set

_BEFORE = Cue(
    any_of("""
    last (?:year|season|summer|winter|spring|autumn|fall|time|month) / (?:two|three) years ago
    the (?:year|season|month|time) before / in (?:previous|earlier|past|other) years
    (?:for|over|in) (?:the (?:last|past) )?(?:\\w+|many|several) years / for years / years now
    """),
)
_YEARS = Cue(any_of("(?:two|three) years ago / the year before / years / last year"))
"""What no date of this year stands for."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DEALT = Cue(
    r"\b(?:you|your \w+|i|we|they|nobody|it)(?:['’]ve| have|['’]d| had)?"
    r"(?: \w+ly| never| always| also)? (?:\w+ed|had|paid|gave|got|took|did|was|were|been|bought"
    r"|sent|made|said|told|let|came|went)\b",
)
_TIMES = frozenset(
    """year years yearly season seasons seasonal previous previously before ago last earlier always
    usual usually regular longtime annual annually past history again month months summer winter
    spring autumn loyal since january february april june july august september october november
    december""".split()
)
"""Words of which one in the contract, or said by the agent, may stand for such dealings."""


@finder(own=_BEFORE.bit)
def past_dealings(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`The year before you charged me no surcharge either`."""
    if reply.calls or not ledger.facts.text or tells_story(ledger.facts):
        return
    recent = date_set(ledger.contract_text) or _YEAR.search(ledger.contract_text)
    for sentence in placed_sentences(reply.text):
        text = sentence.text
        if sentence.is_question or not _BEFORE.found(text) or not _DEALT.found(text):
            continue
        if is_uncertain(text) or is_hypothetical(text) or (recent and not _YEARS.found(text)):
            continue
        heard = (word_set(said) for said in ledger.visible_texts(reply.index))
        if all(map(_TIMES.isdisjoint, heard)):
            reason = "nothing the user may know tells of such dealings"
            yield Finding(sentence.start, text, "past", "unsupported", reason)
            return
