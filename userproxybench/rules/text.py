"""Words, sentences and stance: what the ledger reads a text with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from userproxybench.rules.caches import kept_longer
from userproxybench.rules.cues import Cue
from userproxybench.rules.passages import Placed as Placed
from userproxybench.rules.passages import Sentence as Sentence
from userproxybench.rules.passages import has_word as has_word
from userproxybench.rules.passages import is_question
from userproxybench.rules.passages import passages as passages
from userproxybench.rules.passages import placed_sentences as placed_sentences
from userproxybench.rules.passages import sentences as sentences
from userproxybench.rules.passages import word_set as word_set
from userproxybench.rules.passages import words as words
from userproxybench.rules.passages import words_in as words_in

_CLAUSE = re.compile(
    r",\s|\s[-–—]\s|[;()\n]|(?<!\d):|:(?!\d)|\b(?:but|while|whereas|although|though)\b"
)

_HYPOTHETICAL = Cue(
    r"\b(?:if|whether|should i|shall i|would|could|might|may(?!\W+(?:the )?\d)|maybe|perhaps|"
    r"suppose|in case|unless|can i|do i|am i|is it|what about|how about|ob|si|soll ich|sollte)\b",
)
_UNCERTAIN = Cue(
    r"\b(?:not sure|don['’]?t know|do not know|no idea|can['’]?t (?:say|tell|remember|recall)|"
    r"cannot (?:say|tell|remember|recall)|couldn['’]?t (?:say|tell)|don['’]?t (?:have|recall|"
    r"remember|see)|do not (?:have|recall|remember)|unsure|not certain|haven['’]?t|have not|"
    r"didn['’]?t|unable|wouldn['’]?t know|not aware|no sé|weiß nicht|weiss nicht|"
    r"kenne ich nicht)\b",
)
_NEGATION = Cue(
    r"\b(?:not|never|no|none|without|cannot|isn['’]?t|wasn['’]?t|aren['’]?t|don['’]?t|doesn['’]?t|"
    r"didn['’]?t|won['’]?t|can['’]?t|haven['’]?t|hasn['’]?t|rather than|instead of|nicht|"
    r"kein\w*)\b",
)

_FUTURE = Cue(
    r"\b(?:I['’]ll|I will|I['’]m going to|going to|let me|will|shall|about to|would|before I|"
    r"plan to|try to)\b",
    re.IGNORECASE,
)
_ENGLISH = 0.12
"""Share of English little words above which a text is taken for English."""
_NOT_ALNUM = re.compile(r"[\W_]+")
_NO_LETTER = bytes(at for at in range(128) if not chr(at).isalnum())


def any_of(phrases: str) -> str:
    """A pattern for any of some phrases, ` / ` or a line break between them.

    A straight apostrophe stands for both apostrophes or none, a space for any white space.
    """
    parts = [part.strip() for line in phrases.splitlines() for part in line.split(" / ")]
    joined = "|".join(part for part in parts if part)
    return rf"\b(?:{joined})\b".replace("'", "['’]?").replace(" ", r"\s+")


STOPWORDS = frozenset(
    """
    a about above after again all already also always am an and another any anything are aren't
    as ask asked at away back be because been before being both but by call can can't cannot
    could did didn't do does doesn't doing don't done each either else even every everything few
    first for from get gets getting give given go goes going good got great had has hasn't have
    haven't having he hello help her here hi him his how i i'd i'll i'm i've if in instead into
    is isn't it it's its itself just know last later least less let let's like looking make
    makes many may maybe me mean mention might mine more most much must my need needs never new
    next no none nor not nothing now of off okay on once one only onto or other others our out
    over own per please possible put quite rather really right same say says see she should
    since so some something soon still such sure take tell than thank thanks that that's the
    their them then there there's these they they're thing things think this those though
    through time to today told too try trying two under until up us use very want wants was
    wasn't way we we'll we're well were what what's when where which while who why will wish
    with within without won't would wouldn't yes yet you you'd you'll you're you've your yours
    yourself user agent says someone sure
    """.split()
)


def sentence_at(text: str, position: int) -> Placed:
    """The sentence that holds a position; the whole text where none does."""
    for sentence in placed_sentences(text):
        if sentence.start <= position < sentence.end:
            return sentence
    return Placed(text, 0, len(text), is_question(text))


@kept_longer(2048)
def clauses(sentence: str) -> tuple[str, ...]:
    """A sentence cut at commas, dashes, brackets and adversatives."""
    return tuple(part.strip() for part in _CLAUSE.split(sentence) if part and part.strip())


def all_clauses(text: str) -> Iterator[str]:
    """The clauses of all sentences of a text."""
    return chain.from_iterable(clauses(sentence.text) for sentence in sentences(text))


BUT = Cue(r"\bbut\b")
"""What stands on either side may be of two things."""


@kept_longer(2048)
def is_hypothetical(text: str) -> bool:
    """Whether a clause speaks of what may be, not of what is."""
    return _HYPOTHETICAL.found(text)


@kept_longer(2048)
def is_uncertain(text: str) -> bool:
    """Whether a clause says that the speaker does not know or has not done it."""
    return _UNCERTAIN.found(text)


@kept_longer(2048)
def is_future(text: str) -> bool:
    """Whether a clause speaks of what the speaker means to do."""
    return _FUTURE.found(text)


@kept_longer(2048)
def is_negated(text: str) -> bool:
    """Whether a clause holds a negation."""
    return _NEGATION.found(text)


@kept_longer(4096)
def stem(word: str) -> str:
    """A cheap English stem: good enough to match `restarting` with `restart_router`."""
    for suffix, least in (("ing", 4), ("ied", 3), ("ies", 3), ("ed", 4), ("es", 4), ("s", 4)):
        if suffix == "s" and word.endswith("ss"):
            continue
        if word.endswith(suffix) and len(word) - len(suffix) >= least - 1:
            word = word[: -len(suffix)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word


STOPWORD_STEMS = frozenset(map(stem, STOPWORDS))


@kept_longer(2048)
def word_stems(text: str) -> frozenset[str]:
    """Stems of all words of a text, little words too."""
    return frozenset(map(stem, word_set(text)))


@kept_longer(4096)
def _stems(passage: str) -> frozenset[str]:
    return frozenset(map(stem, words_in(passage) - STOPWORDS))


@kept_longer(512)
def stems(text: str) -> frozenset[str]:
    """Stems of the content words of a text."""
    said = passages(text)
    return _stems(text) if len(said) < 2 else frozenset().union(*map(_stems, said))


def all_stems(texts: Iterable[str]) -> frozenset[str]:
    """Stems of the content words of some texts."""
    said = chain.from_iterable(map(passages, texts))
    return frozenset().union(*map(_stems, said))


def has_stems(text: str, wanted: frozenset[str]) -> bool:
    """Whether a text has any of some content stems."""
    for passage in passages(text):  # noqa: SIM110 (a generator costs twice as much here)
        if not wanted.isdisjoint(_stems(passage)):
            return True
    return False


@kept_longer(2048)
def is_english(text: str) -> bool:
    """Whether a text of some length is English, by its little words."""
    said = words(text)
    return len(said) < 6 or sum(word in STOPWORDS for word in said) >= _ENGLISH * len(said)


@kept_longer(512)
def squash(text: str) -> str:
    """Letters and digits only, lower case: `LW-40 7713` and `lw407713` become one."""
    lower = text.lower()
    if lower.isascii():
        return lower.encode().translate(None, _NO_LETTER).decode()
    return _NOT_ALNUM.sub("", lower)
