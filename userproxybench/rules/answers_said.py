"""Answers about the user's own affairs that nothing the user may know decides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue, mark_of
from userproxybench.rules.fact_questions import (
    assertions,
    fact_questions,
    fact_topics,
    is_unsure,
)
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import all_stems, any_of, has_word, placed_sentences, stems, word_set
from userproxybench.rules.values import date_set

_HOLDING = Cue(
    r"\bI (?:(?P<no>do not|don['’]t|did not|didn['’]t|have not|haven['’]t|never)|did|do)?\s*"
    r"(?:currently |actually |already |yet |even )*"
    r"(?:have(?! to\b)|had(?! to\b)|own|hold|purchased?|buy|bought|book(?:ed)?|add(?:ed)?|"
    r"receive[d]?|open(?:ed)?|file[d]?|report(?:ed)?|request(?:ed)?|paid|pay|use[d]?|"
    r"sign(?:ed)? up for)\s+"
    r"(?P<what>[^.,;!?\n()]+)",
)
_HOLD_WORDS = frozenset(
    """have had own hold purchase purchased buy bought book booked add added receive received open
    opened file filed report reported request requested paid pay use used sign signed""".split()
)
_I, _ANY_OF = frozenset(("i",)), frozenset(("any",))
_WISH_ONLY = Cue(any_of("do not need / don't need / do not want / don't want / without"))
_ABOUT_WHAT = Cue(r"\b(?:for|with|on|in|at|about|regarding|from|to|of)\b")
_HAVE = Cue(r"\b(?:have|had)\b")
_ANY = re.compile(r"(?:any|an?|another)\b", re.IGNORECASE)
_NOT_AN_AFFAIR = frozenset(
    """id ids number numbers code codes detail details information info reason reasons preference
    preferences question questions request requests handy hand front access time idea problem
    problems issue issues trouble concern concerns choice option options chance objection email
    memorized memorised else feedback comment comments offers opinion
    plans thoughts interest doubts receipt receipts document documents paperwork proof photo
    photos picture pictures screenshot screenshots invoice label copy pen""".split()
)
_ONLY = Cue(
    r"\b(?:that|this|it|which)(?:['’]s| is| was) (?:definitely |actually |really )?(?:the|my) only "
    r"(?P<what>(?:[\w-]+ ){0,4}?)"
    r"(?:(?:that )?I (?:have|had|own|hold|made|booked|use)\b|on my account)"
    r"|\b(?:is|was) (?:definitely |actually )?my only "
    r"(?P<mine>(?:upcoming |current |active |open )\w+)"
    r"|\bI was the only (?P<alone>passenger|person|travell?er|guest)\b"
    r"|\b(?:the|my) (?P<habit>[\w ]{3,30}?) (?:that )?"
    r"I (?:always|usually|normally) (?:use|fly|pay|book)",
)
_COUNTS = Cue(r"\b(?:only|one|single|alone|always|usually|just)\b(?:\W+\w+){0,3}")
_THING = (
    r"(?:e-?mails?|inbox|phone|card|wallet|purse|account|receipt|confirmation|paperwork|documents?|"
    r"password|login|laptop|computer|passport|letter|invoice|ticket|membership)"
)
_MISHAP = Cue(
    rf"\bmy (?:\w+ )?{_THING}(?: \w+)?(?:['’]s)? (?:was|were|got|has been|is|are) (?:\w+ly )?"
    r"(?:deleted|lost|stolen|hacked|broken|locked|compromised|damaged|dead|disabled|destroyed)\b"
    r"|\bI(?:['’]ve| have)? (?:seem to have |must have |may have |accidentally |just )*"
    r"(?:lost|misplaced|deleted|broke|thrown away|threw away) (?:my|the|all my) "
    rf"(?:\w+['’]?s? )?{_THING}",
)
_MISHAP_WORDS = frozenset(
    """deleted lost stolen hacked broken locked compromised damaged dead disabled destroyed
    misplaced broke thrown threw""".split()
)
_MISHAPS = stems(" ".join((*_MISHAP_WORDS, "access")))
_WHEN = Cue(
    any_of("""
    recently / yesterday / last (?:week|month|night|year|summer|winter|spring|autumn|fall)
    (?:\\w+|a few|a couple of) (?:days?|weeks?|months?|years?) ago
    (?:in|over|during) the (?:spring|summer|autumn|winter|holidays)
    (?:earlier|late|early|later) (?:this|last) (?:week|month|year)
    (?:next|last) (?:mon|tues|wednes|thurs|fri|satur|sun)day
    """),
)
_WHEN_WORDS = frozenset(
    """recently yesterday last next ago spring summer autumn winter holidays earlier late early
    later""".split()
)
_TIME_ASKED = Cue(
    any_of("when / date / dates / day / how long / since / time / month / year / recent / ago"),
)
_TIME_WORDS = Cue(
    any_of("""
    recent(?:ly)? / yesterday / today / tonight / ago / last / morning / afternoon / evening / night
    week / weeks / weekend / month / months / days? / year / years / newly
    january / february / march / april / june / july / august / september / october / november
    december / monday / tuesday / wednesday / thursday / friday / saturday / sunday / earlier
    """),
)


@finder(own=mark_of(_HOLD_WORDS))
def holdings(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`I don't have any open tickets`: what was asked for, and no line of the contract decides."""
    if not has_word(reply.text, _I):
        return
    if not has_word(reply.text, _ANY_OF) and not fact_questions(reply.agent):
        return
    for sentence in placed_sentences(reply.text):
        match = None if sentence.is_question else _holding(sentence.text)
        if match is None or is_unsure(sentence.text):
            continue
        what = _ABOUT_WHAT.split(match["what"])[0]
        if match["no"] and not _ANY.match(match["what"]) and _HAVE.found(match.group()):
            continue
        none_at_all = match["no"] and what.lower().startswith("any ")
        named = stems(what) & (stems if none_at_all else fact_topics)(reply.agent) - PLAIN
        if not named or _NOT_AN_AFFAIR & word_set(what) or named & _decided(ledger):
            continue
        if match["no"] and _has_denied(ledger, reply, named):
            continue
        at = sentence.start + match.start()
        reason = "no line of the blueprint decides this"
        yield Finding(at, match.group(), "has" + min(named), "unsupported", reason)


@kept_longer(512)
def _holding(sentence: str) -> re.Match[str] | None:
    return _HOLDING.search(sentence)


def _has_denied(ledger: Ledger, reply: Reply, named: frozenset[str]) -> bool:
    """Whether the user had said the same before: what it repeats is not said anew."""
    return any(
        match["no"] and named <= stems(match["what"])
        for earlier in ledger.replies[: reply.position]
        for match in _HOLDING.finditer(earlier.text)
    )


@finder(own=mark_of(("only", "always", "usually", "normally")))
def universals(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`That's the only flight I have`: whatever else there is, the blueprint does not say."""
    for sentence, clause in assertions(reply.text) if _ONLY.found(reply.text) else ():
        match = _ONLY.search(clause)
        if match is None:
            continue
        what = stems(" ".join(group for group in match.groups() if group)) - PLAIN
        if not what or _says_only(ledger, what):
            continue
        key = "habit" if match["habit"] else "only"
        yield Finding(sentence.start, clause, key, "unsupported", "the blueprint does not say so")


def _says_only(ledger: Ledger, what: frozenset[str]) -> bool:
    """Whether the blueprint says `the only`, `one`, `always` of any of the words."""
    return any(
        what & stems(match.group())
        for item in ledger.facts.instructions
        for match in _COUNTS.finditer(item.text)
    )


@finder(own=mark_of(_MISHAP_WORDS))
def mishaps(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """An excuse out of nowhere: `my e-mail was deleted`."""
    match = _MISHAP.search(reply.text)
    if match is None:
        return
    known = all_stems(ledger.visible_texts(reply.index))
    if not _MISHAPS & known:
        yield Finding(match.start(), match.group(), "mishap", "unsupported")


@finder(own=mark_of(_WHEN_WORDS), heard=_TIME_ASKED.bit)
def times(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """A time given in answer to `when`, where the contract has no time at all."""
    if not _asks_time(reply.agent):
        return
    for sentence, clause in assertions(reply.text):
        match = _WHEN.search(clause)
        if match and not (_TIME_WORDS.found(ledger.blueprint_text) or _is_dated(ledger, reply)):
            at = sentence.start + max(0, sentence.text.find(match.group()))
            yield Finding(at, match.group(), "when" + match.group().lower(), "unsupported")
            return


def _is_dated(ledger: Ledger, reply: Reply) -> bool:
    """Whether the agent has told a date from which `a few days ago` may be worked out."""
    return any(map(date_set, ledger.agent_before(reply.index)))


def _asks_time(agent: str) -> bool:
    return _TIME_ASKED.found(agent)


def _decided(ledger: Ledger) -> frozenset[str]:
    """Content stems of all blueprint sentences but those that only turn something down."""
    return frozenset[str]().union(
        *(stems(item.text) for item in ledger.facts.instructions if not _WISH_ONLY.found(item.text))
    )
