import pytest

from tests.rules.talks import GREETING, charged, under

TOOLS = ("run_scanner_test", "read_locker_screen", "restart_scanner", "send_test_message")
BOUND = under(TOOLS, reason_for_call="Your locker shows a fault code and is slow.")
WISH = (GREETING, "user: My locker shows a code.")
TEST = "agent: Run the scanner test and tell me the seconds."
SCREEN = "agent: What does the screen of the locker say?"
FAULT = ("call: read_locker_screen", "result: FAULT 31", "user: It says FAULT 31.")
AGAIN = "agent: Check the screen of the locker again."


@pytest.mark.parametrize(
    ("lines", "turns"),
    [
        ((TEST, "user: Fourteen seconds."), [3]),
        ((TEST, "call: run_scanner_test", "result: 14 s", "user: Fourteen seconds."), []),
        ((TEST, "user: I can't see any seconds."), []),
        ((TEST, "call: run_scanner_test", "result: Test aborted.", "user: It took 40 s."), [5]),
        ((TEST, "call: run_scanner_test", "result: Test aborted.", "user: It was aborted."), []),
        (
            (
                SCREEN,
                *FAULT,
                "agent: Restart the scanner.",
                "call: restart_scanner",
                "result: Done.",
                "user: It's restarted.",
                AGAIN,
                "user: I checked again: the code is gone.",
            ),
            [11],
        ),
        ((SCREEN, *FAULT, "agent: So it says FAULT 31?", "user: Yes, it says FAULT 31."), []),
    ],
    ids=[
        "not run",
        "run",
        "no outcome",
        "failed, yet a figure",
        "failed, as reported",
        "not looked at again",
        "still current",
    ],
)
def test_an_outcome_has_a_run(lines: tuple[str, ...], turns: list[int]) -> None:
    assert charged("fabricated_tool_result", BOUND, *WISH, *lines) == turns
