"""Faults of form: beside UFS, never inside."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.models import ProtocolNote, Turn
from userproxybench.rules.asks import is_transfer, offers_more
from userproxybench.rules.ledger import TOKENS, Ledger, Reply
from userproxybench.rules.text import squash, words

_THINK = re.compile(
    r"^\s*<(?:think|thinking|thought|scratchpad|reasoning|analysis|reflection)\b[^>]{0,20}>|</(?:think|thinking|thought|scratchpad|reasoning)>|^\s*(?:thought|thinking|reasoning|"
    r"scratchpad|internal(?: note| monologue)?|analysis|plan|user response|response)\s*:\s|\[(?:thinking|thought|internal|plan)\b"
    r"|\b(?:the|my) (?:instructions?|scenario|blueprint) (?:says?|said|tells?|requires?)\b|\bas (?:instructed|per (?:my|the) (?:instructions?|scenario))\b"
    r"|\bI should (?:only|not|wait|reveal|mention|say|stay)\b.{0,80}\b(?:agent|asked?|asks)\b|^\s*\((?:I|they|the agent|now|wait|as the|per)\b[^)]{15,}\)",
    re.IGNORECASE | re.MULTILINE,
)
_CHARACTER = re.compile(
    r"\b(?:as an? (?:ai|artificial|language model|llm|assistant|chatbot)|i(?:['’]?m| am) (?:an? )?(?:ai|language model|llm|chatbot|bot|"
    r"(?:just )?(?:simulat\w+|role-?play\w+|playing))|language model|system prompt|this (?:is a )?(?:simulation|role-?play|test scenario)|"
    r"simulated (?:user|customer)|user simulator|(?:my|the) (?:prompt|role as (?:the|a) (?:user|customer))|playing the (?:part|role|customer|user)|"
    r"out of character|break(?:ing)? character)\b",
    re.IGNORECASE,
)
_AGENT_SPEAK = re.compile(
    r"\bhow (?:can|may) i (?:help|assist) you\b|\bi(?:['’]?d| would) be (?:happy|glad) to (?:help|assist) you\b|"
    r"\bi can (?:help|assist) you with (?:that|your)\b|\bthank you for (?:calling|contacting|reaching out to)\b|"
    r"\bis there anything else i can (?:help|assist|do for) (?:you|with)\b|\b(?:i(?:['’]ve| have)|your) (?:pulled up|located|found) your\b|"
    r"\bi(?:['’]ll| will) (?:process|look up|pull up|check) (?:your|that for you)\b|\bcould you (?:please )?(?:provide|give me|confirm) your (?:user id|name|order|"
    r"account|booking|customer|member)\b|\blet me (?:pull up|look up) your\b|\bfor (?:security|verification) purposes\b|"
    r"\bi(?:['’]m| am) happy to keep helping you\b|\byour (?:refund|booking|order|request) has been (?:processed|cancelled|booked)\b",
    re.IGNORECASE,
)
_FAREWELL = re.compile(
    r"^\W*(?:thank(?:s| you)?|you too|bye|good ?bye|have a|take care|cheers|great|perfect|will do|same to you|you['’]re welcome|"
    r"no problem|appreciate|see you|likewise|gracias|danke|tschüss|adiós)\b",
    re.IGNORECASE,
)
_ENGLISH = frozenset(
    "the and you is to of my for it that i have with this was are please can not your be on what in a do".split()
)
_OTHER = (
    frozenset(
        "que de la el los las por para con una un mi está quiero pero gracias hola como es no se ya lo me puedo "
        "der die das und ich ist nicht mit ein eine mein bitte danke haben ist auf zu wie kann aber den "
        "le les des est pas je vous pour une mon avec merci bonjour dans sur ne "
        "il che non per sono grazie vorrei mio con".split()
    )
    - _ENGLISH
)


def protocol_notes(ledger: Ledger) -> list[ProtocolNote]:
    """All protocol notes of a trajectory, in order of turns."""
    notes = [
        note
        for turn in ledger.trajectory.turns
        if turn.speaker == "user" and not turn.scripted
        for note in _of_turn(turn)
    ]
    for reply in ledger.replies:
        notes += _of_reply(ledger, reply)
    notes += _call_loops(ledger)
    seen: dict[tuple[int, str], ProtocolNote] = {}
    for note in sorted(notes, key=lambda note: note.turn):
        seen.setdefault((note.turn, note.mode), note)
    return list(seen.values())


def _of_turn(turn: Turn) -> Iterator[ProtocolNote]:
    text = turn.text
    if turn.tool_calls and text.strip():
        yield ProtocolNote(
            mode="text_with_tool_call",
            turn=turn.index,
            quotation=text.strip(),
            reason="text beside a tool call never reaches the agent",
        )
    if not turn.tool_calls and not text.strip():
        yield ProtocolNote(mode="empty_turn", turn=turn.index, reason="no text and no tool call")
    match = _THINK.search(text)
    if match:
        yield _note("reasoning_leak", turn, match.group(), "reasoning in the visible turn")
    match = _CHARACTER.search(text)
    if match:
        yield _note(
            "character_break", turn, match.group(), "speaks of being a model or a simulation"
        )


def _of_reply(ledger: Ledger, reply: Reply) -> Iterator[ProtocolNote]:
    text = reply.text
    match = _AGENT_SPEAK.search(text)
    if match:
        yield _note("role_confusion", reply.turn, match.group(), "speaks as the agent")
    if reply.token:
        yield from _token(ledger, reply)
    if _switches_language(ledger, reply):
        yield _note(
            "language_switch",
            reply.turn,
            text.split("\n")[0][:80],
            "not the language of the conversation",
        )
    if _repeats(ledger, reply):
        yield _note(
            "restart_loop", reply.turn, text[:80], "sends the same message for the third time"
        )
    if _is_late(ledger, reply):
        yield _note("late_stop", reply.turn, text[:80], "keeps talking after the goal is met")


def _note(mode: str, turn: Turn, quotation: str, reason: str) -> ProtocolNote:
    return ProtocolNote.model_validate(
        {"mode": mode, "turn": turn.index, "quotation": quotation.strip(), "reason": reason}
    )


def _token(ledger: Ledger, reply: Reply) -> Iterator[ProtocolNote]:
    match = TOKENS.search(reply.turn.text)
    if not match:
        return
    said = "\n".join(ledger.agent_before(reply.index)[-2:])
    after = TOKENS.sub("", reply.turn.text[match.end() :]).strip()
    continues = len(words(after)) >= 6
    if continues:
        yield _note(
            "control_token_misuse",
            reply.turn,
            match.group(),
            "a token in the middle of running talk",
        )
    elif reply.token == "TRANSFER" and not _handed_over(ledger, reply) and not is_transfer(said):
        yield _note(
            "control_token_misuse", reply.turn, match.group(), "no transfer has taken place"
        )
    elif _wants_answer(reply):
        yield _note(
            "control_token_misuse",
            reply.turn,
            match.group(),
            "a token in a turn that asks for an answer",
        )


def _wants_answer(reply: Reply) -> bool:
    return reply.text.rstrip().endswith("?") and len(words(reply.text)) > 6


def _handed_over(ledger: Ledger, reply: Reply) -> bool:
    return any(
        "transfer" in call.name.lower()
        for turn in ledger.trajectory.turns
        if turn.index < reply.index and turn.speaker == "agent"
        for call in turn.tool_calls
    )


def _switches_language(ledger: Ledger, reply: Reply) -> bool:
    said = words(reply.text)
    if len(said) < 5:
        return False
    own = _language(said)
    agent = _language(words("\n".join(ledger.agent_before(reply.index))))
    blueprint = _language(words("\n".join(ledger.contract.blueprint.texts().values())))
    return (
        own is not None
        and agent is not None
        and blueprint is not None
        and own != agent == blueprint
    )


def _language(said: list[str]) -> str | None:
    english = sum(word in _ENGLISH for word in said)
    other = sum(word in _OTHER for word in said)
    if english >= 2 and english >= 2 * other:
        return "english"
    return "other" if other >= 3 and other >= 3 * english else None


def _repeats(ledger: Ledger, reply: Reply) -> bool:
    mine = squash(reply.text)
    if len(mine) < 20:
        return False
    same = [r for r in ledger.replies[: reply.position + 1] if squash(r.text) == mine]
    return len(same) >= 3


def _is_late(ledger: Ledger, reply: Reply) -> bool:
    """The second farewell in a row to an agent that has closed the matter, without a token."""
    if reply.token or not reply.position:
        return False
    before = ledger.replies[reply.position - 1]
    return (
        not before.token
        and _is_farewell(before)
        and _is_farewell(reply)
        and not offers_question(reply.agent)
        and not reply.calls
    )


def _is_farewell(reply: Reply) -> bool:
    return (
        _FAREWELL.search(reply.text) is not None
        and "?" not in reply.text
        and len(words(reply.text)) <= 30
        and (offers_more(reply.agent) or not offers_question(reply.agent))
    )


def offers_question(agent: str) -> bool:
    """Whether the agent's last words ask something other than "anything else?"."""
    return "?" in agent and not offers_more(agent)


def _call_loops(ledger: Ledger) -> Iterator[ProtocolNote]:
    """The same call, with the same result, for the third time without a word between."""
    run = 0
    for before, call in zip(ledger.calls, ledger.calls[1:], strict=False):
        spoken = any(before.turn < reply.index < call.turn for reply in ledger.replies)
        same = (before.tool, before.arguments, before.result) == (
            call.tool,
            call.arguments,
            call.result,
        )
        run = run + 1 if same and not spoken and before.turn != call.turn else 0
        if run == 2:
            yield ProtocolNote(
                mode="restart_loop",
                turn=call.turn,
                quotation=call.tool,
                reason="the same call for the third time without telling the agent",
            )
