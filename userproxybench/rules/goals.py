"""Goal deviation: the user gives in too soon, or asks for what it was not sent for."""

from __future__ import annotations

from userproxybench.models.checks import Insists, NothingElse
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.cues import Cue
from userproxybench.rules.ledger import Ledger
from userproxybench.rules.moves import is_proposal, is_refusal
from userproxybench.rules.orders import is_closed
from userproxybench.rules.text import any_of, sentences, stem, stems, word_set

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
