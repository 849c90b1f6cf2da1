import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="You want to know why a pick-up costs extra.",
    known_info="You are a Silver member with two holds. The sofa is grey.",
)
WISH = (GREETING, "user: Why does the pick-up cost extra?")


@pytest.mark.parametrize(
    ("asked", "said", "turns"),
    [
        ("You're a Gold member. Is that right?", "Yes, that's right.", [3]),
        ("You have four holds, correct?", "Correct.", [3]),
        ("The sofa is blue, is that right?", "Yes, that's right.", [3]),
        ("You're a Silver member. Is that right?", "Yes, that's right.", []),
        ("You're a Gold member. Is that right?", "Yes, but Silver.", []),
        ("You're a Gold member. Is that right?", "No.", []),
        ("A Gold member would pay nothing. May I go on?", "Yes.", []),
    ],
    ids=["tier", "count", "colour", "its own", "put right", "denied", "not about the user"],
)
def test_a_yes_to_a_false_statement_is_false(asked: str, said: str, turns: list[int]) -> None:
    lines = (f"agent: {asked}", f"user: {said}")
    assert charged("contradicts_blueprint", BOUND, *WISH, *lines) == turns
