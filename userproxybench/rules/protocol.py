"""Faults of form: beside UFS, never inside."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.models import ProtocolNote, Turn
from userproxybench.rules.assent import declines
from userproxybench.rules.ledger import TOKENS, Ledger, Reply
from userproxybench.rules.moves import is_transfer, is_working, offers_more
from userproxybench.rules.text import any_of, sentences, squash, words

_THINK = re.compile(
    r"^\s*<(?:think|thinking|thought|scratchpad|reasoning|analysis|reflection)\b[^>]{0,20}>"
    r"|</(?:think|thinking|thought|scratchpad|reasoning)>"
    r"|^\s*(?:thought|thinking|reasoning|scratchpad|internal(?: note| monologue)?|analysis|plan"
    r"|user response|response)\s*:\s"
    r"|\[(?:thinking|thought|internal|plan)\b"
    r"|\b(?:the|my) (?:instructions?|scenario|blueprint) (?:says?|said|tells?|requires?)\b"
    r"|\bas (?:instructed|per (?:my|the) (?:instructions?|scenario))\b"
    r"|\bI should (?:only|not|wait|reveal|mention|say|stay)\b.{0,80}\b(?:agent|asked?|asks)\b"
    r"|^\s*\((?:I|they|the agent|now|wait|as the|per)\b[^)]{15,}\)",
    re.IGNORECASE | re.MULTILINE,
)
_CHARACTER = re.compile(
    any_of("""
    as an? (?:ai|artificial|language model|llm|assistant|chatbot) / language model / system prompt
    i(?:'m| am) (?:an? )?(?:ai|language model|llm|chatbot|bot)
    i(?:'m| am) (?:just )?(?:simulat\\w+|role-?play\\w+)
    i(?:'m| am) (?:just )?playing (?:the|a) / playing the (?:part|role|customer|user)
    this (?:is a )?(?:simulation|role-?play|test scenario) / simulated (?:user|customer)
    user simulator / (?:my|the) (?:prompt|role as (?:the|a) (?:user|customer)) / out of character
    break(?:ing)? character
    """),
    re.IGNORECASE,
)
_AGENT_SPEAK = re.compile(
    any_of("""
    how (?:can|may) i (?:help|assist) you / i(?:'d| would) be (?:happy|glad) to (?:help|assist) you
    i can (?:help|assist) you with (?:that|your)
    is there anything else i can (?:help|assist|do for) you
    thank you for (?:calling|contacting|reaching out to) / let me (?:pull up|look up) your
    (?:i(?:'ve| have)|your) (?:pulled up|located|found) your
    for (?:security|verification) purposes
    i(?:'ll| will) (?:process|look up|pull up|check) (?:your|that for you)
    could you (?:please )?(?:provide|give me|confirm) your (?:user id|name|order|account|booking)
    could you (?:please )?(?:provide|give me|confirm) your (?:customer|member) / dear customer
    i(?:'m| am) happy to keep helping you / (?:check|look)ing .{1,40} in our system
    your (?:refund|booking|order|request) has been (?:processed|cancelled|booked)
    """),
    re.IGNORECASE,
)
_CLOSING = re.compile(
    any_of("""
    thanks / thank you / you too / bye / good ?bye / have a / take care / cheers / same to you
    no problem / appreciate / see you / likewise / gracias / danke / tschüss / adiós / nothing else
    that'?s all / that'?s everything / all i (?:needed|wanted) / been (?:most|very|so) helpful
    """),
    re.IGNORECASE,
)
_ENGLISH = frozenset(
    """the and you is to of my for it that i have with this was are please can not your be on what
    in a do""".split()
)
_OTHER = (
    frozenset(
        """que de la el los las por para con una un mi está quiero pero gracias hola como es no se
        ya lo me puedo der die das und ich ist nicht mit ein eine mein bitte danke haben ist auf zu
        wie kann aber den le les des est pas je vous pour une mon avec merci bonjour dans sur ne
        il che non per sono grazie vorrei mio con""".split()
    )
    - _ENGLISH
)
_OFFERED = re.compile(
    any_of("""
    would / could / can / may / might / shall / should / if / whether / want / like / let me know
    """),
    re.IGNORECASE,
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
    after = TOKENS.sub("", reply.turn.text[match.end() :]).strip()
    continues = len(words(after)) >= 6
    if continues:
        yield _note(
            "control_token_misuse",
            reply.turn,
            match.group(),
            "a token in the middle of running talk",
        )
    elif reply.token == "TRANSFER" and not _handed_over(ledger, reply):
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
    """Whether the agent has called a transfer or announced one; an offer is neither."""
    if any(
        _HANDOVER_TOOL.search(call.name)
        for turn in ledger.trajectory.turns
        if turn.index < reply.index and turn.speaker == "agent"
        for call in turn.tool_calls
    ):
        return True
    return any(
        is_transfer(sentence.text)
        and not sentence.is_question
        and not _OFFERED.search(sentence.text)
        for text in ledger.agent_before(reply.index)[-2:]
        for sentence in sentences(text)
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


def _language(said: tuple[str, ...]) -> str | None:
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
    """The second closing turn in a row, without a token, to an agent that is done."""
    if reply.token or not reply.position:
        return False
    before = ledger.replies[reply.position - 1]
    return not before.token and not reply.calls and _closes(before) and _closes(reply)


def _closes(reply: Reply) -> bool:
    """Whether a turn only thanks and parts, and the agent had nothing left to ask or do."""
    if not _CLOSING.search(reply.text) or "?" in reply.text or len(words(reply.text)) > _SHORT:
        return False
    if is_working(reply.agent) or _GOES_ON.search(reply.text):
        return False
    if declines(reply.text) and not offers_more(reply.agent):
        return False
    return offers_more(reply.agent) or "?" not in reply.agent


_GOES_ON = re.compile(
    any_of("""
    please / let's / i'd like / i (?:want|need|will) / i'll / yes / go ahead / can you / could you
    but / still / until / soon / wait / bitte / por favor
    """),
    re.IGNORECASE,
)
_HANDOVER_TOOL = re.compile(r"transfer|escalat|hand_?o(?:ff|ver)|human", re.IGNORECASE)
_SHORT = 30
"""Words of the longest farewell."""


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
