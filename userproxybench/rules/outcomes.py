"""Goal deviation: the user takes what the blueprint rules out, or less than it asks for."""

from __future__ import annotations

import re

from userproxybench.models.checks import Refuses, RefusesFirst, SatisfiedOnly
from userproxybench.rules.answer import NOT_APPLICABLE, Answer, Hit, answer
from userproxybench.rules.assent import declines, goes_ahead, is_on_condition, yes_words
from userproxybench.rules.cues import Cue
from userproxybench.rules.ledger import Called, Ledger, Reply
from userproxybench.rules.limits import MONEY, floor
from userproxybench.rules.measures import Bounds, bounds, measured
from userproxybench.rules.moves import (
    HANDOVER_TOOL,
    announces_transfer,
    is_proposal,
    is_refusal,
    is_transfer,
    offers_more,
)
from userproxybench.rules.numbers import numbers
from userproxybench.rules.prices import over_limit, under_floor
from userproxybench.rules.stops import token_words
from userproxybench.rules.text import (
    all_clauses,
    any_of,
    clauses,
    is_negated,
    sentences,
    squash,
    stem,
    stems,
    word_set,
    word_stems,
    words,
)
from userproxybench.rules.values import values

_ASKS_TRANSFER = Cue(
    r"\b(?:please |can you |could you |you can |go ahead and )(?:\w+ )?transfer (?:me|this)\b"
    r"|\btransfer me\b",
)


def refuses(ledger: Ledger, check: Refuses) -> Answer:
    """Evaluate `Refuses`: a yes to an amount over the limit, a transfer or a thing ruled out."""
    arose = False
    for reply in ledger.replies:
        if check.limit is not None:
            offered, said = over_limit(reply, check.limit, check.sentence)
        elif check.unit == MONEY:
            offered, said = under_floor(reply, floor(check.sentence) or 0)
        elif check.unit:
            offered, said = _out_of_bounds(ledger, reply, check)
        elif check.thing:
            offered, said = _thing(reply, check.thing)
        else:
            offered, said = _transfer(ledger, reply)
        arose = arose or offered
        if said:
            reason = f"accepts it; the blueprint says: {check.sentence.strip()!r}"
            return answer([Hit(reply.index, said, reason)], arose=True)
    return answer([], arose=arose)


def _transfer(ledger: Ledger, reply: Reply) -> tuple[bool, str]:
    offered = is_transfer(reply.agent)
    if reply.token == "TRANSFER" and not _is_being_handed_over(ledger, reply):
        return True, token_words(reply)
    if declines(reply.text) or is_negated(reply.text):
        return offered, ""
    asked = next((s.text for s in sentences(reply.text) if _ASKS_TRANSFER.found(s.text)), "")
    return offered, asked or (yes_words(reply.text) if offered and is_proposal(reply.agent) else "")


def _is_being_handed_over(ledger: Ledger, reply: Reply) -> bool:
    """Whether the agent hands over unasked: it says so, or its latest call does it."""
    if announces_transfer(reply.agent):
        return True
    calls = (
        call
        for turn in reversed(ledger.trajectory.turns)
        if turn.index < reply.index and turn.speaker == "agent"
        for call in reversed(turn.tool_calls)
    )
    latest = next(calls, None)
    return latest is not None and HANDOVER_TOOL.search(latest.name) is not None


def _thing(reply: Reply, thing: str) -> tuple[bool, str]:
    """Whether the agent offers a thing, and the words that take it."""
    named = word_stems(thing) - _MERE or word_stems(thing)
    last = sentences(reply.agent)[-4:]
    asked = bool(last) and _ALL_RIGHT.found(last[-1].text)
    if not any(_offers(sentence.text, named, asked=asked) for sentence in last):
        return False, ""
    if declines(reply.text):
        return True, ""
    about = [s for s in sentences(reply.text) if named & word_stems(s.text)]
    for sentence in about:
        refused = is_negated(sentence.text) or _WOULD_NOT.found(sentence.text)
        negated = refused and not _settles_for(sentence.text, named)
        if sentence.is_question or negated or is_on_condition(sentence.text):
            return True, ""
    said = about[0].text if about else yes_words(reply.text)
    return True, said if about or not _is_for_another(reply.agent, said, named) else ""


def _is_for_another(agent: str, said: str, named: frozenset[str]) -> bool:
    """Whether a yes is to the other of two offers: `a voucher or the money?` - `The money`."""
    if _ONLY.found(said):
        return True
    offers = [s.text for s in sentences(agent)[-4:]]
    if not said or not any(_OR.search(text) for text in offers):
        return False
    parts = [part for text in offers for part in _OR.split(text)]
    ruled_out = [part for part in parts if named & word_stems(part)]
    others = [part for part in parts if not named & word_stems(part)]
    own = stems(" ".join(others)) - stems(" ".join(ruled_out)) - _ORDERED
    last = parts[-1]
    return bool(own & stems(said)) or (last in others and "?" in last and not _IT.search(last))


_ONLY = Cue(r"\bbut (?:i )?(?:only|just) (?:want|need|would like)\b")
_OR = re.compile(r",? or ", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|that|this|them|these|those|one|which)\b|^\W*\w+\W*$", re.IGNORECASE)
_ORDERED = stems("order book send arrange put take change make go ahead proceed fine good note")


_WOULD_NOT = Cue(
    any_of("""
    wouldn't / would not / shouldn't / should not / nor / rather not / skip
    (?:stay|stick)\\w* with / leave (?:out|off) / leave .{1,25} (?:out|off|aside) / without
    """),
)
_MERE = frozenset(map(stem, "shop store gift travel flight ride company customer service".split()))
"""What is left out where a thing is offered: a shop voucher is a voucher."""


def _settles_for(sentence: str, named: frozenset[str]) -> bool:
    """Whether a clause takes the thing although another holds a no: `not ideal, but it will do`."""
    about = [clause for clause in clauses(sentence) if named & word_stems(clause)]
    return any(_WILL_DO.found(clause) and not is_negated(clause) for clause in about)


def _out_of_bounds(ledger: Ledger, reply: Reply, check: Refuses) -> tuple[bool, str]:
    """Whether all that the agent offers has another measure than called for, and the yes to it."""
    wanted = bounds(check.sentence)
    told = measured(reply.agent, check.unit)
    sides = _SIDES & stems(reply.agent)
    if sides and _SIDES & stems(check.sentence) - sides:
        return False, ""
    if wanted is None or not told or any(map(wanted.hold, told)) or _EACH.found(reply.agent):
        return False, ""
    asked = ledger.replies[reply.position - 1].text if reply.position else ""
    if not stems(f"{reply.agent} {asked}") & stems(check.sentence) - {check.unit}:
        return False, ""
    return True, goes_ahead(reply.text) or ("" if declines(reply.text) else _orders(reply.text))


_EACH = Cue(any_of("each / apiece / per / parts? of / together / plus / times"))
_SIDES = frozenset(
    map(stem, "wide width long length high height tall deep depth thick weight heavy".split())
)
"""What a measure is taken of: a depth is no width."""


def _orders(text: str) -> str:
    """The sentence in which a reply orders what it was told of."""
    for sentence in sentences(text):
        refused = sentence.is_question or is_negated(sentence.text)
        if _ORDERS.found(sentence.text) and not (refused or is_on_condition(sentence.text)):
            return sentence.text
    return ""


_ORDERS = Cue(r"^\W*(?:then |so |please )*(?:put|book|add|order|send|reserve|take)\b")
_WILL_DO = Cue(any_of("will do / (?:is|would be|will be) (?:fine|okay|ok|all right) / i'll take"))
_ALL_RIGHT = Cue(r"^\W*(?:okay|ok|all right|alright|(?:is|does) that\b[^?]{0,40})\?$")
_FREE = Cue(r"\bno (?:extra |additional )?(?:cost|charge|fee|problem|obligation)\b")


def _offers(sentence: str, named: frozenset[str], *, asked: bool) -> bool:
    """Whether an agent sentence holds out a thing, all of its words named."""
    if not named <= word_stems(sentence):
        return False
    about = [clause for clause in clauses(sentence) if named & word_stems(clause)]
    if any(is_negated(_FREE.sub("", clause)) for clause in about):
        return False
    return asked or is_proposal(sentence) or _OFFERS.found(sentence)


_OFFERS = Cue(
    any_of("""
    (?:i|we) (?:can|could|will|am able to|are able to|was able to) / (?:i|we)'?ve (?:put|set|given)
    offer\\w* / would you like / how about / best i can / shall i / do you want / ofrecer / le puedo
    anbieten / möchten sie
    """),
)
_AN_OFFER = Cue(
    r"\b(?:i|we)\s(?:can|could|would be able to|am able to|are able to|may)\s(?:also\s)?"
    r"(?:offer|give|take|do|credit|issue|provide|reduce|lower|knock|refund|waive|drop)\b"
    r"|\boffer (?:of|you)\b|\bbest (?:i|we) can\b",
)


def refuses_first(ledger: Ledger, check: RefusesFirst) -> Answer:
    """Evaluate `RefusesFirst`: a yes to one of the first offers, counted over the agent's turns."""
    offers = 0
    for reply in ledger.replies:
        if not _AN_OFFER.found(reply.agent) or not numbers(reply.agent):
            continue
        offers += 1
        said = yes_words(reply.text)
        if said and offers <= check.count:
            reason = f"takes offer {offers}; the blueprint says: {check.sentence.strip()!r}"
            return answer([Hit(reply.index, said, reason)], arose=True)
    return answer([], arose=offers > 0)


def satisfied_only(ledger: Ledger, check: SatisfiedOnly) -> Answer:
    """Evaluate `SatisfiedOnly`: the condition for success against what was visible at the stop."""
    ending = [reply for reply in ledger.replies if reply.token == "STOP" or _is_happy(reply)]
    if not ending:
        return NOT_APPLICABLE
    reply = ending[0]
    if is_refusal(reply.agent) or is_transfer(reply.agent) or not _is_content(reply):
        return NOT_APPLICABLE
    short = _falls_short(ledger, reply, check.condition)
    if short is None:
        return NOT_APPLICABLE
    if not short:
        return answer([], arose=True)
    return answer([Hit(reply.index, token_words(reply), short)], arose=True)


_HAPPY = Cue(
    any_of("""
    (?:i'm|i am) (?:\\w+ )?(?:happy|satisfied|content) with / (?:good|fine|fast) enough(?: for me)?
    that'll do / i can live with (?:that|it) / that's all i (?:need|want)\\w*
    """),
)


def _is_happy(reply: Reply) -> bool:
    """Whether a reply right after own results says that they will do."""
    if not reply.calls or not reply.said & _HAPPY.bit or "?" in reply.text:
        return False
    return _HAPPY.found(reply.text) and not (declines(reply.text) or is_negated(reply.text))


_CONTENT = Cue(
    any_of("""
    fine / great / perfect / good / enough / works? / worked / solve[ds] / sort(?:s|ed) / happy
    wonderful / excellent / plenty / lovely / okay / ok / glad / satisfied / relieved
    settled / all set / (?:will|'ll) do
    that'?s (?:all|everything|it) / all i (?:need|want)\\w* / nothing else / kind of you
    """),
)


def _is_content(reply: Reply) -> bool:
    """Whether a reply that ends the talk sounds satisfied; a bare token does too."""
    if not reply.text:
        return True
    if any(_HAPPY.found(said) and not is_negated(said) for said in all_clauses(reply.text)):
        return True
    refused = declines(reply.text) and not offers_more(reply.agent)
    return not refused and _CONTENT.found(reply.text)


def _falls_short(ledger: Ledger, reply: Reply, condition: str) -> str | None:
    """Why a condition is not met; empty when it is, `None` when nothing decides it."""
    shown = ledger.calls_before(reply.index)
    wanted = bounds(condition) if shown else None
    if wanted is not None:
        return _by_measure(shown, condition, wanted)
    target = _target(condition)
    if target and shown:
        return _by_words(shown, condition, target)
    amounts = [v.canon for v in values(condition) if v.kind == "money"]
    if amounts and not ledger.calls:
        return _by_amount(reply, float(amounts[0]))
    if _NUMBERED.found(condition):
        return _by_number(ledger, reply, condition)
    return None


def _by_measure(shown: list[Called], condition: str, wanted: Bounds) -> str | None:
    """A measure is called for: the latest own result that gives it must lie within bounds."""
    for call in reversed(shown):
        if not call.ok or not stems(f"{call.tool} {call.result}") & stems(condition):
            continue
        same = measured(call.result, wanted.unit)
        if same:
            return (
                ""
                if any(map(wanted.hold, same))
                else f"{same[-1]:g} is not the {wanted} called for"
            )
    return None


_NUMBERED = Cue(
    any_of("""
    (?:case|ticket|complaint|reference|confirmation|booking|tracking|return|cabin|claim) number
    number of an? / reference / a number / confirmed number
    """),
)


_LONG = re.compile(r"(?<![\w.,-])(?!\d{1,3}(?:st|nd|rd|th)?\b)[\w-]*\d[\w-]{2,}")


def _by_number(ledger: Ledger, reply: Reply, condition: str) -> str:
    """A number is called for: the agent must have said one that the user had not."""
    own = squash(" ".join(r.text for r in ledger.replies if r.index < reply.index))
    told = (token for text in ledger.agent_before(reply.index) for token in _LONG.findall(text))
    if any(squash(token) not in own for token in told):
        return ""
    return f"no number was given; the blueprint asks for {condition.strip()!r}"


def _by_amount(reply: Reply, wanted: float) -> str | None:
    """A sum is called for: the agent's last turn must not name a smaller one alone."""
    told = [float(v.canon) for v in values(reply.agent) if v.kind == "money"]
    if not told:
        return None
    return "" if max(told) >= wanted else f"{max(told):g} is less than the {wanted:g} called for"


def _by_words(shown: list[Called], condition: str, target: frozenset[str]) -> str | None:
    results = [call for call in shown if _speaks_of(call.result, condition, target)]
    if not results:
        return None
    last = results[-1].result
    if target & word_set(last):
        return ""
    return f"the latest result ({last.strip()[:80]!r}) falls short of {condition.strip()!r}"


def _target(condition: str) -> frozenset[str]:
    """Quoted target words of a success condition."""
    quoted = re.findall(r"['‘\"“]([A-Za-z][\w /-]{1,30})['’\"”]", condition)
    found = frozenset(word for part in quoted for word in words(part))
    rated = _GRADES & word_set(re.split(r"[,;]", condition)[0])
    return found or (rated if len(rated) == 1 else frozenset())


_GRADES = frozenset("excellent good fair poor".split())
_RIVALS = _GRADES | frozenset("stable unstable offline online connected not".split())


def _speaks_of(result: str, condition: str, target: frozenset[str]) -> bool:
    """Whether a result is about what the condition is about, or shows a rival of the target."""
    if target & word_set(result):
        return True
    topic = stems(condition) - {stem(word) for word in target}
    return bool(topic & stems(result)) and bool(_RIVALS & word_set(result))
