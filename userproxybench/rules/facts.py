"""Contract → facts and instructions: what the user knows, may say, must say, must not accept."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from userproxybench.models import BLUEPRINT_FIELDS, Contract, SourceField
from userproxybench.rules.text import Sentence, sentences, stems
from userproxybench.rules.values import Value, values

FactKind = Literal[
    "name",
    "phone",
    "email",
    "user_id",
    "order_id",
    "reservation_id",
    "zip",
    "address",
    "birth_date",
    "payment_method",
    "card_digits",
    "amount",
    "date",
    "location",
    "fallback",
    "constraint",
    "reason",
    "other",
]
Reveal = Literal["with_reason", "when_asked", "only_if", "never", "unknown_to_user", "must_say"]

IDENTITY: frozenset[FactKind] = frozenset(
    {"name", "phone", "email", "user_id", "zip", "address", "birth_date"}
)
"""Kinds that identify a person: a question for one makes the others borderline."""


class Fact(NamedTuple):
    """One thing the contract tells the user."""

    kind: FactKind
    """What it is."""
    value: str
    """The words that give it away."""
    source: SourceField
    """Field of the contract."""
    start: int
    """First character of the words in that field."""
    end: int
    """One past the last."""
    reveal: Reveal
    """When the user may say it."""
    condition: str = ""
    """`only_if`: the condition, in the words of the contract."""


class Instruction(NamedTuple):
    """One sentence of the blueprint, with its place."""

    source: SourceField
    """Field of the contract."""
    sentence: Sentence
    """The sentence."""

    @property
    def text(self) -> str:
        """Its words."""
        return self.sentence.text


_NAME = re.compile(
    r"(?:\b[Yy]ou(?:r name is| are|'re|’re)|\b[Nn]ame is|\bI am|^[Nn]ame:)\s+"
    r"(?P<name>[A-ZÀ-Þ][\w'’.-]+(?:\s+(?:van|de|der|da|di|von|bin|al|la|le|du))*"
    r"(?:\s+[A-ZÀ-Þ][\w'’-]+){1,2})"
)
_NAME_ES_DE = re.compile(
    r"(?:\b(?:[Ee]res|[Tt]e llamas|[Dd]u bist|[Dd]u hei(?:ß|ss)t))\s+"
    r"(?P<name>[A-ZÀ-Þ][\w'’.-]+(?:\s+[A-ZÀ-Þ][\w'’-]+){1,2})"
)
_ZIP = re.compile(
    r"\b(?:zip|postal|post)\s?-?(?:code)?s?(?:\s+(?:is|of))?\W{0,3}(?P<zip>\d[\w]*(?:\s[A-Z]{2}\b)?)|"
    r"\b(?:PLZ|c[óo]digo postal)\W{0,3}(?:es\s)?(?P<other>\d{4,5})",
    re.IGNORECASE,
)
_LABELLED_ID = re.compile(
    r"\b(?:customer|member|membership|account|client|rider|policy|contract|patient|employee|"
    r"loyalty|pass|user|kunden\w*|mitglieds\w*|cliente|socio|konto\w*)\s?-?"
    r"(?:number|no\.?|id|ID|nummer|n[úu]mero)\b(?:\s+(?:is|with \w+(?: \w+)?|ist|es|lautet))?\W{0,3}"
    r"(?P<id>[A-Za-z]{0,4}[-#]?\d[\w-]*|[a-z]+(?:_[a-z]+)*_\w+)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\b(?P<address>\d{1,5}[a-z]?\s+(?:[A-Z][\w'’-]+\s?){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|"
    r"Drive|Dr|Court|Ct|Row|Rise|Way|Place|Pl|Boulevard|Blvd|Bank|Hill|Close|Terrace|Square)\b)"
    r"|(?P<other>\b[A-Z][\w'’-]+\s(?:Street|Road|Avenue|Lane|Drive|Court|Row|Way)\s\d+)"
)
_LOCATION = re.compile(
    r"\b[Yy]ou are (?:currently |now |at the moment )*"
    r"(?P<place>(?:abroad|at home|at work|travell?ing|on holiday|on vacation|in|away)\b[^.,;]*)"
)
_BORN = re.compile(r"\b(?:born|birth|dob|d\.o\.b|geboren|geburts\w*|nacimiento|naciste)\b", re.I)

HOLD_BACK = re.compile(
    r"\bonly (?:if|when|once|after|provide|mention|give|say|reveal|tell|disclose|talk|bring)\b"
    r"|\bif (?:and only if )?(?:you are |you're )?(?:asked|prompted)\b|\bwhen(?:ever)? (?:you are )?asked\b"
    r"|\b(?:when|once|after|until|unless) the agent (?:asks|has asked|wants|requests|brings)\b"
    r"|\bonly .{3,60}\b(?:when|if|once|after)\b"
    r"|\b(?:do not|don['’]t|never) (?:mention|reveal|say|tell|disclose|volunteer|bring up|give|share)\b"
    r"|\b(?:keep|leave) .{3,60}\b(?:to yourself|out of|unless)\b"
    r"|\bnot .{0,30}\bunless\b|\bnur wenn\b|\bs[óo]lo si\b|\berst wenn\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"^(?P<head>.*?)\b(?P<mark>(?:only )?if|should|in case|when|once|unless|as long as|falls|wenn|si)\b"
    r"(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_DONT_KNOW = re.compile(
    r"\b(?:do not|don['’]t|cannot|can['’]t|can not|no longer|neither)\s+(?:\w+\s)?(?:know|remember|recall|have|"
    r"say|tell)\b(?P<what>[^.;]*)|\b(?:have|having) no (?:idea|memory|knowledge)\b(?P<other>[^.;]*)"
    r"|\bforgot(?:ten)?\b(?P<third>[^.;]*)|\bno (?:sabes|recuerdas)\b(?P<es>[^.;]*)"
    r"|\b(?:wei(?:ß|ss)t|kennst)\b(?P<de>[^.;]*\bnicht\b)",
    re.IGNORECASE,
)
_WANT = re.compile(
    r"\b(?:you|also|first|then|to|and|but|need to|like to)\s+(?:\w+\s)?(?:want|would like|need|wish|wants|'d like)\b"
    r"|\byou['’]d like\b|\breason for (?:the )?call\b|\bquieres\b|\bmöchtest\b|\bwillst\b",
    re.IGNORECASE,
)
_FORBID = re.compile(
    r"\b(?:do not|don['’]t|never|absolutely do not|not willing|unwilling|refuse|decline|turn (?:it |them )?down|"
    r"reject|out of the question|under no circumstances|not accept|say no|no quieres|rechaza\w*|"
    r"lehn\w*|keinesfalls|rather not|without)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:up to|at most|no more than|not more than|maximum of|max(?:imum)?|less than|under|below|"
    r"cheaper than|limit(?: is| of)?|budget(?: is| of)?|exceed(?:s|ing)?|more than|over|above|"
    r"höchstens|bis zu|como máximo|hasta)\W+(?:\w+\W+){0,2}?[$€£]?\s?(?P<amount>\d[\d,]*(?:\.\d+)?)"
    r"|(?P<before>\d[\d,]*(?:\.\d+)?)\s?(?:dollars|euros|usd|eur)? (?:or less|or under|at most|or below|maximum|max)\b",
    re.IGNORECASE,
)
_SUCCESS = re.compile(
    r"\b(?:satisfied|happy|content|done|finished|solved|fixed|resolved|over|settled|goal is (?:met|reached)|"
    r"freed up|sorted|smooth)\b[^.]*?\b(?:only\s)?(?:if|when|once|as soon as|after|until|unless)\b(?P<when>[^.]*)"
    r"|\b(?:will (?:only )?consider|consider)\b[^.]*\b(?:resolved|solved|fixed)\b[^.]*?\b(?:when|if|once)\b(?P<other>[^.]*)",
    re.IGNORECASE,
)


class Facts(NamedTuple):
    """Everything the rules read out of one contract."""

    facts: tuple[Fact, ...]
    """Values the contract gives, and when they may be said."""
    instructions: tuple[Instruction, ...]
    """All blueprint sentences."""
    held_back: tuple[Instruction, ...]
    """Sentences that order something to be kept until asked or until a condition holds."""
    conditional: tuple[Instruction, ...]
    """Sentences with an if-part: what is said in them is not for the opening."""
    forbidden: tuple[Instruction, ...]
    """Sentences that rule an outcome out."""
    limits: tuple[tuple[Instruction, float], ...]
    """Price limits."""
    success: tuple[tuple[Instruction, str], ...]
    """Conditions under which the user is satisfied."""
    unknown: tuple[Instruction, ...]
    """What the user does not know."""
    reason: tuple[Instruction, ...]
    """Sentences that state the reason for the call."""
    reason_stems: frozenset[str]
    """Content stems of the reason for the call."""


@lru_cache(maxsize=4096)
def _read(fields: tuple[tuple[SourceField, str], ...]) -> Facts:
    instructions = tuple(
        Instruction(source, sentence) for source, text in fields for sentence in sentences(text)
    )
    spoken = [item for item in instructions if item.source != "persona"]
    unknown = tuple(
        item for item in spoken if item.source == "unknown_info" or _DONT_KNOW.search(item.text)
    )
    held_back = tuple(item for item in spoken if HOLD_BACK.search(item.text))
    conditional = tuple(item for item in spoken if _CONDITION.match(item.text))
    reason = [item for item in instructions if _is_reason(item)]
    reason_stems = frozenset[str]().union(*(stems(item.text) for item in reason))
    return Facts(
        facts=tuple(_facts(fields, reason)),
        instructions=instructions,
        held_back=held_back,
        conditional=conditional,
        forbidden=tuple(item for item in spoken if _FORBID.search(item.text)),
        limits=tuple(_limits(spoken)),
        success=tuple(_success(spoken)),
        unknown=unknown,
        reason=tuple(reason),
        reason_stems=reason_stems,
    )


def read_facts(contract: Contract) -> Facts:
    """The facts and instructions of a contract; cached by its blueprint."""
    texts = contract.blueprint.texts()
    return _read(tuple((name, texts[name]) for name in BLUEPRINT_FIELDS if name in texts))


def condition_of(sentence: str) -> tuple[str, str]:
    """A conditional sentence as (condition, consequence); ("", sentence) where it has none."""
    match = _CONDITION.match(sentence)
    if not match:
        return "", sentence
    head, rest = match.group("head").strip(" ,"), match.group("rest")
    if len(head.split()) >= 3:
        return rest.strip(" .,"), head
    cut = re.search(r",|\bthen\b", rest)
    if not cut:
        return rest.strip(" .,"), head
    return rest[: cut.start()].strip(), rest[cut.end() :].strip(" .,")


def _is_reason(item: Instruction) -> bool:
    if item.source == "reason_for_call":
        return True
    return item.source == "instructions" and _WANT.search(item.text) is not None


def _facts(fields: tuple[tuple[SourceField, str], ...], reason: list[Instruction]) -> list[Fact]:
    found: list[Fact] = []
    for source, text in fields:
        if source in ("persona", "unknown_info"):
            continue
        for kind, value, start, end in _spans(text):
            found.append(
                Fact(kind, value, source, start, end, _reveal(source, text, start, reason))
            )
    return found


def _spans(text: str) -> list[tuple[FactKind, str, int, int]]:
    spans: list[tuple[FactKind, str, int, int]] = []
    for pattern in (_NAME, _NAME_ES_DE):
        spans += [("name", m["name"].rstrip(".,"), *m.span("name")) for m in pattern.finditer(text)]
    for match in _ZIP.finditer(text):
        group = "zip" if match["zip"] else "other"
        spans.append(("zip", match[group], *match.span(group)))
    for match in _LABELLED_ID.finditer(text):
        spans.append(("user_id", match["id"].rstrip(".-"), *match.span("id")))
    for match in _ADDRESS.finditer(text):
        group = "address" if match["address"] else "other"
        spans.append(("address", match[group], *match.span(group)))
    for match in _LOCATION.finditer(text):
        spans.append(("location", match["place"], *match.span("place")))
    taken = [(start, end) for _, _, start, end in spans]
    for value in values(text):
        if not any(start < value.end and value.start < end for start, end in taken):
            kind = _kind_of(value, text)
            if kind is not None:
                spans.append((kind, text[value.start : value.end], value.start, value.end))
    return spans


_KIND_OF_VALUE: dict[str, FactKind] = {
    "email": "email",
    "handle": "user_id",
    "phone": "phone",
    "card_digits": "card_digits",
    "money": "amount",
    "date": "date",
}


def _kind_of(value: Value, text: str) -> FactKind | None:
    before = text[max(0, value.start - 40) : value.start].lower()
    if value.kind == "date":
        return "birth_date" if _BORN.search(before) else "date"
    if value.kind == "code":
        if re.search(r"reservation|booking|confirmation", before):
            return "reservation_id"
        if re.search(r"order|bestell|pedido", before) or text[value.start] == "#":
            return "order_id"
        return "other"
    return _KIND_OF_VALUE.get(value.kind)


def _reveal(source: SourceField, text: str, start: int, reason: list[Instruction]) -> Reveal:
    for item in reason:
        if item.source == source and item.sentence.start <= start < item.sentence.end:
            return "with_reason"
    return "when_asked"


def _limits(items: list[Instruction]) -> list[tuple[Instruction, float]]:
    found = []
    for item in items:
        match = _LIMIT.search(item.text)
        if match and re.search(
            r"[$€£]|dollar|euro|usd|pay|price|cost|fee|budget|spend|charge", item.text, re.I
        ):
            amount = (match["amount"] or match["before"]).replace(",", "").rstrip(".")
            found.append((item, float(amount)))
    return found


def _success(items: list[Instruction]) -> list[tuple[Instruction, str]]:
    found = []
    for item in items:
        match = _SUCCESS.search(item.text)
        if match:
            found.append((item, (match["when"] or match["other"] or "").strip()))
    return found


def is_hedged(text: str) -> bool:
    """Whether a blueprint sentence orders something to be held back."""
    return HOLD_BACK.search(text) is not None
