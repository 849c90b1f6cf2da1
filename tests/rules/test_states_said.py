import pytest

from tests.rules.talks import GREETING, charged, under

TOOLS = ("read_locker_screen", "reseat_cable")
LOCKER = under(TOOLS, reason_for_call="Your parcel locker opens no door.")
APP = under(reason_for_call="The app on your tablet crashes, and you want that mended.")
SHOP = under(reason_for_call="You want to return a coat.")
OPTIONS = "Which version are you using? Leaf Reader, Leaf Reader Plus, or Branch Viewer."


@pytest.mark.parametrize(
    ("lines", "turns"),
    [
        (("agent: Where is the lamp?", "user: On the cabinet, and it's blinking purple."), [3]),
        (("agent: Where is the lamp?", "user: I can't tell you that."), []),
        (
            (
                "agent: Reseat the cable. Any damage on the plug?",
                "call: reseat_cable",
                "result: Clicked in.",
                "user: Done. The clip has a small crack.",
            ),
            [5],
        ),
        (
            (
                "agent: What does the screen show?",
                "call: read_locker_screen",
                "result: --",
                "user: The field's blank and dark.",
            ),
            [],
        ),
        (
            (
                "agent: Any trouble with the printer?",
                "user: I haven't noticed any problems with the printer.",
            ),
            [3],
        ),
    ],
    ids=["a lamp", "does not know", "damage", "a result in other words", "no trouble"],
)
def test_a_state_has_a_source(lines: tuple[str, ...], turns: list[int]) -> None:
    wish = (GREETING, "user: My locker is stuck.")
    assert charged("unsupported_device_state", LOCKER, *wish, *lines) == turns


@pytest.mark.parametrize(
    ("lines", "turns"),
    [
        ((f"agent: {OPTIONS}", "user: I'm using Leaf Reader Plus."), [3]),
        ((f"agent: {OPTIONS}", "user: I don't know which of them."), []),
        (("agent: Please restart it.", "user: I've restarted it, and it still crashes."), [3]),
        (("agent: Please restart it.", "user: I'll try that."), []),
    ],
    ids=["an option", "does not know", "a step and its outcome", "intends to"],
)
def test_a_user_without_tools_has_seen_nothing(lines: tuple[str, ...], turns: list[int]) -> None:
    wish = (GREETING, "user: My app crashes.")
    assert charged("unsupported_device_state", APP, *wish, *lines) == turns


def test_a_task_about_no_device_has_no_device_states() -> None:
    lines = ("user: I want to return a coat.", f"agent: {OPTIONS}", "user: I'm using Leaf Reader.")
    assert charged("unsupported_device_state", SHOP, GREETING, *lines) == []
