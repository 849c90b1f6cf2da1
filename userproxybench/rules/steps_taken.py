"""Steps taken before the agent asked for any."""

from __future__ import annotations

from functools import lru_cache

from userproxybench.models.checks import NoUnaskedStep
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import is_intake, questions
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import Facts
from userproxybench.rules.ledger import Called, Ledger
from userproxybench.rules.moves import is_working
from userproxybench.rules.text import any_of
from userproxybench.rules.tool_words import (
    ToolWords,
    any_asked,
    asks_to_look,
    names_any,
    overlap,
    tool_words,
    widened,
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
    asked: set[str] = set()
    for call in ledger.calls:
        tool = tool_words(call.tool)
        if call.tool in asked or _is_told_to(ledger.facts, tool):
            continue
        if _has_named(ledger.agent_before(call.turn), tool.verb):
            asked.add(call.tool)
        elif _is_unasked(ledger, call, tool):
            reason = f"{call.tool} was used before the agent asked for any such step"
            hits.append(Hit(call.turn, call.tool, reason))
    return answer(sorted(hits)[:1], arose=bool(ledger.calls))


def _acts(tool: ToolWords) -> bool:
    """Whether a tool changes something or runs a test; a look to answer a question is fine."""
    return not tool.reads or tool.name.lower().startswith(("run", "test"))


@lru_cache(maxsize=4096)
def _is_told_to(facts: Facts, tool: ToolWords) -> bool:
    """Whether the blueprint itself speaks of the step."""
    return any(overlap(tool, widened(item.text)) for item in facts.instructions)


def _is_unasked(ledger: Ledger, call: Called, tool: ToolWords) -> bool:
    said = ledger.agent_before(call.turn)
    if not said:
        return False
    if not tool.reads and _wants_a_look(ledger, said[-1]):
        return not tool.key <= frozenset[str]().union(*map(widened, said))
    if _has_named(said, tool.key):
        return False
    if not _is_ahead(ledger, said, tool):
        return False
    return not any(turn.index == call.turn and turn.text for turn in ledger.trajectory.turns)


def _has_named(said: list[str], stems: frozenset[str]) -> bool:
    """Whether the agent has used any of some stems, its latest words first."""
    return bool(stems) and any(names_any(stems, text) for text in reversed(said))


def _is_ahead(ledger: Ledger, said: list[str], tool: ToolWords) -> bool:
    """Whether the agent is busy, has ruled all else out, wants a look, or just knows who it is."""
    waits = is_working(said[-1]) and not questions(said[-1])
    if waits or not _acts(tool):
        return waits
    if _NOTHING_ELSE.found(said[-1]) or _wants_a_look(ledger, said[-1]):
        return True
    return all(is_intake(text) and not any_asked(text, ledger) for text in said)


def _wants_a_look(ledger: Ledger, agent: str) -> bool:
    """Whether all that an agent turn asks for is a look, with no word of what may follow."""
    return asks_to_look(agent, ledger) and not _VAGUE.found(agent)
