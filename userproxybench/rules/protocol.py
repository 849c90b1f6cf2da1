"""Faults of form: beside UFS, never inside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from userproxybench.models import ProtocolNote, Turn
from userproxybench.rules.assent import declines, yes_words
from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue, mark_of
from userproxybench.rules.ledger import TOKENS, Ledger, Reply
from userproxybench.rules.listings import AGENT_SPEAK
from userproxybench.rules.moves import (
    HANDOVER_TOOL,
    announces_transfer,
    is_proposal,
    is_working,
    offers_more,
)
from userproxybench.rules.text import any_of, passages, squash, words

_MARKED = Cue(
    r"^\s*<(?:think|thinking|thought|scratchpad|reasoning|analysis|reflection)\b[^>]{0,20}>"
    r"|</(?:think|thinking|thought|scratchpad|reasoning)>"
    r"|^\s*(?:thought|thinking|reasoning|scratchpad|internal(?: note| monologue)?|analysis|plan"
    r"|user response|response)\s*:\s"
    r"|\[(?:thinking|thought|internal|plan)\b"
    r"|^\s*\((?:I|they|the agent|now|wait|as the|per)\b[^)]{15,}\)",
    re.IGNORECASE | re.MULTILINE,
)
"""Reasoning set off by a bracket or a colon."""
_THINK = Cue(
    r"\b(?:the|my) (?:instructions?|scenario|blueprint) (?:says?|said|tells?|requires?)\b"
    r"|\bas (?:I (?:was|am|have been) instructed|per (?:my|the) (?:instructions?|scenario))\b"
    r"|\bI should (?:only|not|wait|reveal|mention|say|stay)\b.{0,80}\b(?:agent|asked?|asks)\b",
)
"""Reasoning in plain words."""
_CHARACTER = Cue(
    any_of("""
    as an? (?:ai|artificial|language model|llm|assistant|chatbot) / language model / system prompt
    i(?:'m| am) (?:an? )?(?:ai|language model|llm|chatbot|bot)
    i(?:'m| am) (?:just )?(?:simulat\\w+|role-?play\\w+)
    i(?:'m| am) (?:just )?playing (?:the|a) / playing the (?:part|role|customer|user)
    this (?:is a )?(?:simulation|role-?play|test scenario) / simulated (?:user|customer)
    user simulator / (?:my|the) (?:prompt|role as (?:the|a) (?:user|customer)) / out of character
    break(?:ing)? character / (?:the|my) scenario i (?:was|am|have been) given
    (?:the|my) scenario (?:does not|doesn't|did not|didn't) (?:say|give|tell|provide|include|state)
    """),
)
_CLOSING = Cue(
    any_of("""
    thanks / thank you / you too / bye / good ?bye / have a / take care / cheers / same to you
    no problem / appreciate / see you / likewise / gracias / danke / tschüss / adiós / nothing else
    that'?s all / that'?s everything / all i (?:needed|wanted) / been (?:most|very|so) helpful
    """),
)
_ENGLISH = frozenset(
    """the and you is to of my for it that i have with this was are please can not your be on what
    in a do""".split()
)
_OTHER = (
    frozenset(
        """que de la el los las por para con una un mi está quiero pero gracias hola como es se
        ya lo puedo der das und ich ist nicht mit ein eine mein bitte danke haben ist auf zu
        wie kann aber den le les des est pas je vous pour une mon avec merci bonjour dans sur ne
        il che non per sono grazie vorrei mio con""".split()
    )
    - _ENGLISH
)
_FOREIGN = mark_of(_OTHER - frozenset("me per die con non est un lo mi den des".split()))
"""The mark of texts with a word that no English text has."""


def protocol_notes(ledger: Ledger) -> list[ProtocolNote]:
    """All protocol notes of a trajectory, in order of turns."""
    notes = [
        note
        for turn in ledger.trajectory.turns
        if turn.speaker == "user" and not turn.scripted
        for note in (_of_turn(turn) if turn.text or not turn.tool_calls else ())
    ]
    sent: dict[str, int] = {}
    for reply in ledger.replies:
        letters = squash(reply.text)
        sent[letters] = sent.get(letters, 0) + 1
        notes += _of_reply(ledger, reply)
        notes += _of_course(ledger, reply, sent[letters])
    notes += _call_loops(ledger)
    seen: dict[tuple[int, str], ProtocolNote] = {}
    for note in sorted(notes, key=lambda note: note.turn):
        seen.setdefault((note.turn, note.mode), note)
    return list(seen.values())


def _of_turn(turn: Turn) -> Iterator[ProtocolNote]:
    text = turn.text
    if turn.tool_calls and text.strip():
        yield _note("text_with_tool_call", turn, text, "text beside a call never reaches the agent")
    if not turn.tool_calls and not text.strip():
        yield ProtocolNote(mode="empty_turn", turn=turn.index, reason="no text and no tool call")
    leak, character = _out_of_role(text)
    if leak:
        yield _note("reasoning_leak", turn, leak, "reasoning in the visible turn")
    if character:
        yield _note("character_break", turn, character, "speaks of being a model or a simulation")


def _out_of_role(text: str) -> tuple[str, str]:
    """The words of a text that leak reasoning, and those that break character."""
    set_off = "<" in text or "[" in text or "(" in text or ":" in text
    leak = _MARKED.search(text) if set_off else None
    plain = _THINK.search(text)
    if leak is None or (plain is not None and plain.start() < leak.start()):
        leak = plain
    out = _CHARACTER.search(text) if _CHARACTER.found(text) else None
    return leak.group() if leak else "", out.group() if out else ""


def _as_agent(text: str) -> str:
    """The words of a text that only the agent would say."""
    match = AGENT_SPEAK.search(text) if AGENT_SPEAK.found(text) else None
    return match.group() if match else ""


def _of_reply(ledger: Ledger, reply: Reply) -> Iterator[ProtocolNote]:
    confused = _as_agent(reply.text)
    if confused:
        yield _note("role_confusion", reply.turn, confused, "speaks as the agent")
    if reply.token:
        yield from _token(ledger, reply)


def _of_course(ledger: Ledger, reply: Reply, times: int) -> Iterator[ProtocolNote]:
    """What shows only against the course of the talk so far."""
    if _switches_language(ledger, reply):
        reason = "not the language of the conversation"
        yield _note("language_switch", reply.turn, _shown(reply), reason)
    looped = times == _LOOP and len(squash(reply.text)) >= _LONG
    if looped and not (is_proposal(reply.agent) and yes_words(reply.text)):
        reason = "sends the same message for the third time"
        yield _note("restart_loop", reply.turn, _shown(reply), reason)
    if _is_late(ledger, reply):
        yield _note("late_stop", reply.turn, _shown(reply), "keeps talking after the goal is met")


def _shown(reply: Reply) -> str:
    return reply.text.split("\n")[0][:80]


_LOOP = 3
"""How often the same message makes a loop; told once."""
_LONG = 20
"""Letters and digits of a message below which repeating it means nothing."""


def _note(mode: str, turn: Turn, quotation: str, reason: str) -> ProtocolNote:
    return ProtocolNote.model_validate(
        {"mode": mode, "turn": turn.index, "quotation": quotation.strip(), "reason": reason}
    )


def _token(ledger: Ledger, reply: Reply) -> Iterator[ProtocolNote]:
    match = TOKENS.search(reply.turn.text)
    if not match:
        return
    after = TOKENS.sub("", reply.turn.text[match.end() :]).strip()
    if len(words(after)) > _LEAST_WORDS:
        reason = "a token in the middle of running talk"
    elif reply.token == "TRANSFER" and not _handed_over(ledger, reply):
        reason = "no transfer has taken place"
    elif _wants_answer(reply):
        reason = "a token in a turn that asks for an answer"
    else:
        return
    yield _note("control_token_misuse", reply.turn, match.group(), reason)


def _wants_answer(reply: Reply) -> bool:
    return reply.text.rstrip().endswith("?") and len(words(reply.text)) > 6


def _handed_over(ledger: Ledger, reply: Reply) -> bool:
    """Whether the agent has called a transfer or announced one; an offer is neither."""
    if any(
        HANDOVER_TOOL.search(call.name)
        for turn in ledger.trajectory.turns
        if turn.index < reply.index and turn.speaker == "agent"
        for call in turn.tool_calls
    ):
        return True
    return any(announces_transfer(text) for text in ledger.agent_before(reply.index)[-2:])


def _switches_language(ledger: Ledger, reply: Reply) -> bool:
    if not (ledger.said | ledger.heard) & _FOREIGN or len(words(reply.text)) < _LEAST_WORDS:
        return False
    heard = (_counts(earlier.agent) for earlier in ledger.replies[: reply.position + 1])
    own, agent = _language(_counts(reply.text)), _language(_sum(heard))
    if own is None or agent is None or own == agent:
        return False
    fields = ledger.contract.blueprint.texts().values()
    return _language(_counts("\n".join(fields))) == agent


_LEAST_WORDS = 5
"""Words below which a turn has no language to speak of."""


@kept_longer(2048)
def _counts(text: str) -> tuple[int, int]:
    """How many words of a text are common in English, and how many in other languages."""
    parts = passages(text)
    if len(parts) > 1:
        return _sum(map(_counts, parts))
    said = words(text)
    return sum(map(_ENGLISH.__contains__, said)), sum(map(_OTHER.__contains__, said))


def _sum(counts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    english, other = zip(*counts, strict=True)
    return sum(english), sum(other)


def _language(counts: tuple[int, int]) -> str | None:
    english, other = counts
    if english >= 2 and english >= 2 * other:
        return "english"
    return "other" if other >= 3 and other >= 3 * english else None


def _is_late(ledger: Ledger, reply: Reply) -> bool:
    """The second closing turn in a row, without a token, to an agent that is done."""
    if reply.token or not reply.position:
        return False
    before = ledger.replies[reply.position - 1]
    if before.token or reply.calls:
        return False
    closing = reply.said & before.said & _CLOSING.bit
    return bool(closing and _closes(reply.text, reply.agent) and _closes(before.text, before.agent))


@lru_cache(maxsize=256)
def _closes(text: str, agent: str) -> bool:
    """Whether a turn only thanks and parts, and the agent had nothing left to ask or do."""
    if "?" in text or len(words(text)) > _SHORT or not _CLOSING.found(text):
        return False
    if is_working(agent) or _GOES_ON.found(text) or _STAY.found(agent):
        return False
    if declines(text) and not offers_more(agent):
        return False
    return offers_more(agent) or "?" not in agent


_GOES_ON = Cue(
    any_of("""
    please / let's / i'd like / i (?:want|need|will) / i'll / yes / go ahead / can you / could you
    but / still / until / soon / wait / bitte / por favor
    """),
)
_STAY = Cue(
    any_of("stay (?:connected|on the line|with) / keep .{1,20} open / will join / stand by")
)
_SHORT = 30
"""Words of the longest farewell."""


def _call_loops(ledger: Ledger) -> Iterator[ProtocolNote]:
    """The same call, with the same result, for the third time without a word between."""
    run = 0
    for before, call in zip(ledger.calls, ledger.calls[1:], strict=False):
        same = (
            before.tool == call.tool
            and before.arguments == call.arguments
            and before.result == call.result
            and before.turn != call.turn
        )
        spoken = same and any(before.turn < reply.index < call.turn for reply in ledger.replies)
        run = run + 1 if same and not spoken else 0
        if run == 2:
            yield ProtocolNote(
                mode="restart_loop",
                turn=call.turn,
                quotation=call.tool,
                reason="the same call for the third time without telling the agent",
            )
