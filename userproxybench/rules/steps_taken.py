"""Steps taken, and causes named, before the agent asked for any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from userproxybench.models.checks import NoUnaskedStep
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import is_intake, questions
from userproxybench.rules.cues import Cue
from userproxybench.rules.ledger import Called, Ledger
from userproxybench.rules.moves import is_working
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import any_of, sentences, stems
from userproxybench.rules.tool_words import (
    ToolWords,
    any_asked,
    asks_to_look,
    overlap,
    tool_words,
    widened,
)

_KEPT = Cue(
    r"^(?:talk about|mention|name|bring up|speak of|say|tell)\s+(?P<what>.+?)\s+only\s+"
    r"(?:when|if|once|after)\b(?P<when>.+)"
    r"|\b(?:do not|don['’]t|never) (?:talk about|mention|name|bring up|speak of|say|tell)\s+"
    r"(?P<not>.+?)\s+(?:unless|until|before)\b(?P<unless>.+)",
    re.IGNORECASE | re.DOTALL,
)
_CAUSE = Cue(
    any_of("""
    cause / causes / caused / happen(?:ed)? / explain(?:s|ed)? / why / reason / suspect
    explanation / go(?:ne)? wrong / what (?:may|might|could) / idea what
    """),
)
_NOTHING_ELSE = Cue(
    any_of("""
    (?:leave|keep) everything else / nothing else / no other (?:step|change|setting)s?
    (?:don't|do not|please don't) (?:\\\\w+ )?(?:touch|change|restart|reset|do) (?:anything|it|any)
    """),
)


_VAGUE = Cue(
    any_of("troubleshoot\\w* / steps / try / follow\\w* / anything / fix / settings? / if / then"),
)
"""Words after which a step of the user's own choice may be meant."""


def no_unasked_step(ledger: Ledger, _: NoUnaskedStep) -> Answer:
    """Evaluate `NoUnaskedStep`: an action or a test that nothing said so far can have asked for."""
    hits = []
    for call in ledger.calls:
        tool = tool_words(call.tool)
        if not _is_told_to(ledger, tool) and _is_unasked(ledger, call, tool):
            reason = f"{call.tool} was used before the agent asked for any such step"
            hits.append(Hit(call.turn, call.tool, reason))
    hits += _causes(ledger)
    return answer(sorted(hits)[:1], arose=bool(ledger.calls))


def _causes(ledger: Ledger) -> Iterator[Hit]:
    """A cause that the blueprint keeps for when the agent asks after it."""
    for item in ledger.facts.instructions:
        cause = _kept_cause(item.text)
        if not cause:
            continue
        for reply in ledger.replies:
            if any(_CAUSE.found(text) for text in ledger.agent_before(reply.index)):
                break
            for sentence in sentences(reply.text):
                if cause & stems(sentence.text) and not sentence.is_question:
                    reason = f"the blueprint says: {item.text.strip()!r}"
                    yield Hit(reply.index, sentence.text, reason)


@lru_cache(maxsize=4096)
def _kept_cause(instruction: str) -> frozenset[str]:
    """Content stems of what a blueprint sentence keeps for when the agent asks after the cause."""
    match = _KEPT.search(instruction)
    if match is None or not _CAUSE.found(match["when"] or match["unless"]):
        return frozenset()
    return stems(match["what"] or match["not"]) - PLAIN


def _acts(tool: ToolWords) -> bool:
    """Whether a tool changes something or runs a test; a look to answer a question is fine."""
    return not tool.reads or tool.name.lower().startswith(("run", "test"))


def _is_told_to(ledger: Ledger, tool: ToolWords) -> bool:
    """Whether the blueprint itself speaks of the step."""
    return any(overlap(tool, widened(item.text)) for item in ledger.facts.instructions)


def _is_unasked(ledger: Ledger, call: Called, tool: ToolWords) -> bool:
    said = ledger.agent_before(call.turn)
    if any(turn.index == call.turn and turn.text for turn in ledger.trajectory.turns):
        return False
    if not said or any((tool.key | tool.verb) & widened(text) for text in said):
        return False
    waits = is_working(said[-1]) and not questions(said[-1])
    if waits or not _acts(tool):
        return waits
    if _NOTHING_ELSE.found(said[-1]):
        return True
    if asks_to_look(said[-1], ledger) and not _VAGUE.found(said[-1]):
        return True
    return all(is_intake(text) and not any_asked(text, ledger) for text in said)
