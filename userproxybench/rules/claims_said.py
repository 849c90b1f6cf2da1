"""Steps that the user says it has done or is doing, against its calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from userproxybench.models.checks import ClaimsBacked
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import Facts
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.settings_said import other_setting
from userproxybench.rules.text import (
    Sentence,
    any_of,
    clauses,
    is_future,
    is_hypothetical,
    is_negated,
    is_uncertain,
    sentences,
    stem,
    word_set,
)
from userproxybench.rules.tool_words import (
    ToolWords,
    asked_for,
    fits,
    named_by,
    overlap,
    tools_of,
    widened,
)

_BASE = {"made": "make", "sent": "send", "took": "take", "taken": "take", "held": "hold"}
_ADVERB = (
    r"(?:\s+(?:just|now|already|also|successfully|both|all|done so and|gone ahead and|then|"
    r"finally|carefully|quickly))*"
)
_PAST = r"\w+ed|ran|took|made|sent|put|did|reset|set|went|held|read|unplugged"
_PERFECT = re.compile(
    rf"\bI(?:['’]ve| have){_ADVERB}\s+(?P<verb>\w+)"
    rf"|\b(?:I|and|then){_ADVERB}\s+(?P<past>{_PAST})\b"
    r"|^(?:Right,? |OK(?:ay)?,? |Alright,? |Sure,? |Yes,? )*(?:I )?(?:[Jj]ust )(?P<bare>\w+)\b"
    rf"|^(?P<start>(?i:{_PAST}))\s+(?:it|that|them|the|both)\b"
    r"|(?:\b(?:has|have)|\w['’]s)(?: now| already| just| also)? been (?P<passive>(?!\w+ing\b)\w+)",
    re.MULTILINE,
)
_PROGRESSIVE = re.compile(
    r"(?:^\W*|(?:\bI['’]m|\bI am|\w['’]s|\bis)\s+)(?:(?:just|now|already|currently)\s+)*"
    r"(?P<verb>\w+ing)\b",
    re.IGNORECASE,
)
_NOW = Cue(
    any_of("""
    now / right now / as we speak / at the moment / currently / this (?:very )?(?:second|moment)
    just a (?:moment|second|sec) / on it
    """),
)
_DONE = Cue(
    r"^\W*(?:(?:ok(?:ay)?|right|alright|all right|sure|yes|yep|great|there|perfect)[,.!]?\s+)*"
    r"(?:all |it['’]s |that['’]s |i['’]m )?(?:done|did it|did that|finished|completed)\b"
    r"(?!\s+(?:when|once|if))",
)
_INNER = frozenset(
    stem(word)
    for word in """been had got noticed tried wanted needed asked told mentioned decided considered
    heard received seen understood confirmed provided given lost forgotten called contacted thought
    moved traveled travelled used booked ordered paid purchased bought explained said stated shared
    waited hoping planning looking trying having getting experiencing wondering thinking using
    calling writing asking talking facing dealing traveling travelling working seeing
    going""".split()
)
_TRIED = Cue(
    any_of("""
    (?:have|did) you (?:already |ever |yet |also )?(?:tried|try|restart|reboot|\\w+ed)
    have you (?:already )?(?:done|run|reset|set|put|turned)
    """),
)
_AFFIRMS = Cue(
    r"^\W*(?:yes|yeah|yep|yup|sure|of course|i (?:have|did|already)|already|twice|several times)\b"
    r"(?!\W+(?:but )?(?:not|no)\b)",
)
_AGAIN = Cue(any_of("again / once more / another / one more time / a second time"))
_TAKEN = re.compile(r"\b(?:have|has|already|tried|\w+ed)\b")
_VAGUE = frozenset(stem(word) for word in "make do get put set".split())
_EARLIER = Cue(any_of("already / earlier / before / previously / last time"))


def claims_backed(ledger: Ledger, check: ClaimsBacked) -> Answer:
    """Evaluate `ClaimsBacked`."""
    hits = []
    arose = False
    settings = any(call.arguments for call in ledger.calls)
    for reply in ledger.replies:
        for sentence, named in _claims(ledger, reply, check.tools):
            arose = True
            if not _is_backed(ledger, reply, sentence.text, named):
                which = " or ".join(sorted(tool.name for tool in named)[:3])
                reason = f"no successful call of {which or 'a tool'} backs this claim"
                hits.append(Hit(reply.index, sentence.text, reason))
                break
        if settings:
            hits += _other_settings(ledger, reply)
    return answer(hits, arose=arose)


def _other_settings(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    for sentence in sentences(reply.text):
        made = other_setting(ledger, reply, sentence.text) if _claimed(sentence.text) else None
        if made is not None:
            reason = (
                f"{made.tool} was last called with {', '.join(map(str, made.arguments.values()))}"
            )
            yield Hit(reply.index, sentence.text, reason)


def _claims(
    ledger: Ledger, reply: Reply, only: tuple[str, ...]
) -> Iterator[tuple[Sentence, tuple[ToolWords, ...]]]:
    """Sentences in which the user says that it did, or is doing, a step of a tool."""
    tools = tools_of(ledger, only)
    if not tools:
        return
    if reply.said & _AFFIRMS.bit and reply.heard & _TRIED.bit and _AFFIRMS.found(reply.text):
        yield from _tried(reply, asked_for(ledger, reply, only))
    for sentence in sentences(reply.text):
        for verb, clause in () if sentence.is_question else _claimed(sentence.text):
            if verb == "done" and reply.token:
                continue
            named = named_by(tools, verb, widened(clause))
            if verb == "done" or (not named and _is_pronominal(clause)):
                asked = asked_for(ledger, reply, only)
                named = tuple(tool for tool in asked if verb == "done" or fits(tool, verb))
            if named:
                yield sentence, named


@kept_longer(2048)
def _claimed(sentence: str) -> tuple[tuple[str, str], ...]:
    """The verbs of the steps that a sentence claims without doubt, each with its clause."""
    claimed = ((_claimed_verb(clause), clause) for clause in clauses(sentence))
    return tuple(
        (verb, clause)
        for verb, clause in claimed
        if verb and not (is_negated(clause) or is_hypothetical(clause) or is_uncertain(clause))
    )


def _tried(
    reply: Reply, asked: tuple[ToolWords, ...]
) -> Iterator[tuple[Sentence, tuple[ToolWords, ...]]]:
    """A yes to `have you tried restarting it?`."""
    question = next((s.text for s in sentences(reply.agent) if _TRIED.found(s.text)), None)
    if question is None or not question.endswith("?"):
        return
    named = tuple(tool for tool in asked if tool.verb & widened(question))
    if named:
        yield sentences(reply.text)[0], named


@kept_longer(2048)
def _claimed_verb(clause: str) -> str | None:
    """Stem of the verb of a step that a clause claims; `done` where it claims the whole."""
    if is_future(clause):
        return None
    if _DONE.found(clause):
        return "done"
    match = _PERFECT.search(clause)
    if match:
        verb = next(group for group in match.groups() if group).lower()
        if verb in ("did", "done"):
            return "done"
        verb = stem(_BASE.get(verb, verb))
        return None if verb in _INNER else verb
    match = _PROGRESSIVE.search(clause)
    if match and _NOW.found(clause):
        verb = stem(match["verb"].lower())
        return None if verb in _INNER else verb
    return None


def _is_pronominal(clause: str) -> bool:
    return not {"it", "that", "this", "them", "those", "so", "look"}.isdisjoint(word_set(clause))


def _is_backed(ledger: Ledger, reply: Reply, text: str, named: tuple[ToolWords, ...]) -> bool:
    names = {tool.name for tool in named}
    before = [call for call in ledger.calls_before(reply.index) if call.tool in names]
    if any(call.ok or call.result_turn is None for call in before):
        repeated = _AGAIN.search(reply.agent) and not _EARLIER.found(text)
        fresh = any(call.tool in names for call in reply.calls)
        return not repeated or fresh or names.isdisjoint(_ordered_again(ledger, reply))
    if before and is_negated(reply.text):
        return True
    return _in_past(ledger.facts, named)


def _ordered_again(ledger: Ledger, reply: Reply) -> set[str]:
    """Names of the tools that the agent asks for once more."""
    sentence = " ".join(s.text for s in sentences(reply.agent) if _AGAIN.found(s.text))
    words_ = widened(sentence)
    return {tool.name for tool in asked_for(ledger, reply, ()) if tool.verb & words_}


@lru_cache(maxsize=2048)
def _in_past(facts: Facts, named: tuple[ToolWords, ...]) -> bool:
    """Whether a blueprint sentence says that the step was taken before the call."""
    return any(
        any(_speaks_of(tool, widened(item.text)) for tool in named) and _TAKEN.search(item.text)
        for item in facts.instructions
    )


def _speaks_of(tool: ToolWords, text: frozenset[str]) -> bool:
    """Whether a text names a step; a verb that goes with anything needs the object beside it."""
    return bool((tool.verb - _VAGUE) & text or (tool.verb and overlap(tool, text)))
