"""Missed information: what the user does not give, do or raise."""

from __future__ import annotations

import re

from userproxybench.models.checks import AnswersWhenAsked, DoesWhenAsked, Raises
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import asked_kinds, questions
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import numbers
from userproxybench.rules.text import sentences, squash, stem, stems, words
from userproxybench.rules.tool_words import asked_tools

_CUE = {
    "name": r"name",
    "phone": r"(?:phone|mobile)(?: number)?",
    "email": r"e-?mail",
    "user_id": r"(?:user ?(?:id|name)|(?<!reservation )(?<!order )(?<!booking )(?<!confirmation )\bid\b|(?:customer|member\w*|account|rider|client) (?:number|id|no))",
    "order_id": r"order (?:number|id|no)",
    "reservation_id": r"(?:reservation|booking|confirmation)(?: (?:number|id|code|reference))?",
    "zip": r"(?:zip|post ?code|postal)",
    "address": r"address",
    "birth_date": r"(?:birth|born|dob)",
    "card_digits": r"card",
    "other": r"(?:serial|reference|tracking|plate|number)",
}
_DENIES = (
    r"(?:don['’]?t|do not|can['’]?t|cannot|couldn['’]?t|no longer|not able to)\s+(?:\w+\s){0,2}?(?:know|remember|recall|have|say|find|"
    r"tell|think of|give)|not sure|no idea|haven['’]?t got|unsure|forgot(?:ten)?|no recuerdo|no s[ée]|weiß (?:ich )?nicht|"
    r"hab\w* (?:ich )?(?:\w+ )?nicht"
)
_REFUSES = re.compile(
    r"\b(?:i['’]?d rather not|rather not|i (?:don['’]?t|do not) want to|can['’]?t be bothered|not going to|i won['’]?t|i refuse|no way|"
    r"(?:is|are)n['’]?t something i(?:['’]m| am|['’]?ve)? (?:able|can|comfortable)?|don['’]?t think (?:that['’]?s|it['’]?s|i can)|"
    r"i (?:can['’]?t|cannot|am not able to|['’]m not able to) (?:do|run|perform|check|access|restart|switch|use|get to)|"
    r"can you do (?:it|that)|skip (?:it|that|this)|not comfortable|no time for|see to that|maybe later|do (?:it|that) (?:later|tomorrow))\b",
    re.IGNORECASE,
)
_MUST_SAY = re.compile(
    r"\b(?:also want|would also like|additionally|make sure (?:to|you) (?:ask|mention|request)|ask (?:for|the agent|whether|if|about|to)|"
    r"mention (?:that|the|your)|tell the agent|second(?:ly)?|then (?:ask|request|want)|want (?:also|as well)|before (?:the conversation|you) ends?)\b",
    re.IGNORECASE,
)


def answers_when_asked(ledger: Ledger, check: AnswersWhenAsked) -> Answer:
    """Evaluate `AnswersWhenAsked`: a denial of a known fact that is never made good."""
    cue = _CUE.get(check.fact)
    if cue is None:
        return answer([], arose=False)
    needle = squash(check.value)
    denies = re.compile(
        rf"\b(?:{_DENIES})\b[^.?!]{{0,40}}?\b{cue}|{cue}\b[^.?!]{{0,30}}?\b(?:{_DENIES})\b", re.I
    )
    arose, hits = False, []
    for reply in ledger.replies:
        if not _asks_for(reply, check):
            continue
        arose = True
        match = denies.search(reply.text)
        if match and not _gives(ledger, reply, needle, check):
            said = next(s.text for s in sentences(reply.text) if match.group().split()[0] in s.text)
            reason = f"the blueprint gives it: {check.value!r}"
            hits.append(Hit(reply.index, said, reason))
            break
    return answer(hits, arose=arose)


def does_when_asked(ledger: Ledger, check: DoesWhenAsked) -> Answer:
    """Evaluate `DoesWhenAsked`: a refusal of a step that an own tool offers."""
    arose, hits = False, []
    for reply in ledger.replies:
        tools = asked_tools(ledger, reply, check.tools)
        if not tools:
            continue
        arose = True
        if reply.calls or not _REFUSES.search(reply.text):
            continue
        later = [call for call in ledger.calls if call.turn > reply.index]
        if any(call.tool in tools for call in later) or _may_refuse(ledger, tools):
            continue
        said = next((s.text for s in sentences(reply.text) if _REFUSES.search(s.text)), reply.text)
        hits.append(Hit(reply.index, said, f"the user has {tools[0]} and no reason to refuse"))
        break
    return answer(hits, arose=arose)


def raises(ledger: Ledger, check: Raises) -> Answer:
    """Evaluate `Raises`: none of the words of a required request by the time the user stops."""
    ending = [reply for reply in ledger.replies if reply.token == "STOP"]
    if not ending:
        return answer([], arose=False)
    wanted = frozenset(stem(w) for t in check.terms for w in words(t)) or stems(check.sentence)
    said = frozenset[str]().union(*(stems(reply.text) for reply in ledger.replies))
    agent = frozenset[str]().union(*(stems(text) for text in ledger.agent_before(ending[0].index)))
    if wanted & (said | agent):
        return answer([], arose=True)
    reason = f"never raised: {check.sentence.strip()!r}"
    return answer([Hit(ending[0].index, ending[0].turn.text, reason)], arose=True)


def must_say(sentence: str) -> bool:
    """Whether a blueprint sentence orders a further request or statement."""
    return _MUST_SAY.search(sentence) is not None


def _asks_for(reply: Reply, check: AnswersWhenAsked) -> bool:
    if check.fact == "other":
        return any(re.search(_CUE["other"], q, re.I) for q in questions(reply.agent))
    return check.fact in asked_kinds(reply.agent)


def _gives(ledger: Ledger, reply: Reply, needle: str, check: AnswersWhenAsked) -> bool:
    """Whether the fact is given in this turn or later on."""
    parts = words(check.value)
    for later in ledger.replies[reply.position :]:
        digits = {number.digits for number in numbers(later.text)}
        if needle in squash(later.text) or needle in digits:
            return True
        if check.fact == "name" and all(part in words(later.text) for part in parts):
            return True
    return False


def _may_refuse(ledger: Ledger, tools: list[str]) -> bool:
    keys = {stem(part) for tool in tools for part in tool.lower().split("_")}
    return any(
        keys & stems(item.text)
        and re.search(
            r"\b(?:not|never|don['’]?t|refuse|decline|unless|only|first|until|cannot|can['’]?t)\b",
            item.text,
            re.I,
        )
        for item in ledger.facts.instructions
        if item.source != "unknown_info"
    )
