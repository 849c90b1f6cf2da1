"""Steps taken before the agent asked for any."""

from __future__ import annotations

import re

from userproxybench.models.checks import NoUnaskedStep
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import is_intake
from userproxybench.rules.ledger import Called, Ledger
from userproxybench.rules.text import any_of
from userproxybench.rules.tool_words import (
    ToolWords,
    any_asked,
    overlap,
    tool_words,
    widened,
)

_NOTHING_ELSE = re.compile(
    any_of("""
    (?:leave|keep) everything else / nothing else / no other (?:step|change|setting)s?
    (?:don't|do not|please don't) (?:\\\\w+ )?(?:touch|change|restart|reset|do) (?:anything|it|any)
    """),
    re.IGNORECASE,
)


def no_unasked_step(ledger: Ledger, _: NoUnaskedStep) -> Answer:
    """Evaluate `NoUnaskedStep`: an action or a test that nothing said so far can have asked for."""
    hits = []
    for call in ledger.calls:
        tool = tool_words(call.tool)
        if _acts(tool) and not _is_told_to(ledger, tool) and _is_unasked(ledger, call, tool):
            reason = f"{call.tool} was used before the agent asked for any such step"
            hits.append(Hit(call.turn, call.tool, reason))
    return answer(hits[:1], arose=bool(ledger.calls))


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
    if _NOTHING_ELSE.search(said[-1]):
        return True
    return all(is_intake(text) and not any_asked(text, ledger) for text in said)
