"""Blueprint sentences → orders: what to hold back, say, refuse, insist on and settle for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from userproxybench.models import SourceField
from userproxybench.rules.caches import kept, kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.limits import ceiling as ceiling
from userproxybench.rules.limits import limits as limits
from userproxybench.rules.text import Placed, any_of, stems, word_set, words


class Instruction(NamedTuple):
    """One sentence of the blueprint, with its place."""

    source: SourceField
    """Field of the contract."""
    sentence: Placed
    """The sentence."""

    @property
    def text(self) -> str:
        """Its words."""
        return self.sentence.text


HOLD_BACK = Cue(
    any_of("""
    only (?:if|when|once|after|provide|mention|give|say|reveal|tell|disclose|talk|bring)
    if (?:and only if )?(?:you are |you're )?(?:asked|prompted) / when(?:ever)? (?:you are )?asked
    (?:when|once|after|until|unless) the agent (?:asks|has asked|wants|requests|brings)
    only .{3,60} (?:when|if|once|after) (?:the agent|you|it|they|asked|there)
    (?:do not|don't|never) (?:mention|reveal|say|tell|disclose|volunteer|bring up|give|share)
    (?:keep|leave|hold) .{3,60} (?:to yourself|out of|unless|until|back) / not .{0,30} unless
    nur wenn / nur auf nachfrage / nur, wenn / erst wenn / s[óo]lo si / s[óo]lo cuando
    """),
)
_CONDITION = Cue(
    r"^(?P<head>.*?)\b(?P<mark>(?:only )?if|(?:^|(?<=, )|(?<=; ))should|in case|when|once|unless|"
    r"as long as|falls|wenn|si|sobald|verlangt|cuando)\b(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_DEFINED = Cue(r"^\W*(?:an?|any|each|every)\s[^,;]{3,60}?\s(?:is|are|has|have|counts?|means)\b")
_YOURS = Cue(
    any_of("""
    you / your / fine / ok / okay / acceptable / enough / welcome / all right / agent / good
    """),
)
"""What `a project is open if no end is set` lacks: it defines, and ties nothing to a condition."""
_ASKED = Cue(
    r"\b(?:know|ask|asking|find out|see|tell you|unsure|sure|check|verify|confirm)\s*$",
)
"""Before `when` or `if` it makes a question of it, not a condition."""
_SUCCESS = Cue(
    any_of("""
    satisfied / happy / content / done / finished / solved / fixed / resolved / over / settled
    goal is (?:met|reached) / freed up / sorted / smooth
    """)
    + r"[^.]*?\b(?:(?:only\s)?(?:if|when|once|as soon as|after|until|unless)|only with)\b"
    r"(?P<when>[^.]*)"
    r"|(?P<nothing>\bnothing (?:above|below|less|lower|more|over|short|slower|under)\b[^.]*?)"
    r"\b(?:satisf(?:ies|y)|will do|would do|suffices?|(?:is|are) (?:good )?enough)\b"
    r"|\bconsider\b[^.]*\b(?:resolved|solved|fixed)\b[^.]*?\b(?:when|if|once)\b(?P<other>[^.]*)"
    r"|\bend\w*\b[^.]*?\b(?:only\s)?(?:once|as soon as|when)\b(?P<end>[^.]*)",
)
_MUST_SAY = Cue(
    any_of("""
    also want / would also like / additionally / (?:ask|request|demand) that / have asked
    insist that / make sure (?:to|you) (?:ask|mention|request|tell)
    ask (?:for|the agent|whether|if|about|to) / ask .{1,30} to / mention (?:that|the|your)
    tell (?:the agent|them) / second(?:ly)? / then (?:ask|request|want) / want (?:also|as well)
    must (?:tell|say|ask|mention)
    """),
)
_MUST_NOT = Cue(any_of("do not / don't / never / not / avoid / without / unless / refuse"))
_IN_ORDER = Cue(any_of("once / when / after / before / as soon as / then / and then"))
_INSIST = Cue(
    any_of("""
    insist / keep at it / (?:hold|stick) (?:on )?to / hold out for / stand firm
    stay with (?:your|the|that) (?:aim|choice|demand|plan|request|wish)
    (?:give|let) (?:it|this|that|them) (?:up|go) only / (?:do not|don't|never) let (?:it|that) go
    whatever (?:it|he|she|the agent) (?:says?|suggests?|offers?|tells?)
    (?:do not|don't) let (?:yourself|the agent|anyone) / talk you out of
    (?:settled|sorted|done|resolved) in this (?:chat|call|conversation)
    keep (?:insisting|asking|pressing|pushing) / press (?:for|on|them) / push back
    be (?:persistent|insistent|adamant|firm) / (?:do not|don't) (?:take|accept) no / persist
    whatever they (?:say|suggest|offer|tell you) / point to / ask .{0,20} to check again / argue
    (?:do not|don't) give (?:up|in) / ask (?:again|once more|a second time) / try again
    repeat (?:your|the) request / second (?:no|refusal)
    """),
)
_NOTHING_ELSE = Cue(
    any_of("""
    that is all / that's all / (?:is|are) all you (?:want|need)
    nothing else / no other (?:requests?|changes?|goals?|wishes)
    (?:do not|don't) (?:want|need|ask for) anything (?:else|more|further) / only want
    """),
)


_BY_AND_BY = Cue(
    any_of("""
    progressive(?:ly)? / gradual(?:ly)? / bit by bit / little by little / step by step
    one (?:point|detail) at a time / all at once / draw \\w+ out / not asked / unasked / unprompted
    hold(?:ing)? back / wait (?:for|until|with) / volunteer / until .{0,30} ask\\w*
    (?:once|when|only if) .{0,30} ask\\w* / only .{0,20} information / needed for the current step
    """),
)


_EARLY = Cue(
    any_of("""
    start(?: off)? (?:by|with) / begin (?:by|with) / open (?:by|with) / lead with / immediately
    first (?:say|tell|mention) / which you (?:mention|say|state|give|add) / at the outset
    mention (?:that|your|the) / tell the agent / introduce yourself / give your / provide your
    say (?:that|at once|right away|straight away|upfront) / state (?:that|your) / unprompted
    without (?:being asked|waiting to be asked) / (?:of|on) your own accord
    in your (?:first|opening) / right at the (?:start|beginning) / up ?front
    """),
)


@kept_longer(2048)
def orders_early(sentence: str) -> bool:
    """Whether a sentence orders something to be said without being asked."""
    return _EARLY.found(sentence) and not HOLD_BACK.found(sentence)


_WILLING = Cue(
    any_of("""
    you(?:'re| are| would be|'d be) (?:also )?(?:willing|prepared|happy|open) to
    you(?:'re| are| would be|'d be) (?:also )?(?:happy|ok|okay|fine) with
    you (?:would|will|can|could) (?:also )?(?:accept|settle for|live with|make do with)
    """),
)


@kept_longer(2048)
def is_willingness(sentence: str) -> bool:
    """Whether a sentence says what the user would put up with, for when it is offered."""
    return _WILLING.found(sentence)


def rules_disclosure(texts: Iterable[str]) -> bool:
    """Whether guidelines or blueprint rule how information is to come out."""
    return any(_BY_AND_BY.found(text) for text in texts)


@kept_longer(2048)
def condition_of(sentence: str) -> tuple[str, str]:
    """A conditional sentence as (condition, consequence); ("", sentence) where it has none."""
    match = _CONDITION.match(sentence)
    if not match or match.group("head").endswith("(") or _ASKED.found(match.group("head")):
        return "", sentence
    if _DEFINED.found(match.group("head")) and not _YOURS.found(sentence):
        return "", sentence
    head, rest = match.group("head").strip(" ,"), match.group("rest")
    cut = re.search(r",|\bthen\b", rest)
    if head and not cut and re.search(r"\b(?:and|but)$", head):
        return rest.strip(" .,"), rest.strip(" .,")
    follows = re.search(r"(?:\band|\bbut|\bor|[;:,])$", head)
    if cut and (len(head.split()) < 3 or follows):
        return rest[: cut.start()].strip(), rest[cut.end() :].strip(" .,")
    return rest.strip(" .,"), head


@kept_longer(2048)
def is_conditional(sentence: str) -> bool:
    """Whether a sentence says what to do under a condition."""
    return condition_of(sentence)[0] != ""


def successes(items: Iterable[Instruction]) -> Iterator[tuple[Instruction, str]]:
    """Conditions under which the user is satisfied."""
    for item in items:
        match = _SUCCESS.search(item.text)
        if match:
            yield item, next(part for part in match.groups() if part is not None).strip()


def must_say(item: Instruction) -> str:
    """What a sentence orders the user to say in any case; empty where it orders nothing."""
    if item.source in ("persona", "unknown_info") or not _MUST_SAY.found(item.text):
        return ""
    condition, consequence = condition_of(item.text)
    if condition and not _is_sequence(item.text):
        return ""
    said = consequence if condition and _MUST_SAY.found(consequence) else item.text
    order = _MUST_SAY.search(said)
    if order is None or _MUST_NOT.found(said[: order.end()]) or HOLD_BACK.found(item.text):
        return ""
    ordered = _IN_CASE.split(said[order.start() :])[0]
    return "" if _EVENT.found(item.text[: item.text.find(ordered)] + ordered) else ordered


def to_raise(item: Instruction) -> list[str]:
    """The things that a sentence orders the user to bring up, each by itself."""
    said = must_say(item)
    if said:
        parts = _AND_THAT.split(said) if _BOTH.found(item.text) else [said]
        return [part for part in parts if stems(part)]
    if item.source != "reason_for_call" or is_conditional(item.text):
        return []
    both = _BOTH_DONE.search(item.text)
    cut = both.start("second") if both else 0
    first, *others = (item.text[:cut], item.text[cut:]) if cut else _AND_WANT.split(item.text)
    told = stems(first)
    return [" ".join(w for w in words(part) if not stems(w) & told) for part in others]


_BOTH_DONE = re.compile(
    r"\b(?:want|would like|need) (?:the|your|an?) [^.;,]*?\w(?:ed|en|sent|paid) and "
    r"(?P<second>(?:the|your|an?) [^.;,]*?\w(?:ed|en|sent|paid))\b",
    re.IGNORECASE,
)
"""`You want your crates collected and a claim filed.`"""


_BOTH = Cue(any_of("both / two (?:things|requests|wishes|points) / all (?:three|of these)"))
_AND_THAT = re.compile(r"[,;]? and (?:also )?that |(?<=:) that ", re.IGNORECASE)
_AND_WANT = re.compile(
    r"[,;]? and (?:also |then )?(?:you )?(?:also )?(?:want|need|would like) ", re.IGNORECASE
)
_EVENT = Cue(
    r"\b(?:after|as soon as|before|once|until|when|whenever|while)\b[^.,;]{0,40}?"
    r"\b(?:agent(?!\W+(?:has |have )?(?:confirm|done|finish|complet|book|cancel|chang|process))"
    r"|(?:message|reply|turn|answer|offer|refusal|response)s?)\b",
)
"""What the agent may never come to do: an order that waits for it may never come due."""
_IN_CASE = Cue(r"\b(?:and )?insist\b|(?<!check )(?<!ask )(?<!know )(?<!see )\bif\b")


def _is_sequence(sentence: str) -> bool:
    """Whether the only condition is one of time: `once that is done`."""
    match = _CONDITION.match(sentence)
    return match is not None and _IN_ORDER.fullmatch(match.group("mark")) is not None


def is_insistence(sentence: str) -> bool:
    """Whether a sentence orders the user not to give in at once."""
    return _INSIST.found(sentence)


@kept(512)
def is_closed(sentence: str) -> bool:
    """Whether a sentence says that the user wants nothing else."""
    return _NOTHING_ELSE.found(sentence)


_CHANGES = stems(
    """add activate block book buy cancel change claim close correct deactivate disable dispute
    downgrade enable exchange extend file fix hire install lift modify move order pay payment place
    postpone purchase rebook refund register remove renew rent repair replace reschedule reserve
    restore return schedule send submit switch transfer undo unlock update upgrade waive withdraw
    buchen stornieren ändern reservar cancelar cambiar devolver comprar registrar""",
)
"""What users are sent to have done."""
_BARS = Cue(
    any_of("""
    (?:do not|don't) (?:want to )?(?:actually )?go through with / no changes
    (?:do not|don't|not) .{0,60} in this (?:conversation|chat|call)
    only (?:want|need) (?:to know|to find out|to hear|information|a quote) / without changing
    (?:do not|don't) (?:want to )?(?:actually )?(?:make|book|buy|order|change|cancel) any\\w*
    """),
)


@kept_longer(2048)
def sends_for_change(blueprint: str) -> bool:
    """Whether a blueprint sends the user for a change, and not just for an answer."""
    return not _CHANGES.isdisjoint(stems(blueprint))


@kept_longer(2048)
def bars_change(blueprint: str) -> bool:
    """Whether a blueprint tells the user to have nothing carried out."""
    return _BARS.found(blueprint)


TRANSFER_WORD = Cue(
    any_of("""
    transfer\\w* / human / another (?:agent|person|colleague) / someone else / supervisor
    handed over / hand over / weiterleitung / verbunden
    """),
)
_THING = Cue(
    r"(?:\b(?:do not|don['’]t|never|will not|won['’]t|not willing to|refuse to)\s"
    r"(?:want (?!to\b)|accept|take|agree to|settle for|go for|pay)\s?(?:an?y?|the|to be)?\s)"
    r"(?P<a>[^.,;:(]+)"
    r"|\b(?:decline|refuse|reject|turn down)\s(?:an?y?|the)?\s?(?P<b>[^.,;:(]+)"
    r"|\bno (?:aceptas|quieres)\s(?:una?|ning\w+)?\s?(?P<c>[^.,;:(]+)",
)
_WILL_NOT_DO = Cue(
    r"^(?P<a>[^.,;:]+?)\s(?:will not|won['’]t) (?:do|help|be enough)\b"
    r"|^(?P<b>[^.;:]+?)\s(?:is|are) "
    r"(?:not (?:good )?enough|out of the question|not acceptable|no good|not an option)\b",
)
_PRONOUNS = frozenset("it that them this any anything first offer offers second other".split())
_CUT = Cue(
    any_of("""
    if / unless / until / except / otherwise / at first / first / wenn / falls / si / and / but
    of / for / from / with / to / in / on / at / by / de / por / para / von / für
    """),
)


_NARROWER = re.compile(r"\s*(?:on|at|by|from|before|after)\b", re.IGNORECASE)
"""After a thing that is ruled out in one case alone: `delivery on a Sunday`."""
_ARTICLE = Cue(r"^(?:an?|the|any|some|that)\s+")


def forbidden_things(sentence: str) -> Iterator[tuple[str, bool]]:
    """Things that a blueprint sentence rules out, and whether as not enough."""
    for pattern, enough in ((_THING, False), (_WILL_NOT_DO, True)):
        for match in pattern.finditer(sentence):
            said = next(part for part in match.groups() if part)
            for part in re.split(r"\bor\b|,", said):
                cut = _CUT.split(part)[0]
                if not enough and _NARROWER.match(part[len(cut) :]):
                    continue
                if stems(cut) and not word_set(cut) & _PRONOUNS and len(words(cut)) <= 4:
                    yield _ARTICLE.sub("", cut.strip()), enough


_COUNTS = {"first": 1, "first two": 2, "first 2": 2, "first three": 3, "first 3": 3}
_FIRST_OFFERS = Cue(
    r"\b(?:refuse|reject|decline|turn down|do not accept|don['’]t accept|say no to)\b.{0,20}?"
    r"\b(?P<n>first(?: two| three| [23])?) (?:offer|proposal|suggestion)s?\b",
)


def first_offers(sentence: str) -> int:
    """How many of the agent's first offers a sentence orders to be refused."""
    match = _FIRST_OFFERS.search(sentence)
    return _COUNTS[match["n"].lower()] if match else 0
