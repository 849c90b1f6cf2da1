"""A user that plays the agent: lists of offers with prices that nobody showed it."""

from __future__ import annotations

import re

from userproxybench.rules.cues import Cue
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import Sentence, any_of, sentences
from userproxybench.rules.values import values

_ROWS = re.compile(r"^\s*(?:\|.*\||[-*•]\s.*|\d+[.)]\s.*)$", re.MULTILINE)
_CURRENCY = re.compile(r"[$€£]|\b(?:usd|eur|gbp|dollars?|euros?|pounds?)\b", re.IGNORECASE)
_MANY = 3
AGENT_SPEAK = Cue(
    any_of("""
    how (?:can|may) i (?:help|assist) you / i(?:'d| would) be (?:happy|glad) to (?:help|assist) you
    i can (?:help|assist) you with (?:that|your)
    is there anything else i can (?:help|assist|do for) you
    thank you for (?:calling|contacting|reaching out to|(?:confirming|providing) your (?:\\w+ )?id)
    let me (?:pull up|look up) your
    (?:i(?:'ve| have)|your) (?:pulled up|located|found) your
    for (?:security|verification) purposes,? (?:please|could you|can you|may i|i need)
    i(?:'ll| will) (?:process|look up|pull up|check) (?:your|that for you)
    could you (?:please )?(?:provide|give me|confirm) your (?:user id|name|order|account|booking)
    could you (?:please )?(?:provide|give me|confirm) your (?:customer|member) / dear customer
    i(?:'m| am) happy to keep helping you / (?:check|look)ing (?:\\w+ ){1,6}in our system
    your (?:refund|booking|order|request) has been (?:processed|cancelled|booked)
    """),
)
"""What only the agent would say."""


def invented_listing(ledger: Ledger, reply: Reply) -> Sentence | None:
    """The first sentence of a reply that lists prices which nothing visible gives."""
    if reply.text.count("\n") < _MANY or not _CURRENCY.search(reply.text):
        return None
    rows = _ROWS.findall(reply.text)
    if len(rows) < _MANY:
        return None
    prices = {float(v.canon) for row in rows for v in values(row) if v.kind == "money"}
    unseen = prices - ledger.visible_numbers(reply.index)
    if len(unseen) < _MANY or 2 * len(unseen) <= len(prices):
        return None
    return sentences(reply.text)[0]
