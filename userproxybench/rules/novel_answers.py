"""Answers in words that occur nowhere, to questions that the blueprint does not touch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from userproxybench.rules.fact_questions import assertions, fact_questions, is_order, is_unsure
from userproxybench.rules.finding import Finding
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.plain import PLAIN
from userproxybench.rules.text import Sentence, is_english, stem, stems, words

_LEAD = re.compile(r"^\W*(?:yes|yeah|yep|no|nope|indeed)\b", re.IGNORECASE)
_OPEN = re.compile(
    r"^\W*(?:(?:and|then|so|also|ok(?:ay)?|thanks|great)\b[,.]? )*"
    r"(?:where|who|whom|which|what|why|how|in which|at which|by which|by whom)\b",
    re.IGNORECASE,
)
_ENOUGH = 2
"""Words that occur nowhere else: with fewer, an answer may be a mere paraphrase."""


def novel_answers(ledger: Ledger, reply: Reply) -> Iterator[Finding]:
    """`Yes, a young man signed for it`; `it stands on the brick wall`: who says so?"""
    if reply.calls or is_unsure(reply.text) or not is_english(ledger.contract_text):
        return
    asked = [question for question in fact_questions(reply.agent) if "?" in question]
    if not asked:
        return
    if _LEAD.search(reply.text):
        yield from _answer(ledger, reply, _ENOUGH)
    elif _OPEN.search(asked[-1]) and not _is_touched(ledger, asked[-1]):
        yield from _answer(ledger, reply, 1)


def _is_touched(ledger: Ledger, question: str) -> bool:
    """Whether the contract has any content word of a question."""
    return bool((stems(question) - PLAIN) & stems(ledger.contract_text))


def _answer(ledger: Ledger, reply: Reply, enough: int) -> Iterator[Finding]:
    own = (stems(earlier.text) for earlier in ledger.replies[: reply.position])
    known = ledger.visible_stems(reply.index).union(PLAIN, *own)
    for sentence in dict.fromkeys(asserted.sentence for asserted in assertions(reply.text)):
        if is_order(sentence.text):
            continue
        novel = {w for w in stems(sentence.text) - known if len(w) > 2 and not w[0].isdigit()}
        if len(novel) >= _ENOUGH or (len(novel) >= enough and _is_named(sentence, novel)):
            reason = "no line of the blueprint says anything of this"
            key = "novel" + min(novel)
            yield Finding(sentence.start, sentence.text, key, "unsupported", reason)
            return


def _is_named(sentence: Sentence, novel: set[str]) -> bool:
    """Whether a word that occurs nowhere is written as a name."""
    capitals = re.findall(r"\b[A-ZÀ-Þ][\w'’-]+", sentence.text)
    return any(stem(word) in novel for capital in capitals for word in words(capital))
