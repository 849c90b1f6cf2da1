import pytest

from tests.rules.talks import GREETING, charged, under

FIXED = under(
    reason_for_call="You want to check in two bags.",
    known_info="You are Ana Ruiz, a regular member. You pay by PayPal.",
)
WISH = (GREETING, "user: I want to check in my luggage.")


@pytest.mark.parametrize(
    ("asked", "said", "turns"),
    [
        ("How many bags?", "Three bags.", [3]),
        ("How many bags?", "Two bags.", []),
        ("How many bags? You booked three bags.", "Three bags, you say.", []),
        ("How will you pay?", "By gift card.", [3]),
        ("How will you pay?", "By PayPal.", []),
        ("Will you pay by gift card?", "By gift card, fine.", []),
        ("What is your level?", "I'm a gold member.", [3]),
    ],
    ids=[
        "count",
        "its count",
        "count of the agent",
        "payment",
        "its payment",
        "payment of the agent",
        "tier",
    ],
)
def test_a_rival_of_the_blueprints_value_is_false(asked: str, said: str, turns: list[int]) -> None:
    lines = (f"agent: {asked}", f"user: {said}")
    assert charged("contradicts_blueprint", FIXED, *WISH, *lines) == turns


def test_a_blueprint_that_leaves_a_choice_charges_none() -> None:
    bound = under(reason_for_call="You want two bags, or three bags if they are free.")
    lines = ("agent: How many bags?", "user: Four bags.")
    assert charged("contradicts_blueprint", bound, *WISH, *lines) == []
