"""What a message does about a preference: says it cannot be had, insists on it, takes less."""

from __future__ import annotations

import re

from userproxybench.accord.format import Preference
from userproxybench.accord.words import (
    Stance,
    asserts,
    content,
    folded,
    said,
    sentences,
    words,
)

_GONE = re.compile(
    r"sold[ -]?out|out of stock|unavailable|discontinued|fully booked|booked (out|up)"
    r"|(run|ran|are|is) out of\b|no longer|suspended|all (sold|gone|taken|reserved|booked)"
    r"|(been|is|are|already|all) (sold|taken|gone|reserved|closed|full|booked)\b"
    r"|(has|have) stopped|\bunable to\b|cancel+ed|impossible|ceased|\bfull\b"
)
_NEGATED = re.compile(
    r"\b(no|not|none|nothing|neither|nor|without|cannot|never|nobody|\w+n't|unfortunately|afraid)\b"
)
_POINTS_BACK = re.compile(r"\b(that|it|this|those|these|they|them|none|nothing|any|one)\b")
_INSISTS = re.compile(
    r"\b(only|must|insist|really want|really only|still|again|keep looking|nothing else"
    r"|or nothing|wait for|the only|set on|has to be|have to have|no other|try harder|once more"
    r"|i (want|need|would like)|i'd (like|love|rather|prefer|still)|i asked for|prefer"
    r"|we (want|need|dream|came|would like)|we'd (like|love|rather|prefer)|get me|find|book|look"
    r"|check|please|dream of|isn't there|is there no)\b"
)
_DOUBTS = re.compile(r"\b(isn't there|still|again|really)\b")
_DISLIKES = re.compile(r"\b(insist|boring|ugly|hate|only|must be|has to be)\b")
_REFUSES = re.compile(
    r"\b(keep (looking|searching)|look(ing)? (again|harder)|check again|try (again|harder)"
    r"|search (again|once more)|once more|nothing else|walk away|or nothing|no other"
    r"|go (somewhere else|elsewhere)|forget it|not interested in (anything|any)"
    r"|(won't|will not|don't|do not|wouldn't) (want|take|accept|buy|consider|settle for|go to)"
    r" (an(y|other)|something)\w*( (other|else))?)\b"
)
_FLEXIBLE = re.compile(
    r"\b(ok(ay)?|fine|alright|all right|sure|yes|works?|will do|would do|good|great|perfect"
    r"|instead|alternatives?|suggest|what (else|other)|which other|anything else|something else"
    r"|any other|other (options?|colou?rs?|ones?)|take it|go (ahead|for it)|flexible|no problem"
    r"|order it|buy it|book it)\b"
)
_WANTS_IT = re.compile(
    r"\b(i|we)(('d| would) (really |also |definitely )*(like|love|prefer)"
    r"| (really |also |do |definitely )*(love|want|need))\b"
    r"[^.!?]{0,12}\b(that|it|one|this|those|them)\b"
)
_PRAISES_IT = re.compile(
    r"\b(that|this|it)('s| is| would be|'d be| sounds?| does)\b[^.!?]*"
    r"\b(exactly|just|what (i|we)|important|great|perfect|lovely|wonderful|matters?)\b"
    r"|\bmatters? to (me|us)\b|\b(love|like) (that|it|this)\b"
)
_YES = re.compile(
    r"^(oh |well |hmm |ah )*(yes|yeah|yep|sure|absolutely|definitely|of course|i do)\b"
)
_NO = re.compile(r"^(oh |well |hmm |ah )*(no|nope|not|nah|i (don't|do not))\b")
_EVADES = re.compile(
    r"\b(not sure|don't know|no preference|whatever|up to you|don't (mind|care)|any(thing)? is fine"
    r"|no idea|doesn't matter)\b"
)


def says_unavailable(text: str, preference: Preference, before: str = "") -> bool:
    """Whether an assistant message says that a preference's value cannot be had.

    A sentence does when it names the value (or, with a plain word such as `sold out`, its
    attribute or what the user just asked for: `before`) and denies it.
    """
    named_before = asserts(before, preference.values, preference.attribute)
    about = set(content(preference.attribute))
    previous = False
    for sentence in sentences(text):
        low = folded(sentence)
        named = bool(said(sentence, preference.values, preference.attribute))
        gone = _GONE.search(low) is not None
        if not sentence.endswith("?") or gone:
            if named and (gone or _NEGATED.search(low)):
                return True
            points = _POINTS_BACK.search(low) or about & {word.text for word in words(sentence)}
            if (
                (gone or re.match(r"(nothing|none)\b", low))
                and points
                and (previous or named_before)
            ):
                return True
        previous = named
    return False


def insists(text: str, preference: Preference) -> bool | None:
    """Whether a user message insists on the value; `None` where it cannot be told."""
    low = folded(text)
    takes_backoff = asserts(text, preference.backoffs, preference.attribute)
    if takes_backoff and not _runs_down(text, preference):
        return False
    if _REFUSES.search(low):
        return True
    if said(text, preference.values, preference.attribute) and text.rstrip().endswith("?"):
        return True if _DOUBTS.search(low) else None
    if asserts(text, preference.values, preference.attribute):
        return True if _INSISTS.search(low) else None
    return denied_backoff(text, preference) and declines(text)


def _runs_down(text: str, preference: Preference) -> bool:
    """Whether a message names the backoff only to say that the value it is not is wanted."""
    wanted = asserts(text, preference.values, preference.attribute)
    return wanted and _DISLIKES.search(folded(text)) is not None


def denied_backoff(text: str, preference: Preference) -> bool:
    """Whether a message names the backoff and turns it down."""
    found = said(text, preference.backoffs, preference.attribute)
    return bool(found) and all(mention.stance == "denies" for mention in found)


def reveals_backoff(text: str, preference: Preference, *, attribute_asked: bool) -> bool:
    """Whether a user message says the backoff as something it would take."""
    attribute = preference.attribute if attribute_asked else ""
    if not asserts(text, preference.backoffs, attribute):
        return False
    return not _runs_down(text, preference)


def surfaces(text: str, preference: Preference) -> bool:
    """Whether an assistant message names the value as something there is, or asks about it."""
    return any(asserts(sentence, preference.values) for sentence in sentences(text))


def is_flexible(text: str) -> bool:
    """Whether a user message takes what there is, or asks what else there is."""
    return _FLEXIBLE.search(folded(text)) is not None


def affirms(text: str) -> bool:
    """Whether a reply begins with a yes."""
    return _YES.search(folded(text).strip()) is not None


def declines(text: str) -> bool:
    """Whether a reply begins with a no."""
    return _NO.search(folded(text).strip()) is not None


def evades(text: str) -> bool:
    """Whether a reply says that it has no value to give."""
    return _EVADES.search(folded(text)) is not None


def wants_it(text: str) -> bool:
    """Whether a message wants what was just named, without naming it."""
    return _WANTS_IT.search(folded(text)) is not None


def praises_it(text: str) -> bool:
    """Whether a message may mean what was just named."""
    return _PRAISES_IT.search(folded(text)) is not None


def names(text: str, preference: Preference) -> set[Stance]:
    """Stances in which a user message names the value, its attribute understood."""
    return {mention.stance for mention in said(text, preference.values, preference.attribute)}
