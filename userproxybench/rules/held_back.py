"""Premature disclosure of what a blueprint sentence ties to a question or a condition."""

from __future__ import annotations

import re
from functools import lru_cache

from userproxybench.models.checks import HeldBack
from userproxybench.rules.answer import NOT_APPLICABLE, Answer, Hit, answer
from userproxybench.rules.asks import (
    asked_kinds,
    asks_elsewhere,
    asks_openly,
    is_intake,
    questions,
    states,
)
from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import Facts
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.limit_told import limit_told
from userproxybench.rules.numbers import NUMBER_WORDS, numbers
from userproxybench.rules.orders import HOLD_BACK, Instruction, ceiling, condition_of, orders_early
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import (
    Sentence,
    all_stems,
    any_of,
    is_negated,
    sentences,
    stem,
    stems,
    word_set,
)

_ASKS = r"(?:'d| could| can| would| need| want| like)\b"
"""After `if you`: a polite request."""
_FALLBACK = Cue(
    any_of(f"""
    (?<!see\\s)(?<!check\\s)(?<!know\\s)if (?:not|that|it|there|two|one|no|the|this|you(?!{_ASKS}))
    should .{{0,40}} (?:be|not|have no|turn out) / otherwise
    failing that / or else / (?:could|can) live with / at a pinch / willing to / prepared to
    if .{{0,50}} (?:not|n't|unavailable|gone|full|taken|won't|can't|isn't|impossible)
    would (?:also )?(?:be (?:fine|ok|okay|all right|acceptable)|do|take|accept|settle)
    would (?:also )?(?:suit|work|be possible)
    i'd (?:also )?(?:take|accept|settle|pay|be (?:fine|ok|okay|happy) with)
    at (?:most|least) / no more than / up to / or (?:less|more)
    (?:is|are) (?:also )?(?:fine|ok|okay|all right) (?:too|with me|as well)
    """),
)
_WHEN_ASKED = Cue(
    any_of("ask\\w* / prompt\\w* / question\\w* / wants to know / requests? / nachfrage / fragt"),
)
_POINTS_BACK = Cue(
    r"\b(?:say|tell|mention|leave|keep|bring|reveal|disclose|give|admit)\b[^.;]{0,20}?"
    r"\b(?:that|this|it|these|them|so)\b",
)
_WHY = Cue(any_of("why / reason"))
_ASKS_WHY = Cue(
    any_of("""
    what(?:ever)? (?:came up|changed?|happened|led|leads|made|makes|prompt\\w*|went wrong|for)
    how come / grounds? / causes? / behind / what's (?:the matter|up|wrong) / any particular
    why / reasons?
    """),
)
"""Why, in other words."""
_BECAUSE = Cue(any_of("because / reason (?:is|being) / reason for (?:this|that|it) is"))
_WEAK = frozenset(
    stem(word)
    for word in """agent ask asked provide mention offer offered accept accepted fine happy only
    prefer want instead else first possible willing conversation end reply respond answer
    information refuse decline request option available tell agree insist whatever either
    alternative question reveal disclose open opening leave keep hold bring admit back""".split()
)
_COUNTS = frozenset(map(stem, NUMBER_WORDS))
"""Number words are in every number that is read out."""
_IF_FIRST = re.compile(r"\W*(?:only |if and only )?(?:if|when|unless|in case)\b", re.IGNORECASE)
_IDENTIFIER = 4
"""Digits from which a number names something: without it, the rest gives nothing away."""
_WH_WORDS = frozenset({"why", "when", "where", "who", "how"})
_RELATED = [
    frozenset(stem(word) for word in group.split())
    for group in (
        "reason why cause purpose because happen occasion background story",
        "price cost much fee charge pay amount budget",
        "date day when time",
        "place where location address",
        "number many count",
    )
]


def held_back(ledger: Ledger, check: HeldBack) -> Answer:
    """Evaluate `HeldBack`: a price limit, or the words of a conditional sentence, too early."""
    limit = ceiling(check.sentence)
    if limit is not None and orders_early(check.sentence):
        return NOT_APPLICABLE
    if limit is not None and f"{limit:g}" in ledger.own_numbers:
        return limit_told(ledger, check, limit)
    return _tied(ledger, check)


def _tied(ledger: Ledger, check: HeldBack) -> Answer:
    told, marks = _marks(ledger.facts, check.sentence)
    if not marks or not _holds_back(check.sentence):
        return NOT_APPLICABLE
    if marks.isdisjoint(ledger.own_stems) and marks.isdisjoint(ledger.own_numbers):
        return answer([], arose=bool(ledger.replies))
    condition, consequence = _parts(check.sentence)
    topic = stems(condition) | marks
    free = told == consequence and not HOLD_BACK.search(check.sentence)
    least = 2 if free else min(2, len(marks))
    in_case = not _WHEN_ASKED.found(condition)
    for reply in ledger.replies:
        given = _given(reply, marks, least, in_case=in_case)
        if given is None:
            continue
        agent = ledger.agent_before(reply.index)
        said = _said(reply.text, marks)
        if said <= all_stems(agent):
            continue
        if marks & stems(reply.agent) or _met(ledger.facts, condition, topic, reply, agent):
            return answer([], arose=True)
        why = (
            "the blueprint ties this to what had not come about"
            if condition
            else "nothing had called for this"
        )
        reason = f"{why}: {check.sentence.strip()!r}"
        return answer([Hit(reply.index, given.text, reason)], arose=True)
    return answer([], arose=bool(ledger.replies))


_LISTED = re.compile(r",\s+(?=you\b|you['’]d\b)")
_DEFINES = re.compile(
    r"\W*(?:an?|the) (?:(?!\byou)[^.;])*? if (?:its?|they|their)\b(?!.*\byou)", re.I
)
"""`A claim is valid if its form is signed`: a rule about things, and nothing to say."""


@kept_longer(512)
def _holds_back(sentence: str) -> bool:
    """Whether a sentence orders to keep something for later, on a condition that can be read."""
    if "condition" in word_set(_parts(sentence)[0]) or _DEFINES.match(sentence):
        return False
    return not orders_early(sentence) or _IF_FIRST.match(sentence) is not None


_TURNED = re.compile(
    r"\W*only (?:if|when|once|after) (?P<condition>[^.;]+?),? (?:do|may|should|can|will) you "
    r"(?P<consequence>.+)",
    re.IGNORECASE,
)
"""`Only if it is full do you bring up the other one.`"""


@kept_longer(512)
def _parts(sentence: str) -> tuple[str, str]:
    """A sentence as (condition, consequence), commas within the condition left in it."""
    turned = _TURNED.match(sentence)
    if turned:
        return turned["condition"], turned["consequence"]
    condition, consequence = condition_of(sentence)
    cut = _LISTED.search(consequence) if _IF_FIRST.match(sentence) else None
    if cut is None or _WHEN_ASKED.found(condition):
        return condition, consequence
    return f"{condition}, {consequence[: cut.start()]}", consequence[cut.end() :]


@lru_cache(maxsize=4096)
def _marks(facts: Facts, sentence: str) -> tuple[str, frozenset[str]]:
    """What a sentence holds back, and its own stems: to say them is to say it."""
    condition, consequence = _parts(sentence)
    told = _told_of(facts, sentence, consequence)
    if told == consequence and _OBLIQUE.match(sentence) and HOLD_BACK.search(sentence):
        told = _meant(facts, sentence, consequence) or told
    marks = _own_stems(facts, sentence, condition, told)
    if marks or not HOLD_BACK.search(sentence):
        return told, marks
    told = _meant(facts, sentence, consequence)
    return told, _own_stems(facts, sentence, condition, told)


_OBLIQUE = re.compile(r"\W*(?:what|why|how|where|who)\b", re.IGNORECASE)
"""`What your teacher said is for later`: it names a known fact and does not tell it."""


def _own_stems(facts: Facts, sentence: str, condition: str, told: str) -> frozenset[str]:
    """Stems of what is held back that stand in no sentence which is free to be said."""
    tied = {item.text for item in (*facts.held_back, *facts.conditional)}
    others = frozenset[str]().union(
        facts.reason_stems,
        *(
            stems(item.text)
            for item in facts.instructions
            if item.text not in tied and item.text not in (sentence, told)
        ),
    )
    tied_to = frozenset[str]() if told == condition else stems(condition)
    bound = {f"{number.value:g}" for number in numbers(condition)}
    return (stems(told) - tied_to | bound) - others - _WEAK - _COUNTS


def _told_of(facts: Facts, sentence: str, consequence: str) -> str:
    """What to hold back: the consequence, or the sentence before one like "leave that out"."""
    if not (HOLD_BACK.search(sentence) and _POINTS_BACK.found(sentence)):
        return consequence
    if stems(consequence) - _WEAK - facts.reason_stems:
        return consequence
    return _before(facts.instructions, sentence) or consequence


def _meant(facts: Facts, sentence: str, consequence: str) -> str:
    """The known fact that a sentence like "only mention your husband if…" or "say why" means."""
    named = stems(consequence) - _WEAK - facts.reason_stems
    known = [item.text for item in facts.instructions if item.source == "known_info"]
    found = [text for text in known if named & stems(text)]
    if _WHY.found(consequence):
        found += [item.text for item in facts.instructions if _BECAUSE.found(item.text)]
    return next((text for text in found if text != sentence), "")


def _before(instructions: tuple[Instruction, ...], sentence: str) -> str:
    """The nearest sentence before this one that does not itself hold anything back."""
    texts = [item.text for item in instructions]
    place = texts.index(sentence) if sentence in texts else 0
    free = [text for text in texts[:place] if not HOLD_BACK.search(text)]
    return free[-1] if free else ""


def _said(text: str, marks: frozenset[str]) -> frozenset[str]:
    """The marks that a text says, numbers in words included."""
    said = marks & stems(text)
    if any(mark[0].isdigit() for mark in marks):
        said |= marks & {f"{number.value:g}" for number in numbers(text)}
        said |= marks & set(_ORDINAL.findall(text))
    return said


_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")


def _given(reply: Reply, marks: frozenset[str], least: int, *, in_case: bool) -> Sentence | None:
    """The sentence that gives it away: two marks, or a third of them in the form of a fall-back."""
    if not _said(reply.text, marks):
        return None
    identifiers = {mark for mark in marks if mark.isdigit() and len(mark) >= _IDENTIFIER}
    found = None
    for sentence in sentences(reply.text):
        given = _said(sentence.text, marks)
        if not given or (identifiers and not identifiers & given):
            continue
        if in_case and 3 * len(given) >= len(marks) and _FALLBACK.found(sentence.text):
            return sentence
        if found is None and len(given) >= min(2, least):
            found = sentence
    return found


_ASKS_OTHERS = Cue(
    any_of("""
    second choice / alternatives? / flexib\\w* / plan b / back-?up / what else / any other
    other (?:options?|dates?|days?|times?|wishes|preferences?) / preferences? / otherwise
    fall-?back
    """)
)


def _met(
    facts: Facts, condition: str, topic: frozenset[str], reply: Reply, agent: list[str]
) -> bool:
    """Whether anything the agent said can be read as the condition, or as a question for this."""
    if asks_openly(reply.agent) or _ASKS_OTHERS.found(reply.agent):
        return True
    if _WHEN_ASKED.found(condition):
        if asks_elsewhere(reply.agent):
            return True
        asked = "\n".join(question for text in agent for question in questions(text))
        wanted = word_set(condition) & _WH_WORDS
        if "open" in asked_kinds(asked) or (topic | wanted) & _widened(asked):
            return True
        other_words = _WHY.found(condition) and any(map(_ASKS_WHY.found, agent))
        if other_words or _may_be_asked(facts, condition, reply):
            return True
        vague = not wanted and not stems(condition) - _WEAK
        return vague and "?" in reply.agent and not is_intake(reply.agent)
    return _has_come_about(facts, condition, agent)


_KINDS = frozenset[str]().union(*_RELATED)


def _may_be_asked(facts: Facts, condition: str, reply: Reply) -> bool:
    """Whether the agent's last questions may be for the thing of a condition, in other words."""
    if not stems(condition) - _WEAK - _KINDS:
        return False
    asked = stems(" ".join(questions(reply.agent))) - PLAIN - stems(facts.text)
    return bool(asked) and not is_intake(reply.agent)


def _has_come_about(facts: Facts, condition: str, agent: list[str]) -> bool:
    """Whether anything the agent said can be read as a condition other than a question."""
    if _UNAVAILABLE.found(condition) and not any(
        _BAD_NEWS.found(text) or is_negated(text) for text in agent
    ):
        return False
    told = (s.text for text in agent for s in sentences(text) if not s.is_question)
    spoken = all_stems(told)
    return bool(spoken & (stems(condition) - _WEAK - facts.reason_stems)) or not all(
        is_intake(text) and not (place and states(text)) for place, text in enumerate(agent)
    )


_UNAVAILABLE = Cue(
    any_of("full / taken / gone / sold out / unavailable / not available / out of stock / booked"),
)
"""A condition that nothing but bad news from the agent can bring about."""
_BAD_NEWS = Cue(
    any_of("""
    full / fully / taken / gone / sold / unavailable / unable / unfortunately / afraid / sorry
    busy / booked / only / last / closed / impossible / late / later / delay\\w* / wait\\w*
    out of / left / in .{1,15} (?:weeks?|months?|days?) / back in / on order / none / no longer
    instead of / other / another / alternative\\w* / else / but / however / due / until / already
    """),
)


def _widened(asked: str) -> frozenset[str]:
    """Stems of a question, with those that ask for the same thing."""
    found = frozenset(stem(word) for word in word_set(asked))
    return found.union(*(group for group in _RELATED if group & found))
