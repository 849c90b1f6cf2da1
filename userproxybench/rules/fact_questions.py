"""What the agent wants to know of the user, as against what it proposes or what it orders."""

from __future__ import annotations

import re
from itertools import chain

from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.text import (
    BUT,
    Placed,
    all_stems,
    any_of,
    clauses,
    is_future,
    is_hypothetical,
    passages,
    placed_sentences,
    sentences,
)

_FACT = Cue(
    any_of("""
    (?:do|did|have|had|has|are|were|is|was) (?:you|your|there|it|this|that|the|an?|any|anyone)
    (?:do|did|have|had|has|are|were|is|was) anybody / whether
    (?:when|where|who|why) (?:did|do|does|is|was|were|are|have|has)
    (?:which|what|how|by)\\b[^?]*\\b(?:did|do|does|is|was|were|are|have|has|by) / by which
    how (?:many|much|long|old|often) / (?:model|type|kind|brand|height|width|length|weight)
    """),
)
_WISH = Cue(
    any_of("""
    would you / you'd / like (?:me )?to / want(?:ed)? / wish / prefer\\w* / preferences? / shall i
    should i / may i / can i / agree / okay / ok / happy / ready / interested / willing
    comfortable / looking / anything else / something else / any other / further / questions?
    what (?:can|could|may) (?:i|we) / do for you / help you / assist / brings? you / how are you
    what's (?:up|wrong|the (?:matter|problem|trouble|issue)) / going on
    proceed / mind / able to / need / require / you (?:\\w+ )?confirm / please confirm
    authori[sz]e / approve / confirm (?:that|if|these|this|your) / are you sure / how can / how may
    """),
)
_CANNOT = r"(?:don't|do not|can't|cannot|couldn't|could not|wouldn't|didn't|never)"
_UNSURE = Cue(
    any_of(rf"""
    not (?:really |entirely |quite |exactly )?(?:sure|certain|aware) / unsure / no idea / no clue
    {_CANNOT} (?:\w+ ){{0,2}}(?:know|remember|recall|recollect|say|tell|find|see|think|believe)
    i (?:think|believe|guess|suppose|assume) / might / maybe / perhaps / possibly / probably
    i'd rather not / prefer not / not comfortable / forgot(?:ten)? / a mystery / beats me / clueless
    (?:faintest|foggiest) / hard to say / who knows / wish i knew / slips my mind / slipped my mind
    escapes me / off the top / at a loss / news to me / pass on (?:that|this) / lost track
    not that i / (?:can't|cannot|couldn't) (?:be sure|help) / no longer have
    don't have (?:it|that|them|those)
    no recuerdo / no sé / weiß nicht
    """),
)

_LISTS = re.compile(r"\bor\b|,|\boptions?\b", re.IGNORECASE)
_OPTION = re.compile(r"(?:[A-Z0-9][\w\u2011-]*\s+){1,3}[A-Z][\w\u2011-]*")
_ORDER = Cue(
    r"^[\W\d]*(?:\w+ly,? )?"
    + any_of("""
    use / put / take / book
    please / let / check / confirm / verify / investigate / provide / proceed / execute / escalate
    clarify / diagnose / create / find / get / make / add / cancel / update / transfer / report
    test / inspect / ensure / fix / give / tell / send / show / list / process / finalize / include
    regarding / based on / i (?:\\w+ly )?(?:asked|said|told|want|need|agree|understand|know)
    i (?:\\w+ly )?(?:appreciate|hope|wish|prefer)
    """),
)


ASKS = _FACT.bit
"""The mark of agent turns that may hold a fact question."""


Asserted = tuple[Placed, str]
"""A sentence, and a clause of it in which a speaker says how things are."""


@kept_longer(4096)
def fact_questions(agent: str) -> tuple[str, ...]:
    """The sentences that ask how things are or were; wishes and proposals left out."""
    parts = passages(agent)
    if len(parts) > 1:
        return tuple(chain.from_iterable(map(fact_questions, parts)))
    return tuple(s.text for s in sentences(agent) if _asks_fact(s.text))


@kept_longer(4096)
def _asks_fact(sentence: str) -> bool:
    return (
        ("?" in sentence or "hether" in sentence)
        and _FACT.found(sentence)
        and not _WISH.found(sentence.rpartition(": ")[2])
    )


_WHO = Cue(r"\b(?:who|whose|which|what|where|when|how)\b")


def last_question(agent: str) -> str:
    """The last sentence of an agent turn that asks how things are or were, or who did what."""
    for sentence in reversed(sentences(agent)):
        asks = _asks_fact(sentence.text)
        if not (asks or sentence.is_question):
            continue
        said = sentence.text.rpartition(": ")[2]
        if asks or (_WHO.found(said) and not _WISH.found(said)):
            return said
    return ""


@kept(512)
def fact_topics(agent: str) -> frozenset[str]:
    """Content stems of the fact questions of an agent turn."""
    return all_stems(fact_questions(agent))


@kept(512)
def assertions(text: str) -> tuple[Asserted, ...]:
    """The clauses of a text that assert: no question, no intent, no supposition, no doubt."""
    found: list[Asserted] = []
    for sentence in placed_sentences(text):
        if not sentence.is_question:
            found += [(sentence, clause) for clause in _asserted(sentence.text)]
    return tuple(found)


@kept_longer(2048)
def _asserted(sentence: str) -> tuple[str, ...]:
    sure = (part for part in BUT.split(sentence) if not _UNSURE.found(part))
    said = (clause for part in sure for clause in clauses(part))
    return tuple(clause for clause in said if not (is_hypothetical(clause) or is_future(clause)))


def is_order(sentence: str) -> bool:
    """Whether a sentence orders, wishes or speaks of the talk itself, and states no fact."""
    return _ORDER.found(sentence)


def is_unsure(text: str) -> bool:
    """Whether a text says that its speaker does not know, or will not say."""
    return _UNSURE.found(text)


@kept_longer(4096)
def named_options(agent: str) -> tuple[str, ...]:
    """Capitalised names that an agent turn lists as options."""
    parts = passages(agent)
    if len(parts) > 1:
        return tuple(dict.fromkeys(chain.from_iterable(map(named_options, parts))))
    listed = (s.text for s in sentences(agent) if _LISTS.search(s.text))
    return tuple(dict.fromkeys(m.group() for text in listed for m in _OPTION.finditer(text)))
