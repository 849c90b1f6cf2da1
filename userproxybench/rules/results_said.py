"""What the user reports of its results, against the latest ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from userproxybench.models.checks import ReportsAgree
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue, mark_of
from userproxybench.rules.ledger import Called, Ledger, Reply
from userproxybench.rules.numbers import (
    NUMBER_WORDS,
    PERCENT,
    Number,
    is_label,
    names_number,
    number_set,
    numbers,
)
from userproxybench.rules.text import (
    any_of,
    clauses,
    has_word,
    is_hypothetical,
    is_negated,
    is_uncertain,
    sentences,
    stems,
    word_set,
)
from userproxybench.rules.tool_words import widened

_AND = Cue(r"\band\b(?!\s+a\s+half)", 0)
_ABOUT = Cue(
    any_of("""
    about / around / roughly / nearly / almost / just over / just under / some / approximately
    or so / ish / over / under
    """),
)

_BEFORE = Cue(any_of("before / earlier / was / were / from / previous\\w* / up / down"))
_STATES: dict[str, frozenset[str]] = {
    "on": frozenset({"off", "disabled"}),
    "off": frozenset({"on", "enabled"}),
    "enabled": frozenset({"off", "disabled"}),
    "disabled": frozenset({"on", "enabled"}),
    "connected": frozenset({"disconnected", "offline"}),
    "disconnected": frozenset({"connected", "online"}),
    "online": frozenset({"offline", "disconnected"}),
    "offline": frozenset({"online", "connected"}),
    "active": frozenset({"inactive", "locked", "missing"}),
    "open": frozenset({"closed", "shut"}),
    "closed": frozenset({"open"}),
    "locked": frozenset({"unlocked"}),
    "unlocked": frozenset({"locked"}),
    "pass": frozenset({"fail", "failed"}),
    "passed": frozenset({"failed", "fail"}),
    "failed": frozenset({"passed", "pass"}),
    "excellent": frozenset({"good", "fair", "poor"}),
    "good": frozenset({"fair", "poor", "excellent"}),
    "fair": frozenset({"good", "excellent", "poor"}),
    "poor": frozenset({"good", "excellent", "fair"}),
    "green": frozenset({"red", "amber", "orange", "yellow"}),
    "red": frozenset({"green", "amber", "orange", "yellow"}),
    "amber": frozenset({"green", "red"}),
    "steady": frozenset({"blinking", "flashing"}),
    "blinking": frozenset({"steady", "solid"}),
}
_RATINGS = frozenset("excellent good fair poor".split())
_GENERATIONS = frozenset("2g 3g 4g 5g lte".split())
_MAY_RATE, _MAY_NAME_GENERATION = mark_of(_RATINGS), mark_of(_GENERATIONS)
_SWITCHED = Cue(
    r"\b(?:turned|switched|toggled)\b.{0,30}?\b(?P<state>on|off)\b|\b(?P<en>enabled|disabled)\b",
)
_RATES = Cue(
    any_of(
        "it says / rated? / rating / that's / which is / which counts / counts as / it's / result"
    ),
)
_STATE_WORDS = frozenset(_STATES).union(*_STATES.values())


def reports_agree(ledger: Ledger, check: ReportsAgree) -> Answer:
    """Evaluate `ReportsAgree`."""
    hits: list[Hit] = []
    arose = False
    for reply in ledger.replies:
        calls = [c for c in reply.calls if not check.tools or c.tool in check.tools]
        if not calls:
            continue
        arose = True
        hits += _wrong_numbers(ledger, reply, calls)
        hits += _wrong_states(reply, calls)
        if reply.said & _MAY_RATE:
            hits += _wrong_rating(reply, calls, _RATINGS)
        if reply.said & _MAY_NAME_GENERATION:
            hits += _wrong_rating(reply, calls, _GENERATIONS)
    return answer(hits, arose=arose)


def _wrong_numbers(ledger: Ledger, reply: Reply, calls: list[Called]) -> Iterator[Hit]:
    """A figure that the latest results do not show, nor anything else the user has heard."""
    if not numbers(reply.text):
        return
    told = (s.text for s in sentences(reply.text) if not s.is_question)
    told_with = [text for text in told if numbers(text) and not is_hypothetical(text)]
    shown = [n.value for call in calls for n in numbers(call.result)] if told_with else []
    for text in told_with if shown else ():
        then_and_now = len(numbers(text)) > 1 and _BEFORE.found(text)
        loose = _ABOUT.found(text)
        for number in numbers(text):
            if is_label(text, number) or _agrees(number, shown, loose=loose):
                continue
            if _is_known(ledger, reply, number.value, calls, then_and_now=then_and_now):
                continue
            if _is_worked_out(ledger, reply, number.value, calls, apart=_APART.found(text)):
                continue
            figure = text[number.start : number.end]
            if _is_portion(text, number, calls, loose=loose):
                continue
            reason = f"the latest result of {calls[-1].tool} does not show {figure!r}"
            yield Hit(reply.index, text, reason)
            return


def _is_portion(text: str, number: Number, calls: list[Called], *, loose: bool) -> bool:
    """Whether a figure is a half, a share, what is left of a hundred or a part of a measure."""
    if "half" in text[number.start : number.end] or _is_part(text, number):
        return True
    if _NO_READING.match(text, number.end) or _PAST.search(text[: number.start]):
        return True
    shown = [n.value for call in calls for n in numbers(call.result)]
    if _IN_UNIT.match(text, number.end) and _is_converted(number.value, shown):
        return True
    return _is_rest(number, calls) or _is_share(text, number, shown, loose=loose)


_NO_READING = re.compile(
    r" times\b|-?fold\b|x\b| ?(?:o['’]clock|[ap]\.?m\b)"
    r"| (?:an?|per|each|every) (?:second|minute|hour|day|week|month|year)\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:past|quarter to|minutes to) $", re.IGNORECASE)
"""Around how many times, and the time of day."""
_IN_UNIT = re.compile(
    r"\s?(?:hours?|minutes?|mins?|days?|weeks?|seconds?|°|degrees?|c\b|f\b|celsius|fahrenheit|cent"
    r"|km|miles?|met(?:re|er)s?|cm|kilos?|kg|pounds|lit(?:re|er)s?|gallons?|gigs?|gigabytes?|gb|mb|tb"
    r"|mega\w*|kw|kilowatts?|watts?)",
    re.IGNORECASE,
)
_FACTORS = (60, 3600, 24, 86400, 7, 1000, 1024, 100, 8, 1.609, 3.281, 2.205, 4.546, 3.785, 2.54)


def _is_converted(value: float, shown: list[float]) -> bool:
    """Whether a figure is one of the results in another unit."""
    made = [x for one in shown for factor in _FACTORS for x in (one * factor, one / factor)]
    made += [x for one in shown for x in (one * 1.8 + 32, (one - 32) / 1.8)]
    return any(abs(value - one) <= max(0.015 * value, 0.05) for one in made)


def _is_share(text: str, number: Number, shown: list[float], *, loose: bool) -> bool:
    """Whether a figure is what one figure of the results is of another, in percent or roughly."""
    percent = PERCENT.match(text, number.end) is not None
    pairs = [(part, whole) for part in shown for whole in shown if part > 0 and whole > 0]
    if percent:
        return any(abs(100 * part / whole - number.value) <= _ROUNDED for part, whole in pairs)
    of = [part / whole for part, whole in pairs if part != whole]
    return loose and any(abs(one - number.value) <= _NEARLY * one for one in of)


def _is_part(text: str, number: Number) -> bool:
    """Whether a figure is a part of a measure: `a metre thirty-eight`, `two hours ten`."""
    after, before = text[number.end :], text[: number.start]
    return (
        bool(_FIRST_PART.match(after) and numbers(after)) or _LAST_PART.search(before) is not None
    )


_UNIT = (
    r"(?:metres?|meters?|kilos?|foot|feet|lit(?:re|er)s?|hours?|minutes?|degrees?|pounds?|stone)"
)
_FIRST_PART = re.compile(
    rf"[ -]{_UNIT} (?:and )?(?:\d|(?:{'|'.join(sorted(NUMBER_WORDS))})\b)", re.I
)
_LAST_PART = re.compile(rf"(?:\b(?:a|an|one|two|three|four|five|six)|\d) {_UNIT} (?:and )?$", re.I)


def _is_rest(number: Number, calls: list[Called]) -> bool:
    """Whether a figure is what a percentage of the results lacks of a hundred."""
    shares = (m[1] for call in calls for m in _SHARE.finditer(call.result))
    return any(abs(100 - float(share) - number.value) < 1 for share in shares)


_SHARE = re.compile(r"(\d{1,3}(?:\.\d+)?)\s?(?:%|per ?cent\b)", re.IGNORECASE)
_NEARLY = 0.1
_ROUNDED = 3
"""Points of a hundred that a share in percent may be off."""
_APART = Cue(
    any_of("less / fewer / more / short / below / above / under / over / off / apart / difference"),
)


def _is_worked_out(
    ledger: Ledger, reply: Reply, value: float, calls: list[Called], *, apart: bool
) -> bool:
    """Whether a figure is the sum or the difference of two: what a reading has gone up by.

    Of two readings of a tool; where the words say so, of a reading and a number told.
    """
    names = {call.tool for call in calls}
    earlier = ledger.calls_before(calls[0].turn)
    same = (call for call in earlier if apart or call.tool in names)
    others = {n.value for call in same for n in numbers(call.result)}
    if apart:
        others |= number_set(ledger.contract_text + reply.agent)
    shown = (n.value for call in calls for n in numbers(call.result))
    rough = 0.12 * value if value >= _MUCH else 0.5 * (value % 1 == 0)
    off = max(rough * apart, 1e-9)
    return any(
        min(abs(value - abs(now - other)), abs(value - now - other)) <= off
        for now in shown
        for other in others
    )


_MUCH = 100
"""From here on a difference may be a rough one."""


def _is_known(
    ledger: Ledger, reply: Reply, value: float, calls: list[Called], *, then_and_now: bool
) -> bool:
    """Whether a figure stands in the contract, in what the agent said or in other results.

    An older result of the same tool counts only where a sentence compares then and now.
    """
    if value in number_set(ledger.contract_text):
        return True
    names = {call.tool for call in calls}
    earlier = ledger.calls_before(calls[0].turn)
    results = (call.result for call in earlier if then_and_now or call.tool not in names)
    heard = (*ledger.agent_before(reply.index), *results)
    return any(names_number(text, value) for text in reversed(heard))


def _agrees(number: Number, shown: list[float], *, loose: bool) -> bool:
    for value in shown:
        if abs(number.value - value) < 1e-9:
            return True
        whole = number.value == int(number.value)
        if whole and abs(number.value - value) <= (0.5 if value != int(value) else 0):
            return True
        if round(value, 1) == number.value:
            return True
        slack = max(0.12 * abs(value), 1.0) if loose or number.spoken else 0.0
        if slack and abs(number.value - value) <= slack and whole:
            return True
    return number.value in (0, sum(shown), len(shown)) or any(
        abs(number.value - abs(a - b)) < 1e-9 for a, b in combinations(shown, 2)
    )


def _wrong_states(reply: Reply, calls: list[Called]) -> Iterator[Hit]:
    """A state or a figure that differs from the one the latest result has for the same thing."""
    said = [
        (sentence.text, clause)
        for sentence in sentences(reply.text)
        if not sentence.is_question
        for clause in _stating(sentence.text)
    ]
    latest = {name: value for call in calls for name, value in _pairs(call.result)} if said else {}
    for sentence, clause in said if latest else ():
        name = _named(clause, latest) or _it(clause, sentence, latest)
        if name and (_other_state(clause, latest[name]) or _other_figure(clause, name, latest)):
            reason = f"the latest result shows {name.strip()}: {latest[name].strip()!r}"
            yield Hit(reply.index, sentence, reason)
            return


@kept_longer(2048)
def _stating(sentence: str) -> tuple[str, ...]:
    """The clauses of a sentence that assert a state or a figure."""
    if _CYCLED.found(sentence):
        return ()
    return tuple(
        clause
        for clause in clauses(_AND.sub(",", sentence))
        if not _STATE_WORDS.isdisjoint(word_set(clause)) or numbers(clause)
        if not (is_hypothetical(clause) or is_negated(clause) or is_uncertain(clause))
    )


def _wrong_rating(reply: Reply, calls: list[Called], grades: frozenset[str]) -> Iterator[Hit]:
    """Another grade than the only one in the results: `fair` for `excellent`."""
    if not has_word(reply.text, grades):
        return
    shown = grades & frozenset[str]().union(*(word_set(call.result) for call in calls))
    if len(shown) != 1:
        return
    if grades is _GENERATIONS and shown & word_set(reply.text):
        return
    for sentence in sentences(reply.text):
        if shown & word_set(sentence.text) or sentence.is_question:
            continue
        rated = [clause for clause in clauses(sentence.text) if grades & word_set(clause)]
        for clause in rated if grades is _GENERATIONS or _RATES.found(sentence.text) else ():
            if not (is_negated(clause) or is_hypothetical(clause)):
                yield Hit(reply.index, sentence.text, f"the latest result says {min(shown)!r}")
                return


def _named(clause: str, latest: dict[str, str]) -> str | None:
    """The one thing of the results that a clause names."""
    heard = widened(clause)
    named = [name for name in latest if stems(name) and widened(name) <= heard]
    named = named or [name for name in latest if stems(name) and stems(name) <= heard]
    return named[0] if len(named) == 1 else None


def _it(clause: str, sentence: str, latest: dict[str, str]) -> str | None:
    """What `I turned it on` means: the one thing of the results that its sentence names."""
    switched = "it" in word_set(clause) and _SWITCHED.search(clause)
    return _named(sentence, latest) if switched else None


def _other_state(clause: str, value: str) -> bool:
    said, shown = word_set(clause), word_set(value) & _STATES.keys()
    return not said & shown and any(said & _STATES[state] for state in shown)


def _other_figure(clause: str, name: str, latest: dict[str, str]) -> bool:
    """Whether a clause gives to one thing the figure of another."""
    said, mine = numbers(clause), numbers(latest[name])
    if len(said) != 1 or len(mine) != 1 or _agrees(said[0], [mine[0].value], loose=False):
        return False
    others = (value for other, value in latest.items() if other != name)
    return any(n.value == said[0].value for value in others for n in numbers(value))


_CYCLED = Cue(
    r"\bon,? (?:and )?(?:then )?(?:back )?off\b|\boff,? (?:and )?(?:then )?(?:back )?on\b"
)
_PARTS = re.compile(r"[\n|;]|,\s|\s/\s")
_PAIR = re.compile(r"\s*([A-Za-z][A-Za-z -]+?)\s+([\d.]+.*|[A-Z]{2,}\w*)$")
_NOW = Cue(r"\s*((?:[A-Z][\w-]*\s){1,4})(?:mode )?(?:is|turned)(?: now| turned)? (O(?:N|FF)\b)", 0)


@kept(512)
def _pairs(result: str) -> tuple[tuple[str, str], ...]:
    """`Key: value` and `Key value` parts of a tool result."""
    found = []
    for part in _PARTS.split(result):
        name, colon, value = part.partition(":")
        if colon and 0 < len(name.split()) <= 5:
            found.append((name.strip(), value))
        else:
            match = _NOW.match(part) or _PAIR.match(part)
            if match:
                found.append((match.group(1), match.group(2)))
    return tuple(found)
