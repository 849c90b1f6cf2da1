import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="You want your rain tank fixed.",
    known_info="The rain tank holds 300 litres. Your user id is tilda_roe_17.",
)


@pytest.mark.parametrize(
    ("agent", "user", "turns"),
    [
        ("How many litres does the rain tank hold?", "I don't know.", [3]),
        ("What does the rain tank hold?", "Nobody ever told me.", [3]),
        ("How many litres does the rain tank lose per day?", "I don't know.", []),
        ("How high is the rain tank?", "I don't know that.", []),
        ("What is your user ID?", "Shouldn't that be in your system?", [3]),
        ("What is your user ID?", "It should be in your system: tilda_roe_17.", []),
    ],
    ids=["denied", "never told", "what it loses", "how high", "turned back", "given after all"],
)
def test_a_known_figure_is_not_denied(agent: str, user: str, turns: list[int]) -> None:
    lines = (GREETING, "user: I want my rain tank fixed.", f"agent: {agent}", f"user: {user}")
    assert charged("withholds_requested_info", BOUND, *lines) == turns
