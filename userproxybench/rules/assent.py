"""Yes and no: whether a reply agrees to what the agent has just proposed."""

from __future__ import annotations

from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.text import any_of, is_negated, sentences

_YES = Cue(
    any_of("""
    yes / yeah / yep / yup / sure / please do / go ahead / go for it / do (?:it|that|so)
    please proceed / proceed (?:with|then|please) / (?:can|may|should|to) proceed / i confirm
    confirmed / ok / okay / sounds (?:good|great|fine|perfect|reasonable|fair)
    that'?s (?:fine|ok|okay|great|good|perfect|right|correct|acceptable|all right|alright)
    that works / works for me / agreed? / i accept / i'?ll (?:accept|take|go with|have) / perfect
    let's (?:do|go with) / (?:is|are|would be|will be) (?:fine|ok|okay|acceptable|alright|all right)
    fine (?:by|with) me / (?:all right|alright|very well|fine) then / happy with that
    please (?:book|charge|cancel|make|transfer|proceed|add|go|change|send|process|pause|order)
    please (?:submit|place|update|issue|register|credit|apply|switch|move|put|use|complete)
    (?:book|charge|order|send|credit|take|register|switch|move) (?:it|them|me|that|us)
    (?:add|submit|arrange|enter|cancel|change|renew) (?:it|them|that)
    i'?ll pay / just do it / put me (?:down|through)
    sí / vale / de acuerdo / adelante / está bien / hágalo / claro / perfecto
    ja / gerne / einverstanden / in ordnung / na gut / machen sie / buchen sie / nehme ich
    zahle ich
    """),
)
_NO_FIRST = Cue(
    r"^\W*"
    + any_of("""
    no / nope / not / never mind / i'd rather not / rather not / nein / unfortunately / hold on
    wait / actually,? no / i (?:don't|do not|can't|cannot|won't) / neither
    """),
)
_NO = Cue(
    any_of("""
    no,? thanks / no,? thank you / don't (?:want|do|proceed|go ahead|accept) / do not want
    (?:is|it's|that's) (?:over|above|beyond|more than) (?:the|my|what|i)
    too (?:much|expensive|high|steep) / i (?:decline|refuse) / (?:can't|cannot|won't) accept
    not (?:acceptable|enough|good enough|willing|interested|what i) / no need / rather not
    not necessary / (?:won't|will not) do / no further actions?
    lieber nicht / möchte ich nicht / no quiero / no,? gracias / no acepto / prefiero no
    """),
)
_CONDITION = Cue(r"\b(?:if|unless|provided|as long as|whether|wenn|falls|si)\b")
_LEADING_YES = Cue(r"^\W*(?:yes|yeah|sure|ok|okay|please|sí|ja|perfect|great)\b")


_CLOSING = Cue(
    any_of("""
    thanks / thank you / that's all / nothing else / no further / (?:i'm|all) set / appreciate
    won't need / all i needed / have a (?:good|great|nice|lovely) / bye / goodbye / good night
    """),
)
_EXPLICIT = Cue(
    any_of("""
    yes / yeah / yep / sure / please / go ahead / go for it / proceed with / do (?:it|that|so)
    (?:book|charge|order|send|take|register) (?:it|them|me|that) / i'll (?:take|go with|accept)
    i accept / sí / adelante / ja / gerne / machen sie / buchen sie
    """),
)


def goes_ahead(text: str) -> str:
    """Like `yes_words`, but a bare "perfect, thanks" that closes the talk does not count."""
    said = yes_words(text)
    if said and _CLOSING.found(text) and not _EXPLICIT.found(said):
        return ""
    return said


@kept_longer(4096)
def yes_words(text: str) -> str:
    """The sentence in which a reply agrees; empty where it does not, or declines."""
    if declines(text):
        return ""
    for sentence in sentences(text):
        leads = _LEADING_YES.found(sentence.text)
        if not _YES.found(sentence.text) or _CONDITION.found(sentence.text):
            continue
        if leads or not (sentence.is_question or is_negated(sentence.text)):
            return sentence.text
    return ""


def is_on_condition(text: str) -> bool:
    """Whether what a sentence says hangs on a condition."""
    return _CONDITION.found(text)


def declines(text: str) -> bool:
    """Whether a reply says no to what was proposed."""
    return _NO_FIRST.found(text) or _NO.found(text)
