"""What the user reports of its results, against the latest ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from userproxybench.models.checks import ReportsAgree
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.ledger import Called, Ledger, Reply
from userproxybench.rules.numbers import Number, is_label, numbers
from userproxybench.rules.text import (
    clauses,
    is_hypothetical,
    is_negated,
    is_uncertain,
    sentences,
    stem,
    stems,
    words,
)
from userproxybench.rules.tool_words import widened

_AND = re.compile(r"\band\b(?!\s+a\s+half)")
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|just over|just under|some|approximately|or so|ish|over|under)\b",
    re.I,
)

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
    return answer(hits, arose=arose)


def _wrong_numbers(ledger: Ledger, reply: Reply, calls: list[Called]) -> Iterator[Hit]:
    shown = [n.value for call in calls for n in numbers(call.result)]
    if not shown:
        return
    names = {call.tool for call in calls}
    stale = {
        n.value
        for call in ledger.calls_before(calls[0].turn)
        if call.tool in names
        for n in numbers(call.result)
    }
    known = {n.value for n in numbers(ledger.contract_text)} | {
        n.value for text in ledger.agent_before(reply.index) for n in numbers(text)
    }
    others = {
        n.value
        for call in ledger.calls_before(calls[0].turn)
        if call.tool not in names
        for n in numbers(call.result)
    }
    for sentence in sentences(reply.text):
        if sentence.is_question or is_hypothetical(sentence.text):
            continue
        for number in numbers(sentence.text):
            if is_label(sentence.text, number) or number.value in known | others:
                continue
            if not _agrees(number, shown, loose=_ABOUT.search(sentence.text) is not None):
                if (
                    number.value in stale
                    and re.search(
                        r"\b(?:before|earlier|was|were|from|previous\w*|up|down)\b",
                        sentence.text,
                        re.I,
                    )
                    and len(numbers(sentence.text)) > 1
                ):
                    continue
                said = sentence.text
                reason = f"the latest result of {calls[-1].tool} does not show {sentence.text[number.start : number.end]!r}"
                yield Hit(reply.index, said, reason)
                return


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
    total = sum(shown)
    return number.value in (total, len(shown)) or any(
        abs(number.value - abs(a - b)) < 1e-9 for a in shown for b in shown
    )


def _wrong_states(reply: Reply, calls: list[Called]) -> Iterator[Hit]:
    latest: dict[str, str] = {}
    for call in calls:
        for name, value in _pairs(call.result):
            latest[name] = value
    if not latest:
        return
    for sentence in sentences(reply.text):
        if sentence.is_question:
            continue
        for clause in clauses(_AND.sub(",", sentence.text)):
            if is_hypothetical(clause) or is_negated(clause) or is_uncertain(clause):
                continue
            hit = _contradicted(clause, latest)
            if hit:
                yield Hit(reply.index, sentence.text, hit)
                return


def _contradicted(clause: str, latest: dict[str, str]) -> str | None:
    said = words(clause)
    heard = frozenset(stem(word) for word in said) | widened(clause)
    named = [name for name in latest if stems(name) and stems(name) <= heard]
    if len(named) != 1:
        return None
    value = latest[named[0]]
    shown = set(words(value))
    for word in said:
        for state in shown & _STATES.keys():
            if word in _STATES[state] and not set(said) & shown & _STATES.keys():
                return f"the latest result shows {named[0].strip()}: {value.strip()!r}"
    nums = numbers(clause)
    mine = numbers(value)
    theirs = {n.value for name, other in latest.items() if name != named[0] for n in numbers(other)}
    if len(nums) == 1 and len(mine) == 1 and nums[0].value in theirs:
        if not _agrees(nums[0], [mine[0].value], loose=False):
            return f"the latest result shows {named[0].strip()}: {value.strip()!r}"
    return None


@lru_cache(maxsize=4096)
def _pairs(result: str) -> tuple[tuple[str, str], ...]:
    """`Key: value` and `Key value` parts of a tool result."""
    found = []
    for part in re.split(r"[\n|;]|,\s", result):
        name, colon, value = part.partition(":")
        if colon and 0 < len(name.split()) <= 5:
            found.append((name.strip(), value))
        else:
            match = re.match(r"\s*([A-Za-z][A-Za-z -]+?)\s+([\d.]+.*|[A-Z]{2,}\w*)$", part)
            if match:
                found.append((match.group(1), match.group(2)))
    return tuple(found)
