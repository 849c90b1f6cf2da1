"""Identifiers, contacts, names, dates and sums that nothing the user may know gives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.caches import kept
from userproxybench.rules.cues import Cue, mark_of
from userproxybench.rules.fact_questions import assertions
from userproxybench.rules.facts import IDENTITY, Fact, Facts, tells_story
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.text import (
    Placed,
    any_of,
    clauses,
    is_hypothetical,
    is_uncertain,
    sentence_at,
    squash,
    word_set,
)
from userproxybench.rules.values import MONTHS, Value, values

_ID_KINDS = frozenset({"email", "handle", "code", "phone", "card_digits"})
_ATTRIBUTED = Cue(
    any_of("""
    you (?:said|mentioned|told|wrote|gave|quoted|offered|have|listed) / according to you / is it
    was it / for example / such as
    """)
    + r"|\be\.g\b",
)
_KINSHIP = (
    "wife|husband|partner|sister|brother|mother|father|son|daughter|friend|colleague|boss|"
    "neighbou?r|cousin|aunt|uncle|daughter-in-law|son-in-law|companion|assistant|roommate"
)
_CAPITAL = "[A-ZÀ-Þ]"
_PART = rf"{_CAPITAL}[a-zà-ÿ]+(?:[-'’]{_CAPITAL}?[a-zà-ÿ]+)?"
_NAMED = Cue(
    rf"\b(?:[Mm]y (?:{_KINSHIP})(?:[, ]+(?:is|called|named))?|[Nn]ame(?: is|'s|’s)|called|named|"
    rf"(?P<self>I'm|I’m|I am|[Tt]his is|[Ii]t's|[Ii]t’s))\s+(?P<name>{_PART}(?:\s{_PART})+)",
    0,
)
_IN_FULL = re.compile(rf"{_PART}\s{_CAPITAL}")
_CALLED = Cue(rf"\b(?:called|named)\s+(?P<name>{_PART})", 0)
_NAMERS = frozenset(_KINSHIP.replace("?", "").split("|")) | frozenset(
    """neighbor name called named name's i'm am this it's""".split()
)
_NAMING = mark_of(_NAMERS)
_ASKS_WHO = Cue(
    r"\b(?:(?:your|full|first|last) (?:\w+ )?name|who (?:am|is|are)|names? of the passengers?)\b",
)
_PAID = Cue(
    any_of("""
    i (?:paid|was charged|spent|owe|have paid|got billed) / (?:it|which|that) cost(?:s|ed)? me
    my (?:balance|bill|limit|salary|income|deposit) (?:is|was)
    """),
)


@finder()
def stated_values(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """Each value of a turn that nothing visible gives."""
    text = reply.turn.text
    for value in values(text):
        if _is_grounded(ledger, reply, value):
            continue
        if is_asserted(sentence_at(text, value.start), text, value.start):
            yield Finding(value.start, text[value.start : value.end], value.kind + value.canon)
    if not reply.said & _NAMING or not knows_who_it_is(ledger):
        return
    in_full = _IN_FULL.search(text) is not None and _NAMED.found(text)
    for match in _NAMED.finditer(text) if in_full else ():
        name = match.group("name")
        if match["self"] and not _ASKS_WHO.found(reply.agent):
            continue
        if not ledger.is_visible(squash(name), reply.index):
            yield Finding(match.start("name"), name, squash(name))
    for match in _CALLED.finditer(text):
        name = match.group("name")
        asserted = is_asserted(sentence_at(text, match.start()), text, match.start())
        if asserted and not ledger.is_visible(squash(name), reply.index):
            yield Finding(match.start("name"), name, squash(name))


_WHO = Cue(
    any_of("""
    (?:which|what|whose) (?:\\w+ )?(?:firm|company|shop|store|dealer|brand|manufacturer|garden)
    (?:which|what) (?:\\w+ )?(?:bank|doctor|school|hotel|employer|installer|technician|provider)
    by whom / who (?:did|was|installed|sold|delivered|made|signed|told|helped|served)
    whose names? / who (?:will|should|shall|can|may|is going to|gets|picks|drives|travels|comes)
    names? (?:of|for) (?:the|a|your) (?:\\w+ )?(?:person|contact|driver|guest|helper|neighbou?r)
    """),
)
_PROPER = re.compile(rf"{_PART}(?:\s{_PART})+|(?<=[a-z,]\s){_PART}")


@finder(heard=_WHO.bit)
def proper_answers(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """A firm or a person named in answer to `which firm`, and nowhere to be found."""
    if not _WHO.found(reply.agent):
        return
    for sentence, clause in assertions(reply.text):
        for match in _PROPER.finditer(clause):
            name = match.group()
            if not ledger.is_visible(squash(name), reply.index):
                at = sentence.start + max(0, sentence.text.find(name))
                yield Finding(at, name, squash(name), "unsupported")
                return


def is_asserted(sentence: Placed, text: str, position: int) -> bool:
    """Whether what stands at a position is said of how things are."""
    if sentence.is_question or _ATTRIBUTED.found(sentence.text):
        return False
    for clause in clauses(sentence.text):
        at = text.find(clause, sentence.start)
        if at <= position < at + len(clause):
            return not (is_hypothetical(clause) or is_uncertain(clause))
    return True


def knows_who_it_is(ledger: Ledger) -> bool:
    """Whether the blueprint gives any identity; one that does not has been cut."""
    return _has_identity(ledger.facts)


@kept(512)
def _has_identity(facts: Facts) -> bool:
    return any(fact.kind in IDENTITY for fact in facts.facts)


def rival(ledger: Ledger, shown: str) -> Fact | None:
    """A blueprint fact of the same shape as a value that the user got wrong."""
    said = values(shown)
    if said and said[0].kind == "date":
        return None
    ending = said[0].canon if said and said[0].kind == "card_digits" else shown
    shapes = {_shape(shown), _shape(ending)}
    for fact in ledger.facts.facts:
        if fact.kind == "email" and said and said[0].kind == "email":
            return fact
        value = re.sub(r"\D", "", fact.value) if fact.kind == "card_digits" else fact.value
        if _shape(value) in shapes:
            return fact
    return None


def _shape(text: str) -> str:
    return re.sub(r"[a-z]", "a", re.sub(r"\d", "0", squash(text)))


def _is_grounded(ledger: Ledger, reply: Reply, value: Value) -> bool:
    if value.kind in _ID_KINDS:
        if ledger.is_visible(squash(value.canon), reply.index):
            return True
        shown = reply.turn.text[value.start : value.end]
        return not knows_who_it_is(ledger) and rival(ledger, shown) is None
    if value.kind == "date":
        return tells_story(ledger.facts) or _date_is_grounded(ledger, reply, value)
    if value.kind == "money" and reply.said & _PAID.bit:
        sentence = sentence_at(reply.turn.text, value.start).text
        return not _PAID.found(sentence) or explains(
            ledger.visible_numbers(reply.index), float(value.canon), sentence
        )
    return True


def _date_is_grounded(ledger: Ledger, reply: Reply, value: Value) -> bool:
    dated = value.year is None or _year_is_visible(ledger, reply, value.year)
    if dated and ledger.shows_date(value.canon, reply.index):
        return True
    if _PROPOSES.found(sentence_at(reply.turn.text, value.start).text):
        return True
    if not dated:
        return False
    if _counts_days(ledger.facts):
        known = ledger.visible_dates(reply.index)
        if any(_days_apart(value.canon, other) <= 8 for other in known):
            return True
    month, day = (int(part) for part in value.canon.split("-"))
    heard = frozenset[str]().union(*(word_set(text) for text in ledger.visible_texts(reply.index)))
    names = {name for name, number in MONTHS.items() if number == month}
    written = {f"{day}", f"{day:02d}", *(f"{day}{suffix}" for suffix in ("st", "nd", "rd", "th"))}
    return bool(names & heard and written & heard)


_PROPOSES = Cue(any_of("would / could / how about / maybe / let's / try / works?"))
"""A date that the user offers is a wish, and no statement."""
_RELATIVE = Cue(
    any_of("""
    (?:next|following|previous|same) (?:day|week|morning|evening)
    (?:days?|eve|evening|morning|night|weeks?) (?:after|before|earlier|later|ago)
    (?:one|two|three|a|1|2|3) days?
    (?:nights?|days?|weeks?) (?:added|more|longer|extra) / extend\\w*
    (?:more|extra|additional|further) (?:nights?|days?|weeks?)
    tomorrow / yesterday / today / weeks? / ago / weekend / push(?:ed)? / postpone
    """),
)


@kept(512)
def _counts_days(facts: Facts) -> bool:
    """Whether the blueprint gives a date by its distance from another."""
    return any(_RELATIVE.found(item.text) for item in facts.instructions)


def _days_apart(one: str, other: str) -> int:
    """Days between two `mm-dd`, months taken as 31 days."""
    first, second = ([int(part) for part in date.split("-")] for date in (one, other))
    return abs((first[0] - second[0]) * 31 + first[1] - second[1])


def _year_is_visible(ledger: Ledger, reply: Reply, year: int) -> bool:
    return any(str(year) in text for text in ledger.visible_texts(reply.index))


_SUMS = Cue(
    any_of("""
    total / altogether / in all / in sum / both / each / combined / difference / left / remaining
    more / less / extra / saving / savings / save / together / per / plus / minus / so / makes
    years? / apiece / double / half / twice
    """),
)


def explains(known: frozenset[float], number: float, sentence: str) -> bool:
    """Whether a number is known, a known one in another unit, or a sum that the sentence names."""
    if number in known or number in (0, 1):
        return True
    units = (7, 12, 24, 60, 100, 1000)
    if any(k >= 2 and (number in (k * unit, k / unit)) for k in known for unit in units):
        return True
    return _SUMS.found(sentence) and any(
        abs(number - result) < 0.005
        for a in known
        for b in known
        for result in (a + b, a - b, a * b)
    )
