"""Values the user states: grounded, different from the blueprint's, or invented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from userproxybench.models.checks import UnknownKept, ValuesGrounded, ValuesMatch
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import asked_kinds
from userproxybench.rules.facts import Fact, Instruction
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import numbers
from userproxybench.rules.text import (
    Sentence,
    clauses,
    is_hypothetical,
    is_uncertain,
    sentence_at,
    squash,
    stems,
    word_set,
)
from userproxybench.rules.values import MONTHS, Value, values

Reading = Literal["unsupported", "differs", "unknown"]

_ID_KINDS = frozenset({"email", "handle", "code", "phone", "card_digits"})
_ATTRIBUTED = re.compile(
    r"\byou (?:said|mentioned|told|wrote|gave|quoted|offered|have|listed)\b|\baccording to you\b"
    r"|\bis it\b|\bwas it\b|\bfor example\b|\be\.g\b|\bsuch as\b",
    re.IGNORECASE,
)
_KINSHIP = (
    r"wife|husband|partner|sister|brother|mother|father|son|daughter|friend|colleague|boss|"
    r"neighbou?r|cousin|aunt|uncle|daughter-in-law|son-in-law|companion|assistant|roommate"
)
_NAMED = re.compile(
    rf"\b(?:my (?:{_KINSHIP})(?:[, ]+(?:is|called|named))?|name is|name's|name’s|called|named|"
    rf"(?:I'm|I’m|I am|[Tt]his is|[Ii]t's|[Ii]t’s))\s+"
    r"(?P<name>[A-ZÀ-Þ][a-zà-ÿ]+(?:[-'’][A-ZÀ-Þ]?[a-zà-ÿ]+)?(?:\s[A-ZÀ-Þ][a-zà-ÿ]+(?:[-'’][A-ZÀ-Þ]?[a-zà-ÿ]+)?)+)"
)
_HOW_MANY = re.compile(
    r"\bhow (?:many|much|long|often|old|far|big|large|tall|high|wide|heavy)\b|\bwhat (?:year|age|size|speed|time|height|width|"
    r"length|weight|amount|number)\b|\b(?:height|width|weight|length|age|size)\b",
    re.IGNORECASE,
)
_PAID = re.compile(
    r"\b(?:i (?:paid|was charged|spent|owe|have paid|got billed)|(?:it|which|that) cost(?:s|ed)? me|"
    r"my (?:balance|bill|limit|salary|income|deposit) (?:is|was))\b",
    re.IGNORECASE,
)


class Issue(NamedTuple):
    """One value that nothing supports, and how to read it."""

    reading: Reading
    """`unknown`: marked as unknown; `differs`: the blueprint has another; else `unsupported`."""
    hit: Hit
    """Where and why."""
    unknown: Instruction | None = None
    """`unknown`: the sentence that marks it."""


def values_grounded(ledger: Ledger, _: ValuesGrounded) -> Answer:
    """Evaluate `ValuesGrounded`."""
    hits = [issue.hit for issue in issues(ledger) if issue.reading == "unsupported"]
    return answer(hits, arose=_states_values(ledger))


def values_match(ledger: Ledger, _: ValuesMatch) -> Answer:
    """Evaluate `ValuesMatch`."""
    hits = [issue.hit for issue in issues(ledger) if issue.reading == "differs"]
    return answer(hits, arose=_states_values(ledger))


def unknown_kept(ledger: Ledger, check: UnknownKept) -> Answer:
    """Evaluate `UnknownKept`: applies once the agent's words touch what is unknown."""
    hits = [
        issue.hit
        for issue in issues(ledger)
        if issue.unknown is not None and issue.unknown.text == check.unknown
    ]
    topic = stems(check.unknown)
    arose = any(topic & stems(reply.agent) for reply in ledger.replies)
    return answer(hits, arose=arose)


def issues(ledger: Ledger) -> list[Issue]:
    """All unsupported values of a trajectory, each charged at its first statement."""
    if ledger.value_issues is None:
        seen: set[str] = set()
        ledger.value_issues = []
        for reply in ledger.replies:
            for start, shown, canon in _unsupported(ledger, reply):
                if canon not in seen:
                    seen.add(canon)
                    ledger.value_issues.append(_issue(ledger, reply, start, shown))
    return ledger.value_issues


def _states_values(ledger: Ledger) -> bool:
    return any(values(reply.text) or numbers(reply.text) for reply in ledger.replies)


def _unsupported(ledger: Ledger, reply: Reply) -> Iterator[tuple[int, str, str]]:
    """(position, words, canonical form) of each value of a turn that nothing visible gives."""
    text = reply.turn.text
    for value in values(text):
        sentence = sentence_at(text, value.start)
        if _is_asserted(sentence, text, value.start) and not _is_grounded(ledger, reply, value):
            yield value.start, text[value.start : value.end], value.kind + value.canon
    for match in _NAMED.finditer(text):
        name = match.group("name")
        if not ledger.is_visible(squash(name), reply.index):
            yield match.start("name"), name, squash(name)
    yield from _unsupported_numbers(ledger, reply)


def _is_asserted(sentence: Sentence, text: str, position: int) -> bool:
    if sentence.is_question or _ATTRIBUTED.search(sentence.text):
        return False
    for clause in clauses(sentence.text):
        at = text.find(clause, sentence.start)
        if at <= position < at + len(clause):
            return not (is_hypothetical(clause) or is_uncertain(clause))
    return True


def _is_grounded(ledger: Ledger, reply: Reply, value: Value) -> bool:
    if value.kind in _ID_KINDS:
        return ledger.is_visible(squash(value.canon), reply.index)
    if value.kind == "date":
        return _date_is_grounded(ledger, reply, value)
    if value.kind == "money":
        sentence = sentence_at(reply.turn.text, value.start).text
        return not _PAID.search(sentence) or _number_is_visible(ledger, reply, float(value.canon))
    return True


def _date_is_grounded(ledger: Ledger, reply: Reply, value: Value) -> bool:
    known = ledger.visible_dates(reply.index)
    month, day = (int(part) for part in value.canon.split("-"))
    if value.canon in known and (value.year is None or _year_is_visible(ledger, reply, value.year)):
        return True
    if value.year is not None and not _year_is_visible(ledger, reply, value.year):
        return _persona_only(ledger)
    heard = frozenset[str]().union(*(word_set(text) for text in ledger.visible_texts(reply.index)))
    names = {name for name, number in MONTHS.items() if number == month}
    written = {f"{day}", f"{day:02d}", *(f"{day}{suffix}" for suffix in ("st", "nd", "rd", "th"))}
    return f"{day:02d}-{month:02d}" in known or bool(names & heard and written & heard)


def _year_is_visible(ledger: Ledger, reply: Reply, year: int) -> bool:
    return any(str(year) in text for text in ledger.visible_texts(reply.index))


def _persona_only(ledger: Ledger) -> bool:
    """A year is world knowledge where the agent's system clock was never shown to the user."""
    return not ledger.contract.blueprint.texts()


def _number_is_visible(ledger: Ledger, reply: Reply, number: float) -> bool:
    known = ledger.visible_numbers(reply.index)
    if number in known or number in (0, 1):
        return True
    return any(
        abs(number - result) < 0.005
        for a in known
        for b in known
        for result in (a + b, a - b, a * b)
    )


def _converts(ledger: Ledger, reply: Reply, number: float) -> bool:
    """Whether a number is a visible one in another unit, or a sum or difference of two."""
    if _number_is_visible(ledger, reply, number):
        return True
    return any(
        _number_is_visible(ledger, reply, changed)
        for factor in (7, 12, 24, 60, 100, 1000)
        for changed in (number * factor, number / factor)
    )


def _unsupported_numbers(ledger: Ledger, reply: Reply) -> Iterator[tuple[int, str, str]]:
    """Bare numbers given in answer to a question for an identifier, a count or a measure."""
    asked = asked_kinds(reply.agent)
    wants_id = asked & {"zip", "user_id", "order_id", "reservation_id", "card_digits", "phone"}
    wants_count = _HOW_MANY.search(reply.agent) is not None and not reply.calls
    if not (wants_id or wants_count):
        return
    text = reply.turn.text
    taken = [(value.start, value.end) for value in values(text) if value.kind != "measure"]
    for number in numbers(text):
        if any(start <= number.start < end for start, end in taken):
            continue
        if not _is_asserted(sentence_at(text, number.start), text, number.start):
            continue
        shown = text[number.start : number.end]
        if wants_id and len(number.digits) >= 4:
            if not ledger.is_visible(number.digits, reply.index) and not _number_is_visible(
                ledger, reply, number.value
            ):
                yield number.start, shown, "n" + number.digits
        elif wants_count and number.value > 12 and not ledger.contract.user_tools:
            if not ledger.is_visible(number.digits, reply.index) and not _converts(
                ledger, reply, number.value
            ):
                yield number.start, shown, "n" + number.digits


def _issue(ledger: Ledger, reply: Reply, start: int, shown: str) -> Issue:
    sentence = sentence_at(reply.turn.text, start)
    topic = stems(sentence.text) | stems(reply.agent)
    for item in ledger.facts.unknown:
        named = stems(item.text) - stems(shown)
        if len(named & topic) >= min(2, len(named)) and named:
            reason = f"the blueprint says of this: {item.text.strip()!r}"
            return Issue("unknown", Hit(reply.index, shown, reason), item)
    rival = _rival(ledger, shown)
    if rival is not None:
        reason = f"the blueprint gives {rival.value!r}, not {shown!r}"
        return Issue("differs", Hit(reply.index, shown, reason))
    reason = f"nothing the user may know gives {shown!r}"
    return Issue("unsupported", Hit(reply.index, shown, reason))


def _rival(ledger: Ledger, shown: str) -> Fact | None:
    """A blueprint fact of the same shape as a value that the user got wrong."""
    said = values(shown)
    if said and said[0].kind == "date":
        return next(
            (fact for fact in ledger.facts.facts if fact.kind in ("date", "birth_date")), None
        )
    shape = re.sub(r"[a-z]", "a", re.sub(r"\d", "0", squash(shown)))
    for fact in ledger.facts.facts:
        if re.sub(r"[a-z]", "a", re.sub(r"\d", "0", squash(fact.value))) == shape:
            return fact
    return None
