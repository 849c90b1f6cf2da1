"""Goal deviation: the user gives in too soon, or asks for what it was not sent for."""

from __future__ import annotations

from collections.abc import Iterator

from userproxybench.models.checks import Insists, NothingElse
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.assent import declines
from userproxybench.rules.cues import Cue, mark_of
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.moves import is_proposal, is_refusal
from userproxybench.rules.orders import is_closed
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import all_stems, any_of, is_negated, sentences, stem, stems

_GIVES_IN = Cue(
    any_of("""
    let it go / (?:leave|let) (?:it|that) be / let's leave
    (?:let's|just|i'll) (?:drop|skip|forget)
    leave (?:it|that|the \\w+|my \\w+) as (?:it is|they are) / leave it there
    leave the \\w+ (?:for now|then) / forget (?:it|that|about (?:it|that|the \\w+|\\w+))
    never mind
    i'?ll leave it
    you(?:'ve| have) (?:got )?a point / let's do the \\w+ / go with your (?:offer|advice)
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
        most \\w+s (?:don't|do not|just|never|find|regret|like|are|would) / if i were you
        (?:do|would) you really want / (?:hardly|not|isn't|is it) worth / why bother
        i'd (?:just )?(?:leave|keep|skip|drop|stay) / you'd be better off
        are you sure you (?:want|need) / (?:leave|forget) (?:it|that) (?:for now|be)
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
    wish = stems(check.sentence) | ledger.facts.reason_stems
    refused = pressed = False
    for reply in ledger.replies:
        first = is_refusal(reply.agent) and not (refused or is_proposal(reply.agent))
        if not (first or _SUGGESTS.found(reply.agent)):
            refused = refused or (is_negated(reply.agent) and _INSISTS.found(reply.text))
            continue
        said = _gives_in(reply)
        of_it = stems(reply.agent) & wish and not stems(said) - stems(reply.agent) - PLAIN
        if said and (first or not pressed or of_it or stems(said) & wish):
            reason = f"gives in at once; the blueprint says: {check.sentence.strip()!r}"
            return answer([Hit(reply.index, said, reason)], arose=True)
        refused, pressed = refused or first, True
    return answer([], arose=pressed)


_INSISTS = Cue(
    any_of("""
    insist / but .{1,60} / hard to accept / not (?:fair|right|acceptable) / unfair / still / anyway
    please (?:\\w+ ){1,3}(?:it|them|this|that|again|anyway)
    """),
)
"""Words of one that does not take a no."""


def _gives_in(reply: Reply) -> str:
    """The sentence in which a reply lets its wish go, and asks for nothing more."""
    said = next((s.text for s in sentences(reply.text) if _GIVES_IN.found(s.text)), "")
    rest = reply.text.replace(said, "")
    return "" if "?" in reply.text or _PRESSES.found(rest) else said


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
_HAS_MORE = mark_of(_MORE_WORDS)
_WISHES = Cue(
    any_of("""
    add / put / book / include / give me / send / get me / apply / knock / upgrade / change / cancel
    order / reserve / arrange / switch / (?:throw|chuck|toss) in / post / mail / issue
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
    total receipt written reminder note text sms address""".split()
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
        for wish in _further(ledger, reply):
            arose = True
            objects = stems(wish) - _COMMON
            closed = is_closed(ledger.blueprint_text)
            known = stems(ledger.blueprint_text) if closed else ledger.visible_stems(reply.index)
            new = objects - known
            least = 2 if closed or _EXTRAS & new else _UNKNOWN_LEAST
            if len(new) >= least and len(new) >= _MOSTLY * len(objects):
                said = next(s.text for s in sentences(reply.text) if wish in s.text)
                reason = "a further request of which the blueprint says nothing"
                return answer([Hit(reply.index, said, reason)], arose=True)
    return answer([], arose=arose)


def _further(ledger: Ledger, reply: Reply) -> Iterator[str]:
    """What a reply asks for besides: by its own words, or in answer to `anything else?`."""
    invited = _ANYTHING.found(reply.agent) and not declines(reply.text)
    if not invited and not (reply.said & _HAS_MORE and reply.said & _WISHES.bit):
        return
    for sentence in sentences(reply.text):
        closed = invited and is_closed(ledger.blueprint_text)
        if _ASKS_ONLY.found(sentence.text) or not (closed or _WISHES.found(sentence.text)):
            continue
        asks = _MORE.search(sentence.text) or (invited and _ASKS_FOR.search(sentence.text))
        if asks and (not invited or _is_all_raised(ledger, reply)):
            yield sentence.text[asks.start() :]


def _is_all_raised(ledger: Ledger, reply: Reply) -> bool:
    """Whether the user has spoken of every wish of the blueprint: another one is not among them."""
    own = all_stems(r.text for r in ledger.replies[: reply.position])
    wishes = (stems(i.text) for i in ledger.facts.instructions if _WISHED.found(i.text))
    return all(not wish or wish & own for wish in wishes)


_ANYTHING = Cue(any_of("anything (?:else|more|further) / something else / (?:more|else) i can"))
_ASKS_FOR = Cue(
    any_of(
        "(?:can|could|would) (?:you|i) / i(?:'d| would) (?:also )?like / i (?:also )?(?:want|need)"
    )
    + r"|^\W*(?:yes\W+)?(?:please )?"
    + any_of("put / add / send / book / order / give / get / reserve / arrange / change / switch"),
)
_WISHED = Cue(
    any_of("want / wish / need / ask / request / must / also / would like / make sure / tell"),
)
