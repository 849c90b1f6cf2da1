"""Device states that no blueprint line and no own result gives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.models.checks import StateGrounded
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import questions
from userproxybench.rules.cues import Cue, mark_of
from userproxybench.rules.fact_questions import assertions, named_options
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.plain import DEVICES, PLAIN
from userproxybench.rules.readings_said import unseen_look
from userproxybench.rules.text import (
    all_stems,
    any_of,
    has_word,
    is_english,
    is_future,
    is_hypothetical,
    is_uncertain,
    sentences,
    squash,
    stems,
    word_set,
)
from userproxybench.rules.tool_words import asked_for, tool_words, widened

_STATES = frozenset(
    """green red amber orange yellow blue white blinking flashing steady solid dark lit loose
    cracked crack broken damaged plugged unplugged warm hot cold empty closed locked
    connected disconnected working black frozen stuck noisy loud quiet bent wet dirty scratched
    floor shelf wall behind beside""".split()
)
_MAY_STATE = mark_of(_STATES)
_LOOKS = _STATES - frozenset(
    "connected disconnected working locked closed plugged unplugged broken".split()
)
_NO_TROUBLE = Cue(
    r"\b(?:haven['’]t|have not|not|never) (?:noticed|had|seen|experienced|encountered) "
    r"(?:any |other )*(?:issues?|problems?|trouble|difficult\w+) (?:with|on|in) (?P<with>[^.?!,;]+)"
    r"|\bno (?:issues?|problems?|trouble) (?:with|on) (?P<no>[^.?!,;]+)",
)
_STEP = (
    r"restart\w*|reboot\w*|reset\w*|unplug\w*|power[- ]cycl\w*|reconnect\w*|replugg\w*|reinstall\w*"
)
_AFTER_STEP = Cue(
    r"\b(?:after|despite|following|having|even with)\s+(?:[\w']+\s+){0,4}?"
    rf"(?P<after>{_STEP}|complet\w+|trying|check\w*|those steps|these steps|the steps)\b"
    r"|\bI(?:['’]ve| have)?\s+(?:already |just |also |now |then )*"
    r"(?P<did>restarted|rebooted|reset|unplugged|reconnected|updated|power[- ]cycled|replugged|"
    r"tried|completed|followed|checked)\b",
)
_LOOK = re.compile(r"\W*(?:check|confirm|verify|report|test|inspect)\b", re.IGNORECASE)
_STILL = Cue(
    any_of("""
    still / persists? / persistent / remains? / continues? / same / no luck / no change
    (?:didn't|did not|doesn't|hasn't) (?:help|work|fix|solve|change|resolve\\\\w*|helped|worked)
    failed to / made no difference / none of / nothing changed / no difference / not working
    """),
)


def state_grounded(ledger: Ledger, _: StateGrounded) -> Answer:
    """Evaluate `StateGrounded`: states that neither blueprint nor any tool can have given."""
    hits: list[Hit] = []
    if not is_about_devices(ledger) or not is_english(ledger.blueprint_text):
        return answer(hits, arose=False)
    for reply in ledger.replies:
        if not reply.agent:
            continue
        found = next(_states(ledger, reply), None)
        if found is not None:
            hits.append(found)
    return answer(hits, arose=any(_asks_of_device(reply) for reply in ledger.replies))


def is_about_devices(ledger: Ledger) -> bool:
    """Whether the user's task is about a device."""
    return bool(ledger.contract.user_tools) or any(
        DEVICES & word_set(item.text)
        for item in ledger.facts.instructions
        if item.source != "persona"
    )


def _asks_of_device(reply: Reply) -> bool:
    return has_word(reply.agent, DEVICES) and bool(questions(reply.agent))


def _states(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    if not reply.calls:
        yield from _no_trouble(ledger, reply)
        yield from _option_in_use(ledger, reply)
        if ledger.contract.user_tools and not asked_for(ledger, reply, ()):
            yield from unseen_look(ledger, reply)
    if not ledger.contract.user_tools:
        yield from _outcome_of_a_step(ledger, reply)
    elif reply.said & _MAY_STATE and (reply.calls or not asked_for(ledger, reply, ())):
        yield from _novel_state(ledger, reply)


def _novel_state(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    """A state in words that occur nowhere: where the router stands, which lamp is lit."""
    if not any("?" in sentence for sentence in questions(reply.agent)):
        return
    if any(tool_words(call.tool).reads for call in reply.calls):
        return
    said = (sentence.text for sentence in sentences(reply.text) if not sentence.is_question)
    told = list(filter(_tells_state, said))
    if not told:
        return
    own = all_stems(earlier.text for earlier in ledger.replies[: reply.position])
    known = ledger.visible_stems(reply.index).union(PLAIN, own)
    for text in told:
        novel = {word for word in stems(text) - known if len(word) > 2}
        new_state = bool(stems(" ".join(_STATES & word_set(text))) & novel)
        enough = 2 if new_state and _LOOKS.isdisjoint(word_set(_given(ledger))) else 3
        enough += 2 * len(stems(text) & stems(_given(ledger)) - PLAIN)
        if len(novel) >= enough and (new_state or not reply.calls):
            reason = "no blueprint line and no own tool result gives this state"
            yield Hit(reply.index, text, reason)


def _tells_state(text: str) -> bool:
    """Whether a sentence has the word of a state, and says that it is so."""
    if is_hypothetical(text) or is_uncertain(text) or is_future(text):
        return False
    return not _STATES.isdisjoint(word_set(text))


def _no_trouble(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    """`I haven't noticed any issues with my data`: nothing was looked at."""
    match = _NO_TROUBLE.search(reply.text) if ledger.contract.user_tools else None
    if match is None:
        return
    what = stems(match["with"] or match["no"]) - PLAIN
    results = (stems(call.result) for call in ledger.calls_before(reply.index))
    known = stems(_given(ledger)).union(*results)
    if what and len(what - known) > len(what) / 2:
        yield Hit(reply.index, match.group(), "no own tool result shows this")


def _option_in_use(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    """One of the agent's options taken for what the user has: `I'm using the Standard Router`."""
    if not _HAS_THIS.found(reply.text):
        return
    for name in named_options(reply.agent):
        if name not in reply.text or squash(name) in squash(ledger.blueprint_text):
            continue
        match = re.search(rf"{_HAS}\s+(?:the |a |an )?{re.escape(name)}", reply.text)
        if match:
            reason = f"the blueprint does not say that it is {name!r}"
            yield Hit(reply.index, match.group(), reason)


_HAS = (
    r"\b(?:I(?:['’]m| am) (?:\w+ )?using|I (?:use|have|own|got)|"
    r"(?:[Ii]t|[Tt]hat|router|model|phone|device|modem)(?:['’]s| is))"
)


_HAS_THIS = Cue(rf"{_HAS}\s+(?:the |a |an )?[A-Z0-9]", 0)


def _outcome_of_a_step(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    """`After restarting it, the light is still off`, from a user who has no tools at all."""
    if not (reply.said & _AFTER_STEP.bit and reply.said & _STILL.bit):
        return
    match = _AFTER_STEP.search(reply.text)
    if match is None or not _STILL.found(reply.text):
        return
    step = widened(match["after"] or match["did"])
    if step & widened(ledger.blueprint_text):
        return
    for sentence, clause in assertions(reply.text):
        if _LOOK.match(sentence.text):
            continue
        if match.group() in clause and _STILL.found(sentence.text):
            reason = "no blueprint line says that this was tried, nor how it came out"
            yield Hit(reply.index, sentence.text, reason)


def _given(ledger: Ledger) -> str:
    """What the blueprint says of how things are; how to behave left out."""
    told = ("persona", "task_instructions")
    return "\n".join(item.text for item in ledger.facts.instructions if item.source not in told)
