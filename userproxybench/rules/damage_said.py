"""A defect given as the reason where the blueprint says that all is in order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.fact_questions import assertions
from userproxybench.rules.finding import Finding
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import any_of, word_set

_DAMAGE = frozenset(
    """damaged dented broken cracked scratched torn faulty defective chipped leaking stained
    shattered smashed ripped rusty mouldy moldy malfunctioning""".split()
)
_DOES_NOT = "(?:doesn't|does not|won't|will not)"
_FAILS = re.compile(
    any_of(f"""
    (?:stopped|quit|never) (?:work|works|working|worked) / {_DOES_NOT} (?:switch|turn|power) on
    {_DOES_NOT} (?:work|start|charge|heat|cool|light|print|run|play)
    broke / falls? apart / fell apart / came (?:apart|in pieces)
    """),
    re.IGNORECASE,
)
_SIGNS = _DAMAGE | frozenset(
    "stopped quit never doesn't does won't will broke apart fell falls pieces".split()
)
"""What every such statement has one of."""
_SOUND = re.compile(
    any_of("""
    (?:perfect|good|full|working) (?:working )?(?:order|condition|shape) / works? / working / intact
    undamaged / unharmed / flawless / nothing (?:is )?wrong / (?:is|are|was|were) fine / perfectly
    """),
    re.IGNORECASE,
)
_CONDITION_ASKED = re.compile(any_of("reason / why / wrong / condition / problem"), re.IGNORECASE)


def damage(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """A defect given as the reason where the blueprint says that all is in order."""
    if _SIGNS.isdisjoint(word_set(reply.text)):
        return
    if not _CONDITION_ASKED.search(reply.agent) or not _SOUND.search(ledger.blueprint_text):
        return
    for sentence, clause in assertions(reply.text):
        broken = _DAMAGE & word_set(clause) or _FAILS.search(clause)
        if broken and not {"not", "isn't", "wasn't", "no", "nothing"} & word_set(clause):
            reason = "the blueprint says that it is in order"
            yield Finding(sentence.start, sentence.text, "damage", "differs", reason)
            return
