"""Steps that the user says it has done or is doing, against its calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.models.checks import ClaimsBacked
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import (
    Sentence,
    clauses,
    is_future,
    is_hypothetical,
    is_negated,
    is_uncertain,
    sentences,
    stem,
)
from userproxybench.rules.tool_words import ToolWords, asked_for, fits, named_by, tools_of, widened

_BASE = {"made": "make", "sent": "send", "took": "take", "taken": "take"}
_ADVERB = (
    r"(?:\s+(?:just|now|already|also|successfully|both|all|done so and|gone ahead and|then|"
    r"finally|carefully|quickly))*"
)

_PERFECT = re.compile(
    rf"\bI(?:['’]ve| have){_ADVERB}\s+(?P<verb>\w+)|\b(?:I|and|then){_ADVERB}\s+(?P<past>\w+ed|ran|took|made|sent|put|did|reset|set|"
    rf"went|held|read|unplugged)\b|^(?:Right,? |OK(?:ay)?,? |Alright,? |Sure,? |Yes,? )*(?:I )?(?:[Jj]ust )(?P<bare>\w+(?:ed)?)\b",
    re.MULTILINE,
)

_PROGRESSIVE = re.compile(
    r"\bI(?:['’]m| am)(?:\s+(?:just|now|already|currently))*\s+(?P<verb>\w+ing)\b", re.I
)

_NOW = re.compile(
    r"\b(?:now|right now|as we speak|at the moment|currently|this (?:very )?(?:second|moment)|just a (?:moment|second|sec))\b",
    re.IGNORECASE,
)

_DONE = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|right|alright|all right|sure|yes|yep|great|there|perfect)[,.!]?\s+)*"
    r"(?:all |it['’]s |that['’]s |i['’]m )?(?:done|did it|did that|finished|completed)\b(?!\s+(?:when|once|if))",
    re.IGNORECASE,
)


_INNER = frozenset(
    stem(word)
    for word in "been had got noticed tried wanted needed asked told mentioned decided considered heard received "
    "seen understood confirmed provided given lost forgotten called contacted thought moved traveled travelled "
    "used booked ordered paid purchased bought explained said stated shared waited hoping planning looking "
    "trying having getting experiencing wondering thinking using calling writing asking talking facing dealing "
    "traveling travelling working seeing going".split()
)


def claims_backed(ledger: Ledger, check: ClaimsBacked) -> Answer:
    """Evaluate `ClaimsBacked`."""
    hits = []
    arose = False
    for reply in ledger.replies:
        for sentence, named in _claims(ledger, reply, check.tools):
            arose = True
            if not _is_backed(ledger, reply, sentence.text, named):
                which = " or ".join(sorted(tool.name for tool in named)[:3])
                reason = f"no successful call of {which or 'a tool'} backs this claim"
                hits.append(Hit(reply.index, sentence.text, reason))
                break
    return answer(hits, arose=arose)


def _claims(
    ledger: Ledger, reply: Reply, only: tuple[str, ...]
) -> Iterator[tuple[Sentence, list[ToolWords]]]:
    """Sentences in which the user says that it did, or is doing, a step of a tool."""
    tools = tools_of(ledger, only)
    asked = asked_for(ledger, reply, only)
    for sentence in sentences(reply.text):
        if sentence.is_question:
            continue
        for clause in clauses(sentence.text) or [sentence.text]:
            verb = _claimed_verb(clause)
            if (
                verb is None
                or is_negated(clause)
                or is_hypothetical(clause)
                or is_uncertain(clause)
            ):
                continue
            named = named_by(tools, verb, widened(clause))
            if verb == "done" or (not named and _is_pronominal(clause)):
                named = [tool for tool in asked if verb == "done" or fits(tool, verb)]
            if named:
                yield sentence, named


def _claimed_verb(clause: str) -> str | None:
    if is_future(clause):
        return None
    if _DONE.search(clause):
        return "done"
    match = _PERFECT.search(clause)
    if match:
        verb = (match["verb"] or match["past"] or match["bare"] or "").lower()
        verb = _BASE.get(verb, verb)
        return None if stem(verb) in _INNER else stem(verb)
    match = _PROGRESSIVE.search(clause)
    if match and _NOW.search(clause):
        verb = stem(match["verb"].lower())
        return None if verb in _INNER else verb
    return None


def _is_pronominal(clause: str) -> bool:
    return re.search(r"\b(?:it|that|this|them|those|so|look)\b", clause, re.IGNORECASE) is not None


def _is_backed(ledger: Ledger, reply: Reply, text: str, named: list[ToolWords]) -> bool:
    names = {tool.name for tool in named}
    before = [call for call in ledger.calls_before(reply.index) if call.tool in names]
    if any(call.ok or call.result_turn is None for call in before):
        return True
    if before and is_negated(reply.text):
        return True
    told = widened(ledger.contract_text)
    verbs = frozenset().union(*(tool.verb for tool in named))
    return bool(verbs) and bool(verbs & told & widened(text)) and _in_past(ledger, verbs)


def _in_past(ledger: Ledger, verbs: frozenset[str]) -> bool:
    """Whether a blueprint sentence says that the step was taken before the call."""
    return any(
        verbs & widened(item.text) and re.search(r"\b(?:have|has|already|tried|\w+ed)\b", item.text)
        for item in ledger.facts.instructions
    )
