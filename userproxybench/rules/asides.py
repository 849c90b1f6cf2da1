"""Who else is along, told in passing while the agent asks for something else."""

from __future__ import annotations

import re
from functools import lru_cache

from userproxybench.models.checks import NoEarlyDisclosure
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import Facts, Instruction
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.moves import is_refusal, offers_more
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import any_of, sentences, stems

ASIDE = "company"
"""Kind of a criterion about a clause of known information that tells who is along."""
_ALONG = Cue(
    any_of("""
    (?:with|beside|accompany\\w*|join\\w*|help\\w*) you / along / your passengers?
    your (?:wife|husband|partner|son|daughter|mother|father|sister|brother|friend|children|kids)
    your (?:colleagues?|neighbou?r|parents|grand\\w+|dog|cat) / colleagues? / friends?
    """),
)
_CLAUSE = re.compile(
    r";|,? and (?=(?:you|your|it|the|there|two|three|four|an?|another)\b)|, (?=who)"
)
_NOT_TOLD = Cue(any_of("if / only / unless / when / asked / do not / don't / because / as / since"))


def told_in_passing(item: Instruction) -> list[str]:
    """The clauses of a sentence of known information that tell who is along."""
    if item.source != "known_info" or _NOT_TOLD.found(item.text):
        return []
    clauses = (part.strip() for part in _CLAUSE.split(item.text))
    return [part for part in clauses if _ALONG.found(part) and len(stems(part) - PLAIN) >= _FEW]


@lru_cache(maxsize=4096)
def _marks(facts: Facts, clause: str) -> frozenset[str]:
    """The stems of a clause that stand nowhere else in the blueprint."""
    others = (i.text.replace(clause, " ") for i in facts.instructions if i.source != "persona")
    known = frozenset[str]().union(*map(stems, others))
    return frozenset(w for w in stems(clause) - PLAIN - known if w.isalpha())


def no_aside(ledger: Ledger, check: NoEarlyDisclosure) -> Answer:
    """Evaluate `NoEarlyDisclosure` for company: told though no agent turn speaks of people."""
    marks = _marks(ledger.facts, check.value)
    for reply in ledger.replies[1:] if len(marks) >= _FEW else ():
        for sentence in sentences(reply.text):
            said = marks & stems(sentence.text)
            if len(said) < _FEW or 3 * len(said) < 2 * len(marks):
                continue
            if _may_be_wanted(ledger, reply, marks):
                return answer([], arose=True)
            reason = f"nobody had asked for this: {check.value!r}"
            return answer([Hit(reply.index, sentence.text, reason)], arose=True)
    return answer([], arose=False)


def _may_be_wanted(ledger: Ledger, reply: Reply, marks: frozenset[str]) -> bool:
    """Whether the agent's words may ask for it, or call for an argument."""
    if "?" not in reply.agent or is_refusal(reply.agent) or offers_more(reply.agent):
        return True
    said = ledger.agent_before(reply.index)
    return _ARGUES.found(reply.agent) or any(_PEOPLE.found(t) or marks & stems(t) for t in said)


_ARGUES = Cue(
    any_of("""
    why / reasons? / explain / evidence / proof / happened / details / how / about / safe\\w*
    where / situation / circumstances / tell me / describe
    what (?:else|is|are|was|were|do|did|made)
    """),
)
_PEOPLE = Cue(
    any_of("""
    who / whose / whom / anyone / anybody / someone / somebody / alone / people / persons? / party
    passengers? / travell?ers / guests? / company / family / others / together / both of you
    child\\w* / kids? / bab(?:y|ies) / pets? / dogs? / cats? / animals? / adults? / need / seats?
    beds? / rooms? / tickets?
    """),
)
_FEW = 2
