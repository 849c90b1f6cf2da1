"""Whole facts of the blueprint that the agent asks for and the user says nobody gave it."""

from __future__ import annotations

from userproxybench.models.checks import AnswersWhenAsked
from userproxybench.rules.answer import NOT_APPLICABLE, Answer, Hit, answer
from userproxybench.rules.asks import questions
from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.facts import Instruction
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.numbers import number_set
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import STOPWORD_STEMS, any_of, sentences, stem
from userproxybench.rules.tool_words import widened

TOLD = "told"
"""Kind of a criterion about a whole sentence of known information."""
DENIES = Cue(
    any_of("""
    (?:don't|do not|can't|cannot) (?:\\w+ )?(?:know|remember|recall|say|tell|have)
    (?:couldn't|could not) (?:\\w+ )?(?:remember|recall|say|tell)
    no idea / no clue / not sure / unsure / (?:nobody|no one) (?:ever )?(?:told|gave|mentioned)
    never (?:been )?(?:told|given|heard) / wasn't told / was not told / forgot(?:ten)?
    """),
)
DEFLECTS = Cue(
    any_of("""
    (?:shouldn't|isn't|wouldn't|aren't|haven't|don't) (?:all |you |it |that |this |they )+.{0,40}
    (?:must|should|ought to|surely) (?:all )?(?:be|have (?:it|that|them|this)) (?:in|on|there|with)
    you (?:must|should|ought to|surely) (?:already )?have (?:it|that|this|them|all)
    look (?:it|that|them) up
    """),
)
_ON_FILE = Cue(any_of("records? / system / file / screen / computer / account / database / notes"))


def deflects(sentence: str) -> bool:
    """Whether a sentence turns a question back: `shouldn't that be in your records?`."""
    return DEFLECTS.found(sentence) and _ON_FILE.found(sentence)


def of_contract(ledger: Ledger, question: str) -> bool:
    """Whether a question for a date has no content words but those of the contract."""
    if _EARLIER.found(question) and not _EARLIER.found(ledger.facts.text):
        return False
    return _content(question) - _DATING <= _content(ledger.contract_text)


_EARLIER = Cue(any_of("last / previous\\w* / ever / latest / most recent\\w* / before"))
_DATING = frozenset(map(stem, "date month year exact exactly approximate happen".split()))


@kept_longer(4096)
def tells_figure(item: Instruction) -> bool:
    """Whether a sentence of known information gives a figure, and enough words to ask for it by."""
    return (
        item.source == "known_info"
        and len(number_set(item.text)) == 1
        and len(_content(item.text)) >= _ENOUGH
    )


def answers_for_sentence(ledger: Ledger, check: AnswersWhenAsked) -> Answer:
    """Evaluate `AnswersWhenAsked` for a whole sentence: its figure is never given, but denied."""
    about, figures = _content(check.value), number_set(check.value)
    asking = [reply for reply in ledger.replies if _asks(ledger, reply, about)]
    if not asking:
        return NOT_APPLICABLE
    spoken = [*ledger.agent_before(asking[0].index + 1), *(r.text for r in ledger.replies)]
    if any(figures & number_set(text) for text in spoken):
        return answer([], arose=True)
    for reply in asking:
        said = next((s.text for s in sentences(reply.text) if DENIES.found(s.text)), "")
        if said and (_is_plain(reply.agent, about) or _NOT_TOLD.found(reply.text)):
            reason = f"the blueprint gives it: {check.value.strip()!r}"
            return answer([Hit(reply.index, said, reason)], arose=True)
    return answer([], arose=True)


def _asks(ledger: Ledger, reply: Reply, about: frozenset[str]) -> bool:
    """Whether all that an agent turn asks is what a sentence tells, and nothing unknown."""
    asked = [_content(question) for question in questions(reply.agent)]
    shared = len(asked[0] & about) if len(asked) == 1 else 0
    if shared < _ENOUGH or _ANOTHER.found(reply.agent):
        return False
    if _HOW.found(reply.agent) and not _is_plain(reply.agent, about):
        return False
    return all(len(asked[0] & _content(item.text)) < shared for item in ledger.facts.unknown)


def _is_plain(agent: str, about: frozenset[str]) -> bool:
    """Whether a question has no words but those of what is known."""
    return all(_content(question) <= about for question in questions(agent))


_HOW = Cue(r"\bhow\b")
_NOT_TOLD = Cue(
    any_of("(?:nobody|no one) (?:ever )?(?:told|gave|mentioned) / never (?:been )?told")
)
_ANOTHER = Cue(any_of("after / before / last / previous\\w* / since / until"))
"""Words of a question for another figure than the known one."""


@kept_longer(4096)
def _content(sentence: str) -> frozenset[str]:
    """Stems of the content words of a sentence, `supplier's` as `supplier`."""
    return frozenset(w for w in widened(sentence) - PLAIN - STOPWORD_STEMS if not w[0].isdigit())


_ENOUGH = 2
