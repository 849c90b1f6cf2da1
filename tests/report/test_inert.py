from __future__ import annotations

import pytest

from tests.report.runs import HOSTILE
from userproxybench.report.inert import inert, inert_line, utf16


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b\x07", "a␀b␇"),
        ("\x7f", "␡"),
        ("\u202egnp.exe", "\ufffdgnp.exe"),
        ("\u2066x\u2069", "\ufffdx\ufffd"),
        ("\ud83d", "\ufffd"),
        ("zero\u200bwidth\ufeff", "zero\ufffdwidth\ufffd"),
        ("tag \U000e0041", "tag \ufffd"),
        ("line\nbreak\ttab", "line\nbreak\ttab"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("👩\u200d🔧 ok", "👩\u200d🔧 ok"),
        ("ی\u200cک", "ی\u200cک"),
        ("heart ❤\ufe0f", "heart ❤\ufe0f"),
    ],
)
def test_what_cannot_be_seen_is_made_visible_and_the_rest_is_kept(text: str, shown: str) -> None:
    assert inert(text) == shown


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_length_is_kept_so_that_spans_keep_their_place(text: str) -> None:
    assert len(inert(text)) == len(text)
    inert(text).encode("utf-8")


def test_a_name_stands_on_one_line() -> None:
    assert inert_line(" a\r\nb\t c ") == "a b c"


def test_a_browser_counts_two_units_for_an_astral_character() -> None:
    assert [utf16("a👩b", at) for at in range(4)] == [0, 1, 3, 4]
