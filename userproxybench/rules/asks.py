"""Agent turn → what it asks for."""

from __future__ import annotations

import re
from functools import lru_cache

from userproxybench.rules.facts import FactKind
from userproxybench.rules.text import sentences, stem, words

_CUES: dict[str, tuple[FactKind, ...]] = {}
for _kind, _cues in {
    "name": "name names called speaking whom nombre llama namen heißen",
    "phone": "phone mobile cell telephone callback contact línea line teléfono telefon telefonnummer "
    "handynummer number",
    "email": "email e-mail mail correo mailadresse",
    "user_id": "id ids username user-id login customer member membership account kundennummer "
    "mitgliedsnummer number socio cliente rider policy profile pass",
    "order_id": "order orders purchase pedido bestellung bestellnummer invoice number",
    "reservation_id": "reservation booking confirmation reference itinerary trip pnr flight number "
    "reserva buchung",
    "zip": "zip zipcode postcode postal zip-code post-code plz address location addresses código",
    "address": "address addresses street live deliver delivery ship shipping dirección adresse "
    "anschrift location where home",
    "birth_date": "birth birthday birthdate born dob date-of-birth nacimiento geburtsdatum geboren age",
    "payment_method": "payment pay card paypal gift credit debit method refund pago zahlung bezahlen "
    "charge funds",
    "card_digits": "card cards payment pay digits method refund pago tarjeta karte charge digit credit",
    "amount": "amount price cost budget much pay paid fee limit charge offer spend sum figure refund "
    "cuánto betrag viel euros dollars",
    "date": "date dates day days when time since month week start began departure arrival travel "
    "cuándo wann tag datum fecha ago long often happen happened exactly",
    "location": "where location abroad home country roaming travel traveling travelling place whereabouts "
    "dónde wo outside",
    "reason": "reason why purpose cause motivo warum grund happened",
}.items():
    for _cue in _cues.split():
        _CUES[_cue] = (*_CUES.get(_cue, ()), _kind)  # type: ignore[arg-type]  # keys are FactKinds

_SPECIFIC = frozenset(
    "name email e-mail zip zipcode postcode postal phone birth birthday address id mitgliedsnummer "
    "kundennummer nombre correo teléfono namen telefonnummer plz".split()
)
_IDENTITY_CUES = frozenset(
    "verify verification identity identify authenticate authentication details information identification "
    "identität identificar datos daten profile locate".split()
)
_OPEN_CUES = frozenset(
    "anything everything describe explain elaborate preferences preference requirements "
    "background full situation context happening specifics".split()
)
_REQUEST = re.compile(
    r"\?|\b(?:please|provide|need|require|could you|can you|may i|let me know|tell me|give me|confirm|share|"
    r"enter|send me|i'll need|what|which|por favor|bitte|necesito|brauche|benötige)\b",
    re.IGNORECASE,
)
_PENDING = re.compile(
    r"\b(?:shall i|should i|would you like me to|do you want me to|may i (?:go ahead|proceed)|"
    r"proceed\b|go ahead|confirm|is that (?:ok|okay|all right|alright|correct)|does that work|"
    r"do you (?:agree|accept|approve)|ok to|okay to|yes/no|\(yes|reply|want me to|"
    r"soll ich|¿(?:procedo|desea|quiere|le parece|confirma))",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:(?:has|have|is|are|was|were) (?:now |been |successfully |all )*(?:\w+ed|done|set|sent|made|"
    r"booked|paid|put|on (?:its|the) way)|i(?:'ve|’ve| have) (?:now |just |successfully )*\w+|done|all set|"
    r"successfully|completed|complete|you're welcome|goodbye|have a (?:great|good|nice|wonderful|lovely))\b",
    re.IGNORECASE,
)
_ANYTHING_ELSE = re.compile(
    r"\b(?:anything|something) else\b|\b(?:any|other|further|more) (?:questions?|requests?|help|assistance|concerns?)\b"
    r"|\belse (?:i can|can i|today|for you)\b|\bfeel free\b|\blet (?:me|us) know if\b|\balgo más\b|\bsonst noch\b"
    r"|\bnoch etwas\b|\b(?:all|everything) (?:for now|for today|you need)\b",
    re.IGNORECASE,
)
_TRANSFER = re.compile(
    r"\b(?:transfer\w*|hand(?:ing|ed)? (?:you|this) over|put(?:ting)? you through|human agent|specialist|"
    r"supervisor|colleague|verbind\w*|transfiri\w*|pass(?:ing)? you (?:on|to)|escalat\w*)\b",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\b(?:cannot|can['’]?t|can not|unable|not able|not possible|isn['’]?t possible|won['’]?t be able|not eligible|"
    r"not allowed|unfortunately|i['’]?m (?:sorry|afraid)|regret|against (?:our )?policy|not permitted|"
    r"no (?:option|way)|leider|lamentablemente|lo siento)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=65536)
def asked_kinds(text: str) -> frozenset[str]:
    """Kinds of information that an agent turn may be asking for, on a generous reading.

    Besides fact kinds: `identity` (any identifying fact) and `open` (anything).
    """
    if not text:
        return frozenset()
    requests = _REQUEST.search(text) is not None
    kinds: set[str] = set()
    for word in words(text):
        if word in _SPECIFIC or requests:
            kinds.update(_CUES.get(word, ()))
        if word in _IDENTITY_CUES:
            kinds.add("identity")
        if word in _OPEN_CUES:
            kinds.add("open")
    lower = text.lower()
    if "e-mail" in lower:
        kinds.add("email")
    if "post code" in lower or "zip code" in lower:
        kinds.add("zip")
    return frozenset(kinds)


@lru_cache(maxsize=65536)
def text_stems(text: str) -> frozenset[str]:
    """Stems of all words of a text."""
    return frozenset(stem(word) for word in words(text))


def is_proposal(text: str) -> bool:
    """Whether the agent waits for a yes before it acts."""
    return any(_PENDING.search(s.text) for s in sentences(text)[-5:])


def reports_done(text: str) -> bool:
    """Whether the agent reports something as carried out."""
    return _DONE.search(text) is not None


def offers_more(text: str) -> bool:
    """Whether the agent asks if there is anything else."""
    return _ANYTHING_ELSE.search(text) is not None


def is_transfer(text: str) -> bool:
    """Whether the agent speaks of handing the user over."""
    return _TRANSFER.search(text) is not None


def is_refusal(text: str) -> bool:
    """Whether the agent says that something is not possible."""
    return _REFUSAL.search(text) is not None


def is_intake(text: str) -> bool:
    """Whether an agent turn only greets, thanks, sympathises and asks who the user is.

    After nothing but intake, no condition of the blueprint can have come about.
    """
    if is_proposal(text) or re.search(r"[$€£]|\d\s?(?:%|euros?|dollars?|days?|hours?)", text):
        return False
    for sentence in sentences(text):
        kinds = asked_kinds(sentence.text)
        asks = _REQUEST.search(sentence.text) is not None
        if _REFUSAL.search(_SYMPATHY.sub("", sentence.text)) or "open" in kinds:
            return False
        if asks and not kinds and not _GREETING.search(sentence.text):
            return False
        if not asks and len(words(sentence.text)) > 14:
            return False
    return True


_SYMPATHY = re.compile(
    r"\b(?:i['’]?m |i am |we['’]?re |so |very )*sorry(?: to hear| about| for| that)\b|^\W*sorry\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"\b(?:how (?:can|may) (?:i|we)|what can (?:i|we) do|what['’]?s (?:up|the (?:matter|trouble|problem))|what (?:brings|seems|is it about)|"
    r"help you|assist you|what is it about|wie kann|cómo puedo|en qué puedo|let me know how)",
    re.IGNORECASE,
)


def questions(text: str) -> list[str]:
    """The sentences of an agent turn that ask or request."""
    return [s.text for s in sentences(text) if _REQUEST.search(s.text)]
