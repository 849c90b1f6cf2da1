"""Device states that no blueprint line and no own result gives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.models.checks import StateGrounded
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import questions
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import (
    is_future,
    is_hypothetical,
    is_uncertain,
    sentences,
    stem,
    stems,
    words,
)
from userproxybench.rules.tool_words import asked_for

_GENERIC = frozenset(
    stem(word)
    for word in """able afraid agree ahead allow alright appear appreciate assist available aware back bad begin best
    better bit bother bring bunch case cause chance change check choose clear close come common complete concern confirm
    continue correct couple course current day deal decide detail different difficult direct easy end enough exact
    example expect experience explain fact far feel figure final find fine fix follow full general guess guide hand handle
    happen happy hard hear help hold hope hour idea important information instead issue keep kind lead leave left list
    little live long lot main manage matter minute moment morning move name near nice normal notice number offer open
    option order part pass perfect phone place plan point prefer present problem process proceed provide question quick
    reach ready real reason recent recommend regular remain remember request resolve respond rest result return run safe
    service set short show side sit situation slow small solve sort sound special specific stand start state stay step
    stop straight suggest support suppose system talk tell thing think today together tomorrow tonight total turn type
    understand update usual wait walk want way week whole wonder word work worry write wrong year yesterday hey sorry
    please glad welcome great everything nothing something anything well sir madam maam dear evening afternoon night
    problem trouble appreciated kindly moment second seconds literally basically actually honestly simply mostly
    quite pretty fairly maybe guess currently usually normally recently lately completely totally exactly""".split()
)

_IS = re.compile(
    r"\b(?:is|are|it['’]s|they['’]re|was|were|has|have|there['’]s|there is|sits|stands|looks|shows|blinking|flashing)\b",
    re.I,
)

_DEVICE_STATES = frozenset(
    "on off green red amber orange yellow blue white blinking flashing steady solid dark lit loose cracked crack "
    "broken damaged plugged unplugged warm hot cold full empty open closed locked connected disconnected working "
    "black frozen stuck noisy loud quiet bent wet dry clean dirty floor shelf wall behind beside next under".split()
)


def state_grounded(ledger: Ledger, _: StateGrounded) -> Answer:
    """Evaluate `StateGrounded`: answers to device questions that no tool could answer."""
    hits: list[Hit] = []
    arose = False
    for reply in ledger.replies:
        if reply.calls or not reply.agent or asked_for(ledger, reply, ()):
            continue
        if not any("?" in sentence for sentence in questions(reply.agent)):
            continue
        arose = True
        hits += _novel_state(ledger, reply)
    return answer(hits, arose=arose)


def _novel_state(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    known = ledger.visible_stems(reply.index) | _GENERIC
    own = frozenset(
        stem(word) for earlier in ledger.replies[: reply.position] for word in words(earlier.text)
    )
    for sentence in sentences(reply.text):
        text = sentence.text
        if sentence.is_question or is_hypothetical(text) or is_uncertain(text) or is_future(text):
            continue
        if not _IS.search(text):
            continue
        novel = [s for s in stems(text) if s not in known and s not in own and len(s) > 2]
        states = [word for word in words(text) if word in _DEVICE_STATES]
        if len(novel) >= 3 and states:
            reason = "no blueprint line and no own tool result gives this state"
            yield Hit(reply.index, text, reason)
            return
