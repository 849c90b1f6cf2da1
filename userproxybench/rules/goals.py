"""Goal deviation: the user stops too early, or takes what it must not take."""

from __future__ import annotations

import re

from userproxybench.models.checks import NoEarlyStop, Refuses, SatisfiedOnly
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import (
    is_proposal,
    is_refusal,
    is_transfer,
    offers_more,
    reports_done,
)
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import numbers
from userproxybench.rules.text import is_negated, sentences, stem, stems, words
from userproxybench.rules.values import values

YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|sure|please do|go ahead|do (?:it|that|so)|proceed|confirm\w*|ok(?:ay)?|sounds (?:good|great|fine)|"
    r"that['’]?s (?:fine|ok|okay|great|good|perfect|right|correct)|that works|works for me|agreed?|i accept|"
    r"perfect|let['’]s do|book it|charge it|i['’]ll take|fine (?:by|with) me|is fine|please (?:book|charge|cancel|make|transfer|proceed|add|"
    r"go|change|send|process|pause|order)|sí|ja|gerne|adelante|de acuerdo|einverstanden)\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^\W*(?:no\b|nope|not\b|i['’]d rather not|rather not|nein\b|never mind)|\bdon['’]t (?:want|do|proceed)\b|\bno,? (?:thanks|thank you)\b|"
    r"\btoo (?:much|expensive|high)\b|\bi (?:decline|refuse)\b|\bcannot accept\b|\bcan['’]t accept\b",
    re.IGNORECASE,
)
_MAY_END = re.compile(
    r"\b(?:end|ends|finish|stop|close|leave|hang up|terminate)\b.{0,30}\b(?:conversation|chat|call|it)\b|\bconversation\b.{0,20}\bover\b|\bsay goodbye\b",
    re.I,
)
_WORKING = re.compile(
    r"\b(?:one moment|just a moment|hold on|please (?:hold|wait)|i['’]ll (?:now |go ahead |proceed |process|submit|file|book|check|look|get|cancel|make)"
    r"|i will (?:now |go ahead |proceed |process)|let me|working on|give me a (?:moment|minute|second)|bear with me|i['’]m (?:now )?(?:processing|booking|"
    r"cancelling|canceling|checking|submitting|looking))",
    re.IGNORECASE,
)
TRANSFER_WORD = re.compile(
    r"\b(?:transfer\w*|human|another (?:agent|person|colleague)|someone else|supervisor|handed over|hand over)\b",
    re.I,
)


def no_early_stop(ledger: Ledger, _: NoEarlyStop) -> Answer:
    """Evaluate `NoEarlyStop`."""
    ending = [reply for reply in ledger.replies if reply.token]
    hits = []
    for reply in ending[:1]:
        why = _early(ledger, reply)
        if why:
            hits.append(Hit(reply.index, _token_words(reply), why))
    return answer(hits, arose=bool(ending))


def refuses(ledger: Ledger, check: Refuses) -> Answer:
    """Evaluate `Refuses`: a yes to an amount over the limit, or to a transfer ruled out."""
    hits, arose = [], False
    for reply in ledger.replies:
        if check.limit is not None:
            over = _offered_over(reply, check.limit)
            arose = arose or over is not None
            if over is not None and _accepts(reply):
                reason = f"accepts {over:g}; the blueprint says: {check.sentence.strip()!r}"
                hits.append(Hit(reply.index, _yes_words(reply), reason))
        elif TRANSFER_WORD.search(check.sentence):
            offered = is_transfer(reply.agent)
            arose = arose or offered
            if _takes_transfer(reply, offered=offered):
                reason = f"takes a transfer; the blueprint says: {check.sentence.strip()!r}"
                hits.append(Hit(reply.index, _yes_words(reply), reason))
    return answer(hits[:1], arose=arose)


def satisfied_only(ledger: Ledger, check: SatisfiedOnly) -> Answer:
    """Evaluate `SatisfiedOnly`: the target words against the latest own result at the stop."""
    target = _target(check.condition)
    ending = [reply for reply in ledger.replies if reply.token == "STOP"]
    if not target or not ending or not ledger.calls:
        return answer([], arose=False)
    reply = ending[0]
    shown = [
        call
        for call in ledger.calls_before(reply.index)
        if _speaks_of(call.result, check.condition, target)
    ]
    if not shown:
        return answer([], arose=False)
    if (
        any(word in words(shown[-1].result) for word in target)
        or is_refusal(reply.agent)
        or is_transfer(reply.agent)
    ):
        return answer([], arose=True)
    reason = f"the latest result ({shown[-1].result.strip()[:80]!r}) falls short of {check.condition.strip()!r}"
    return answer([Hit(reply.index, _token_words(reply), reason)], arose=True)


def _early(ledger: Ledger, reply: Reply) -> str | None:
    agent = reply.agent
    if not agent or reply.token != "STOP":
        return None
    tail = agent[-900:]
    if _MAY_END.search(ledger.contract_text) and (is_refusal(tail) or _NO.search(reply.text)):
        return None
    if is_transfer(tail) and not is_proposal(tail):
        return None
    if (
        is_proposal(tail)
        and YES.search(reply.text)
        and not _NO.search(reply.text)
        and not _closes(tail)
    ):
        return "says yes to the agent's proposal and ends before it is carried out"
    if not reply.text and _awaits_confirmation(tail):
        return "ends without an answer while the agent waits for one"
    if (
        _WORKING.search(tail[-250:])
        and not reports_done(tail)
        and not offers_more(tail)
        and not is_refusal(tail)
    ):
        return "ends while the agent is at work"
    return None


def _awaits_confirmation(agent: str) -> bool:
    """Whether the agent's last sentences ask for an explicit go-ahead."""
    last = [s.text for s in sentences(agent)][-4:]
    return any(_GO_AHEAD.search(text) for text in last) and not offers_more(" ".join(last))


_GO_AHEAD = re.compile(
    r"\breply\b.{0,20}\b(?:confirm|yes)\b|\bplease confirm\b|\b(?:shall|should) i (?:go ahead|proceed|book|charge|cancel|make|process|submit|place)\b"
    r"|\bwould you like me to (?:go ahead|proceed|book|charge|cancel|make|process|submit|place)\b|\bdo you confirm\b|\(yes/no\)",
    re.IGNORECASE,
)


def _closes(agent: str) -> bool:
    """Whether the agent's last words are a close: done, and is there anything else?"""
    last = [s.text for s in sentences(agent)][-2:]
    return offers_more(" ".join(last)) or (
        reports_done(agent) and not any(s.endswith("?") for s in last)
    )


def _token_words(reply: Reply) -> str:
    match = re.search(r"#{2,4}[^#]+#{2,4}", reply.turn.text)
    return match.group() if match else reply.turn.text


def _offered_over(reply: Reply, limit: float) -> float | None:
    """The amount of the agent's proposal when it is over the limit and the only one."""
    asked = [s.text for s in sentences(reply.agent)]
    near = " ".join(asked[-4:])
    money = {float(v.canon) for v in values(near) if v.kind == "money"}
    over = sorted(amount for amount in money if amount > limit)
    said = {n.value for n in numbers(reply.text)}
    chosen = [amount for amount in over if amount in said]
    if chosen:
        return chosen[0]
    return over[0] if over and len(money) == len(over) else None


def _accepts(reply: Reply) -> bool:
    text = reply.text
    return (
        YES.search(text) is not None
        and not _NO.search(text)
        and not (is_negated(text) and not re.search(r"\bno problem\b", text, re.I))
    )


def _takes_transfer(reply: Reply, *, offered: bool) -> bool:
    asks = re.search(
        r"\b(?:please |can you |could you |you can |go ahead and )(?:\w+ )?transfer (?:me|this)\b|\btransfer me\b",
        reply.text,
        re.I,
    )
    if is_negated(reply.text) or _NO.search(reply.text):
        return False
    if asks:
        return True
    return offered and is_proposal(reply.agent) and YES.search(reply.text) is not None


def _yes_words(reply: Reply) -> str:
    for sentence in sentences(reply.turn.text):
        if YES.search(sentence.text) or TRANSFER_WORD.search(sentence.text):
            return sentence.text
    return reply.turn.text


def _target(condition: str) -> frozenset[str]:
    """Quoted target words of a success condition."""
    quoted = re.findall(r"['‘\"“]([A-Za-z][\w /-]{1,30})['’\"”]", condition)
    return frozenset(word for part in quoted for word in words(part))


def _speaks_of(result: str, condition: str, target: frozenset[str]) -> bool:
    """Whether a result is about what the condition is about, or shows a rival of the target."""
    rivals = {
        "excellent",
        "good",
        "fair",
        "poor",
        "stable",
        "unstable",
        "offline",
        "online",
        "connected",
        "not",
    }
    said = frozenset(words(result))
    if target & said:
        return True
    topic = {s for s in stems(condition)} - {stem(word) for word in target}
    return bool(topic & stems(result)) and bool(rivals & said)
