import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="You want your heater repaired.",
    known_info="The leak began 3 weeks ago.",
    unknown_info="You do not know when the heater was installed. "
    "You do not know whether the tank is original.",
)
WISH = (GREETING, "user: I want my heater repaired.")


@pytest.mark.parametrize(
    ("agent", "user", "turns"),
    [
        ("When was the heater installed?", "Three years or so, I'd guess.", [3]),
        ("When was the heater installed?", "A couple of winters ago, I'd say.", [3]),
        ("When was the heater installed?", "No clue, sorry.", []),
        ("When was the heater installed, and when did it leak?", "The leak: three weeks ago.", []),
        ("Is the tank original?", "Yes, it is.", [3]),
        ("Is the tank original?", "No one has ever said.", []),
        ("Is the tank original?", "That's a mystery to me.", []),
        (
            "Is the tank original, and do you have the bill?",
            "Yes, the bill is here. Whether the tank is original I don't know.",
            [],
        ),
    ],
    ids=[
        "guess at a time",
        "winters",
        "no clue",
        "a known time",
        "yes",
        "never told",
        "mystery",
        "yes to the other question",
    ],
)
def test_what_is_unknown_stays_unknown(agent: str, user: str, turns: list[int]) -> None:
    lines = (*WISH, f"agent: {agent}", f"user: {user}")
    assert charged("invents_unknown_info", BOUND, *lines) == turns
