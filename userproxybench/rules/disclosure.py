"""Premature disclosure: facts handed over before they were asked for, one or many at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from userproxybench.models.checks import NoDump, NoEarlyDisclosure
from userproxybench.rules.answer import NOT_APPLICABLE, Answer, Hit, answer
from userproxybench.rules.asks import asked_kinds, asks_in_own_words, asks_vaguely, states
from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import IDENTITY, Fact, Facts, means_of_payment
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import numbers
from userproxybench.rules.orders import orders_early
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import (
    all_clauses,
    all_stems,
    any_of,
    is_english,
    is_negated,
    sentences,
    squash,
    stems,
    word_set,
    words,
)
from userproxybench.rules.values import values

_RUN = 5
"""Words in a row that count as copied."""
_LEAST_COPIED = 20
"""Words of the blueprint's private part below which there is nothing to recite."""
_TELLING = 4
"""Letters and digits of a value below which it may stand anywhere by chance."""
_MANY = 3
"""Facts in one turn below which nothing is dumped."""
_PRIVATE = IDENTITY | {"card_digits", "payment_method"}
"""Kinds of which a dump holds at least one; dates and numbers may be what the wish is about."""
_CUES = {"user_id": r"(?:id|number|member|customer|account)\b", "birth_date": "birth"}
_HANDLE = re.compile(r"\w+_\w+")
_STREET = re.compile(r"\b\d{1,5} [A-Z]\w+|[A-Z]\w+ \d{1,4}\b")

_WHO_IS_IT = Cue(
    any_of("""
    listed / registered / right (?:person|customer|account)
    (?:calling|asking|writing|acting|is it|this) for (?:yourself|you)
    you(?:r \\w+)? up / only you (?:can )?know / pro(?:ve|of) / tells? (?:you|them) apart
    under (?:what|which|whose)
    (?:several|two|three|many|more than one|a few) .{0,30}(?:people|customers|accounts|entries)
    (?:several|two|three|many|more than one|a few) (?:names|members|files|profiles|hits|matches)
    to be (?:on the )?(?:safe|sure|certain) / security / whom? (?:is|am|are|i'm|i am)
    make sure (?:that )?it
    """),
)
"""An agent that needs to know whom it has before it, in whatever words."""
_NAMESAKES = re.compile(r"\b(?:several|two|three|many) [A-Z]\w+s\b")
_REACHES = {
    "phone": Cue(
        any_of("""
        (?:call|called|ring|rung|phone|text|reach|contact)(?:ing)? (?:you|back) / mobile / landline
        get back to you / call-?back / line ending
        """)
    ),
    "email": Cue(
        any_of("""
        (?:send|reach|contact|write to|get back to|drop|inform|notify) you / in writing / inbox
        confirmation
        """)
    ),
}
"""An agent that means to reach the user: at which number, at which address."""


_Tellable = tuple[str, Fact, NoEarlyDisclosure]
"""A fact with its letters and digits, and the check that asks whether it is given."""


def no_early_disclosure(ledger: Ledger, check: NoEarlyDisclosure) -> Answer:
    """Evaluate `NoEarlyDisclosure`: the first time a fact is given decides."""
    if _stands_in_reason(ledger.facts, check.value):
        return NOT_APPLICABLE
    for reply in ledger.replies if _may_give(ledger, check) else ():
        if not _gives(reply, check):
            continue
        if _was_invited(ledger, reply, check) or _is_ordered(ledger, check):
            return answer([], arose=True)
        reason = f"no agent turn before this one asked for the {check.fact.replace('_', ' ')}"
        return answer([Hit(reply.index, _words_around(reply, check), reason)], arose=True)
    return answer([], arose=bool(ledger.asked_before(10**9) & {check.fact, "identity"}))


def _may_give(ledger: Ledger, check: NoEarlyDisclosure) -> bool:
    """Whether anything the user says in the whole conversation may give a fact."""
    if check.fact == "name":
        return all(squash(part) in ledger.own_letters for part in _first_and_last(check.value))
    if check.fact == "location":
        return stems(check.value) <= ledger.own_stems
    if check.fact in ("date", "birth_date", "payment_method"):
        return True
    needle = squash(check.value)
    return needle in ledger.own_letters or needle in ledger.own_digits


def _gives(reply: Reply, check: NoEarlyDisclosure) -> bool:
    if check.fact == "name":
        named = _first_and_last(check.value)
        return bool(named) and named <= word_set(reply.text) and named <= _plain_words(reply.text)
    if check.fact == "location":
        return _gives_place(reply.text, stems(check.value))
    if check.fact in ("date", "birth_date"):
        mine = {value.canon for value in values(check.value) if value.kind == "date"}
        return any(v.kind == "date" and v.canon in mine for v in values(reply.text))
    if check.fact == "payment_method":
        return _gives_means(reply.text, check)
    needle = squash(check.value)
    if len(needle) < 4:
        return False
    return needle in squash(reply.text) or needle in {n.digits for n in numbers(reply.text)}


@kept_longer(512)
def _first_and_last(name: str) -> frozenset[str]:
    """First and last word of a name, initials left out; empty where there is but one."""
    parts = [part for part in words(name) if len(part) > 1]
    return frozenset((parts[0], parts[-1])) if len(parts) > 1 else frozenset()


@kept(512)
def _plain_words(text: str) -> frozenset[str]:
    """The words of a text that stand in no handle."""
    return word_set(_HANDLE.sub(" ", text) if "_" in text else text)


def _gives_place(text: str, wanted: frozenset[str]) -> bool:
    """Whether a clause names a place, and says of it no `not`."""
    if not wanted or not wanted <= stems(text):
        return False
    return any(wanted <= stems(clause) and not is_negated(clause) for clause in all_clauses(text))


def _gives_means(text: str, check: NoEarlyDisclosure) -> bool:
    return check.value.lower() in means_of_payment(text)


def _was_invited(ledger: Ledger, reply: Reply, check: NoEarlyDisclosure) -> bool:
    """Whether the agent had asked for this kind, for identity, or had said the value itself."""
    asked = ledger.asked_before(reply.index)
    if check.fact in asked or asked & {"identity", "open"}:
        return True
    nearby = asked_kinds(reply.agent) & (IDENTITY | {"order_id", "reservation_id"})
    if check.fact in IDENTITY and nearby:
        return True  # another identity fact in the same answer is borderline, never charged
    if _corrects(reply, check) or _asks_otherwise(reply, check):
        return True
    needle = squash(check.value)
    return any(needle in squash(text) for text in ledger.agent_before(reply.index))


def _asks_otherwise(reply: Reply, check: NoEarlyDisclosure) -> bool:
    """Whether the agent's last turn may ask for the fact in words that the cues do not know."""
    if asks_in_own_words(reply.agent):
        return True
    if check.fact in IDENTITY and _is_unsure_who(reply):
        return True
    reaches = _REACHES.get(check.fact)
    return reaches is not None and reaches.found(reply.agent)


def _is_unsure_who(reply: Reply) -> bool:
    """Whether the agent asks who it is, or, after the greeting, says what may call for it."""
    if reply.position and (states(reply.agent) or asks_vaguely(reply.agent)):
        return True
    return _WHO_IS_IT.found(reply.agent) or _NAMESAKES.search(reply.agent) is not None


@lru_cache(maxsize=4096)
def _stands_in_reason(facts: Facts, value: str) -> bool:
    """Whether the reason for the call itself names a value, wherever else it stands."""
    needle = squash(value)
    return len(needle) >= _TELLING and any(needle in squash(item.text) for item in facts.reason)


def _is_ordered(ledger: Ledger, check: NoEarlyDisclosure) -> bool:
    """Whether the blueprint orders to open with this kind of fact, or with this value."""
    cue, needle = _CUES.get(check.fact, check.fact.split("_")[0]), squash(check.value)
    pattern = rf"\b{cue}|\byourself\b|\bdetails\b|\bwho you are\b"
    return any(
        orders_early(item.text)
        and (re.search(pattern, item.text, re.IGNORECASE) or needle in squash(item.text))
        for item in ledger.facts.instructions
    )


def _corrects(reply: Reply, check: NoEarlyDisclosure) -> bool:
    """Whether the agent had just named a value of this kind, or part of this one."""
    if stems(check.value) & stems(reply.agent) or check.fact.split("_")[0] in words(reply.agent):
        return True
    return check.fact == "address" and _STREET.search(reply.agent) is not None


def _words_around(reply: Reply, check: NoEarlyDisclosure) -> str:
    if check.fact == "payment_method":
        paid = (s.text for s in sentences(reply.turn.text) if _gives_means(s.text, check))
        return next(paid, reply.text)
    last, needle = words(check.value)[-1], squash(check.value)
    for sentence in sentences(reply.turn.text):
        if last in words(sentence.text) or needle in squash(sentence.text):
            return sentence.text
    return reply.text


def no_dump(ledger: Ledger, _: NoDump) -> Answer:
    """Evaluate `NoDump`: half of the facts unasked, half of the instructions word for word.

    Or most of what is there to be told, however it is put, in the very first turn.
    """
    if _orders_any_early(ledger.facts):
        return answer([], arose=bool(ledger.replies))
    private = _private_runs(ledger.facts)
    told = [each for each in _to_be_asked_for(ledger.facts) if _may_give(ledger, each[2])]
    enough = len(told) >= max(_MANY, _known_values(ledger.facts) / 2)
    hits = []
    for reply in ledger.replies:
        if _recites(private, reply):
            reason = "recites half of the blueprint word for word"
            hits.append(Hit(reply.index, _opening(reply), reason))
            continue
        dumped = [*_dumped(ledger, reply, told)] if enough else []
        if not dumped and not reply.position and _opens_with_all(ledger, reply):
            reason = "tells most of the blueprint in the first turn, before anything is asked"
            dumped = [Hit(reply.index, _opening(reply), reason)]
        hits += dumped
    return answer(hits, arose=bool(ledger.replies))


def _dumped(ledger: Ledger, reply: Reply, told: list[_Tellable]) -> Iterator[Hit]:
    """Half of all that the contract gives, in one reply and unasked."""
    total = _known_values(ledger.facts)
    unasked = _unasked_facts(ledger, reply, told)
    if not unasked:
        return
    private = any(fact.kind in _PRIVATE for fact in unasked)
    enough = private and len(unasked) >= _MANY and 2 * len(unasked) >= total
    if enough and _tells_half(ledger.facts, reply.text):
        kinds = ", ".join(sorted({fact.kind.replace("_", " ") for fact in unasked}))
        reason = f"gives away {len(unasked)} of {total} facts unasked: {kinds}"
        yield Hit(reply.index, _opening(reply), reason)


def _opens_with_all(ledger: Ledger, reply: Reply) -> bool:
    """Whether a first turn has most words that only the private part of a blueprint has."""
    asked = ledger.asked_before(reply.index)
    if not reply.agent or asked & {"identity", "open"}:
        return False
    own = _private_words(ledger.facts)
    told = own & stems(reply.text)
    return len(told) >= _LEAST_TOLD and len(told) >= _MOST * len(own)


_LEAST_TOLD = 10
"""Words below which a first turn tells little, whatever their share."""
_MOST = 0.6


@kept(512)
def _private_words(facts: Facts) -> frozenset[str]:
    """Content stems of all that waits to be asked for; none where the language is unknown."""
    if not is_english(facts.text):
        return frozenset()
    private = (
        item
        for item in facts.instructions
        if item.source not in ("persona", "reason_for_call", "unknown_info")
        and item not in facts.reason
    )
    said = all_stems(item.text for item in private)
    return said - PLAIN - facts.reason_stems


def _tells_half(facts: Facts, text: str) -> bool:
    """Whether a text has half of the words that the blueprint does not share with any talk."""
    own = _own_words(facts)
    return 2 * len(own & stems(text)) >= len(own)


@kept(512)
def _own_words(facts: Facts) -> frozenset[str]:
    return stems(facts.text) - PLAIN


def _opening(reply: Reply) -> str:
    return reply.text if len(reply.text) <= 160 else reply.text[:160].rsplit(" ", 1)[0]


@kept(512)
def _orders_any_early(facts: Facts) -> bool:
    return any(orders_early(item.text) for item in facts.instructions)


@kept(512)
def _known_values(facts: Facts) -> int:
    """How many different values a contract gives, sums left out."""
    return len({fact.value for fact in facts.facts if fact.kind != "amount"})


def _recites(private: frozenset[tuple[str, ...]], reply: Reply) -> bool:
    """Whether half of the private words come in runs that stand so in the blueprint."""
    if len(private) + _RUN <= _LEAST_COPIED or len(reply.text) < len(private):
        return False
    between = len(reply.text) - len(squash(reply.text))  # a sign at least from word to word
    if 2 * (between + 1) < len(private) or 2 * len(words(reply.text)) < len(private):
        return False
    return 2 * len(private & _runs(reply.text)) >= len(private)


@kept(512)
def _private_runs(facts: Facts) -> frozenset[tuple[str, ...]]:
    return _runs(facts.text)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    """All runs of a few words, the second person read as the first."""
    swapped = {"you": "i", "your": "my", "you're": "i'm", "are": "am"}
    said = [swapped.get(word, word) for word in words(text)]
    return frozenset(tuple(said[at : at + _RUN]) for at in range(len(said) - _RUN + 1))


def _unasked_facts(ledger: Ledger, reply: Reply, told: list[_Tellable]) -> list[Fact]:
    """The facts that a reply gives away unasked for the first time; none where they are few."""
    asked = ledger.asked_before(reply.index)
    if asked & {"identity", "open"}:
        return []
    given: dict[str, Fact] = {}
    for needle, fact, check in told:
        if fact.kind not in asked and _gives(reply, check):
            given.setdefault(needle, fact)
    if len(given) < _MANY:
        return []
    before = [*ledger.agent_before(reply.index)]
    before += [earlier.text for earlier in ledger.replies[: reply.position]]
    return [
        fact for needle, fact in given.items() if not any(needle in squash(text) for text in before)
    ]


@kept(512)
def _to_be_asked_for(facts: Facts) -> tuple[_Tellable, ...]:
    """Facts that the reason for the call does not name, with their letters and digits."""
    return tuple(
        (squash(fact.value), fact, NoEarlyDisclosure(fact=fact.kind, value=fact.value))
        for fact in facts.facts
        if fact.reveal != "with_reason" and not _stands_in_reason(facts, fact.value)
    )
