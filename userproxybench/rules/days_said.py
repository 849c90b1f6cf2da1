"""Days of the week and times of day other than the blueprint's."""

from __future__ import annotations

from collections.abc import Iterator

from userproxybench.rules.asks import asked_kinds
from userproxybench.rules.caches import kept
from userproxybench.rules.clock import may_tell_time, times_of_day
from userproxybench.rules.cues import Cue, mark_of
from userproxybench.rules.fact_questions import assertions
from userproxybench.rules.facts import Facts, Instruction
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import any_of, stems, word_set

_DAY_NAMES = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "lunes martes miércoles jueves viernes sábado domingo",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
)
WEEKDAYS = {name: place for names in _DAY_NAMES for place, name in enumerate(names.split())}
_NAMES = frozenset(WEEKDAYS)
_LOOSE = Cue(
    any_of("""
    not / but / except / before / after / until / till / later / earlier / any / no / between
    from / if / or / unless / by / every / each / either / prefer(?:ably)?
    """),
)


_ASKS_TIME = Cue(any_of("what time / which time / when / how late / what hour / hour"))


@finder(heard=_ASKS_TIME.bit)
def other_times(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """A time of day that differs from the only ones the blueprint gives."""
    if not _ASKS_TIME.found(reply.agent):
        return
    fixed = _fixed_times(ledger.facts)
    if not fixed and not _names_daytime(ledger.blueprint_text):
        yield from _made_up_time(reply)
    if not fixed or any(_LOOSE.found(item.text) for item in fixed):
        return
    texts = ledger.visible_texts(reply.index)
    visible = {time.minutes for text in texts for time in times_of_day(text)}
    for sentence, clause in assertions(reply.text):
        for time in times_of_day(clause):
            if time.minutes not in visible:
                shown = clause[time.start : time.end]
                reason = f"the blueprint says: {fixed[0].text.strip()!r}"
                at = sentence.start + max(0, sentence.text.find(shown))
                yield Finding(at, shown, f"time{time.minutes}", "differs", reason)


@kept(512)
def _fixed_times(facts: Facts) -> tuple[Instruction, ...]:
    """The sentences of a blueprint that give a time of day."""
    return tuple(item for item in facts.instructions if times_of_day(item.text))


_DAYTIME = Cue(
    any_of("""
    morning / noon / midday / afternoon / evening / night / lunch\\w* / breakfast / dinner / clock
    half (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) / any time / hours?
    """),
)


@kept(512)
def _names_daytime(blueprint: str) -> bool:
    return _DAYTIME.found(blueprint)


def _made_up_time(reply: Reply) -> Iterator[Finding]:
    """A time of day in answer to a question for what was, where no line has any."""
    if not reply.heard & _PAST_TIME.bit:
        return
    if not (reply.said & _DAYTIME.bit or may_tell_time(reply.text)):
        return
    if not _PAST_TIME.found(reply.agent):
        return
    for sentence, clause in assertions(reply.text):
        if _DAYTIME.found(clause) or times_of_day(clause):
            reason = "no line of the blueprint gives a time"
            yield Finding(sentence.start, sentence.text, "daytime", "unsupported", reason)
            return


_PAST_TIME = Cue(
    any_of("(?:what time|which hour|when)\\b.{0,40}\\b(?:did|was|were|had|came|happened|arrived?)"),
)


@finder(own=mark_of(_NAMES))
def other_days(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """A weekday that differs from the one the blueprint gives for what the agent asks."""
    if _NAMES.isdisjoint(word_set(reply.text)) or "date" not in asked_kinds(reply.agent):
        return
    visible = {
        WEEKDAYS[word]
        for text in ledger.visible_texts(reply.index)
        for word in _NAMES & word_set(text)
    }
    fixed = [
        item
        for item in ledger.facts.instructions
        if _NAMES & word_set(item.text)
        and not _LOOSE.found(item.text)
        and stems(item.text) & (stems(reply.agent) | stems(reply.text)) - _NAMES
    ]
    if not fixed:
        return
    for sentence, clause in assertions(reply.text):
        for name in sorted(_NAMES & word_set(clause)):
            if WEEKDAYS[name] not in visible:
                reason = f"the blueprint says: {fixed[0].text.strip()!r}"
                at = sentence.start + max(0, sentence.text.lower().find(name))
                yield Finding(at, name.capitalize(), "day" + name, "differs", reason)
