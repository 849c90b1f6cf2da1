"""Goal deviation: the user ends the conversation while the agent is at work or waits for it."""

from __future__ import annotations

import re

from userproxybench.models.checks import NoEarlyStop
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.assent import declines, goes_ahead, yes_words
from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.fact_questions import is_unsure
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.moves import (
    has_carried_out,
    is_done,
    is_proposal,
    is_refusal,
    is_transfer,
    is_working,
    offers_more,
    reports_done,
)
from userproxybench.rules.orders import bars_change, sends_for_change
from userproxybench.rules.text import any_of, sentences, stems, words

_MAY_END = Cue(
    any_of("""
    (?:end|ends|finish|stop|close|leave|hang up|terminate) .{0,30} ?(?:conversation|chat|call|it)
    conversation .{0,20} ?over / say goodbye / beende\\w* / termina\\w* / acaba\\w*
    """),
)
_GO_AHEAD = Cue(
    r"\breply\b.{0,20}\b(?:confirm|yes)\b|\bplease confirm\b|\bdo you confirm\b|\byes/no\b"
    r"|\b(?:shall|should) i (?:go ahead|proceed|book|charge|cancel|make|process|submit|place)\b"
    r"|\bwould you like me to (?:go ahead|proceed|book|charge|cancel|make|process|submit|place)\b",
)
_WAITS = Cue(
    any_of("""
    (?:once|as soon as|when) you(?:'ve| have)? (?:confirm|approve|reply|share|provide|send|say)\\w*
    if you (?:decide|would like|'d like|want|wish) to proceed
    """),
)
_THANKS = Cue(
    any_of("thanks / thank you / bye / goodbye / gracias / danke / have a / appreciate / cheers"),
)
_LAST = 5
"""How many of the agent's last sentences may hold the question that is open."""


def no_early_stop(ledger: Ledger, _: NoEarlyStop) -> Answer:
    """Evaluate `NoEarlyStop`: what the agent was doing when the user sent its stop token."""
    ending = [reply for reply in ledger.replies if reply.token] or _farewell(ledger)
    hits = [
        Hit(reply.index, token_words(reply), why)
        for reply in ending[:1]
        if reply.token != "TRANSFER" and (why := _early(ledger, reply))
    ]
    return answer(hits, arose=bool(ending))


def _farewell(ledger: Ledger) -> list[Reply]:
    """The last turn of all, where it takes leave in words alone."""
    last = ledger.replies[-1:]
    ends = last and ledger.trajectory.turns[-1].index == last[0].index
    return last if ends and _BYE.found(last[0].text) else []


_BYE = Cue(any_of("bye / goodbye / good-bye / farewell"))


def token_words(reply: Reply) -> str:
    """The stop token of a reply, as it stands there."""
    match = re.search(r"#{2,4}[^#]+#{2,4}", reply.turn.text)
    return match.group() if match else reply.turn.text


def _early(ledger: Ledger, reply: Reply) -> str | None:
    if not reply.position and not reply.text:
        return "ends before having said a word"
    last = " ".join(s.text for s in sentences(reply.agent)[-_LAST:])
    if reply.agent and (_is_busy(reply.agent) or _calls(ledger, reply)):
        return None if _is_beside(ledger, reply) else "ends while the agent is at work"
    if not reply.agent or reply.token == "OUT-OF-SCOPE" or _is_free(ledger, reply, last):
        return None
    if not reply.text:
        waits = _GO_AHEAD.search(last) or _WAITS.search(last) or _asks(last)
        open_still = waits and _is_sent_for_it(ledger, reply)
        return "ends without an answer while the agent waits for one" if open_still else None
    over = offers_more(last) or reports_done(last) or is_refusal(last)
    if is_working(last) and not (over or _is_settled(reply.agent)):
        return None if _is_beside(ledger, reply) else "ends while the agent is at work"
    return _unfinished(ledger, reply, last)


def _is_beside(ledger: Ledger, reply: Reply) -> bool:
    """Whether what the agent is at is no goal: the user waves it off, or all else is done."""
    if _WAIVES.found(reply.text):
        return True
    said = [s.text for s in sentences(reply.agent)]
    at_it = " ".join(text for text in said[-_LAST:] if is_working(text))
    about = stems(at_it)
    if not about or about & (stems(ledger.blueprint_text) | _WRITES) or _WRITE.search(at_it):
        return False
    before = " ".join(text for text in said if text not in at_it)
    if is_done(before) or _SETTLED.found(before) or _NOTED.search(before):
        return True
    return _has_changed(ledger, reply) or any(map(_NOTED.search, ledger.agent_before(reply.index)))


_NOTED = re.compile(
    r"(?:^|[.!] )(?:all )?(?:noted|charged|added|entered)\b"
    r"|\bI(?:['’]ve| have) (?:now |just |already )?(?:moved|cancell?ed|refunded|booked|changed"
    r"|removed|renewed|extended|added|ordered)\b",
    re.IGNORECASE,
)
_WAIVES = Cue(
    r"\b(?:no need (?:for that|to (?!wait|confirm|stay|see))|(?:that )?won['’]t be needed"
    r"|needn['’]t (?:look|check|do)|don['’]t bother)\b",
)
_WRITES = stems("refund payment booking order change request cancellation transfer account")
_WRITE = re.compile(
    r"\b(?:process|submit|finali[sz]|complet|confirm|charg|pay|book|cancel|creat|issu|(?:it|that)\b)",
    re.IGNORECASE,
)


def _is_sent_for_it(ledger: Ledger, reply: Reply) -> bool:
    """Whether a change is what the user was sent for, and none has been carried out so far."""
    if bars_change(ledger.blueprint_text) or _has_changed(ledger, reply):
        return False
    return bool(ledger.tool_names) or sends_for_change(ledger.blueprint_text)


def _has_changed(ledger: Ledger, reply: Reply) -> bool:
    return any(map(has_carried_out, ledger.agent_before(reply.index)))


def _is_busy(agent: str) -> bool:
    """Whether the agent's last words say that it is doing the next thing."""
    said = [s.text for s in sentences(agent)]
    if _is_settled(agent):
        return False
    if _works_on(said[-1]):
        return True
    at_it = [place for place, text in enumerate(said[-_LAST:]) if _ACTS.found(text)]
    if not at_it or is_done(agent):
        return False
    since = said[-_LAST:][at_it[-1] :]
    return _works_on(since[0]) and not any(map(_is_over, since[1:]))


def _is_settled(agent: str) -> bool:
    """Whether the agent has made the change, or speaks last of what follows by itself."""
    said = sentences(agent)
    made = _SETTLED.found(agent) and not _AT_ONCE.found(said[-1].text)
    return made or _AFTERWARDS.found(said[-1].text)


_AFTERWARDS = Cue(
    any_of("""
    let me (?:just )?(?:thank|wish|apologi[sz]e|assure|remind|add|say) / make (?:a note|sure)
    takes? .{1,30} to (?:show|appear|arrive|reach|update|come|clear|land|be)\\w*
    (?:out|over|across|back) to you / note (?:of|on|in|for)
    by (?:post|e-?mail|text) / in the (?:post|mail)
    """),
)
"""What comes once all is done, or of itself."""
_SETTLED = Cue(
    r"(?:\b(?:is|are|has been|have been)|['’]s|['’]re) (?:now |all |just |already )*"
    r"(?:moved|cancell?ed|refunded|booked|changed|fixed|repaired|ordered|paid|sent|set|removed|done"
    r"|renewed|extended|upgraded|replaced|restored|activated|reset|waived|credited|transferred)\b"
    r"|^\W*(?:moved|cancell?ed|refunded|booked|changed|ordered|removed|renewed|done)\b",
    re.IGNORECASE | re.MULTILINE,
)
_AT_ONCE = Cue(
    any_of("""
    now / moment / hold on / wait / stay / bear with me / processing / working on / seconds?
    """),
)


def _works_on(sentence: str) -> bool:
    other = offers_more(sentence) or is_transfer(sentence) or is_refusal(sentence)
    return is_working(sentence) and not (other or is_proposal(sentence))


def _is_over(sentence: str) -> bool:
    """Whether an agent sentence reports, asks, refuses or takes leave."""
    if "?" in sentence or offers_more(sentence) or is_refusal(sentence):
        return True
    return (reports_done(sentence) or is_proposal(sentence)) and not _THEN.found(sentence)


_ACTS = Cue(
    any_of("""
    i(?:'ll| will) (?:now|go ahead|process|submit|cancel|book) / one moment / just a moment
    (?:i'm|i am) (?:now |just )?(?:processing|booking|submitting|cancelling|canceling)
    """),
)
_THEN = Cue(r"\b(?:once|when|after|as soon as|until)\s+(?!you\b)")
_CALL = Cue(
    r"\s*\{\s*\"(?:type\"\s*:\s*\")?(?:function_call|action|tool_call)s?\""
    r"|.*\{\s*\"name\"\s*:\s*\"\w+\"\s*,\s*\"arguments\"\s*:\s*\{[^{}]*\}\s*\}\W*$",
    re.DOTALL,
)


def _calls(ledger: Ledger, reply: Reply) -> bool:
    """Whether the agent's last message is a call of its own, or ends in one, left as text."""
    return _CALL.match(ledger.agent_before(reply.index)[-1]) is not None


def _asks(last: str) -> bool:
    """Whether the agent's last words ask for an answer or a step, and do not take leave."""
    if offers_more(last) or reports_done(last):
        return False
    said = sentences(last)[-1]
    return said.is_question or _STEP.found(said.text)


_STEP = Cue(any_of("please / could you / can you"))


def _unfinished(ledger: Ledger, reply: Reply, last: str) -> str | None:
    """What a reply sets going that its own stop token cuts off."""
    asked = sentences(reply.agent)[-1]
    said = (yes_words if asked.is_question else goes_ahead)(reply.text)
    if offers_more(" ".join(s.text for s in sentences(reply.agent)[-2:])) or (
        said and _is_extra(ledger, reply, (said, asked.text))
    ):
        return None
    if is_proposal(last) and said:
        return "says yes to the agent's proposal and ends before it is carried out"
    if _awaits(ledger, reply):
        return "asks for the next step and ends before it is taken"
    if _walks_away(ledger, reply):
        return "parts while the agent waits for what it needs to go on"
    dictates = _PROVIDE.found(last) and _goes_on(reply)
    if not reports_done(reply.agent) and (dictates or _answers(reply)):
        return "answers the agent's question and ends before anything comes of it"
    return None


def _awaits(ledger: Ledger, reply: Reply) -> bool:
    """Whether the user itself asks for a step or for word of its outcome, with nothing done yet."""
    said = next((s.text for s in sentences(reply.text) if _ORDERS.found(s.text)), "")
    if not said or declines(reply.text) or is_refusal(reply.agent) or "if " in said.lower():
        return False
    return not _COURTESY.found(said) and not _has_changed(ledger, reply)


_ORDERS = Cue(
    any_of("""
    please (?:proceed with|go ahead and (?!send|e-?mail)) / let me know (?:once|when|as soon as)
    """),
)


def _walks_away(ledger: Ledger, reply: Reply) -> bool:
    """Whether a mere farewell answers the agent's request for details, with nothing done yet."""
    if not _NEEDS.found(" ".join(s.text for s in sentences(reply.agent)[-_LAST:])):
        return False
    said = sentences(reply.text)
    if len(words(reply.text)) > _FAREWELL or not all(_PARTS.found(s.text) for s in said):
        return False
    before = ledger.replies[reply.position - 1]
    if is_refusal(reply.agent) or is_refusal(before.agent):
        return False
    if is_unsure(before.text) or declines(before.text):
        return False
    return not _has_exit(ledger.contract_text) and _is_sent_for_it(ledger, reply)


_NEEDS = Cue(
    any_of("""
    (?:please|could you|can you|would you) (?:please )?(?:provide|share|give|tell|confirm)
    (?:may|can|could) i (?:please )?(?:have|get) / once i have (?:this|that|these|the|your|it|them)
    """),
)
_PARTS = Cue(
    any_of("""
    thanks / thank you / bye / goodbye / never mind / that's (?:all|it|everything) / all for now
    have a .{1,12} (?:day|one|evening|weekend|night|time) / appreciate / nothing else / all set
    """),
)
_FAREWELL = 20
_COURTESY = Cue(
    any_of("""
    (?:e-?mail|text|send|post|mail|forward) .{0,40} (?:itinerary|receipts?|confirmations?|summary)
    (?:e-?mail|text|send|post|mail|forward) .{0,40} (?:copy|invoice|details|link|reminder|update)
    (?:receipts?|copy|reminder|summary) .{0,20} by (?:e-?mail|text|sms|post) / notify (?:you|me)
    keep (?:you|me) (?:posted|updated) / newsletter / survey
    """),
)


def _is_extra(ledger: Ledger, reply: Reply, told: tuple[str, str]) -> bool:
    """Whether a yes is to a courtesy, or to what nobody was sent for once the change is made."""
    if any(map(_COURTESY.found, told)) and not _COURTESY.found(ledger.blueprint_text):
        return True
    about = stems(" ".join(s.text for s in sentences(reply.agent)[-_LAST:]))
    return not about & stems(ledger.blueprint_text) and _has_changed(ledger, reply)


_PROVIDE = Cue(
    any_of("please (?:provide|share|give|tell|enter|list) / could you (?:please )?provide"),
)


def _goes_on(reply: Reply) -> bool:
    """Whether a reply is a request of its own, not a farewell, a no or a doubt."""
    if declines(reply.text) or is_unsure(reply.text) or _THANKS.found(reply.text):
        return False
    return len(words(reply.text)) >= _SOME_WORDS and "?" not in reply.text


_SOME_WORDS = 4


def _is_free(ledger: Ledger, reply: Reply, last: str) -> bool:
    """Whether the agent is done or has handed over, or the blueprint names this exit."""
    if is_done(reply.agent) or (is_transfer(last) and not is_proposal(last)):
        return True
    return _may_end(ledger, reply, last)


def _may_end(ledger: Ledger, reply: Reply, last: str) -> bool:
    """Whether the blueprint names an exit and the agent or the user has just said no."""
    return (is_refusal(last) or declines(reply.text)) and _has_exit(ledger.contract_text)


@kept_longer(4096)
def _has_exit(contract: str) -> bool:
    return _MAY_END.found(contract)


def _answers(reply: Reply) -> bool:
    """Whether the reply picks or gives what the agent's last sentence asked for."""
    asked = sentences(reply.agent)[-1]
    if not asked.is_question or declines(reply.text) or is_refusal(reply.agent):
        return False
    first = sentences(reply.text)[0].text
    if _THANKS.found(first) or first.endswith("?"):
        return False
    return bool(stems(first) & stems(reply.agent)) and bool(_PICKS.found(first))


_PICKS = Cue(
    any_of("""
    the .{1,40} one / i'd (?:prefer|like) / i'll / please / make it / let it be / by / to / works
    suits / is (?:fine|good|best|perfect) / then
    """),
)
