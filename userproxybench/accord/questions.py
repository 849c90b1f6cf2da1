"""What the assistant asks: for the value of a preference, or merely for consent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from userproxybench.accord.format import Preference
from userproxybench.accord.words import (
    asserts,
    content,
    folded,
    is_number,
    said,
    sentences,
    stem,
    words,
)

_REQUEST = re.compile(
    r"^(please |could you |can you |would you )?(tell me|let me know|share|specify|give me|state)\b"
    r"|\bplease (share|tell|specify|state|provide|let me know)\b"
)
_OPEN = re.compile(
    r"\b(what|which|how|when|where|who|whose|any|do you have|have you|is there|are there"
    r"|do you (prefer|need|want|like)|would you (prefer|rather)|should it|tell me|let me know"
    r"|share|specify)\b"
)
_OTHER = re.compile(
    r"\b((an)?other|others|different|else|alternatives?|second choice|substitute)\b"
)
_CONSENT = re.compile(
    r"^((so|then|and|now|ok|okay|great|alright)[, ]+)*"
    r"(shall|should|may|can|could|might) (i|we)\b"
    r"|\b(how|what) about\b|\bwould (that|this|it) (do|work|suit|be (ok|okay|fine|alright|good))\b"
    r"|\b(does|do|is|would|are) (that|this|it|they|these|those)( one)? "
    r"(suit|work|sound|appeal|fit|look|seem|okay|ok|alright|fine|good|right|acceptable)"
    r"|\b(would|do|will) you (like|want|take|buy|accept|join|have) (it|that|this|one|them)\b"
    r"|\b(would|do) you (like|want) (me )?to\b|\bhow does (that|this|it) (sound|look)"
    r"|^(okay|ok|good|interested|buy|book|order|deal|agreed|right)\b[^?]{0,25}\?"
)
_OFFERS = re.compile(r"^((so|then|and|now|ok|okay)[, ]+)*(shall|should|may|can|could) (i|we)\b")
_WH = re.compile(
    r"^((so|then|and|now|also|first|lovely|great|next)[, ]+)*((in|on|at|from|for|to|by|with) )?"
    r"(what|which|where|when|who|how)\b(?! (about|does (that|this|it))\b)"
)
_VALUE_QUESTION = re.compile(
    r"^((and|also|then|so|now)[, ]+)*(do|does|did|are|is|would|should|will|must|on|at)\b"
)
_ABOUT_THAT = re.compile(
    r"\b(do|does|would|is) (that|this|it|these)\b[^?]*\b(matter|important|of use|useful|need)"
)
_TWO = re.compile(r"\b(and|also)\b")
_ASKING = frozenset(
    "do does you we i want need prefer would like rather should shall have are them what which how "
    "looking go get take".split()
)
_VAGUE = frozenset({"hotel", "type", "extra", "feature"})
_KINDS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(attribute), re.compile(question))
    for attribute, question in (
        (r"budget|price|cost|rate|spend", r"\bhow much\b|spend|pay|cost|budget|price|limit|afford"),
        (r"colou?r|finish", r"colou?r|finish|shade"),
        (r"size|width|capacity", r"size|what .*wear|how (large|big)|fit|capacity|people"),
        (r"date|month|day|evening|time|arriv", r"\bwhen\b|\bdates?\b|which (day|evening)|time"),
        (
            r"area|location|place|district|region|near|part|airport|destination|city",
            r"\bwhere\b|area|location|part of|place|district|region|airport|neighbou?rhood",
        ),
        (r"age", r"how old|\bage\b"),
        (r"quantity|amount|number", r"how (much|many)|amount"),
        (r"length|duration|night|days", r"how (long|many)|duration|nights|days"),
        (r"weight|load", r"how heavy|weight|weigh"),
        (r"height", r"how (tall|high)|height"),
        (r"players|party|group|people|luggage|bag|camper size|guests", r"how many|how big|group"),
        (r"star|class|rating", r"stars?|class"),
        (r"hotel type|lodging|stay|room", r"lodging|hotel|stay|room|kind of place|accommodation"),
        (r"material|fabric|texture", r"material|fabric|made of"),
        (r"transport|transfer|vehicle", r"transport|transfer|get (to|there)|travel from"),
        (r"activity|tour|sight", r"\bdo\b|activity|tour|sights?|see"),
        (r"light", r"light"),
        (r"language", r"language|speak"),
    )
)


@dataclass(frozen=True)
class Asked:
    """What one assistant message asks for."""

    for_value: bool
    """Whether it asks for the value of some preference at all."""
    preferences: tuple[Preference, ...]
    """The preferences it asks about, as far as its words tell."""
    yes_no: tuple[Preference, ...]
    """Those whose very value it asks about ("Do you need it foldable?")."""
    offered: tuple[str, ...]
    """Alternatives that it lists ("warm or cool?")."""


def asked(text: str, preferences: Iterable[Preference]) -> Asked:
    """What an assistant message asks for."""
    known = tuple(preferences)
    about: dict[str, Preference] = {}
    yes_no: dict[str, Preference] = {}
    offered: list[str] = []
    for_value = False
    previous = ""
    for sentence in sentences(text):
        low = folded(sentence).strip()
        if sentence.endswith("?") or _REQUEST.search(low):
            direct = _direct(low, sentence, previous, known)
            named = _named(low, sentence, known)
            if direct or _asks_value(low, sentence, named):
                for_value = True
                yes_no |= {preference.id: preference for preference in direct}
                about |= {preference.id: preference for preference in (*direct, *named)}
                offered += alternatives(sentence)
        previous = sentence
    return Asked(for_value, tuple(about.values()), tuple(yes_no.values()), tuple(offered))


def _direct(
    low: str, sentence: str, previous: str, known: Sequence[Preference]
) -> list[Preference]:
    """Preferences whose value the question itself, or what it points back at, puts to the user."""
    if _OTHER.search(low) or alternatives(sentence):
        return []
    if _ABOUT_THAT.search(low):
        return [p for p in known if asserts(previous, p.values)]
    if not _VALUE_QUESTION.search(low) or _CONSENT.search(low):
        return []
    return [p for p in known if asserts(sentence, p.values)]


def _asks_value(low: str, sentence: str, named: Sequence[Preference]) -> bool:
    """Whether a question that puts no value to the user asks for one."""
    if _OTHER.search(low) or (alternatives(sentence) and not _OFFERS.match(low)):
        return True
    if _CONSENT.search(low) and not _WH.match(low):
        return bool(re.search(r"\bwhat about the\b", low)) and bool(named)
    if _OPEN.search(low) and (named or _is_general(low)):
        return True
    return bool(named) and len(words(sentence)) <= 8 and not _VALUE_QUESTION.search(low)


def _is_general(low: str) -> bool:
    return bool(
        re.search(
            r"\b(preferences?|prefer|requirements?|in mind|looking for|wish(es)?|want)\b", low
        )
    )


def _named(low: str, sentence: str, known: Sequence[Preference]) -> list[Preference]:
    """Preferences whose attribute the question names, by its words or by its kind."""
    spoken = {word.text for word in words(sentence)}
    found = []
    for preference in known:
        attribute = folded(preference.attribute)
        by_word = bool(spoken & _nouns(preference))
        by_kind = any(kind.search(attribute) and cue.search(low) for kind, cue in _KINDS)
        if by_word or by_kind or said(sentence, (*preference.values, *preference.backoffs)):
            found.append(preference)
    counted = {stem(noun) for noun in re.findall(r"how many (\w+)", low)}
    exact = [preference for preference in found if counted & _nouns(preference)]
    return exact if exact and len(counted) == 1 and not _TWO.search(low) else found


def _nouns(preference: Preference) -> set[str]:
    """The words of an attribute, and those of a counted value ("two checked bags")."""
    value = content(preference.value)
    counted = set(value) if any(map(is_number, value)) else set()
    named = (set(content(preference.attribute)) | counted) - _VAGUE
    return {word for word in named if not is_number(word)}


def alternatives(sentence: str) -> list[str]:
    """The choices that a question lists: `warm or cool` gives both."""
    match = re.search(r"([^?.!:]*)\bor\b([^?.!]*)\?", sentence, re.IGNORECASE)
    if not match or re.search(r"\bor (not|something|anything|should|shall|is)\b", match[0], re.I):
        return []
    left = [piece for piece in re.split(r",|\bor\b", match[1]) if piece.strip()]
    tail = [*left[-3:], match[2]]
    choices = [_choice(piece.split()[-4:]) for piece in tail[:-1]]
    choices.append(_choice(tail[-1].split()[:4]))
    return [choice for choice in choices if choice]


def _choice(piece: list[str]) -> str:
    """The words of one choice, those that only ask left out."""
    return " ".join(word for word in content(" ".join(piece)) if word not in _ASKING)
