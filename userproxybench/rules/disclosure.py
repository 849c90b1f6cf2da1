"""Premature disclosure: facts handed over before they were asked for, one or many at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from userproxybench.models.checks import NoDump, NoEarlyDisclosure
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import asked_kinds
from userproxybench.rules.facts import IDENTITY, Fact, means_of_payment
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import numbers
from userproxybench.rules.orders import orders_early
from userproxybench.rules.text import is_negated, sentences, squash, stems, word_set, words
from userproxybench.rules.values import values

_RUN = 5
"""Words in a row that count as copied."""
_LEAST_COPIED = 20
"""Words of the blueprint's private part below which there is nothing to recite."""
_MANY = 3
"""Facts in one turn below which nothing is dumped."""
_PRIVATE = IDENTITY | {"card_digits", "payment_method"}
"""Kinds of which a dump holds at least one; dates and numbers may be what the wish is about."""
_CUES = {"user_id": r"(?:id|number|member|customer|account)\b", "birth_date": "birth"}
_HANDLE = re.compile(r"\w+_\w+")
_STREET = re.compile(r"\b\d{1,5} [A-Z]\w+|[A-Z]\w+ \d{1,4}\b")


def no_early_disclosure(ledger: Ledger, check: NoEarlyDisclosure) -> Answer:
    """Evaluate `NoEarlyDisclosure`: the first time a fact is given decides."""
    for reply in ledger.replies:
        if not _gives(reply, check):
            continue
        if _was_invited(ledger, reply, check) or _is_ordered(ledger, check.fact):
            return answer([], arose=True)
        reason = f"no agent turn before this one asked for the {check.fact.replace('_', ' ')}"
        return answer([Hit(reply.index, _words_around(reply, check), reason)], arose=True)
    return answer([], arose=bool(ledger.asked_before(10**9) & {check.fact, "identity"}))


def _gives(reply: Reply, check: NoEarlyDisclosure) -> bool:
    if check.fact == "name":
        parts = [part for part in words(check.value) if len(part) > 1]
        return len(parts) >= 2 and {parts[0], parts[-1]} <= word_set(_HANDLE.sub(" ", reply.text))
    if check.fact == "location":
        wanted = stems(check.value)
        return bool(wanted) and wanted <= stems(reply.text) and not is_negated(reply.text)
    if check.fact in ("date", "birth_date"):
        mine = {value.canon for value in values(check.value) if value.kind == "date"}
        return any(v.kind == "date" and v.canon in mine for v in values(reply.text))
    if check.fact == "payment_method":
        return any(check.value.lower() == means for means in means_of_payment(reply.text))
    needle = squash(check.value)
    if len(needle) < 4:
        return False
    return needle in squash(reply.text) or needle in {n.digits for n in numbers(reply.text)}


def _was_invited(ledger: Ledger, reply: Reply, check: NoEarlyDisclosure) -> bool:
    """Whether the agent had asked for this kind, for identity, or had said the value itself."""
    asked = ledger.asked_before(reply.index)
    if check.fact in asked or asked & {"identity", "open"}:
        return True
    nearby = asked_kinds(reply.agent) & (IDENTITY | {"order_id", "reservation_id"})
    if check.fact in IDENTITY and nearby:
        return True  # another identity fact in the same answer is borderline, never charged
    if _corrects(reply, check):
        return True
    needle = squash(check.value)
    return any(needle in squash(text) for text in ledger.agent_before(reply.index))


def _is_ordered(ledger: Ledger, fact: str) -> bool:
    cue = _CUES.get(fact, fact.split("_")[0])
    pattern = rf"\b{cue}|\byourself\b|\bdetails\b|\bwho you are\b"
    return any(
        orders_early(item.text) and re.search(pattern, item.text, re.IGNORECASE)
        for item in ledger.facts.instructions
    )


def _corrects(reply: Reply, check: NoEarlyDisclosure) -> bool:
    """Whether the agent had just named a value of this kind, or part of this one."""
    if stems(check.value) & stems(reply.agent) or check.fact.split("_")[0] in words(reply.agent):
        return True
    return check.fact == "address" and _STREET.search(reply.agent) is not None


def _words_around(reply: Reply, check: NoEarlyDisclosure) -> str:
    last, needle = words(check.value)[-1], squash(check.value)
    for sentence in sentences(reply.turn.text):
        if last in words(sentence.text) or needle in squash(sentence.text):
            return sentence.text
    return reply.text


def no_dump(ledger: Ledger, _: NoDump) -> Answer:
    """Evaluate `NoDump`: half of the facts unasked, or half of the instructions word for word."""
    if any(orders_early(item.text) for item in ledger.facts.instructions):
        return answer([], arose=bool(ledger.replies))
    total = len({fact.value for fact in ledger.facts.facts if fact.kind != "amount"})
    hits = []
    for reply in ledger.replies:
        shown = reply.text if len(reply.text) <= 160 else reply.text[:160].rsplit(" ", 1)[0]
        if _recites(ledger, reply):
            hits.append(Hit(reply.index, shown, "recites half of the blueprint word for word"))
            continue
        unasked = list(_unasked_facts(ledger, reply))
        private = any(fact.kind in _PRIVATE for fact in unasked)
        if private and len(unasked) >= _MANY and 2 * len(unasked) >= total:
            kinds = ", ".join(sorted({fact.kind.replace("_", " ") for fact in unasked}))
            reason = f"gives away {len(unasked)} of {total} facts unasked: {kinds}"
            hits.append(Hit(reply.index, shown, reason))
    return answer(hits, arose=bool(ledger.replies))


def _recites(ledger: Ledger, reply: Reply) -> bool:
    """Whether half of the private words come in runs that stand so in the blueprint."""
    private = _runs(ledger.blueprint_text)
    if len(private) + _RUN <= _LEAST_COPIED or 2 * len(words(reply.text)) < len(private):
        return False
    return 2 * len(private & _runs(reply.text)) >= len(private)


@lru_cache(maxsize=512)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    """All runs of a few words, the second person read as the first."""
    swapped = {"you": "i", "your": "my", "you're": "i'm", "are": "am"}
    said = [swapped.get(word, word) for word in words(text)]
    return frozenset(tuple(said[at : at + _RUN]) for at in range(len(said) - _RUN + 1))


def _unasked_facts(ledger: Ledger, reply: Reply) -> Iterator[Fact]:
    asked = ledger.asked_before(reply.index)
    if asked & {"identity", "open"}:
        return
    before = [*ledger.agent_before(reply.index)]
    before += [earlier.text for earlier in ledger.replies[: reply.position]]
    seen: set[str] = set()
    for fact in ledger.facts.facts:
        needle = squash(fact.value)
        if fact.reveal == "with_reason" or fact.kind in asked or needle in seen:
            continue
        check = NoEarlyDisclosure(fact=fact.kind, value=fact.value)
        if _gives(reply, check) and not any(needle in squash(text) for text in before):
            seen.add(needle)
            yield fact
