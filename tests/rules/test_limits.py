import pytest

from userproxybench.rules.limits import ceiling, floor, per_unit


@pytest.mark.parametrize(
    ("sentence", "most"),
    [
        ("You pay up to 40 euros for it.", 40.0),
        ("If it costs more than 30 euros, decline.", 30.0),
        ("Pay 12 dollars or less.", 12.0),
        ("You paid 40 euros for it.", None),
    ],
    ids=["up to", "turned down above", "or less", "was paid"],
)
def test_a_ceiling_is_what_would_be_paid_at_most(sentence: str, most: float | None) -> None:
    assert ceiling(sentence) == most


@pytest.mark.parametrize(
    ("sentence", "least"),
    [
        ("Accept nothing less than 80 euros.", 80.0),
        ("You want at least 400 euros for it.", 400.0),
        ("You pay at most 80 euros.", None),
    ],
    ids=["nothing less", "at least", "at most"],
)
def test_a_floor_is_what_must_be_offered(sentence: str, least: float | None) -> None:
    assert floor(sentence) == least


def test_a_price_for_one_names_its_unit() -> None:
    assert per_unit("You pay up to 35 euros a visit.", 35) == "visit"
    assert per_unit("You pay up to 35 euros.", 35) is None
