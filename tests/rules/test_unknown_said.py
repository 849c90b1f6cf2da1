import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="You found a library book and want to bring it back.",
    known_info="You are Nell Orr. The title is 'Nettle Soup'.",
    unknown_info="You do not know at which branch it was borrowed, nor how old it is.",
)
WISH = (GREETING, "user: I found a library book.")


@pytest.mark.parametrize(
    ("asked", "said", "turns"),
    [
        ("At which branch was it borrowed?", "At the one by the canal.", [3]),
        ("At which branch was it borrowed?", "Hard to say, but it was one by the canal.", [3]),
        ("How old is it?", "About four years.", [3]),
        ("At which branch was it borrowed?", "That's a mystery to me.", []),
        ("At which branch was it borrowed?", "I don't know at which branch.", []),
        ("What is the title?", "It's called 'Nettle Soup'.", []),
    ],
    ids=["a place", "hedged", "a figure", "a mystery", "does not know", "another question"],
)
def test_what_is_unknown_stays_unknown(asked: str, said: str, turns: list[int]) -> None:
    lines = (f"agent: {asked}", f"user: {said}")
    assert charged("invents_unknown_info", BOUND, *WISH, *lines) == turns
