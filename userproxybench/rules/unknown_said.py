"""Something supplied for what the blueprint marks as unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.cues import Cue
from userproxybench.rules.fact_questions import assertions, is_order, is_unsure, last_question
from userproxybench.rules.facts import Instruction
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import number_set
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import (
    BUT,
    any_of,
    is_english,
    is_negated,
    placed_sentences,
    sentence_at,
    sentences,
    squash,
    stem,
    stems,
    word_set,
    words,
)
from userproxybench.rules.values import Value, values

_IDENTITY = frozenset(
    stem(word)
    for word in "name first full zip code zipcode post postcode phone email mail id ids number "
    "address account user profile birth customer order booking reservation confirmation".split()
)


_SHOWN = 12
_SHORT = 25
_KNOWING = Cue(
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
    return BUT.split(text)[-1]


_SAME = Cue(
    any_of("""
    sounds (?:like|right) / that's (?:the one|it|right) / (?:is|was|must be) (?:the one|mine|right)
    matches / (?:i|we) (?:took|flew|bought|used|was on|were on) / should be / must have been
    """),
)


_CODED = Cue(
    r"\b(?:reservation|booking|order|id|number|code|ticket|contract|policy|it|that)\b"
    r"(?:['’]s| is| was)\b",
)
_TRIES = Cue(
    any_of("""
    try / check / start / look / see / first / any / either / maybe / perhaps / could / can / might
    would / if / all / both / each / let's / think / guess / sure / tell / details? / not / or
    """)
)
"""Words of one that has not made up its mind which it is."""
_STOP = re.compile(r"[.?!\n]")
_A_LIST = 2
"""Identifiers that make a list."""


def _picked(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`It is QF77`, where the agent read out bare identifiers and no line says which is meant."""
    codes = [v for v in values(reply.turn.text) if v.kind == "code"]
    if len({v.canon for v in codes}) != 1 or _TRIES.found(reply.text):
        return
    listed = [v for v in values(reply.agent) if v.kind == "code"]
    offered = {v.canon for v in listed}
    if len(offered) < _A_LIST or codes[0].canon not in offered:
        return
    heard = (text for text in ledger.agent_before(reply.index) if text not in reply.agent)
    own = (earlier.text for earlier in ledger.replies[: reply.position])
    before = squash("\n".join((ledger.contract_text, *heard, *own)))
    if any(code in before for code in offered) or _is_described(reply.agent, listed):
        return
    shown = sentence_at(reply.turn.text, codes[0].start).text
    reason = "the agent only read out a list, and nothing tells which of it is meant"
    yield Finding(codes[0].start, shown, "picked" + codes[0].canon, "unsupported", reason)


def _is_described(agent: str, listed: list[Value]) -> bool:
    """Whether a list of identifiers says anything of the things that bear them."""
    end = _STOP.search(agent, listed[-1].end)
    around = agent[listed[0].start : end.start() if end else len(agent)]
    for value in listed:
        around = around.replace(agent[value.start : value.end], " ")
    return bool(stems(around) - PLAIN - _IDENTITY)


def answers_unknown(start: int, shown: str, item: Instruction) -> Finding:
    """The finding of an answer to what a blueprint sentence calls unknown."""
    reason = f"the blueprint says of this: {item.text.strip()!r}"
    return Finding(start, shown, "unknown" + item.text, "unknown", reason, item)


@finder(own=_SAME.bit | _CODED.bit)
def unknown_confirmed(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`Yes, HX41 sounds like the one I took`: the agent's guess at what the user cannot know."""
    if all(value.kind != "code" for value in values(reply.turn.text)):
        return
    if _CODED.found(reply.text):
        yield from _picked(ledger, reply)
    if not ledger.facts.unknown or not _SAME.found(reply.text):
        return
    for sentence in placed_sentences(reply.text):
        codes = [v.canon for v in values(sentence.text) if v.kind == "code"]
        if not codes or sentence.is_question or not _SAME.found(sentence.text):
            continue
        if any(code in squash(ledger.contract_text) for code in codes) or is_negated(sentence.text):
            continue
        for item in ledger.facts.unknown:
            if "number" in item.text and unknown_stems(item) & stems(sentence.text):
                yield answers_unknown(sentence.start, sentence.text, item)
                return


_HEDGE = Cue(
    any_of("""
    i (?:do |would )?(?:think|believe|guess|reckon|suppose|assume|'d say) / i'd say / probably
    (?:it )?must have been / pretty sure / if i remember (?:right|rightly|correctly) / most likely
    """),
)
"""A guess at what is unknown is made up all the same."""


_EVADES = Cue(
    any_of("""
    either / neither / whichever / whatever / one or the other / both / any / anything / nothing
    nobody / no one / anyone / anybody / guess / ask / look / find / check / question for / need
    unknown / known / beyond / blank / empty / missing / same to / depends / thanks? / thank you
    all / only .{1,40} (?:can|could|would|knows?) / have to / let's / draw / beats / matters?
    """)
)
"""Words of one that has no answer, or speaks of something else."""
_SELF = frozenset("i i'm i've i'd me my mine we we've us our you your yours you'd you're".split())
_SHARED = re.compile(r",|\b(?:or|nor|and)\b")
_WANTED = re.compile(
    r"\b(?:which|what|whose)(?: (?:is|are|was|were)(?: the| your)?)? (?P<thing>[\w’'-]+)",
    re.IGNORECASE,
)


@finder()
def unknown_answered(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """A definite answer to a question after what is unknown, with words the contract lacks."""
    asked = ledger.facts.unknown and not (reply.calls or "?" in reply.text)
    question = last_question(reply.agent) if asked else ""
    if not question:
        return
    said = _HEDGE.sub(" ", _last_word(reply.text))
    if is_unsure(said) or _EVADES.found(said):
        return
    if not is_english(ledger.blueprint_text) or is_order(reply.text):
        return
    if reply.agent.count("?") > 1 or len(words(reply.text)) > _SHORT:
        return
    results = (stems(call.result) for call in ledger.calls_before(reply.index))
    known = stems(ledger.contract_text).union(PLAIN, _IDENTITY, *results)
    told = number_set(ledger.contract_text)
    for item in ledger.facts.unknown:
        if not _is_after(ledger, question, item):
            continue
        for _, clause in assertions(said):
            if is_negated(clause) or not _may_answer(clause, question):
                continue
            new, sums = stems(clause) - known, number_set(clause) - told
            if (new or sums) and not _was_told(ledger, reply, clause, new):
                at = max(0, reply.turn.text.find(clause[-_SHOWN:]))
                shown = sentence_at(reply.turn.text, at).text
                yield answers_unknown(at, shown, item)
                return


_FROM_YOU = Cue(
    any_of("""
    you(?:'ve| have)? (?:just |already )?(?:told|said|mentioned|got|read|named|gave) / from your
    according to you\\w* / as per your / in your (?:file|records|system|list) / your (?:file|scan)
    """),
)


_CHOICE = re.compile(
    r"\b(?:or|either|the other|another|options?|could be|might be)\b", re.IGNORECASE
)
_SOURCE = re.compile(r"\W*(?:according to|as per|going by)\b", re.IGNORECASE)
"""A clause that tells where an answer is from."""


def stated_before(ledger: Ledger, reply: Reply) -> Iterator[str]:
    """The sentences that the agent has told a user up to a reply, no questions."""
    for text in ledger.agent_before(reply.index):
        yield from (s.text for s in sentences(text) if not s.is_question)


def _was_told(ledger: Ledger, reply: Reply, clause: str, new: frozenset[str]) -> bool:
    """Whether an answer repeats what the agent has stated or an own tool call has shown."""
    if _HEDGE.found(reply.text):
        return False
    results = (call.result for call in ledger.calls_before(reply.index) if call.ok)
    stated = (text for text in stated_before(ledger, reply) if not _CHOICE.search(text))
    heard = [*stated, *results]
    sums = number_set(clause)
    if sums:
        return sums <= frozenset().union(*map(number_set, heard))
    left = new - frozenset().union(*map(stems, heard))
    return not left or (left != new and _FROM_YOU.found(reply.text))


def _is_after(ledger: Ledger, question: str, item: Instruction) -> bool:
    """Whether a question is after one of the things that a sentence calls unknown."""
    topic, unknown = stems(question), unknown_stems(item)
    wanted = _WANTED.search(question)
    thing = stems(wanted["thing"]) if wanted else frozenset[str]()
    if thing & (unknown | stems(ledger.contract.blueprint.known_info or "")):
        return bool(thing & unknown)
    parts = (stems(part) & unknown for part in _SHARED.split(item.text))
    return any(2 * len(part & topic) >= len(part) > 0 for part in parts)


def _may_answer(clause: str, question: str) -> bool:
    """Whether a clause names what was asked for, or at least speaks of nobody present."""
    if _SOURCE.match(clause):
        return False
    return _SELF.isdisjoint(word_set(clause)) or bool(stems(clause) & stems(question) - PLAIN)
