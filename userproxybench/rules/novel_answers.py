"""Answers in words that occur nowhere, to questions that the blueprint does not touch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.cues import Cue
from userproxybench.rules.days_said import WEEKDAYS
from userproxybench.rules.fact_questions import (
    ASKS,
    assertions,
    fact_questions,
    is_order,
    is_unsure,
)
from userproxybench.rules.finding import Finding, finder
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.plain import DEVICES, PLAIN
from userproxybench.rules.text import Placed, is_english, stem, stems, word_set, words
from userproxybench.rules.values import MONTHS

_LEAD = Cue(r"^\W*(?:yes|yeah|yep|no|nope|indeed)\b")
_OPEN = Cue(
    r"^\W*(?:(?:and|then|so|also|ok(?:ay)?|thanks|great)\b[,.]? )*"
    r"(?:where|who|whom|which|what|why|how|in which|at which|by which|by whom)\b",
)
_NAME = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+|(?<=[a-z,] ))([A-ZÀ-Þ][a-zà-ÿ'’-]+)")
_DATES = frozenset((*MONTHS, *WEEKDAYS))
_YES_NO = re.compile(
    r"^\W*(?:\d+[.)]\s*)?(?:and |also |or |so |if not, |if so, )*"
    r"(?:do|did|have|has|was|were|is|are|whether)\b",
    re.IGNORECASE,
)
_TO_SHOW = stems(
    "id ids number code details information reason preference question request e-mail email name "
    "phone zip date flight reservation booking order account passenger receipt"
)
"""What an agent asks for, rather than asks about."""
_ENOUGH = 2
"""Words that occur nowhere else: with fewer, an answer may be a mere paraphrase."""
_MANY = 3
"""The same, where the contract touches what was asked."""


@finder(heard=ASKS)
def novel_answers(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`Yes, a young man signed for it`; `it stands on the brick wall`: who says so?"""
    asked = fact_questions(reply.agent) if reply.position and not reply.calls else ()
    if not asked or is_unsure(reply.text) or not is_english(ledger.blueprint_text):
        return
    yield from _echoed(ledger, reply, asked)
    touched = _is_touched(ledger, asked[-1])
    if "?" in asked[-1] and _LEAD.found(reply.text):
        yield from _answer(ledger, reply, _MANY if touched else _ENOUGH)
    elif "?" in asked[-1] and _OPEN.found(asked[-1]) and not touched:
        yield from _answer(ledger, reply, _ENOUGH)


def _is_touched(ledger: Ledger, question: str) -> bool:
    """Whether the contract has any content word of a question, or the question has none."""
    topic = stems(question) - PLAIN
    return not topic or bool(topic & stems(ledger.blueprint_text))


def _echoed(ledger: Ledger, reply: Reply, asked: tuple[str, ...]) -> Iterator[Finding]:
    """`No, it's no business class flight`: the agent's words for what no line decides."""
    earlier = (stems(said.text) for said in ledger.replies[: reply.position])
    given = stems(ledger.blueprint_text).union(PLAIN, _TO_SHOW, *earlier)
    for question in asked:
        if not _YES_NO.search(question) or DEVICES & word_set(question):
            continue
        topic = stems(question) - given
        for sentence, _ in assertions(reply.text) if len(topic) >= _ENOUGH else ():
            echo = topic & stems(sentence.text)
            if len(echo) >= _ENOUGH and not is_order(sentence.text):
                reason = "no line of the blueprint decides this"
                key = "echo" + min(echo)
                yield Finding(sentence.start, sentence.text, key, "unsupported", reason)
                break


def _answer(ledger: Ledger, reply: Reply, enough: int) -> Iterator[Finding]:
    own = (stems(earlier.text) for earlier in ledger.replies[: reply.position])
    known = ledger.visible_stems(reply.index).union(PLAIN, *own)
    blueprint = stems(ledger.blueprint_text) - PLAIN
    for sentence in dict.fromkeys(sentence for sentence, _ in assertions(reply.text)):
        if is_order(sentence.text):
            continue
        said = stems(sentence.text)
        novel = {word for word in said - known if len(word) > 2 and not word[0].isdigit()}
        paraphrase = 2 * len(said & blueprint)
        if len(novel) >= enough + paraphrase or _is_named(sentence, novel):
            reason = "no line of the blueprint says anything of this"
            key = "novel" + min(novel)
            yield Finding(sentence.start, sentence.text, key, "unsupported", reason)
            return


def _is_named(sentence: Placed, novel: set[str]) -> bool:
    """Whether a word that occurs nowhere is written as a name."""
    names = (match.group(1) for match in _NAME.finditer(sentence.text))
    return any(stem(word) in novel for name in names for word in words(name) if word not in _DATES)
