import pytest

from userproxybench.rules.values import values


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mail me at A.Quill@inkmail.test.", [("email", "a.quill@inkmail.test")]),
        ("theo_quill_88", [("handle", "theo_quill_88")]),
        ("order LW-40-7713", [("code", "lw407713")]),
        ("(555) 014-7208", [("phone", "5550147208")]),
        ("the third of May", [("date", "05-03")]),
        ("2024-05-03", [("date", "05-03")]),
        ("my card ending in 7334", [("card_digits", "7334")]),
        ("**$1,949**", [("money", "1949")]),
        ("forty-two euros", [("money", "42")]),
        ("5.9 metres", [("measure", "5.9")]),
        ("it may rain in house 7", []),
        ("I am spending 1200 there at the very last 4417 times", []),
    ],
    ids=[
        "e-mail",
        "handle",
        "code",
        "phone",
        "spoken date",
        "date in digits",
        "card",
        "money in bold",
        "spoken money",
        "measure",
        "nothing",
        "words that end as a card does",
    ],
)
def test_values_have_one_form_to_compare(text: str, found: list[tuple[str, str]]) -> None:
    assert [(value.kind, value.canon) for value in values(text)] == found
