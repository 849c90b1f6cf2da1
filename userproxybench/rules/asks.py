"""Agent turn → what it asks for."""

from __future__ import annotations

import re
from itertools import chain

from userproxybench.rules.anchors import guarded
from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue, mark_of, marks
from userproxybench.rules.facts import FactKind
from userproxybench.rules.moves import is_proposal, is_refusal
from userproxybench.rules.text import (
    Sentence,
    any_of,
    passages,
    sentences,
    word_set,
    words,
    words_in,
)

_CUE_WORDS: dict[FactKind, str] = {
    "name": "name names called speaking whom nombre llama namen heißen",
    "phone": """phone mobile cell telephone callback contact línea line teléfono telefon
        telefonnummer handynummer number""",
    "email": "email e-mail mail correo mailadresse",
    "user_id": """id ids username user-id login customer member membership account kundennummer
        mitgliedsnummer number socio cliente rider policy profile pass""",
    "order_id": "order orders purchase pedido bestellung bestellnummer invoice number",
    "reservation_id": """reservation booking confirmation reference itinerary trip pnr flight
        number reserva buchung""",
    "zip": "zip zipcode postcode postal zip-code post-code plz address location addresses código",
    "address": """address addresses street live deliver delivery ship shipping dirección adresse
        anschrift location where home""",
    "birth_date": """birth birthday birthdate born dob date-of-birth nacimiento geburtsdatum
        geboren age""",
    "payment_method": """payment pay card paypal gift credit debit method refund pago zahlung
        bezahlen charge funds""",
    "card_digits": """card cards payment pay digits method refund pago tarjeta karte charge digit
        credit""",
    "amount": """amount price cost budget much pay paid fee limit charge offer spend sum figure
        refund cuánto betrag viel euros dollars""",
    "date": """date dates day days when time since month week start began departure arrival travel
        cuándo wann tag datum fecha ago long often happen happened exactly""",
    "location": """where location abroad home country roaming travel traveling travelling place
        whereabouts dónde wo outside""",
    "reason": "reason why purpose cause motivo warum grund happened",
}
_CUES: dict[str, list[FactKind]] = {}
for _kind, _cues in _CUE_WORDS.items():
    for _cue in _cues.split():
        _CUES.setdefault(_cue, []).append(_kind)

_CUED = frozenset(_CUES)
_SPECIFIC = frozenset(
    """name email e-mail zip zipcode postcode postal phone birth birthday address id mitgliedsnummer
    kundennummer nombre correo teléfono namen telefonnummer plz""".split()
)
_IDENTITY_CUES = frozenset(
    """verify verification identity identify authenticate authentication details information
    identification identität identificar datos daten profile locate weisen ausweisen legitimieren
    identifizieren""".split()
)
_OPEN_CUES = frozenset(
    """anything everything describe explain elaborate preferences preference requirements
    background full situation context happening specifics""".split()
)
_ENGLISH = frozenset("the your you is are to a can may could what for of and how with i".split())
_FOREIGN = frozenset(
    """und ich sie ihre ihren ihr bitte wie welche welcher um für ist das den dem mir noch auf der
    el los su usted por favor cuál qué cuánto le una para con cómo y al se lo del me dice""".split()
)
"""A question in another language may ask for anything that the cues do not know."""
_ME, _MAY_BE_FOREIGN = mark_of(("me",)), mark_of(_FOREIGN - {"me"})
_MAY_BE_ENGLISH = mark_of(_ENGLISH)
_REQUEST = re.compile(
    guarded(
        any_of("""
    please / provide / need / require / could you / can you / may i / let me know / tell me
    give me / confirm / share / enter / send me / i'll need / what / which / por favor / bitte
    necesito / brauche / benötige
    """)
    ),
    re.IGNORECASE,
)
_REQUEST_WORDS = frozenset(
    """please provide need require could can may let tell give confirm share enter send i'll what
    which favor bitte necesito brauche benötige""".split()
)
_SYMPATHY = Cue(
    r"\b(?:i['’]?m |i am |we['’]?re |so |very )*sorry(?: to hear| about| for| that)\b|^\W*sorry\b",
)
_GREETING = Cue(
    any_of("""
    how (?:can|may) (?:i|we) / what can (?:i|we) do / what (?:brings|seems|is it about) / help you
    what's (?:up|the (?:matter|trouble|problem)) / assist you / wie kann / cómo puedo / en qué puedo
    let me know how
    """),
)
FIGURES = re.compile(r"[$€£]|\d\s?(?:%|euros?|dollars?|days?|hours?)")
_LONG_STATEMENT = 14
"""Words above which a sentence of the agent is more than a courtesy."""


def asked_kinds(text: str) -> frozenset[str]:
    """Kinds of information that an agent turn may be asking for, on a generous reading.

    Besides fact kinds: `identity` (any identifying fact) and `open` (anything).
    """
    if not text:
        return frozenset()
    said = passages(text)
    requests = any(map(_is_request, said))
    named = _named_in_request if requests else _named_in_passing
    kinds: frozenset[str] = frozenset().union(*map(named, said))
    return kinds | {"open"} if requests and _is_foreign(text) else kinds


def _is_foreign(text: str) -> bool:
    """Whether a text has more different words of other languages than English ones."""
    held = marks(text)
    if held & _MAY_BE_FOREIGN:
        little = frozenset[str]().union(*map(_little_words, passages(text)))
        return len(little & _FOREIGN) > len(little & _ENGLISH)
    return bool(held & _ME) and not held & _MAY_BE_ENGLISH


@kept_longer(4096)
def _little_words(passage: str) -> frozenset[str]:
    return words_in(passage) & (_FOREIGN | _ENGLISH)


@kept_longer(4096)
def _named_in_request(passage: str) -> frozenset[str]:
    """Kinds that a passage names, where something is asked."""
    return _kinds_named(passage, requests=True)


@kept_longer(4096)
def _named_in_passing(passage: str) -> frozenset[str]:
    """Kinds that a passage names, where nothing is asked."""
    return _kinds_named(passage, requests=False)


def _kinds_named(passage: str, *, requests: bool) -> frozenset[str]:
    """Kinds that a passage names: the less telling words count only where something is asked."""
    said = words_in(passage)
    cues = said & (_CUED if requests else _SPECIFIC)
    kinds: set[str] = {kind for cue in cues for kind in _CUES.get(cue, ())}
    if not said.isdisjoint(_IDENTITY_CUES):
        kinds.add("identity")
    if not said.isdisjoint(_OPEN_CUES):
        kinds.add("open")
    lower = passage.lower()
    if "e-mail" in lower:
        kinds.add("email")
    if "post code" in lower or "zip code" in lower:
        kinds.add("zip")
    return frozenset(kinds)


@kept(512)
def is_intake(text: str) -> bool:
    """Whether an agent turn only greets, thanks, sympathises and asks who the user is.

    After nothing but intake, no condition of the blueprint can have come about.
    """
    if is_proposal(text) or FIGURES.search(text):
        return False
    for sentence in sentences(text):
        kinds = asked_kinds(sentence.text)
        asks = _is_request(sentence.text)
        if is_refusal(_SYMPATHY.sub("", sentence.text)) or "open" in kinds:
            return False
        if asks and not kinds and not _GREETING.found(sentence.text):
            return False
        if not asks and len(words(sentence.text)) > _LONG_STATEMENT:
            return False
    return True


_WH = Cue(
    r"\b(?:who|whom|whose|where|when|why|how)\b"
    r"|\bwhat(?:ever)? (?:made|makes|brought|happened|tells?|else|about|(?:do|can|should) i)\b",
)
_NAMES_IT = Cue(r"\b(?:which|what)\b(?! (?:else|about))")
_WELFARE = Cue(any_of("how are you / would you like / do you (?:want|need|prefer) / shall / how's"))


@kept(512)
def asks_openly(text: str) -> bool:
    """Whether an agent turn has a question that names no thing it is after: `where`, `how`."""
    return any(map(_is_open, sentences(text)))


@kept(512)
def asks_in_own_words(text: str) -> bool:
    """Whether an agent turn has an open question of which the cues cannot tell what it is after.

    `What made you leave us?`, `how are you listed here?`: the answer may be anything.
    """
    return any(_is_open(said) and not asked_kinds(said.text) for said in sentences(text))


def _is_open(sentence: Sentence) -> bool:
    return (
        sentence.is_question
        and _WH.found(sentence.text)
        and _SPECIFIC.isdisjoint(word_set(sentence.text))
        and not _GREETING.found(sentence.text)
        and not _WELFARE.found(sentence.text)
    )


_VERB = Cue(
    any_of("""
    is / are / was / were / has / have / had / can / could / will / would / must / may / might
    costs? / takes? / can't / won't / isn't / aren't / there's / it's / that's / we're / runs?
    goes / depends / comes? / arrives? / sold / sells
    """)
)
_COURTESY = Cue(
    any_of("""
    thank\\w* / thanks / sorry / sure / certainly / of course / gladly / pleasure / no problem
    great / good / welcome / hello / hi / moment / hold / let me / i'll / i will / understand
    help / happy / assist / speaking / hear / nice / lovely / pity / wonderful / perfect
    """)
)


@kept(512)
def states(text: str) -> bool:
    """Whether an agent turn says how things are, courtesies aside."""
    return any(
        not s.is_question and _VERB.found(s.text) and not _COURTESY.found(s.text)
        for s in sentences(text)
    )


@kept(512)
def asks_elsewhere(text: str) -> bool:
    """Whether an agent turn has a question of which no cue knows what it is about, nor an offer."""
    return any(
        s.is_question
        and not asked_kinds(s.text)
        and not is_proposal(s.text)
        and not _NAMES_IT.found(s.text)
        and not _GREETING.found(s.text)
        and not _WELFARE.found(s.text)
        for s in sentences(text)
    )


@kept(512)
def asks_vaguely(text: str) -> bool:
    """Whether an agent turn wants something that the cues do not know: `I need a parent`."""
    return any(
        not s.is_question
        and _is_request(s.text)
        and not asked_kinds(s.text)
        and not _COURTESY.found(s.text)
        for s in sentences(text)
    )


@kept_longer(1024)
def questions(text: str) -> tuple[str, ...]:
    """The sentences of an agent turn that ask or request."""
    parts = passages(text)
    if len(parts) > 1:
        return tuple(chain.from_iterable(map(questions, parts)))
    return tuple(s.text for s in sentences(text) if _is_request(s.text))


@kept_longer(4096)
def _is_request(text: str) -> bool:
    if "?" in text:
        return True
    return not _REQUEST_WORDS.isdisjoint(words_in(text)) and _REQUEST.search(text) is not None
