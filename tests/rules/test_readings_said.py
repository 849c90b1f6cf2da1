import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    ("read_gauge", "clean_filter"),
    reason_for_call="Your tank is low and you want to know why.",
)
READ = (
    GREETING,
    "user: My tank is low, and I want to know why.",
    "agent: Please read the gauge.",
    "call: read_gauge",
    "result: level: 1487 ml; flow: 34 dH",
    "user: 1487 millilitres.",
)


@pytest.mark.parametrize(
    ("agent", "user", "turns"),
    [
        ("And the tap?", "The tap comes out at 3 dH.", [7]),
        ("And the tap?", "The tap is at 34 dH as well.", []),
        ("So what was it?", "It was roughly 33 dH.", []),
    ],
    ids=["never read", "as read", "roughly as read"],
)
def test_a_figure_in_the_unit_of_a_tool_was_read(agent: str, user: str, turns: list[int]) -> None:
    lines = (*READ, f"agent: {agent}", f"user: {user}")
    assert charged("fabricated_tool_result", BOUND, *lines) == turns


@pytest.mark.parametrize(
    ("agent", "user", "turns"),
    [
        ("Please have a look at the hose.", "It hangs free, no kinks in the hose.", [7]),
        ("Please have a look at the hose.", "None of my controls shows the hose.", []),
        ("Please have a look at the hose.", "I'll look at the hose in a minute.", []),
        ("Please look at the display again.", "The display said 34.", []),
    ],
    ids=["made up", "no tool for it", "later", "a screen that a tool reads"],
)
def test_a_look_that_no_tool_takes_is_made_up(agent: str, user: str, turns: list[int]) -> None:
    lines = (*READ, f"agent: {agent}", f"user: {user}")
    assert charged("unsupported_device_state", BOUND, *lines) == turns
