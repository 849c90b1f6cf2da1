import pytest

from tests.rules.talks import GREETING, charged, under

LINES = (GREETING, "user: I want a box collected.", "agent: It is 35 euros. All right?")


@pytest.mark.parametrize(
    ("known", "user", "turns"),
    [
        ("Your box is SB-209.", "Fine. Two years ago you charged me nothing for it.", [3]),
        ("Your box is SB-209.", "Fine. Was it free two years ago?", []),
        ("You have had the box since 2015.", "Fine. I've had it for years now.", []),
        ("You bought the box on 3 April.", "Fine. I bought the box last month.", []),
        ("The box was put there in January.", "Fine. I had it put there last winter.", []),
    ],
    ids=["made up", "asked", "since a year", "a date", "a month"],
)
def test_earlier_dealings_are_known_ones(known: str, user: str, turns: list[int]) -> None:
    bound = under(reason_for_call="You want a box collected.", known_info=known)
    assert charged("unsupported_personal_fact", bound, *LINES, f"user: {user}") == turns


def test_a_bluff_that_is_ordered_is_no_dealing_made_up() -> None:
    made_up = "user: I've been a customer of yours for years."
    for task, turns in (("Use coercion and negotiation tactics.", []), ("Be polite.", [3])):
        bound = under(reason_for_call="You want a box collected.", task_instructions=task)
        assert charged("unsupported_personal_fact", bound, *LINES, made_up) == turns
