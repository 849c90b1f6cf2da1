"""Prices that the agent asks for, and what the user says to those over its limit."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from userproxybench.rules.assent import declines, yes_words
from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue, marks
from userproxybench.rules.ledger import Reply
from userproxybench.rules.limits import NEAR, PER_UNIT, per_unit, topic
from userproxybench.rules.numbers import has_numbers, numbers
from userproxybench.rules.text import any_of, is_hypothetical, is_negated, passages, sentences, stem
from userproxybench.rules.tool_words import widened
from userproxybench.rules.values import values

_NOT_A_PRICE = Cue(
    any_of("""
    refund\\w* / back / credit\\w* / gets? / receive / save\\w* / balance / remain\\w* / left / was
    instead of / currently / original\\w* / worth / vouchers? / discount / off / certificates?
    profile / within / limit / deposit / held / hold / authori[sz]\\w* / list price / normally
    (?:we|i)(?:'ll)? (?:pay|cover|bear|absorb) / (?:on|at) our (?:cost|expense) / others / elsewhere
    usually / regular(?:ly)? / full price / rrp / rather than / before
    """),
)
_REDUCED = Cue(any_of("discount / reduced / knocked / (?:comes|brings it) down"))
_TOTAL = Cue(any_of("totals? / in all / altogether / comes to / sum"))
_NEW_TOTAL = Cue(
    any_of("""
    new (?:total|sum|balance|bill) / total (?:is |would be )?now / now (?:comes|totals|makes|costs)
    brings? (?:your|the) (?:total|bill|order|booking)
    (?:your|the) whole (?:booking|order|hire|bill|invoice|stay|trip)
    """),
)
"""A sum that includes what was bought before."""
_FEE = Cue(any_of("fees? / charge\\w* / surcharge / costs / difference / gebühr / berechnen"))
_EXTRA = Cue(any_of("additional amount / difference / extra cost / upgrade"))
_ADDED = Cue(any_of("plus / on top / as well as / supplement / surcharge"))


def over_limit(reply: Reply, limit: float, sentence: str) -> tuple[bool, str]:
    """Whether the agent asks for more than the limit, and the words that agree to it."""
    if not has_numbers(reply.agent):
        return False, ""
    unit = per_unit(sentence, limit)
    if unit is not None:
        return _over(reply, _each(reply.agent, unit), limit)
    if _dearest(reply.agent) <= limit and not (_ADDED.found(reply.agent) or _WHOLE.found(sentence)):
        return False, ""
    return _over_in_all(reply, limit, sentence)


def _over_in_all(reply: Reply, limit: float, sentence: str) -> tuple[bool, str]:
    """As `over_limit`, for a limit on a sum and not on one of a kind."""
    about = _part(sentence) if limit else topic(sentence)
    named = bool(about) or not limit
    exact = _prices_for(reply.agent, about) if named else _for_all(reply.agent, sentence)
    if named or exact:
        return _over(reply, exact, limit)
    amounts = _asked_amounts(reply.agent)
    fees = "fee" in sentence.lower()
    if max(amounts, default=0) <= limit or (fees and not _is_fee(reply.agent)):
        return False, ""
    if _is_of_more(reply.agent, limit, sentence):
        return False, ""
    within = any(extra <= limit for extra in _extras(reply.agent))
    return (True, "") if within else _over(reply, amounts, limit)


def _dearest(agent: str) -> float:
    """The highest price of an agent turn; 0 where there is none."""
    return max(map(_dearest_in, passages(agent)))


@kept_longer(4096)
def _dearest_in(passage: str) -> float:
    return max(chain.from_iterable(_prices(s.text) for s in sentences(passage)), default=0)


def _is_of_more(agent: str, limit: float, sentence: str) -> bool:
    """Whether a sum is a new total, or covers more than the thing that has the limit."""
    added = _NEW_TOTAL.found(agent) and _has_price_within(agent, limit)
    return added or _thing_within(agent, limit, topic(sentence))


@kept_longer(2048)
def _part(sentence: str) -> frozenset[str]:
    """Stem of what a limit is for alone, not for the whole; empty where it is for all."""
    part = None if _WHOLE.found(sentence) else _PART.search(sentence)
    return frozenset((stem(part["part"].lower()),)) if part else frozenset()


_PART = Cue(
    r"\b(?P<part>delivery|shipping|postage|courier|insurance|installation|fitting|assembly|cleaning"
    r"|breakfast|parking|luggage|baggage|deposit|wrapping|engraving)\b",
)
_WHOLE = Cue(any_of("in total / total / altogether / including / included / everything / in all"))


def _over(reply: Reply, amounts: tuple[float, ...], limit: float) -> tuple[bool, str]:
    over = [amount for amount in amounts if amount > limit]
    if not over:
        return False, ""
    named = {number.value for number in numbers(reply.text)}
    if set(over) & named:
        return True, _takes(reply.text)
    heard = {number.value for number in numbers(reply.agent)}
    if any(_PART_OF * limit <= price <= limit for price in named & heard):
        return True, ""
    plain = len(amounts) == 1 and not _asks_else(reply.agent)
    return True, yes_words(reply.text) if plain else ""


def _for_all(agent: str, sentence: str) -> tuple[float, ...]:
    """What a price for each comes to for all of them: `118 per passenger`, and there are three.

    Only for a limit on the whole.
    """
    if not _WHOLE.found(sentence):
        return ()
    found = numbers(agent)
    heads = {n.value for n in found if n.value > 1 and _HEADS.match(agent, n.end)}
    each = {n.value for n in found if _PER_HEAD.match(agent, n.end)}
    return (each.pop() * heads.pop(),) if len(each) == len(heads) == 1 else ()


_HEADS = re.compile(r" (?:passengers|people|persons|travell?ers|guests|tickets|adults)\b", re.I)
_PER_HEAD = re.compile(
    r" ?(?:dollars |euros |€ ?)?(?:(?:per|a|for each) (?:passenger|person|travell?er|guest|ticket|"
    r"head|adult)|each|apiece)\b",
    re.IGNORECASE,
)
_PART_OF = 0.5
"""How much of a limit a number must be to be the price that a yes is given to."""


@kept(512)
def _asks_else(agent: str) -> bool:
    """Whether what an agent turn asks last is not to take its price: `shall I look further?`."""
    asked = [sentence.text for sentence in sentences(agent) if sentence.is_question]
    return bool(asked) and _ELSE.found(asked[-1])


_ELSE = Cue(
    any_of("""
    cheaper / less / another / others? / else / alternatives? / look (?:for|into|at|elsewhere)
    search / check / find (?:you|out) / ask (?:you|whether|if|what)
    too (?:much|high|dear|expensive)
    how (?:many|long|much|often) / possible / flexible
    """),
)


@lru_cache(maxsize=256)
def _each(agent: str, unit: str) -> tuple[float, ...]:
    """The prices for one of a kind in the agent's last sentences: `52 a hive`, `52 each`."""
    found = []
    for sentence in sentences(agent)[-4:]:
        for number in numbers(sentence.text):
            per = PER_UNIT.match(sentence.text[number.end : number.end + NEAR])
            of = stem((per["unit"] or "").lower()) if per else None
            if of == unit or (of is not None and not (of and unit) and not _TIME & {of, unit}):
                found.append(number.value)
    return tuple(found)


_TIME = frozenset(map(stem, "hour day night week month year quarter".split()))


@lru_cache(maxsize=256)
def _prices_for(agent: str, about: frozenset[str]) -> tuple[float, ...]:
    """The prices in those of the agent's last sentences that speak of something."""
    said = (sentence.text for sentence in sentences(agent)[-4:])
    own = [text for text in said if about & widened(text) and not _NOT_A_PRICE.found(text)]
    return tuple(price for text in own for price in _prices(text))


@lru_cache(maxsize=256)
def _thing_within(agent: str, limit: float, about: frozenset[str]) -> bool:
    """Whether what a limit is for has a price within it: `the cake is 58`, whatever else."""
    return any(
        stem(match["thing"].lower()) in about and float(match["price"]) <= limit
        for match in _COSTS_SO_MUCH.finditer(agent)
    )


_COSTS_SO_MUCH = re.compile(
    r"\b(?P<thing>[a-z]{3,}) (?:itself )?(?:is|are|costs?|at|for|would be|comes to) "
    r"(?:only |just )?[$€£]?(?P<price>\d{1,6}(?:\.\d+)?)\b(?!,\d)(?! (?:a|per|each)\b)",
    re.IGNORECASE,
)


def _has_price_within(agent: str, limit: float) -> bool:
    """Whether any price that an agent turn names is within a limit."""
    return any(price <= limit for s in sentences(agent) for price in _prices(s.text))


def _is_fee(agent: str) -> bool:
    """Whether an agent turn calls one of its prices a fee or the like."""
    return any(_FEE.found(s.text) and _prices(s.text) for s in sentences(agent))


def _takes(text: str) -> str:
    """The sentence that names an amount without question, condition or refusal."""
    if declines(text):
        return ""
    for sentence in sentences(text):
        if numbers(sentence.text) and not (
            sentence.is_question or is_hypothetical(sentence.text) or is_negated(sentence.text)
        ):
            return sentence.text
    return ""


def _asked_amounts(agent: str) -> tuple[float, ...]:
    """What the agent's last sentences ask the user to pay: totals, or a price and what is added."""
    said = sentences(agent)[-4:]
    if marks(agent) & _REDUCED.bit and any(_REDUCED.found(sentence.text) for sentence in said):
        return ()
    priced: list[tuple[str, float]] = [
        (sentence.text, value) for sentence in said for value in _to_pay(sentence.text)
    ]
    totals = [amount for text, amount in priced if _TOTAL.found(text)]
    if totals:
        return (totals[-1],)
    if len(priced) == 2 and _ADDED.found(priced[1][0]) and " or " not in agent:
        return (priced[0][1] + priced[1][1],)
    return tuple(amount for _, amount in priced)


@kept_longer(4096)
def _to_pay(sentence: str) -> tuple[float, ...]:
    """The prices of a sentence that speaks of no other sums."""
    if not numbers(sentence) or _NOT_A_PRICE.found(sentence):
        return ()
    return tuple(_prices(sentence))


def _extras(agent: str) -> list[float]:
    """What the agent calls additional, wherever it says so."""
    told = [
        s.text
        for s in sentences(agent)
        if numbers(s.text) and _EXTRA.found(s.text) and not _ADDED.found(s.text)
    ]
    return [amount for text in told for amount in _prices(text)[-1:]]


def _prices(text: str) -> list[float]:
    """Amounts with a currency, or with cents."""
    money = [float(value.canon) for value in values(text) if value.kind == "money"]
    if money:
        return money
    bare = _WITH_CENTS.findall(text) or _COMES_TO.findall(text)
    return [float(price) for price in bare]


_WITH_CENTS = re.compile(r"\b\d+\.\d\d\b(?!\s?[ap]m)")
_COMES_TO = Cue(
    r"\b(?:so|comes to|makes|costs?|totals?(?: of)?|price is|fee (?:is|of)|would be"
    r"|at(?= \d+ for (?:the|a|one) (?:day|night|week|weekend|month|year|lot)\b)) "
    r"(\d+(?:\.\d+)?)\b(?! (?:days?|hours?|minutes?|weeks?|people|of)\b)",
)


_EACH = Cue(any_of("each / apiece / per / a head / both / another / on top / plus"))
_GIVES = Cue(
    any_of(
        "(?:i|we) (?:can|could|will|would) / (?:i|we)'ll / offer\\w* / refund / credit / pay you"
    ),
)


def under_floor(reply: Reply, least: float) -> tuple[bool, str]:
    """Whether all that the agent offers is less than a sum, and the words that take it."""
    said = [sentence.text for sentence in sentences(reply.agent)[-3:]]
    offered = [float(v.canon) for text in said for v in values(text) if v.kind == "money"]
    if (
        not offered
        or sum(offered) >= least
        or any(map(_EACH.found, said))
        or not any(map(_GIVES.found, said))
    ):
        return False, ""
    taken = set(offered) & {number.value for number in numbers(reply.text)}
    return True, _takes(reply.text) if taken else yes_words(reply.text)
