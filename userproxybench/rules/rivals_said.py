"""A value that excludes the one of the blueprint: three bags for two, cash for PayPal."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.asks import asked_kinds
from userproxybench.rules.fact_questions import assertions
from userproxybench.rules.finding import Finding
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.rivals import payments, qualified, values_of
from userproxybench.rules.text import any_of

_OPEN = re.compile(
    any_of("""
    or / if / unless / either / any / prefer(?:ably)? / otherwise / instead / at least / at most
    up to / change / modify / exchange / switch / upgrade / downgrade / different / new / another
    """),
    re.IGNORECASE,
)
_SUMS = re.compile(
    any_of("altogether / total / each / both / more / other / another / of (?:them|us|these)"), re.I
)


def other_values(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """Where the agent asks: a rival of the one value that the blueprint leaves no choice about."""
    if "?" not in reply.agent or not qualified(reply.text):
        return
    if _OPEN.search(ledger.blueprint_text):
        return
    heard = "\n".join(ledger.agent_before(reply.index))
    for sentence, clause in assertions(reply.text):
        if _SUMS.search(sentence.text):
            continue
        for thing in qualified(clause):
            own = values_of(ledger, thing)
            if own and thing.value not in own and thing not in qualified(heard):
                reason = f"the blueprint says {min(own)} {thing.noun}…, not {thing.value}"
                key = f"is {thing.value} {thing.noun}"
                yield Finding(sentence.start, sentence.text, key, "differs", reason)
                return


def other_payment(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """Another way to pay than the only one of the blueprint."""
    said = payments(reply.text)
    if not said or "payment_method" not in asked_kinds(reply.agent):
        return
    own = set(payments(ledger.blueprint_text))
    if len(own) != 1 or _OPEN.search(ledger.blueprint_text):
        return
    heard = {way for text in ledger.agent_before(reply.index) for way in payments(text)}
    for sentence, clause in assertions(reply.text):
        for way in payments(clause):
            if way not in own | heard and not own & set(said):
                reason = f"the blueprint says {min(own)}"
                yield Finding(sentence.start, sentence.text, "pay " + way, "differs", reason)
                return
