"""Days of the week or the month other than the blueprint's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.asks import asked_kinds
from userproxybench.rules.fact_questions import assertions
from userproxybench.rules.finding import Finding
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import any_of, stems, word_set

_DAY_NAMES = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "lunes martes miércoles jueves viernes sábado domingo",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
)
WEEKDAYS = {name: place for names in _DAY_NAMES for place, name in enumerate(names.split())}
_NAMES = frozenset(WEEKDAYS)
_LOOSE = re.compile(
    any_of("""
    not / but / except / before / after / until / till / later / earlier / any / no / between
    from / if / or / unless / by / every / each / either / prefer(?:ably)?
    """),
    re.IGNORECASE,
)


def other_days(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """A weekday that differs from the one the blueprint gives for what the agent asks."""
    if _NAMES.isdisjoint(word_set(reply.text)) or "date" not in asked_kinds(reply.agent):
        return
    visible = {
        WEEKDAYS[word]
        for text in ledger.visible_texts(reply.index)
        for word in _NAMES & word_set(text)
    }
    fixed = [
        item
        for item in ledger.facts.instructions
        if _NAMES & word_set(item.text)
        and not _LOOSE.search(item.text)
        and stems(item.text) & (stems(reply.agent) | stems(reply.text)) - _NAMES
    ]
    if not fixed:
        return
    for sentence, clause in assertions(reply.text):
        for name in sorted(_NAMES & word_set(clause)):
            if WEEKDAYS[name] not in visible:
                reason = f"the blueprint says: {fixed[0].text.strip()!r}"
                at = sentence.start + max(0, sentence.text.lower().find(name))
                yield Finding(at, name.capitalize(), "day" + name, "differs", reason)
