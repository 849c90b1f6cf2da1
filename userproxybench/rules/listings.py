"""A user that plays the agent: lists of offers with prices that nobody showed it."""

from __future__ import annotations

import re

from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import Sentence, sentences
from userproxybench.rules.values import values

_ROWS = re.compile(r"^\s*(?:\|.*\||[-*•]\s.*|\d+[.)]\s.*)$", re.MULTILINE)
_CURRENCY = re.compile(r"[$€£]|\b(?:usd|eur|gbp|dollars?|euros?|pounds?)\b", re.IGNORECASE)
_MANY = 3


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
