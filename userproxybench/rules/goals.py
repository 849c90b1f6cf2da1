"""Goal deviation: the user ends or gives in too soon, or asks for what it was not sent for."""

from __future__ import annotations

import re
from functools import lru_cache

from userproxybench.models.checks import Insists, NoEarlyStop, NothingElse
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.assent import declines, goes_ahead, yes_words
from userproxybench.rules.cues import Cue
from userproxybench.rules.fact_questions import is_unsure
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.moves import (
    is_done,
    is_proposal,
    is_refusal,
    is_transfer,
    is_working,
    offers_more,
    reports_done,
)
from userproxybench.rules.orders import is_closed
from userproxybench.rules.text import any_of, sentences, stem, stems, word_set, words

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
    ending = [reply for reply in ledger.replies if reply.token]
    hits = [
        Hit(reply.index, token_words(reply), why)
        for reply in ending[:1]
        if reply.token == "STOP" and (why := _early(ledger, reply))
    ]
    return answer(hits, arose=bool(ending))


def token_words(reply: Reply) -> str:
    """The stop token of a reply, as it stands there."""
    match = re.search(r"#{2,4}[^#]+#{2,4}", reply.turn.text)
    return match.group() if match else reply.turn.text


def _early(ledger: Ledger, reply: Reply) -> str | None:
    if not reply.position and not reply.text:
        return "ends before having said a word"
    last = " ".join(s.text for s in sentences(reply.agent)[-_LAST:])
    if reply.agent and (_is_busy(sentences(reply.agent)[-1].text) or _calls(ledger, reply)):
        return "ends while the agent is at work"
    if not reply.agent or _is_free(ledger, reply, last):
        return None
    if not reply.text:
        waits = _GO_AHEAD.search(last) or _WAITS.search(last) or _asks(last)
        return "ends without an answer while the agent waits for one" if waits else None
    if is_working(last) and not (offers_more(last) or reports_done(last) or is_refusal(last)):
        return "ends while the agent is at work"
    return _unfinished(reply, last)


def _is_busy(sentence: str) -> bool:
    """Whether the agent's very last sentence says that it is doing the next thing."""
    other = offers_more(sentence) or is_transfer(sentence) or is_refusal(sentence)
    return is_working(sentence) and not (other or is_proposal(sentence))


_CALL = Cue(r"\s*\{\s*\"(?:type\"\s*:\s*\")?(?:function_call|action|tool_call)s?\"", 0)


def _calls(ledger: Ledger, reply: Reply) -> bool:
    """Whether the agent's last message is a call of its own, left as text."""
    return _CALL.match(ledger.agent_before(reply.index)[-1]) is not None


def _asks(last: str) -> bool:
    """Whether the agent's last words ask for an answer or a step, and do not take leave."""
    if offers_more(last) or reports_done(last):
        return False
    said = sentences(last)[-1]
    return said.is_question or _STEP.found(said.text)


_STEP = Cue(any_of("please / could you / can you"))


def _unfinished(reply: Reply, last: str) -> str | None:
    """What a reply sets going that its own stop token cuts off."""
    if offers_more(" ".join(s.text for s in sentences(reply.agent)[-2:])):
        return None
    asked = sentences(reply.agent)[-1].is_question
    if is_proposal(last) and (yes_words if asked else goes_ahead)(reply.text):
        return "says yes to the agent's proposal and ends before it is carried out"
    dictates = _PROVIDE.found(last) and _goes_on(reply)
    if not reports_done(reply.agent) and (dictates or _answers(reply)):
        return "answers the agent's question and ends before anything comes of it"
    return None


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


@lru_cache(maxsize=4096)
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

_GIVES_IN = Cue(
    any_of("""
    let it go / (?:leave|let) (?:it|that) be / let's leave
    leave the \\w+ (?:for now|then) / forget (?:it|about it|about the \\w+|that) / never mind
    i'?ll leave it
    leave it at that / maybe you're right / you're (?:probably )?right / fair enough
    i'll (?:just )?drop it / drop it then
    i'll live with (?:it|that) / then (?:we'll|i'll) leave it / (?:i|we) won't bother / don't bother
    that'?s (?:okay|ok|fine|all right|alright) then / oh well / can't be helped / no worries
    no problem
    (?:i|we)(?: can)? accept (?:that|it|your decision) / i'll manage / keep it(?: then| as it is)?
    (?:okay|ok|all right|alright|fine),? then / ist schon gut / lassen wir es / dann eben nicht
    déjelo / no importa
    """),
)
_SUGGESTS = Cue(
    any_of(
        """
        my (?:honest )?advice / i'd (?:suggest|advise|recommend) / why not / how about / consider
        i wouldn't / no need to / most (?:people|customers)
        (?:leave|forget) (?:it|that) (?:for now|be)
        """
    ),
)
_PRESSES = Cue(
    any_of("""
    but / still / please / could / can / would / want / need / insist / again
    instead / however / why / refuse / supervisor / complaint / transfer / kann / möchte / quiero
    """),
)


def insists(ledger: Ledger, check: Insists) -> Answer:
    """Evaluate `Insists`: gives in at the agent's first refusal, or to its advice to let it be."""
    for reply in ledger.replies:
        talked_out = _SUGGESTS.found(reply.agent)
        if not talked_out and (not is_refusal(reply.agent) or is_proposal(reply.agent)):
            continue
        said = next((s.text for s in sentences(reply.text) if _GIVES_IN.found(s.text)), "")
        rest = reply.text.replace(said, "")
        if said and "?" not in reply.text and not _PRESSES.found(rest):
            reason = (
                f"gives in at the first refusal; the blueprint says: {check.sentence.strip()!r}"
            )
            return answer([Hit(reply.index, said, reason)], arose=True)
        return answer([], arose=True)
    return answer([], arose=False)


_MORE = Cue(
    any_of("""
    while (?:you're|we're|i'm) at it / one more thing / another thing / (?:could|can) you also
    also,? (?:could|can|would) you / please also / i'?d also like / i also (?:want|need|would like)
    (?:can|could) (?:you|u|i) .{1,60} (?:too|as well|on top) / (?:can|could) u also
    in addition / on top of that / besides that
    """),
)
_MORE_WORDS = frozenset("while more thing also too well addition top besides".split())
"""Words without which `_MORE` cannot match: a cheap test first."""
_WISHES = Cue(
    any_of("""
    add / put / book / include / give me / send / get me / apply / knock / upgrade / change / cancel
    order / reserve / arrange / (?:throw|chuck|toss) in / post / mail / issue
    (?:can|could) i get / take .{1,30} off / set up / sign me up / i want / i need
    """),
)
_ASKS_ONLY = Cue(
    any_of("tell me / let me know / explain / check / confirm / what / how / whether / when / why"),
)
_COMMON = frozenset(
    stem(word)
    for word in """add put order book booking check change cancel send email number account help
    information details confirm copy change charge price cost pay money day date name question
    oh addition top besides service bit moment way sort kind extra option update lot whole
    total""".split()
)
_EXTRAS = stems("free discount coupon voucher bonus compensation goodwill gift")
"""What people ask for on top."""
_UNKNOWN_LEAST = 3
_MOSTLY = 0.65
"""Share of a wish's words that nobody may have said before."""


def nothing_else(ledger: Ledger, _: NothingElse) -> Answer:
    """Evaluate `NothingElse`: a further request, none of whose objects anyone has named before."""
    arose = False
    for reply in ledger.replies[1:]:
        for sentence in sentences(reply.text):
            if _MORE_WORDS.isdisjoint(word_set(sentence.text)):
                continue
            more = _MORE.search(sentence.text)
            if not more or not _WISHES.found(sentence.text) or _ASKS_ONLY.found(sentence.text):
                continue
            arose = True
            wish = sentence.text[more.start() :]
            objects = stems(wish) - _COMMON
            new = objects - ledger.visible_stems(reply.index)
            closed = is_closed(ledger.blueprint_text) or bool(_EXTRAS & new)
            if len(new) >= (2 if closed else _UNKNOWN_LEAST) and len(new) >= _MOSTLY * len(objects):
                reason = "a further request of which the blueprint says nothing"
                return answer([Hit(reply.index, sentence.text, reason)], arose=True)
    return answer([], arose=arose)
