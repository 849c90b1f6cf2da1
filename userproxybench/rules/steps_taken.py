"""Tools used before the agent asked for any such step."""

from __future__ import annotations

import re

from userproxybench.models.checks import NoUnaskedStep
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.ledger import Ledger
from userproxybench.rules.tool_words import overlap, tool_words, widened


def no_unasked_step(ledger: Ledger, _: NoUnaskedStep) -> Answer:
    """Evaluate `NoUnaskedStep`: a call before anything the agent said can have asked for it."""
    hits = []
    for call in ledger.calls:
        said = "\n".join(ledger.agent_before(call.turn))
        tool = tool_words(call.tool)
        if not overlap(tool, widened(said)) and not _invites_steps(said):
            text = next(t.text for t in ledger.trajectory.turns if t.index == call.turn)
            if not text:
                reason = f"{call.tool} was used before the agent asked for any such step"
                hits.append(Hit(call.turn, call.tool, reason))
    return answer(hits[:1], arose=bool(ledger.calls))


def _invites_steps(said: str) -> bool:
    """Whether the agent has set the user to work at all."""
    return (
        re.search(
            r"\b(?:steps?|try|trying|settings?|restart\w*|reboot\w*|check\w*|toggle|turn (?:on|off|it)|look at|test|"
            r"tap|press|open|device|troubleshoot\w*|diagnos\w*|run|perform|install|tool|status|what (?:does|do) (?:it|the|your))\b",
            said,
            re.IGNORECASE,
        )
        is not None
    )
