"""What the user says that it said before, against what it did say."""

from __future__ import annotations

import re

from userproxybench.models.checks import SelfConsistent
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import numbers
from userproxybench.rules.text import sentences, stems

_RECALLS = re.compile(
    r"\bI(?:['’]ve| have)?\s+(?:already\s+)?(?P<verb>told you|said|mentioned|asked for|stated|specified)\b(?P<what>[^.?!]*)"
    r"|\bas I (?:said|mentioned|told you)\b(?P<as>[^.?!]*)",
    re.IGNORECASE,
)

_DISOWNS = re.compile(
    r"\bI (?:never|didn['’]?t|did not) (?:said|say|told you|tell you|mention(?:ed)?|ask(?:ed)?(?: for)?|want(?:ed)?|request(?:ed)?)\b(?P<what>[^.?!,]*)",
    re.IGNORECASE,
)


def self_consistent(ledger: Ledger, _: SelfConsistent) -> Answer:
    """Evaluate `SelfConsistent`: what the user says that it said, or never said."""
    hits, arose = [], False
    for reply in ledger.replies:
        before = " ".join(earlier.text for earlier in ledger.replies[: reply.position])
        for match in _RECALLS.finditer(reply.text):
            arose = True
            what = match["what"] or match["as"] or ""
            if _new_content(what, before, ledger, reply):
                said = _sentence_with(reply, match.group())
                hits.append(Hit(reply.index, said, "the user had not said so before"))
        for match in _DISOWNS.finditer(reply.text):
            arose = True
            content = stems(match["what"])
            if content and content <= stems(before):
                said = _sentence_with(reply, match.group())
                hits.append(Hit(reply.index, said, "the user had said just that before"))
    return answer(hits[:1], arose=arose)


def _new_content(what: str, before: str, ledger: Ledger, reply: Reply) -> bool:
    content = stems(what)
    if not content or "?" in what:
        return False
    said = {n.value for n in numbers(before)}
    for number in numbers(what):
        if number.value not in said and number.value > 1:
            return bool(content & stems(before))
    fresh = content - stems(before)
    told = frozenset[str]().union(*(stems(text) for text in ledger.agent_before(reply.index)))
    offered = fresh & told
    return len(content) <= 4 and bool(offered) and fresh == content


def _sentence_with(reply: Reply, words_: str) -> str:
    for sentence in sentences(reply.turn.text):
        if words_.strip()[:12] in sentence.text:
            return sentence.text
    return reply.turn.text
