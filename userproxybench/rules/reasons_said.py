"""A reason made up for the agent: the blueprint gives none, or has nothing of a defect."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.asks import questions
from userproxybench.rules.caches import kept
from userproxybench.rules.cues import Cue
from userproxybench.rules.fact_questions import assertions
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import any_of, is_english, stems, word_set

_DAMAGE = frozenset(
    """damaged dented broken cracked scratched torn faulty defective chipped leaking stained
    shattered smashed ripped rusty mouldy moldy malfunctioning broke""".split()
)
_DENIED = frozenset("not isn't wasn't no nothing".split())
_FAILS = Cue(
    any_of("""
    (?:stopped|quit|never) work(?:s|ing|ed)? / (?:fell|falls?|came) apart
    (?:doesn't|does not|won't) (?:work|start|charge|heat|cool|print|run|(?:switch|turn|power) on)
    """),
)
_FLAWED = Cue(
    any_of("""
    issues? / problem / fault / flaw / not work\\w* / doesn't / does not / won't / wrong / bad
    fail / flickers? / defect / damage / arrived / loose / missing / malfunction\\w*
    """),
)
_SOUND = Cue(
    any_of("""
    (?:perfect|good|full|working) (?:working )?(?:order|condition|shape) / works? / working / intact
    undamaged / unharmed / flawless / nothing (?:is )?wrong / (?:is|are|was|were) fine / perfectly
    """),
)
_ASKED = Cue(any_of("reasons? / why / what'?s wrong / condition"))
_OTHER_PLANS = "change (?:of|in) (?:my )?plans? / plans (?:have |has )?changed / changed my plans"
_GIVES = Cue(
    any_of(rf"""
    reason (?:for .{{1,60}} )?(?:is|was|being) / because / due to / {_OTHER_PLANS}
    changed my mind / no longer need(?:ed)? / by mistake / no longer (?:want|require|able)
    """),
)
_BECAUSE = Cue(
    r"\b(?:due to|because(?: of)?|reason\b[^.]{0,60}?\b(?:is|was|being)(?: due to)?|just)\b"
)
_PLANS = Cue(any_of(_OTHER_PLANS))
_EMPTY = PLAIN - stems("change plan mistake wrong")
"""Plain words that are no reason in themselves."""
_AND = re.compile(r"\W*(?:and|so)?(?: I)?\W*", re.IGNORECASE)
"""What leads on from the plans, and says nothing itself."""
_NO_NEED = Cue(
    any_of(
        "no longer (?:need\\w*|want|require) / won't (?:be needing|need) / (?:don't|do not) need"
    )
)
"""With these, the words that follow name what the wish is about, and no reason."""
_REASONED = Cue(
    any_of("""
    because / since / reasons? / due to / so that / as you / no longer / mistake\\w* / plans?
    chang\\w+ .{0,20} mind / need to / have to / decided / too / wrong / accident\\w* / why / excuse
    realized / realised / conflict / instead of / mix-up / mixup / mixed
    duplicates? / twice / want to (?:get|have|see) / lie / make up
    """),
)


@finder(heard=_ASKED.bit)
def made_up_reasons(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`A mix-up at work`, `it came broken`, where the agent asks why and no line says so.

    A reason picked from the agent's own list is no invention to charge: readers disagree on it.
    What the user adds to it is one, unless it only says that the thing is not needed any more.
    """
    asked = " ".join(q for q in questions(reply.agent) if _ASKED.found(q))
    if not asked or not is_english(ledger.blueprint_text):
        return
    told = ledger.blueprint_text
    sound = _is_sound(told)
    known = stems(told) - stems(asked) - PLAIN
    picked = False
    for sentence, clause in assertions(reply.text):
        broken = _DAMAGE & word_set(clause) or _FAILS.search(clause)
        denied = _DENIED & word_set(clause) or _DAMAGE & word_set(told)
        if broken and sound and not denied:
            reason = "the blueprint has no such defect"
            yield Finding(sentence.start, sentence.text, "damage", "differs", reason)
            return
        given = _GIVES.search(clause)
        if given and (_is_picked(clause, reply.agent) or _changes_plans(clause)):
            picked = True
            continue
        if picked and _NO_NEED.found(clause):
            continue
        touched = known & stems(clause) and not _NO_NEED.found(clause)
        if given and not touched and not _gives_reason(told):
            reason = "the blueprint gives no reason"
            yield Finding(sentence.start, sentence.text, "reason", "unsupported", reason)
            return


def _is_picked(clause: str, agent: str) -> bool:
    """Whether all that a clause gives as a reason was in the agent's words."""
    return stems(_BECAUSE.split(clause)[-1]) - _EMPTY <= stems(agent)


def _changes_plans(clause: str) -> bool:
    """Whether a clause tells of nothing but other plans: that says no more than to cancel does."""
    plans = _PLANS.search(clause)
    if plans is None:
        return False
    after = _NO_NEED.split(clause[plans.end() :])[0]
    return _AND.fullmatch(after) is not None


@kept(512)
def _is_sound(told: str) -> bool:
    """Whether a blueprint says that nothing is wrong, or gives another reason than a fault."""
    return _SOUND.found(told) or ("because" in told and not _FLAWED.found(told))


@kept(512)
def _gives_reason(told: str) -> bool:
    return _REASONED.found(told)
