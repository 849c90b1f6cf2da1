import pytest

from tests.rules.talks import GREETING, charged, under

TOOLS = ("restart_scanner", "read_locker_screen", "run_scanner_test")
BOUND = under(
    TOOLS,
    reason_for_call="Your parcel locker is frozen.",
)
WISH = (GREETING, "user: My locker is frozen.")
WHO = "agent: I'm sorry. What's your customer number?"


@pytest.mark.parametrize(
    ("lines", "turns"),
    [
        ((WHO, "call: restart_scanner", "result: Restarted."), [3]),
        ((WHO, "call: run_scanner_test", "result: 2 s"), [3]),
        ((WHO, "call: read_locker_screen", "result: READY"), []),
        (("agent: Restart the scanner.", "call: restart_scanner", "result: Restarted."), []),
        (
            (
                "agent: Just read me the screen, and change nothing else.",
                "call: restart_scanner",
                "result: Restarted.",
            ),
            [3],
        ),
    ],
    ids=[
        "a fix at the intake",
        "a test at the intake",
        "a look",
        "a fix asked for",
        "a fix ruled out",
    ],
)
def test_no_step_comes_before_the_agent(lines: tuple[str, ...], turns: list[int]) -> None:
    assert charged("preempts_diagnosis", BOUND, *WISH, *lines) == turns


def test_a_step_that_the_blueprint_orders_may_come_first() -> None:
    bound = under(TOOLS, reason_for_call="Restart the scanner before you say anything.")
    lines = (WHO, "call: restart_scanner", "result: Restarted.")
    assert charged("preempts_diagnosis", bound, *WISH, *lines) == []
