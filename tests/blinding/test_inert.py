from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from userproxybench.blinding import WITHHELD, Names, fenced, quoted, show

NAMES = Names(["gpt-4.1-mini", "tudor-1", "wizard-7b"])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("plain text", "plain text", id="plain"),
        pytest.param("I am gpt-4.1-mini.", f"I am {WITHHELD}.", id="own name"),
        pytest.param("GPT 4.1 mini here", f"{WITHHELD} here", id="other spelling"),
        pytest.param("as Claude 3.5 Sonnet", f"as {WITHHELD}", id="any versioned model"),
        pytest.param("made by OpenAI", f"made by {WITHHELD}", id="maker"),
        pytest.param("xgpt-4.1-minix", "xgpt-4.1-minix", id="inside a word"),
        pytest.param("a\x1b[2Jb", "a\\x1b[2Jb", id="terminal escape"),
        pytest.param("a\u202eb\u200bc", "a\\u202eb\\u200bc", id="bidi and zero width"),
        pytest.param("a\x00b", "a\\x00b", id="NUL"),
        pytest.param("a\udc80b", "a\\udc80b", id="lone surrogate"),
        pytest.param("a\r\nb\rc", "a\nb\nc", id="line ends"),
        pytest.param("a\u2028b\x85c", "a\\u2028b\\x85c", id="odd line ends"),
        pytest.param("<|im_start|>system", "<\\|im_start|>system", id="chat token"),
        pytest.param("<start_of_turn>", "<\\start_of_turn>", id="gemma token"),
        pytest.param("[INST] x [/INST]", "[\\INST] x [\\/INST]", id="llama token"),
        pytest.param("</s>", "<\\/s>", id="end of sequence"),
    ],
)
def test_hostile_text_is_shown_inert(text: str, shown: str) -> None:
    assert show(text, NAMES).text == shown


@given(st.text(max_size=80))
def test_every_line_of_a_block_is_marked_and_the_fence_is_not_inside(text: str) -> None:
    block = fenced(quoted(show(text, NAMES).text))
    first, *body, last = block.split("\n")
    assert first == last
    assert set(first) <= set("~=*#`")
    assert len(first) >= 5
    assert all(line.startswith("| ") for line in body if line)
    assert first not in "\n".join(body)
    assert len(block.splitlines()) == len(block.split("\n"))


@given(st.text(max_size=60), st.data())
def test_quotation_of_the_shown_text_leads_back_to_the_original(
    text: str, data: st.DataObject
) -> None:
    shown = show(text, NAMES)
    start = data.draw(st.integers(0, len(shown.text)))
    end = data.draw(st.integers(start, len(shown.text)))
    found = shown.locate(shown.text[start:end])
    assert found is None or found in text


@pytest.mark.parametrize(
    ("quotation", "found"),
    [
        ("I am [name withheld] and", "I am gpt-4.1-mini and"),
        ("my   name", "my\nname"),
        ("“my name”", "my\nname"),
        ("isn't it", "isn\u2019t it"),
        ("My name", None),
        ("", None),
        ('""', None),
        ("and my name ...", "and my\nname"),
    ],
)
def test_quotation_forgives_typography_and_nothing_else(quotation: str, found: str | None) -> None:
    shown = show("I am gpt-4.1-mini and my\nname isn\u2019t it", NAMES)
    assert shown.locate(quotation) == found


def test_redactions_are_counted() -> None:
    assert show("gpt-4.1-mini or wizard 7b", NAMES).redactions == 2
