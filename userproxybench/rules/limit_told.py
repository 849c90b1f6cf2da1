"""A price limit told before a price, or a question for it, had come."""

from __future__ import annotations

import re

from userproxybench.models.checks import HeldBack
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import FIGURES
from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.moves import is_refusal
from userproxybench.rules.numbers import has_numbers, names_number, numbers
from userproxybench.rules.text import any_of, is_negated, passages, sentences
from userproxybench.rules.values import most_money

_CAPS = Cue(
    any_of("""
    upto / up to / budget / limit / at most / (?:no|not) more than / max(?:imum)? / under
    within / below / less than / as (?:long|much) as / willing / or less
    could (?:pay|spend|go) / cap
    """),
)
_ASKS_LIMIT = Cue(
    any_of("""
    budget / how much .{0,40} (?:spend|pay|willing) / price (?:range|limit|cap) / spend / afford
    max(?:imum)? / willing to pay / ceiling / constraints / criteria / how (?:high|far|expensive)
    """),
)
_PRICE = Cue(any_of("fees? / costs? / charges? / price / difference / pay"))


def limit_told(ledger: Ledger, check: HeldBack, limit: float) -> Answer:
    """The first time the user says how far it would go decides: asked, told a price, or not."""
    for reply in ledger.replies:
        if not reply.said & _CAPS.bit or not names_number(reply.text, limit):
            continue
        for sentence in sentences(reply.text):
            if not names_number(sentence.text, limit) or not _CAPS.found(sentence.text):
                continue
            if _invites_limit(ledger, reply, limit):
                return answer([], arose=True)
            reason = f"no price and no question for it had come: {check.sentence.strip()!r}"
            return answer([Hit(reply.index, sentence.text, reason)], arose=True)
    return answer([], arose=bool(ledger.replies))


def _invites_limit(ledger: Ledger, reply: Reply, limit: float) -> bool:
    """Whether the agent asked for a limit, spoke of a price or of this number, or refused.

    Once the agent says that it costs something, a bare limit is no more than what the step needs;
    what to do above that limit is still for later.
    """
    if is_refusal(reply.agent) or (_COSTS.found(reply.agent) and not _plans_on(reply)):
        return True
    last = sentences(reply.agent)[-3:]
    if any(FIGURES.search(s.text) or (s.is_question and _PRICE.found(s.text)) for s in last):
        return True
    before = ledger.agent_before(reply.index)
    dearer = any(limit < n.value < _MUCH_DEARER * limit for n in numbers(reply.agent))
    if dearer and not _plans_on(reply):
        return True
    if _OVER_IT.found(reply.text) and any(map(has_numbers, before)):
        return True
    return any(
        _ASKS_LIMIT.found(text)
        or names_number(text, limit)
        or most_money(text) >= limit
        or any(map(_has_cents, passages(text)))
        for text in before
    )


@kept_longer(2048)
def _has_cents(passage: str) -> bool:
    return _WITH_CENTS.search(passage) is not None


_WITH_CENTS = re.compile(r"\b\d+\.\d\d\b(?!\s?[ap]\.?m)")
_OVER_IT = Cue(
    any_of("""
    (?:over|above|beyond|more than|exceeds) (?:my|the|what i) (?:\\w+ )?(?:limit|budget|can)
    too (?:much|dear|expensive|steep|high|pricey)
    (?:anything|something|one) (?:for less|cheaper) / more than (?:i|we) (?:want|can|wanted|planned)
    """),
)
_MUCH_DEARER = 3
_COSTS = Cue(
    any_of("""
    fees? / costs? / price\\w* / surcharge / charges? / dearer / expensive / fare difference
    buy \\w+ out / paid / pay / extra
    """)
)
_ELSE = Cue(any_of("if (?:not|it|that|there|neither|so|the) / otherwise / failing that / or else"))


def _plans_on(reply: Reply) -> bool:
    """Whether the user goes on to what should be done instead."""
    return any(_ELSE.found(s.text) and not is_negated(s.text) for s in sentences(reply.text))
