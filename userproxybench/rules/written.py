"""Evaluators of the checks that people write by hand (`models.written_checks`)."""

from __future__ import annotations

from collections.abc import Iterator

from userproxybench.models.written_checks import CalledWith, EndsOnlyWhen, OnlyAfter, StatesOnly
from userproxybench.rules.answer import NOT_APPLICABLE, PASS, Answer, Hit, answer
from userproxybench.rules.asks import asked_kinds
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import IDENTITY
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.moves import is_refusal, is_transfer
from userproxybench.rules.numbers import numbers
from userproxybench.rules.text import sentences, squash, stem, words
from userproxybench.rules.values import Value, values

_ELSEWHERE = Cue(
    r"\b(?:contact\w*|visit\w*|call\w*|reach\w* out to)\b[^.?!]{0,40}"
    r"\b(?:carrier|provider|store|support|technician|customer (?:service|care))\b|\bgood luck\b",
)


def only_after(ledger: Ledger, check: OnlyAfter) -> Answer:
    """Evaluate `OnlyAfter`: the first time that any term or tool comes up decides."""
    for turn, quotation, term in sorted(_given(ledger, check)):
        before = ledger.agent_before(turn)
        cues = (term, *check.after) if check.told else check.after
        cued = any(_mentions(text, cue) for text in before for cue in cues)
        if cued or any(_asks(text, check.asked) for text in before):
            return PASS
        what = f"{term} was used" if term in check.tools else f"{term!r} was said"
        return answer([Hit(turn, quotation, f"{what} before the agent gave cause to")], arose=True)
    return NOT_APPLICABLE


def states_only(ledger: Ledger, check: StatesOnly) -> Answer:
    """Evaluate `StatesOnly`."""
    allowed = {_canon(value) for text in check.allowed for value in _of_kind(text, check)}
    stated, hits = False, []
    for reply in ledger.replies:
        before = _told(ledger, reply) if check.told else []
        told = {_canon(value) for text in before for value in _of_kind(text, check)}
        for value in _of_kind(reply.turn.text, check):
            stated = True
            if _canon(value) not in allowed | told:
                shown = reply.turn.text[value.start : value.end]
                hits.append(Hit(reply.index, shown, f"the user may not state {shown!r}"))
    return answer(hits, arose=stated or (not check.allowed and bool(ledger.replies)))


def ends_only_when(ledger: Ledger, check: EndsOnlyWhen) -> Answer:
    """Evaluate `EndsOnlyWhen`."""
    end = next((reply for reply in ledger.replies if reply.token), None)
    if end is None or end.token != "STOP" or _gave_up(ledger, end):
        return NOT_APPLICABLE
    results = [call.result for call in ledger.calls_before(end.index) if call.tool in check.tools]
    if results and any(_mentions(results[-1], word) for word in check.shows):
        return PASS
    shown = repr(results[-1].strip()[:80]) if results else "never run"
    which = " or ".join(check.tools)
    hit = Hit(end.index, end.turn.text, f"ends as satisfied; latest {which}: {shown}")
    return answer([hit], arose=True)


def called_with(ledger: Ledger, check: CalledWith) -> Answer:
    """Evaluate `CalledWith`."""
    calls = [call for call in ledger.calls if call.tool == check.tool]
    hits = [
        Hit(call.turn, call.tool, f"{name} is {str(call.arguments.get(name))!r}, not {wanted!r}")
        for call in calls
        for name, wanted in check.arguments.items()
        if not _same(call.arguments.get(name), wanted)
    ]
    return answer(hits, arose=bool(calls))


def _given(ledger: Ledger, check: OnlyAfter) -> Iterator[tuple[int, str, str]]:
    """(turn, words that show it, term or tool) of all occurrences."""
    for reply in ledger.replies:
        for term in check.terms:
            if _mentions(reply.text, term):
                yield reply.index, _sentence(reply, term), term
    for call in ledger.calls:
        if call.tool in check.tools:
            yield call.turn, call.tool, call.tool


def _sentence(reply: Reply, term: str) -> str:
    found = (item.text for item in sentences(reply.turn.text) if _mentions(item.text, term))
    return next(found, reply.turn.text)


def _mentions(text: str, term: str) -> bool:
    """Whether a text holds a value, however it is punctuated or spelled out, or a phrase."""
    if any(char.isdigit() for char in term):
        needle = squash(term)
        return needle in squash(text) or needle in {item.digits for item in numbers(text)}
    said, phrase = _stems(text), _stems(term)
    return phrase in said


def _stems(text: str) -> str:
    return f" {' '.join(stem(word) for word in words(text))} "


def _told(ledger: Ledger, reply: Reply) -> list[str]:
    results = (call.result for call in ledger.calls_before(reply.index))
    return [*ledger.agent_before(reply.index), *results]


def _gave_up(ledger: Ledger, end: Reply) -> bool:
    """Whether the agent, since the user's last call, refused, handed over or sent it elsewhere."""
    last = max((call.turn for call in ledger.calls_before(end.index)), default=-1)
    before = set(ledger.agent_before(end.index))
    said = [text for text in ledger.agent_after(last) if text in before]
    return any(is_transfer(text) or is_refusal(text) or _ELSEWHERE.found(text) for text in said)


def _asks(text: str, kinds: tuple[str, ...]) -> bool:
    broad = {"identity", "open"} if IDENTITY & set(kinds) else {"open"}
    return bool(kinds) and bool(asked_kinds(text) & {*kinds, *broad})


def _of_kind(text: str, check: StatesOnly) -> list[Value]:
    return [value for value in values(text) if value.kind == check.values]


def _canon(value: Value) -> str:
    return squash(value.canon)


def _same(given: object, wanted: str) -> bool:
    try:
        return float(str(given)) == float(wanted)
    except ValueError:
        return squash(str(given)) == squash(wanted)
