"""Patterns are skipped only where they cannot match."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from userproxybench import rules
from userproxybench.rules.anchors import Anchor, anchors, guarded, is_local
from userproxybench.rules.cues import Cue
from userproxybench.rules.passages import passages, sentences, word_set, words
from userproxybench.rules.text import squash

TEXTS = (
    "",
    "?",
    "Yes, that's right. I've already tried it!\nWould you like me to go ahead?",
    "Let\nme know if you don’t want it... Or not; as you like. #4471 e.g. here",
    "1. Open the settings.\n2. Choose Mobile network.\n3. Tell me which mode is selected.",
    "I couldn't've known: it was 'broken' - the e-mail (from foo_bar) says \"no.\"",
    "Dr. Quell said so",
    "Either one works for me, thanks a lot. Cannot say; I'm not sure. It's on, it works? Yes!",
    "Ich weiß nicht. ¿Procedo? No sé. Das ist schon gut, oder nicht?",
)


def _cues() -> Iterator[tuple[str, Cue]]:
    for module in pkgutil.iter_modules(rules.__path__):
        names = vars(importlib.import_module(f"userproxybench.rules.{module.name}"))
        for name, value in names.items():
            if isinstance(value, Cue):
                yield f"{module.name}.{name}", value


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        pytest.param(r"\b(?:gold|silver)\b", {("gold", True), ("silver", True)}, id="words"),
        pytest.param(r"\bconfirm\w*", {("confirm", False)}, id="start of a word"),
        pytest.param(r"\bdon['’]?t remember\b", {("remember", True)}, id="the longest word"),
        pytest.param(r"\bcan['’]?t\b", {("can't", True), ("cant", True)}, id="apostrophe or none"),
        pytest.param(r"\bbooked?\b", {("booke", True), ("booked", True)}, id="a letter more"),
        pytest.param(r"\b(?:not )?sure\b", {("sure", True)}, id="after what may be missing"),
        pytest.param(r"\b(?:so )*(?:glad|happy)\b", {("glad", True), ("happy", True)}, id="group"),
    ],
)
def test_the_words_a_pattern_needs_are_read_off_it(
    pattern: str, needed: set[tuple[str, bool]]
) -> None:
    assert anchors(pattern) == frozenset(Anchor(*item) for item in needed)


@pytest.mark.parametrize("pattern", [r"\d+", r"\w+ed\b", r"\bsure\b|\?", r"\b(?:sure)?\d", "yes"])
def test_a_pattern_that_needs_no_word_is_always_looked_for(pattern: str) -> None:
    assert anchors(pattern) is None


@pytest.mark.parametrize("pattern", [r"not.{1,9}sure", r"^yes", r"yes\W+no", r"a\?\s+b"])
def test_a_pattern_that_may_reach_over_a_full_stop_is_searched_in_the_whole(pattern: str) -> None:
    assert not is_local(pattern)


@pytest.mark.parametrize("cue", [pytest.param(cue, id=name) for name, cue in _cues()])
def test_a_cue_finds_what_its_pattern_finds(cue: Cue) -> None:
    for text in TEXTS:
        for said in (text, text.lower(), *(sentence.text for sentence in sentences(text))):
            assert (cue.search(said) is None) == (cue.pattern.search(said) is None), said
            assert cue.found(said) == (cue.pattern.search(said) is not None), said
            assert cue.sub("*", said) == cue.pattern.sub("*", said)


@pytest.mark.parametrize("cue", [pytest.param(cue, id=name) for name, cue in _cues()])
def test_a_look_at_the_first_letter_hides_no_match(cue: Cue) -> None:
    behind = re.match(r"(?:\\b)?\(\?=\[[\w'’]*\]\)\(\?:(.*)\)$", cue.pattern.pattern, re.DOTALL)
    plain = re.compile(behind[1], cue.pattern.flags) if behind else cue.pattern
    for text in TEXTS:
        for said in (text, text.upper()):
            found = [match.span() for match in cue.pattern.finditer(said)]
            assert found == [match.span() for match in plain.finditer(said)], said


@pytest.mark.parametrize(
    ("pattern", "behind"),
    [
        (r"\b(?:on|off)\b", r"\b(?=[Oo])(?:\b(?:on|off)\b)"),
        (r"\bno\b|yes", r"(?=[NYny])(?:\bno\b|yes)"),
        (r"\b(?:so )?glad", r"\b(?=[GSgs])(?:\b(?:so )?glad)"),
        (r"\b\w+ed\b", r"\b\w+ed\b"),
        (r"(?:so )?", r"(?:so )?"),
    ],
)
def test_a_pattern_stands_behind_a_look_at_its_first_letter(pattern: str, behind: str) -> None:
    assert guarded(pattern) == behind


def test_a_cue_finds_its_words_inside_contractions() -> None:
    assert Cue(r"\bcouldn['’]?t\b").found("I couldn’t've known")


@pytest.mark.parametrize("text", TEXTS)
def test_passages_leave_out_white_space_only(text: str) -> None:
    assert re.sub(r"\s", "", "".join(passages(text))) == re.sub(r"\s", "", text)


texts = st.one_of(
    st.sampled_from(TEXTS),
    st.lists(
        st.sampled_from((*"aB7_'’\"-.?!;,: \n\t\xa0é\x1f", "Dr.", "it's", "4.5", "''", "no ")),
        max_size=12,
    ).map("".join),
)


@given(texts)
def test_words_are_those_of_the_whole_text(text: str) -> None:
    straight = text.lower().replace("’", "'")
    assert list(words(text)) == re.findall(r"[^\W_]+(?:'[^\W_]+)*", straight)
    assert word_set(text) == set(words(text))


@given(texts)
def test_letters_and_digits_are_those_of_the_whole_text(text: str) -> None:
    assert squash(text) == re.sub(r"[\W_]+", "", text.lower())


@given(texts)
def test_a_sentence_of_a_passage_ends_at_a_stop_or_a_line_break(text: str) -> None:
    ends = r"(?:[^.?!\n;]|[.?!;](?=[^\s\"'”’)])|(?<=\bDr)\.)+[.?!;]*[\"'”’)]*"
    for passage in passages(text):
        found = [said.strip() for said in re.findall(ends, passage) if said.strip()]
        assert [sentence.text for sentence in sentences(passage)] == found
