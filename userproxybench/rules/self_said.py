"""What the user says that it said before, against what it did say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.models.checks import SelfConsistent
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.cues import Cue, mark_of
from userproxybench.rules.days_said import WEEKDAYS
from userproxybench.rules.fact_questions import ASKS, fact_questions
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import number_set, numbers
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import all_stems, any_of, sentences, stems, word_set

_CHOSE = "picked|chose|chosen|went for|opted for|settled on"
_RECALLS = Cue(
    r"\bI(?:['’]ve| have)?\s+(?:already\s+)?"
    r"(?:told you|said|mentioned|asked for|stated|specified)\b(?P<what>[^.?!]*)"
    rf"|\bI(?:['’]ve| have|['’]d| had)? (?:{_CHOSE})\b(?P<chose>[^.?!]*)"
    r"|\b(?:as|like) I (?:said|mentioned|told you)\b(?P<as>[^.?!]*)",
)
_DISOWNS = Cue(
    r"(?:\bI |^|(?<=[.!?] ))(?:never|didn['’]?t|did not) "
    r"(?:said|say|told you|tell you|mention(?:ed)?|"
    r"ask(?:ed)?(?: for)?|want(?:ed)?|request(?:ed)?)\b(?P<what>[^.?!,]*)",
    re.IGNORECASE | re.MULTILINE,
)
_DENYING = mark_of(("never", "didn't", "didnt", "did"))
_FEW = 4
"""Words of what a user recalls: with more, it may say the same in other words."""
_SAYING = frozenset(
    """said say told tell mentioned mention asked ask stated specified want wanted requested
    request picked chose chosen went opted settled""".split()
)
_SPEAKS_OF_SAYING = mark_of(_SAYING)
_YES = Cue(r"^\W*(?:yes|yeah|yep|yup|i did|that['’]s right)\b")
_NO = Cue(r"^\W*(?:no|nope|never|i did(?:n['’]t| not))\b")
_YES_OR_NO = _YES.bit | _NO.bit
_OR = Cue(any_of("or / which"))
_ASKED_AGAIN = Cue(
    any_of("once more / again / to be sure / just to be clear / are you sure / really / so you"),
)


def self_consistent(ledger: Ledger, _: SelfConsistent) -> Answer:
    """Evaluate `SelfConsistent`."""
    hits: list[Hit] = []
    arose = False
    for reply in ledger.replies:
        if reply.said & _SPEAKS_OF_SAYING and not _SAYING.isdisjoint(word_set(reply.text)):
            arose = True
            hits += _misrecalled(ledger, reply)
            hits += _disowned(ledger, reply)
        if reply.heard & ASKS and reply.said & _YES_OR_NO:
            hits += _turned_round(ledger, reply)
    return answer(hits[:1], arose=arose)


def _misrecalled(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    for match in _RECALLS.finditer(reply.text):
        if match["chose"]:
            new = _is_other_choice(_choices(match["chose"]), ledger, reply)
        else:
            what = match["what"] or match["as"] or _before(reply, match)
            new = _is_new(what, ledger, reply) and not _is_own_wish(ledger, match.group(), what)
        if new:
            said = _sentence_with(reply, match.group())
            yield Hit(reply.index, said, "the user had not said so before")


def _is_own_wish(ledger: Ledger, words_: str, what: str) -> bool:
    """Whether the user has asked for this in other words: it is what it was sent for."""
    own = stems(what) - PLAIN
    return "asked for" in words_ and not numbers(what) and own <= stems(ledger.blueprint_text)


def _is_other_choice(content: frozenset[str], ledger: Ledger, reply: Reply) -> bool:
    """Whether the agent had offered this, and the user had taken something else of that offer."""
    for earlier in ledger.replies[: reply.position]:
        offered, taken = _choices(earlier.agent), _choices(earlier.text)
        if (content - taken) & offered and (taken - content) & offered and len(taken) <= _FEW:
            return _OR.found(earlier.agent)
    return False


def _choices(text: str) -> frozenset[str]:
    """What may be chosen: content stems, `9th` as `9`."""
    return frozenset(_ORDINAL.sub(r"\1", word) for word in stems(text) - PLAIN)


_ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$")


def _before(reply: Reply, match: re.Match[str]) -> str:
    """What stands before `like I said` in its sentence."""
    head = re.split(r"[.?!\n]", reply.text[: match.start()])[-1]
    return head.rpartition(";")[2]


def _disowned(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    for match in _DISOWNS.finditer(reply.text) if reply.said & _DENYING else ():
        content = stems(match["what"])
        if content and content <= stems(_said_before(ledger, reply)):
            said = _sentence_with(reply, match.group())
            yield Hit(reply.index, said, "the user had said just that before")


def _turned_round(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    """Yes where the user had said no, or no where it had said yes, to the same question again."""
    if not reply.position or reply.calls or not _ASKED_AGAIN.found(reply.agent):
        return
    now = fact_questions(reply.agent)
    if not now:
        return
    topic = stems(" ".join(now)) | stems(reply.text)
    for earlier in reversed(ledger.replies[: reply.position]):
        then = fact_questions(earlier.agent)
        if not then or not _are_opposite(reply.text, earlier.text):
            continue
        if topic & (stems(" ".join(then)) | stems(earlier.text)) - PLAIN:
            said = sentences(reply.text)[0].text
            yield Hit(reply.index, said, f"the user had said: {earlier.text.strip()[:80]!r}")
            return


def _are_opposite(one: str, other: str) -> bool:
    yes_no = _YES.search(one) and _NO.search(other)
    return bool(yes_no or (_NO.found(one) and _YES.found(other)))


def _is_new(what: str, ledger: Ledger, reply: Reply) -> bool:
    """Whether the user never said what it says it said: another number, or the agent's words."""
    content = stems(what)
    if not content or "?" in what:
        return False
    before = _said_before(ledger, reply)
    said = {n.value for n in numbers(before)}
    for number in numbers(what):
        if number.value not in said and number.value > 1:
            bare = said and not content - PLAIN and number.value in number_set(reply.agent)
            return bool(bare or content & stems(before))
    fresh = content - stems(before)
    if len(content) > _FEW or fresh != content:
        return False
    told = all_stems(ledger.agent_before(reply.index))
    if fresh & told or WEEKDAYS.keys() & word_set(what):
        return True
    corrects = _NO.found(reply.text) and "?" in reply.agent
    return corrects and bool(stems(before) & stems(_denied(reply)) - PLAIN)


def _denied(reply: Reply) -> str:
    """The last two sentences of what the agent said: what a `no` denies."""
    return " ".join(sentence.text for sentence in sentences(reply.agent)[-2:])


def _said_before(ledger: Ledger, reply: Reply) -> str:
    return " ".join(earlier.text for earlier in ledger.replies[: reply.position])


def _sentence_with(reply: Reply, words_: str) -> str:
    for sentence in sentences(reply.turn.text):
        if words_.strip()[:12] in sentence.text:
            return sentence.text
    return reply.turn.text
