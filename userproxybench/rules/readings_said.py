"""Readings and looks that a user with tools cannot have taken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from userproxybench.rules.answer import Hit
from userproxybench.rules.cues import Cue
from userproxybench.rules.fact_questions import assertions, is_order, is_unsure
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.measures import measured, measures
from userproxybench.rules.numbers import number_set
from userproxybench.rules.text import (
    any_of,
    is_negated,
    is_uncertain,
    passages,
    stem,
    stems,
    word_set,
    words,
)
from userproxybench.rules.tool_words import widened

_AIMED_AT = Cue(
    any_of("should / want / need / aim / target / limit / supposed / normal / expect\\w*")
)


def unread_measure(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    """`This one comes out at 3 dH`: a figure in the unit of a tool that was not used for it."""
    measured_in = filter(measures, passages(reply.text))
    for sentence, clause in chain.from_iterable(map(assertions, measured_in)):
        told = measures(clause)
        if not told or _AIMED_AT.found(sentence.text):
            continue
        if is_negated(clause) or is_uncertain(clause):
            continue
        before = [call.result for call in ledger.calls_before(reply.index) if call.ok]
        for value, unit in told:
            read = [v for result in before for v in measured(result, unit)]
            fresh = any(measured(call.result, unit) for call in reply.calls)
            about = _ABOUT if _LOOSE.found(clause) else _NEAR
            if not read or fresh or any(abs(value - v) <= about * abs(v) for v in read):
                continue
            if _is_known(ledger, reply, value, read):
                continue
            reason = f"no result that the user has seen shows {value:g}"
            yield Hit(reply.index, sentence.text, reason)
            return


def _is_known(ledger: Ledger, reply: Reply, value: float, read: list[float]) -> bool:
    """Whether a figure is visible, rounds one that was read, or is the difference of two."""
    if value <= 1 or any(abs(value - other) < 1 for other in read):
        return True
    if ledger.shows_number(value, reply.index):
        return True
    given = (str(v) for call in ledger.calls_before(reply.index) for v in call.arguments.values())
    seen = ledger.visible_numbers(reply.index) | number_set(" ".join(given))
    return value in seen or any(
        value in (abs(one - other), one + other) for one in read for other in (*read, *seen)
    )


_LOOSE = Cue(any_of("about / around / roughly / nearly / almost / some / approximately / or so"))
_ABOUT, _NEAR = 0.12, 0.02
"""Share of a reading that a figure may be off, called a rough one or not."""


_THING = (
    r"(?:the|your) (?P<thing>(?:[\w-]+ ){0,3}?[\w-]+)(?=[.,?!:;]|$| (?:at|on|in|of|behind|under"
    r"|inside|near|beside|next|and|for|from|with|is|are|that|where|to)\b)"
)
_LOOK = Cue(
    r"(?:\b(?:have|take) a (?:\w+ )?look (?:at|behind|under|into|inside|over)"
    r"|(?:^\W*|[.!?:] |\b(?:please|now|then|and|could you|can you) )"
    r"(?:(?:look|glance|peek) (?:at|behind|under|into|inside|over)|inspect|feel|examine"
    r"|check(?= (?:whether|if))))"
    r" (?:(?:whether|if) )?" + _THING,
)
_FINE = Cue(
    any_of("""
    nothing (?:wrong|unusual|odd|there)
    (?:looks|seems|is|are|'s) (?:all )?(?:fine|okay|ok|good|clean)
    (?:looks|seems|is|are|'s) (?:all )?(?:clear|dry|intact|tight|straight|normal|free)
    """)
    + r"|^\W*(?:yes|yeah|no|nope)\b",
)


def unseen_look(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    """`It hangs free, no kinks`: how a thing looks that no tool shows and no line speaks of."""
    look = None if reply.calls else _LOOK.search(reply.agent)
    if look is None or is_unsure(reply.text) or is_uncertain(reply.text) or "?" in reply.text:
        return
    things = frozenset(map(stem, words(look["thing"])))
    thing = stem(words(look["thing"])[-1])
    tools = frozenset[str]().union(*(widened(tool.replace("_", " ")) for tool in ledger.tool_names))
    if thing in tools or things & _SCREENS or thing in _known_things(ledger, reply):
        return
    asked = stems(reply.agent[look.start() :])
    for sentence, clause in assertions(reply.text):
        if is_order(sentence.text) or not _SELF.isdisjoint(word_set(clause)):
            continue
        if _CANNOT_TELL.found(sentence.text):
            return
        if _FINE.found(sentence.text) or (stems(sentence.text) & asked and len(words(clause)) > 1):
            reason = "no blueprint line and no own tool result gives this state"
            yield Hit(reply.index, sentence.text, reason)
            return


_SCREENS = frozenset(map(stem, "display screen panel app menu page reading readout".split()))
"""Things of which any reading tool may tell."""
_CANNOT_TELL = Cue(
    any_of("""
    controls? / tools? / shows? / shown / visible / from here / in sight / nothing (?:here )?tells
    out of (?:my )?reach / hidden / unknown / hard to
    """),
)
_SELF = frozenset("i i'll i'd me we we'll you looking checking going moment".split())


def _known_things(ledger: Ledger, reply: Reply) -> frozenset[str]:
    results = (widened(call.result) for call in ledger.calls_before(reply.index))
    return widened(ledger.contract_text).union(*results)
