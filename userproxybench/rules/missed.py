"""Missed information: what the user does not give or do when it is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from userproxybench.models.checks import AnswersWhenAsked, DoesWhenAsked
from userproxybench.rules.answer import NOT_APPLICABLE, Answer, Hit, answer
from userproxybench.rules.asks import questions
from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.denied_said import (
    DEFLECTS,
    TOLD,
    answers_for_sentence,
    deflects,
    of_contract,
)
from userproxybench.rules.facts import Facts
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import numbers
from userproxybench.rules.text import (
    any_of,
    passages,
    sentences,
    squash,
    stem,
    stems,
    word_set,
    words,
)
from userproxybench.rules.tool_words import asked_tools
from userproxybench.rules.values import values

_PATTERNS = {
    "name": r"\byour (?:(?:full|first|last|own|complete|and) )*names?\b|\bfull name\b"
    r"|\bfirst and last name\b",
    "phone": r"\b(?:phone|mobile|telephone) number\b|\b(?:telefonnummer|handynummer|teléfono)\b",
    "email": r"\b(?:e-?mail|correo)\b",
    "user_id": r"\b(?:user ?(?:id|name)"
    r"|(?:customer|member\w*|account|rider|client) (?:number|id|no)"
    r"|mitgliedsnummer|kundennummer)\b",
    "order_id": r"\border (?:number|id|no)\b",
    "reservation_id": r"\b(?:reservation|booking|confirmation) (?:number|id|code|reference)\b",
    "zip": r"\b(?:zip|post ?code|postal)\b",
    "address": r"(?<!mail )\baddress\b",
    "birth_date": r"\b(?:birth\w*|born|dob|geburts\w*|geboren)\b",
    "card_digits": r"\b(?:last four|digits|card number)\b",
    "date": r"\b(?:date|which day|what day|when)\b|(?:tag|datum)\b|\bfecha\b",
    "other": r"\b(?:serial|reference|tracking|plate|licen[cs]e)\b",
}
_CUES = {kind: Cue(pattern) for kind, pattern in _PATTERNS.items()}
_ANY_CUE = re.compile("|".join(_PATTERNS.values()), re.IGNORECASE)
_DENIES = Cue(
    any_of("""
    (?:don't|do not|can't|cannot|couldn't|no longer) (?:\\w+ ){0,2}?(?:know|remember|recall)
    (?:don't|do not|can't|cannot|couldn't|no longer) (?:\\w+ ){0,2}?(?:have|say)
    (?:don't|do not|can't|cannot|couldn't) (?:\\w+ ){0,2}?(?:find|tell|think of|give|provide)
    (?:is|are)n't (?:something|anything) i / off the top of my head / no clue
    escapes me / beats me
    not sure / no idea / haven't got / unsure / forgot(?:ten)? / not able to (?:\\w+ )?\\w+
    no recuerdo / no lo sé / no s[ée] / wei(?:ß|ss) (?:ich )?nicht / nicht bekannt / kenne ich nicht
    hab\\w* (?:ich )?(?:\\w+ )?nicht
    """),
)
_KEEPS = Cue(
    any_of("""
    (?:don't|do not|won't|can't|cannot|never) (?:\\w+ ){0,2}?(?:give|provide|tell|share|disclose)
    """),
)
"""One that knows it and keeps it to itself."""
_POINTS_BACK = Cue(any_of("one of those / that / it / those / them / either / one / this"))
_GUARDED = Cue(
    any_of("""
    private / reluctant / prefer not / do not (?:give|share|provide|want to) / don't (?:give|share)
    never (?:give|share|provide|tell|reveal|disclose)
    not (?:willing|comfortable) / refuse / only (?:if|when|after) / hand .{1,20} over / unless
    """),
)
_OR = Cue(r"\b(?:or|either|oder)\b")
_BUT = re.compile(r"\b(?:but|aber|pero)\b", re.IGNORECASE)
_REFUSES = Cue(
    any_of("""
    i'?d rather not / rather not / i (?:don't|do not) want to / can't be bothered / not going to
    (?:i'd|i would) (?:sooner|rather|prefer) (?:not|leave|keep|skip) / leave (?:it|that|those) alone
    i won't / i refuse / no way / (?:is|are)n't something i(?:'m| am|'ve)? (?:able|can|comfortable)?
    don't think (?:that's|it's|i can) / can you do (?:it|that) / skip (?:it|that|this|the)
    i (?:can't|cannot|am not able to|'m not able to) (?:do|run|perform|check|access|restart|switch)
    i (?:can't|cannot) (?:use|get to) / not comfortable
    no time for / (?:do not|don't) have (?:the )?time / see to that / maybe later
    do (?:it|that) (?:later|tomorrow)
    """),
)
_BOUND = Cue(
    any_of(
        "not / never / don't / refuse / decline / unless / only / first / until / cannot / can't"
    ),
)
_Cue = Cue | re.Pattern[str]
_ASKED_TWICE = 2
_CURT = 6
"""Words of a reply that can be about nothing but the question."""
_IDENTIFYING = frozenset({"name", "user_id", "email", "phone", "zip"})
"""What a user owes at the latest when asked again."""


def answers_when_asked(ledger: Ledger, check: AnswersWhenAsked) -> Answer:
    """Evaluate `AnswersWhenAsked`: a known fact denied, or passed over twice, and never given."""
    if check.fact == TOLD:
        return answers_for_sentence(ledger, check)
    label = _label(ledger.contract_text, check.value) if check.fact == "other" else None
    cue = label or _CUES.get(check.fact)
    if cue is None:
        return NOT_APPLICABLE
    asking = _asking(ledger, cue)
    if not asking:
        return NOT_APPLICABLE
    if _is_unknown(ledger.facts, check.fact, cue) or _gives(ledger, asking[0], check):
        return answer([], arose=True)
    hit = _denied(ledger, asking, check, cue) or _passed_over(ledger, asking, check, cue)
    return answer([hit] if hit else [], arose=True)


@lru_cache(maxsize=4096)
def _label(contract: str, value: str) -> re.Pattern[str] | None:
    """A pattern for what a contract calls a value: `pupillary distance of 62 mm`."""
    match = re.search(rf"\b([A-Za-z][\w'’-]+ [a-z]+)(?: is| of|:)? {re.escape(value)}", contract)
    return re.compile(rf"\b{re.escape(match.group(1))}", re.IGNORECASE) if match else None


def _denied(ledger: Ledger, asking: list[Reply], check: AnswersWhenAsked, cue: _Cue) -> Hit | None:
    """The first reply, once it was asked for, that denies knowing what the agent has not named."""
    for reply in ledger.replies[asking[0].position :]:
        said = _denial(ledger, reply, cue, asked=reply in asking)
        if said and _KEEPS.found(said) and _is_guarded(ledger.facts, cue):
            continue
        if not said and reply.said & DEFLECTS.bit and reply in asking:
            said = "" if _is_guarded(ledger.facts, cue) else _deflection(reply.text)
        if said and not _was_told(ledger, check, reply):
            return Hit(reply.index, said, f"the blueprint gives it: {check.value!r}")
    return None


def _deflection(text: str) -> str:
    return next((s.text for s in sentences(text) if deflects(s.text)), "")


def _passed_over(
    ledger: Ledger, asking: list[Reply], check: AnswersWhenAsked, cue: _Cue
) -> Hit | None:
    """The first of two replies or more to a plain question for what identifies the user."""
    if check.fact not in _IDENTIFYING or len(asking) < _ASKED_TWICE:
        return None
    firm = [
        reply
        for reply in asking
        if (asked := _question(reply.agent, cue))
        and not (_OR.found(asked) or _was_told(ledger, check, reply))
    ]
    if len(firm) < _ASKED_TWICE or _is_guarded(ledger.facts, cue):
        return None
    if firm[0].token or not firm[0].text:
        return None
    reason = f"asked for twice and never given, although the blueprint gives {check.value!r}"
    return Hit(firm[0].index, firm[0].text, reason)


def _was_told(ledger: Ledger, check: AnswersWhenAsked, reply: Reply) -> bool:
    needle = squash(check.value)
    return any(needle in squash(text) for text in ledger.agent_before(reply.index))


@lru_cache(maxsize=256)
def _question(agent: str, cue: _Cue) -> str:
    """The sentence of an agent turn that asks for a kind of fact; empty where none does."""
    parts = passages(agent)
    if len(parts) < 2:
        return next((q for q in questions(agent) if _names(cue, q)), "")
    for passage in parts:
        asked = _question(passage, cue)
        if asked:
            return asked
    return ""


@kept_longer(1024)
def _asked_for(agent: str) -> int:
    """The bits of the cues of all kinds of facts that an agent turn asks for."""
    listed = _named_in(_listed(agent)) if "\n" in agent and ":" in agent else 0
    return reduce(or_, map(_asked_in, passages(agent)), listed)


@kept_longer(4096)
def _asked_in(passage: str) -> int:
    return _named_in(questions(passage))


def _named_in(asked: Sequence[str]) -> int:
    return reduce(or_, (cue.bit for cue in _CUES.values() if any(map(cue.found, asked))), 0)


_LIST = re.compile(
    r"^(?P<lead>[^\n]*):[^\S\n]*\**[^\S\n]*\n+"
    r"(?P<items>(?:[^\S\n]*(?:[-*•–]|\d{1,2}[.)])[^\S\n]+[^\n]+(?:\n+|\Z))+)",
    re.MULTILINE,
)
_GIVE_ME = Cue(
    any_of("""
    provide / give me / tell me / share / need / require / send me / enter / let me know
    (?:could|may|can) i (?:have|get) / (?:have|know) your
    """),
)
_ONE_OF = Cue(any_of("one of / either / any of / options? / choose / or / whichever / if"))


def _listed(agent: str) -> list[str]:
    """The items of a list that an agent turn asks for: `Please give me:`, one to a line."""
    return [
        item.partition(":")[0]
        for match in _LIST.finditer(agent)
        if _GIVE_ME.found(match["lead"]) and not _ONE_OF.found(match["lead"] + match["items"])
        for item in match["items"].splitlines()
    ]


def _names(cue: _Cue, sentence: str) -> bool:
    """Whether a sentence names a kind of fact."""
    return cue.search(sentence) is not None


def _asking(ledger: Ledger, cue: _Cue) -> list[Reply]:
    """The replies to agent turns that ask for a kind of fact."""
    if not isinstance(cue, Cue):
        return [reply for reply in ledger.replies if reply.agent and _question(reply.agent, cue)]
    bit = cue.bit
    if not ledger.heard & bit:
        return []
    return [r for r in ledger.replies if r.heard & bit and _asked_for(r.agent) & bit]


def _denial(ledger: Ledger, reply: Reply, cue: _Cue, *, asked: bool) -> str:
    """The sentence that denies knowing a fact: by its name, or by a pronoun right after it."""
    if not reply.said & _DENIES.bit or not _DENIES.found(reply.text):
        return ""
    known = {fact.kind for fact in ledger.facts.facts}
    kinds = (
        0
        if cue not in _CUES.values()
        else sum(bool(_asked_for(reply.agent) & _CUES[kind].bit) for kind in known if kind in _CUES)
    )
    for said, after in _denials(reply.text):
        if _names(cue, said):
            return said
        if not (asked and kinds <= 1) or _ANY_CUE.search(said):
            continue
        if cue is _CUES["date"] and not of_contract(ledger, _question(reply.agent, cue)):
            continue
        curt = len(words(reply.text)) <= _CURT or len(words(said)) <= _CURT / 2
        if curt or (_POINTS_BACK.match(after.strip(" ,I'’mhave"))):
            return said
    return ""


@kept(512)
def _denials(text: str) -> tuple[tuple[str, str], ...]:
    """What denies knowing something, up to the next `but`, each with what follows the denial."""
    parts = (part.strip(" ,") for s in sentences(text) for part in _BUT.split(s.text))
    found = ((part, _DENIES.search(part)) for part in parts)
    return tuple((said, said[denied.end() :]) for said, denied in found if denied)


@lru_cache(maxsize=1024)
def _is_unknown(facts: Facts, fact: str, cue: _Cue) -> bool:
    """Whether the blueprint says that the user does not know it, or cannot mean this date."""
    if any(_names(cue, item.text) for item in facts.unknown):
        return True
    return fact == "date" and len({fact.value for fact in facts.facts if fact.kind == "date"}) > 1


@lru_cache(maxsize=1024)
def _is_guarded(facts: Facts, cue: _Cue) -> bool:
    """Whether the blueprint tells the user to be careful with this kind of fact."""
    return any(
        _GUARDED.found(item.text) and (_names(cue, item.text) or _PRIVATE.found(item.text))
        for item in facts.instructions
    )


_PRIVATE = Cue(any_of("private / reluctant / details / personal / much about"))


class _ToldBy(NamedTuple):
    """By what a value is told to have been given."""

    needle: str
    """Its letters and digits."""
    parts: frozenset[str]
    """Its words."""
    date: str | None
    """Its day, where it is a date."""


@kept_longer(4096)
def _told_by(value: str) -> _ToldBy:
    date = next((v.canon for v in values(value) if v.kind == "date"), None)
    return _ToldBy(squash(value), word_set(value), date)


_EMAIL = re.compile(r"[\w.+-]{1,64}@\S{1,255}")


def _gives(ledger: Ledger, first: Reply, check: AnswersWhenAsked) -> bool:
    """Whether the fact is given in this turn or later on."""
    needle, parts, date = _told_by(check.value)
    for later in ledger.replies[first.position :]:
        said = later.text
        if "@" in said and "@" not in check.value:
            said = _EMAIL.sub(" ", said)
        if needle in squash(said) or needle in {n.digits for n in numbers(later.text)}:
            return True
        if check.fact == "name" and parts <= word_set(later.text):
            return True
        if date and any(v.kind == "date" and v.canon == date for v in values(later.text)):
            return True
    return False


def does_when_asked(ledger: Ledger, check: DoesWhenAsked) -> Answer:
    """Evaluate `DoesWhenAsked`: a refusal of a step that an own tool offers."""
    arose = False
    for reply in ledger.replies:
        if arose and not reply.said & _REFUSES.bit:
            continue
        tools = asked_tools(ledger, reply, check.tools)
        if not tools:
            continue
        arose = True
        if reply.calls or not reply.said & _REFUSES.bit or not _REFUSES.found(reply.text):
            continue
        later = [call for call in ledger.calls if call.turn > reply.index]
        if any(call.tool in tools for call in later) or _may_refuse(ledger, tools):
            continue
        said = next((s.text for s in sentences(reply.text) if _REFUSES.found(s.text)), reply.text)
        reason = f"the user has {tools[0]} and no reason to refuse"
        return answer([Hit(reply.index, said, reason)], arose=True)
    return answer([], arose=arose)


def _may_refuse(ledger: Ledger, tools: list[str]) -> bool:
    keys = {stem(part) for tool in tools for part in tool.lower().split("_")}
    return any(
        keys & stems(item.text) and _BOUND.found(item.text)
        for item in ledger.facts.instructions
        if item.source in ("task_instructions", "instructions", "persona")
    )
