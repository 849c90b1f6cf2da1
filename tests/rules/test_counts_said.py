import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="You want a buffet.",
    known_info="Seven guests are vegan, five guests eat no gluten and thirty guests eat anything. "
    "You have six tables with eight chairs each.",
    task_instructions="You want one table more, and two of the six tables are broken.",
)


@pytest.mark.parametrize(
    ("agent", "user", "turns"),
    [
        ("How many guests are vegan?", "Nine guests are vegan.", [3]),
        ("How many guests are there?", "Forty-two guests.", []),
        ("How many guests need a special plate?", "Twelve guests do.", []),
        ("How many tables will that be?", "Seven tables.", []),
        ("How many chairs are there?", "Forty-eight chairs.", []),
        ("How many are broken?", "Three of the six tables.", [3]),
        ("How many are broken?", "Two of the six tables.", []),
        ("How many tables can you use?", "Four tables.", []),
    ],
    ids=["another", "all", "some", "one more", "product", "other share", "its share", "the rest"],
)
def test_counts_are_those_of_the_blueprint(agent: str, user: str, turns: list[int]) -> None:
    lines = (GREETING, "user: I want a buffet.", f"agent: {agent}", f"user: {user}")
    assert charged("contradicts_blueprint", BOUND, *lines) == turns
