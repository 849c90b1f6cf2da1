"""Something supplied for what the blueprint marks as unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.fact_questions import assertions, fact_questions, is_order, is_unsure
from userproxybench.rules.facts import Instruction
from userproxybench.rules.finding import Finding
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import numbers
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import is_english, is_negated, stem, stems, words

_IDENTITY = frozenset(
    stem(word)
    for word in "name first full zip code zipcode post postcode phone email mail id ids number "
    "address account user profile birth customer order booking reservation confirmation".split()
)


_SHORT = 25
_KNOWING = re.compile(
    r"\b(?:know|remember|recall|idea|memory|say|forgot(?:ten)?|wei(?:ß|ss)t|sabes|recuerdas)\b(?P<what>.*)",
    re.IGNORECASE | re.DOTALL,
)


def unknown_stems(item: Instruction) -> frozenset[str]:
    """Content stems of what a blueprint sentence says the user does not know."""
    match = _KNOWING.search(item.text)
    if match:
        return stems(match["what"]) - PLAIN - _IDENTITY
    return stems(item.text) - PLAIN - _IDENTITY if item.source == "unknown_info" else frozenset()


def _last_word(text: str) -> str:
    """What a text ends on after its last `but`: `hard to say, but it was in spring`."""
    return re.split(r"\bbut\b", text, flags=re.IGNORECASE)[-1]


def unknown_answered(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """A definite answer to a question after what is unknown, with words the contract lacks."""
    asked = fact_questions(reply.agent) if ledger.facts.unknown else ()
    if not asked or reply.calls or "?" in reply.text or is_unsure(_last_word(reply.text)):
        return
    if not is_english(ledger.blueprint_text) or is_order(reply.text):
        return
    if reply.agent.count("?") > 1 or len(words(reply.text)) > _SHORT:
        return
    results = (stems(call.result) for call in ledger.calls_before(reply.index))
    known = stems(ledger.contract_text).union(PLAIN, _IDENTITY, *results)
    told = numbers(ledger.contract_text)
    for item in ledger.facts.unknown:
        if not unknown_stems(item) & stems(asked[-1].rpartition(": ")[2]):
            continue
        for sentence, clause in assertions(reply.text):
            if is_negated(clause):
                continue
            figures = {n.value for n in numbers(clause)} - {n.value for n in told}
            if stems(clause) - known or figures:
                reason = f"the blueprint says of this: {item.text.strip()!r}"
                key = "unknown" + item.text
                yield Finding(sentence.start, sentence.text, key, "unknown", reason, item)
                return
