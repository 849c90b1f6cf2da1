"""Premature disclosure: what the user hands over before it was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.models.checks import HeldBack, NoDump, NoEarlyDisclosure
from userproxybench.rules.answer import NOT_APPLICABLE, Answer, Hit, answer
from userproxybench.rules.asks import asked_kinds, is_intake
from userproxybench.rules.facts import IDENTITY, Fact, condition_of
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import numbers
from userproxybench.rules.text import (
    STOPWORDS,
    Sentence,
    is_negated,
    sentences,
    squash,
    stem,
    stems,
    words,
)
from userproxybench.rules.values import values

_FALLBACK = re.compile(
    r"\b(?:if (?:not|that|it|there|two|one|no|you|the|this)\b|should\b.{0,40}\b(?:be|not)\b|otherwise|failing that|"
    r"or else|if .{0,50}\b(?:not|n['’]t|unavailable|gone|full|taken|won['’]t|can['’]t|isn['’]t|impossible)\b|"
    r"(?:could|can) live with|would (?:also )?(?:be (?:fine|ok|okay|all right|acceptable)|do|take|accept|settle)|"
    r"i['’]d (?:also )?(?:take|accept|settle|be (?:fine|ok|okay|happy) with)|at (?:most|least)|no more than|up to|"
    r"(?:is|are) (?:also )?(?:fine|ok|okay|all right) (?:too|with me|as well)|at a pinch|willing to|prepared to)\b",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    r"\b(?:start(?: off)? by|begin by|begin with|open with|first (?:say|tell|mention)|mention (?:that|your|the)|"
    r"tell the agent|say (?:that|at once|right away|straight away|upfront)|introduce yourself|give your|provide your|"
    r"state (?:that|your)|in your (?:first|opening)|right at the (?:start|beginning)|up ?front|immediately)\b",
    re.IGNORECASE,
)
_WORDS_IN_A_ROW = 12


def no_early_disclosure(ledger: Ledger, check: NoEarlyDisclosure) -> Answer:
    """Evaluate `NoEarlyDisclosure`."""
    needle = squash(check.value)
    for reply in ledger.replies:
        if not _gives(reply, check, needle):
            continue
        asked = ledger.asked_before(reply.index)
        if check.fact in asked or asked & {"identity", "open"}:
            return answer([], arose=True)
        if _asked_for_identity(check, reply) or needle in squash(
            "\n".join(ledger.agent_before(reply.index))
        ):
            return answer([], arose=True)
        if _is_ordered(ledger, check.fact) or _corrects(reply, check):
            return answer([], arose=True)
        reason = f"no agent turn before this one asked for the {check.fact.replace('_', ' ')}"
        return answer([Hit(reply.index, _words_around(reply, check), reason)], arose=True)
    return answer([], arose=bool(ledger.asked_before(10**9) & {check.fact, "identity"}))


def held_back(ledger: Ledger, check: HeldBack) -> Answer:
    """Evaluate `HeldBack`: the marked words of a conditional sentence, said too early."""
    marks = _marks(ledger, check.sentence)
    if not marks:
        return NOT_APPLICABLE
    if _ORDERED.search(check.sentence):
        return NOT_APPLICABLE
    condition, _ = condition_of(check.sentence)
    for reply in ledger.replies:
        agent = ledger.agent_before(reply.index)
        said_by_agent = (
            frozenset[str]().union(*(stems(text) for text in agent)) if agent else frozenset()
        )
        topic = stems(condition) | marks
        for sentence in sentences(reply.text):
            given = _given(sentence, marks)
            if not given or given <= said_by_agent:
                continue
            if _met(condition, topic, agent, reply):
                return answer([], arose=True)
            reason = f"the blueprint ties this to a condition that had not come about: {check.sentence.strip()!r}"
            return answer([Hit(reply.index, sentence.text, reason)], arose=True)
    return answer([], arose=bool(ledger.replies))


def no_dump(ledger: Ledger, _: NoDump) -> Answer:
    """Evaluate `NoDump`."""
    hits = []
    for reply in ledger.replies:
        recited = _recited(ledger, reply)
        if recited:
            hits.append(Hit(reply.index, recited, "copies the blueprint nearly word for word"))
            continue
        unasked = list(_unasked_facts(ledger, reply))
        total = len({fact.value for fact in ledger.facts.facts if fact.kind != "amount"})
        if len(unasked) >= 3 and len(unasked) * 2 >= total:
            shown = reply.text if len(reply.text) <= 160 else reply.text[:160].rsplit(" ", 1)[0]
            names = ", ".join(sorted({fact.kind.replace("_", " ") for fact in unasked}))
            hits.append(
                Hit(
                    reply.index,
                    shown,
                    f"gives away {len(unasked)} of {total} facts unasked: {names}",
                )
            )
    return answer(hits, arose=bool(ledger.replies))


def _gives(reply: Reply, check: NoEarlyDisclosure, needle: str) -> bool:
    if check.fact == "name":
        said = set(words(reply.text))
        parts = [part for part in words(check.value) if len(part) > 1]
        return len(parts) >= 2 and parts[0] in said and parts[-1] in said
    if check.fact == "location":
        return _gives_location(reply, check.value)
    if check.fact in ("date", "birth_date"):
        mine = {(v.canon) for v in values(check.value) if v.kind == "date"}
        return any(v.kind == "date" and v.canon in mine for v in values(reply.text))
    if len(needle) < 4:
        return False
    digits = {number.digits for number in numbers(reply.text)}
    return needle in squash(reply.text) or needle in digits


def _gives_location(reply: Reply, place: str) -> bool:
    wanted = stems(place)
    return bool(wanted) and wanted <= stems(reply.text) and not is_negated(reply.text)


def _asked_for_identity(check: NoEarlyDisclosure, reply: Reply) -> bool:
    """Another identity fact in the same answer is borderline, never charged."""
    return check.fact in IDENTITY and bool(
        asked_kinds(reply.agent) & (IDENTITY | {"order_id", "reservation_id"})
    )


def _is_ordered(ledger: Ledger, fact: str) -> bool:
    cue = {"user_id": r"(?:id|number|member|customer|account)\b", "birth_date": "birth"}.get(
        fact, fact.split("_")[0]
    )
    return any(
        _ORDERED.search(item.text)
        and re.search(rf"\b{cue}|\byourself\b|\bdetails\b", item.text, re.IGNORECASE)
        for item in ledger.facts.instructions
    )


def _corrects(reply: Reply, check: NoEarlyDisclosure) -> bool:
    """Whether the agent had just named a value of this kind, or part of this one."""
    cue = check.fact.split("_")[0]
    shared = stems(check.value) & stems(reply.agent)
    return (
        bool(shared)
        or cue in words(reply.agent)
        or (
            check.fact == "address"
            and re.search(r"\b\d{1,5} [A-Z]\w+|[A-Z]\w+ \d{1,4}\b", reply.agent) is not None
        )
    )


def _words_around(reply: Reply, check: NoEarlyDisclosure) -> str:
    needle = words(check.value)[-1]
    for sentence in sentences(reply.turn.text):
        if needle in words(sentence.text) or squash(check.value) in squash(sentence.text):
            return sentence.text
    return reply.text


def _marks(ledger: Ledger, sentence: str) -> frozenset[str]:
    """Stems that stand in this sentence alone: to say them is to say it."""
    others = frozenset[str]().union(
        ledger.facts.reason_stems,
        *(stems(item.text) for item in ledger.facts.instructions if item.text != sentence),
    )
    condition, consequence = condition_of(sentence)
    mine = stems(consequence) | frozenset(stem(w) for w in words(consequence) if w in _NUMERIC)
    return frozenset(s for s in mine - others - stems(condition) if s not in _WEAK)


_NUMERIC = frozenset("one two".split())
_WEAK = frozenset(
    stem(word)
    for word in "agent ask asked provide mention offer offered accept accepted fine happy only prefer want instead "
    "else first possible willing conversation end reply respond answer information refuse decline request "
    "option available tell agree insist whatever either alternative question reveal disclose".split()
)


def _given(sentence: Sentence, marks: frozenset[str]) -> frozenset[str]:
    said = frozenset(stem(word) for word in words(sentence.text))
    given = marks & said
    enough = len(given) >= 2 or (len(given) >= 1 and _FALLBACK.search(sentence.text) is not None)
    return given if enough else frozenset()


def _met(condition: str, topic: frozenset[str], agent: list[str], reply: Reply) -> bool:
    """Whether anything the agent said can be read as the condition, or as a question for this."""
    if _WHEN_ASKED.search(condition):
        asked = "\n".join(agent)
        if "open" in asked_kinds(asked) or topic & widen(stems(asked)):
            return True
        return not stems(condition) - _WEAK and "?" in reply.agent
    return not all(is_intake(text) for text in agent)


_WHEN_ASKED = re.compile(r"\bask|\bprompt|\bquestion|\bwants to know|\brequests?\b", re.IGNORECASE)
_RELATED = [
    frozenset(stem(word) for word in group.split())
    for group in (
        "reason why cause purpose because happen",
        "price cost much fee charge pay amount budget",
        "date day when time",
        "place where location address",
        "number many count",
    )
]


def widen(found: frozenset[str]) -> frozenset[str]:
    """Stems with those that ask for the same thing."""
    return found.union(*(group for group in _RELATED if group & found))


def _recited(ledger: Ledger, reply: Reply) -> str | None:
    """A run of blueprint words in the reply that no one would say by chance."""
    said = words(_first_person(reply.text))
    if len(said) < _WORDS_IN_A_ROW:
        return None
    told = " " + " ".join(words("\n".join(ledger.agent_before(reply.index)))) + " "
    reason = ledger.facts.reason
    private = [item.text for item in ledger.facts.instructions if item not in reason]
    source = " " + " ".join(words(_first_person("\n".join(private)))) + " "
    for start in range(len(said) - _WORDS_IN_A_ROW + 1):
        run = " ".join(said[start : start + _WORDS_IN_A_ROW])
        if f" {run} " in source and f" {run} " not in told:
            return _quote(reply, said[start : start + 3])
    return None


def _first_person(text: str) -> str:
    text = re.sub(
        r"\byou are\b|\bI am\b|\bI['’]m\b|\byou['’]re\b", "i am", text, flags=re.IGNORECASE
    )
    text = re.sub(r"\byour\b", "my", text, flags=re.IGNORECASE)
    return re.sub(r"\byou\b", "i", text, flags=re.IGNORECASE)


def _quote(reply: Reply, head: list[str]) -> str:
    for sentence in sentences(reply.turn.text):
        if all(word in words(_first_person(sentence.text)) for word in head):
            return sentence.text
    return reply.text


def _unasked_facts(ledger: Ledger, reply: Reply) -> Iterator[Fact]:
    asked = ledger.asked_before(reply.index)
    if asked & {"identity", "open"}:
        return
    told = squash("\n".join(ledger.agent_before(reply.index)))
    earlier = squash("\n".join(r.text for r in ledger.replies[: reply.position]))
    seen: set[str] = set()
    for fact in ledger.facts.facts:
        needle = squash(fact.value)
        if fact.reveal == "with_reason" or fact.kind in asked or needle in seen:
            continue
        check = NoEarlyDisclosure(fact=fact.kind, value=fact.value)
        if needle not in told and needle not in earlier and _gives(reply, check, needle):
            seen.add(needle)
            yield fact
