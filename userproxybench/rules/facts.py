"""Contract → facts and instructions: what the user knows, may say, must say, must not accept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from userproxybench.models import BLUEPRINT_FIELDS, Contract, SourceField
from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.orders import HOLD_BACK, is_conditional, limits, successes
from userproxybench.rules.orders import Instruction as Instruction
from userproxybench.rules.text import all_stems, any_of, placed_sentences, word_set
from userproxybench.rules.values import MONTHS, Value, values

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


_NAME = re.compile(
    r"(?:\b[Yy]ou(?:r name is| are|'re|’re)|\b[Nn]ame is|\bI am|^[Nn]ame:)\s+"
    r"(?P<name>[A-ZÀ-Þ][\w'’.-]+(?:\s+(?:van|de|der|da|di|von|bin|al|la|le|du))*"
    r"(?:\s+[A-ZÀ-Þ][\w'’-]+){1,2})"
)
_NAME_ES_DE = re.compile(
    r"(?:\b(?:[Ee]res|[Tt]e llamas|[Dd]u bist|[Dd]u hei(?:ß|ss)t))\s+"
    r"(?P<name>[A-ZÀ-Þ][\w'’.-]+(?:\s+[A-ZÀ-Þ][\w'’-]+){1,2})"
)
_ZIP = Cue(
    r"\b(?:zip|postal|post)\s?-?(?:code)?s?(?:\s+(?:is|of))?\W{0,3}(?P<zip>\d[\w]*(?:\s[A-Z]{2}\b)?)|"
    r"\b(?:PLZ|c[óo]digo postal)\W{0,3}(?:es\s)?(?P<other>\d{4,5})",
)
_LABELLED_ID = Cue(
    r"\b(?:customer|member|membership|account|client|rider|policy|contract|patient|employee|"
    r"loyalty|pass|user|kunden\w*|mitglieds\w*|cliente|socio|konto\w*)\s?-?"
    r"(?:number|no\.?|id|nummer|n[úu]mero)\b(?:\s+(?:is|with \w+(?: \w+)?|ist|es|lautet))?\W{0,3}"
    r"(?P<id>[A-Za-z]{0,4}[-#]?\d[\w-]*|[a-z]+(?:_[a-z]+)*_\w+)",
)
_NUMBERED = Cue(
    r"\b(?P<label>[a-z][\w'’-]+ (?:number|id|code|reference|distance|size|height|length|"
    r"width|weight))"
    r"(?: is| of|:)? (?P<value>#?[A-Z]{0,4}[ -]?\d[\d -]*\w*)",
    0,
)
_PAYS = Cue(
    r"\b(?:pay\w*|use|prefer|charge|refund\w*)\b[^.;]{0,40}?"
    r"\b(?P<means>gift card|credit card|debit card|paypal|certificates?|master ?card|visa card)\b",
)
_ORDERS = Cue(
    r"\borders?\s(?:numbers?\s|no\.?\s|id\s|is\s)*#?\d{4,}\b(?:(?:,| and| or)\s#?\d{4,}\b)*",
)
_ADDRESS = re.compile(
    r"\b(?P<address>\d{1,5}[a-z]?\s+(?:[A-Z][\w'’-]+\s?){1,3}"
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|"
    r"Drive|Dr|Court|Ct|Row|Rise|Way|Place|Pl|Boulevard|Blvd|Bank|Hill|Close|Terrace|Square)\b)"
    r"|(?P<other>\b[A-Z][\w'’-]+\s(?:Street|Road|Avenue|Lane|Drive|Court|Row|Way)\s\d+)"
)
_MONTH_NAMES = "|".join(name.capitalize() for name in MONTHS)
_LOCATION = Cue(
    r"\b[Yy]ou are (?:currently |now |at the moment )*"
    r"(?P<place>(?:abroad|at home|at work|travell?ing (?:in|to|through|around|across|abroad)"
    r"|on holiday in|on vacation in|away (?:in|at|on)|in(?= (?:the |your )?(?:[a-z]+ )?[A-Z]))"
    rf"\b(?! (?:{_MONTH_NAMES})\b)[^.,;]*)",
    0,
)
_BORN = Cue(r"\b(?:born|birth|dob|d\.o\.b|geboren|geburts\w*|nacimiento|naciste)\b")

_DONT_KNOW = Cue(
    r"\b(?:do not|don['’]t|cannot|can['’]t|can not|no longer|neither)\s+(?:\w+\s)?"
    r"(?:know|remember|recall|have(?! any)|say|tell)\b(?P<what>[^.;]*)"
    r"|\b(?:have|having) no (?:idea|memory|knowledge)\b(?P<other>[^.;]*)"
    r"|\bforgot(?:ten)?\b(?P<third>[^.;]*)|\bno (?:sabes|recuerdas)\b(?P<es>[^.;]*)"
    r"|\b(?:wei(?:ß|ss)t|kennst)\b(?P<de>[^.;]*\bnicht\b)",
)
_WANT = Cue(
    r"\b(?:you|also|first|then|to|and|but|need to|like to)\s+(?:\w+\s)?"
    r"(?:want|would like|need|wish|wants|'d like)\b"
    r"|\byou['’]d like\b|\breason for (?:the )?call\b|\bquieres\b|\bmöchtest\b|\bwillst\b",
)
_FORBID = Cue(
    any_of("""
    do not / don't / never / absolutely do not / not willing / unwilling / refuse / decline / reject
    turn (?:it |them )?down / out of the question / under no circumstances / not accept / say no
    no quieres / rechaza\\w* / lehn\\w* / keinesfalls / rather not / without
    """),
)


@dataclass(frozen=True, eq=False)
class Facts:
    """Everything the rules read out of one contract; told apart by identity, so cheap to key on."""

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
    text: str
    """All sentences but those of the persona, a line each."""


@kept_longer(4096)
def _read(fields: tuple[tuple[SourceField, str], ...]) -> Facts:
    instructions = tuple(
        Instruction(source, sentence)
        for source, text in fields
        for sentence in placed_sentences(text)
    )
    spoken = [item for item in instructions if item.source != "persona"]
    unknown = tuple(
        item for item in spoken if item.source == "unknown_info" or _DONT_KNOW.found(item.text)
    )
    held_back = tuple(item for item in spoken if HOLD_BACK.search(item.text))
    conditional = tuple(item for item in spoken if is_conditional(item.text))
    reason = [item for item in instructions if _is_reason(item)]
    reason_stems = all_stems(_wish(item.text) for item in reason)
    return Facts(
        facts=tuple(_facts(fields, reason)),
        instructions=instructions,
        held_back=held_back,
        conditional=conditional,
        forbidden=tuple(item for item in spoken if _FORBID.found(item.text)),
        limits=tuple(limits(spoken)),
        success=tuple(successes(spoken)),
        unknown=unknown,
        reason=tuple(reason),
        reason_stems=reason_stems,
        text="\n".join(item.text for item in spoken),
    )


def read_facts(contract: Contract) -> Facts:
    """The facts and instructions of a contract; cached by its blueprint."""
    texts = contract.blueprint.texts()
    return _read(tuple((name, texts[name]) for name in BLUEPRINT_FIELDS if name in texts))


_IF_FIRST = re.compile(r"\W*(?:only |if and only )?(?:if|in case|unless|should)\b", re.IGNORECASE)


def _wish(sentence: str) -> str:
    """A sentence without the fall-back that it ends in: `…, but if it rains, …`."""
    return re.split(r"[,;]?\s(?:and|but|or)\sif\b", sentence)[0]


def _is_reason(item: Instruction) -> bool:
    if item.source == "reason_for_call":
        return True
    if item.source != "instructions" or _IF_FIRST.match(item.text):
        return False
    return _WANT.found(item.text)


def _facts(fields: tuple[tuple[SourceField, str], ...], reason: list[Instruction]) -> list[Fact]:
    found: list[Fact] = []
    for source, text in fields:
        if source in ("persona", "unknown_info"):
            continue
        for kind, value, start, end in _spans(text):
            found.append(Fact(kind, value, source, start, end, _reveal(source, start, reason)))
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
    spans += [("payment_method", m["means"], *m.span("means")) for m in _PAYS.finditer(text)]
    for match in _ORDERS.finditer(text):
        spans += [
            ("order_id", m.group(), match.start() + m.start(), match.start() + m.end())
            for m in re.finditer(r"#?\b\d{4,}\b", match.group())
        ]
    for match in _ADDRESS.finditer(text):
        group = "address" if match["address"] else "other"
        spans.append(("address", match[group], *match.span(group)))
    for match in _LOCATION.finditer(text):
        spans.append(("location", match["place"], *match.span("place")))
    taken = [(start, end) for _, _, start, end in spans]
    spans += [
        ("other", m["value"].strip(), m.start("value"), m.start("value") + len(m["value"].strip()))
        for m in _NUMBERED.finditer(text)
        if not any(start < m.end("value") and m.start("value") < end for start, end in taken)
        and not any(
            v.start < m.end("value") and m.start("value") < v.end and v.kind != "measure"
            for v in values(text)
        )
    ]
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


_OWN = Cue(
    r"\b(?:id|ids|user\w*|you are|you['’]re|account|customer|member|login|eres|cliente|as)\b", 0
)
_MEANS_OF_PAYMENT = re.compile(
    r"(?:certificate|gift_card|credit_card|payment|paypal|card|voucher)_"
)


def _kind_of(value: Value, text: str) -> FactKind | None:
    before = text[max(0, value.start - 24) : value.start].lower()
    if value.kind == "handle":
        return _kind_of_handle(value.canon, before)
    if value.kind == "date":
        return "birth_date" if _BORN.found(before) else "date"
    if value.kind == "code":
        if re.search(r"reservation|booking|confirmation", before):
            return "reservation_id"
        if re.search(r"order|bestell|pedido", before) or text[value.start] == "#":
            return "order_id"
        return "other"
    return _KIND_OF_VALUE.get(value.kind)


_PEOPLE = frozenset("user customer member client account rider cliente id kunde socio".split())


def _kind_of_handle(handle: str, before: str) -> FactKind:
    """`order_1900` is an order, `card_7` a means of payment; a user id is called one's own."""
    if re.match(r"(?:order|booking|reservation)_", handle):
        return "order_id"
    if _MEANS_OF_PAYMENT.match(handle):
        return "payment_method"
    thing = handle.partition("_")[0]
    if handle.count("_") == 1 and thing not in _PEOPLE and thing in word_set(before):
        return "other"  # `the task with id task_2`: the id of a task
    return "user_id" if _OWN.found(before) else "other"


_STORY = Cue(
    r"\b(?:make|makes|made|making) up (?:an?|some|any|the|your|whatever|details|something)\b"
    r"|\bmade-up\b|\binvent (?:an?|some|any|the|your|whatever|details|something)\b"
    r"|\bpretend(?:ing)?\b|\b(?:lie|lying) about\b|\bbluff(?:ing)?\b"
    r"|\bcoercion\b|\b(?:negotiation|bargaining|manipulat\w+) tactics\b",
)
_NO_STORY = Cue(
    r"\b(?:never|not|don['’]t|without) (?:\w+ )?(?:make|making|invent|pretend|lie|lying|bluff)",
)


@kept(512)
def tells_story(facts: Facts) -> bool:
    """Whether the blueprint has the user make up a story: it sets the dates itself."""
    return any(
        _STORY.found(item.text) and not _NO_STORY.found(item.text)
        for item in facts.instructions
        if item.source != "persona"
    )


def means_of_payment(text: str) -> list[str]:
    """Cards and the like that a text says to pay with, in lower case."""
    return [match["means"].lower() for match in _PAYS.finditer(text)]


def _reveal(source: SourceField, start: int, reason: list[Instruction]) -> Reveal:
    for item in reason:
        if item.source == source and item.sentence.start <= start < item.sentence.end:
            return "with_reason"
    return "when_asked"
