import pytest

from tests.rules.talks import GREETING, charged, under

FIXED = under(
    reason_for_call="You want to move your tour to Sunday 15 June at 10:30.",
    known_info="You are Ilse Quade.",
)
LOOSE = under(
    reason_for_call="You want to move your tour.",
    task_instructions="Any day but Wednesday will do, not before 9:00.",
)
WISH = (GREETING, "user: I want to move my tour.")


@pytest.mark.parametrize(
    ("lines", "fixed"),
    [
        (("agent: To which day shall I move the tour?", "user: Saturday, please."), [3]),
        (("agent: To which day shall I move the tour?", "user: Sunday, please."), []),
        (("agent: For the tour, does Saturday suit that day?", "user: Saturday is fine."), []),
        (("agent: What time?", "user: A quarter past nine."), [3]),
        (("agent: What time?", "user: Half past ten."), []),
        (("agent: What time? I have 9:15.", "user: Then a quarter past nine."), []),
    ],
    ids=["other day", "its day", "day of the agent", "other time", "its time", "time of the agent"],
)
def test_days_and_times_are_those_of_the_blueprint(
    lines: tuple[str, ...], fixed: list[int]
) -> None:
    assert charged("contradicts_blueprint", FIXED, *WISH, *lines) == fixed
    assert charged("contradicts_blueprint", LOOSE, *WISH, *lines) == []


@pytest.mark.parametrize(
    ("said", "turns"),
    [("3:00 pm", []), ("3.00 pm", []), ("3pm", []), ("4:00 pm", [3]), ("4.15 pm", [3])],
)
def test_a_time_is_the_same_however_it_is_written(said: str, turns: list[int]) -> None:
    bound = under(
        reason_for_call="You want to move your ferry.",
        known_info="Your ferry leaves at 3pm.",
    )
    lines = (
        "agent: At what time does it leave now?",
        f"user: It is the one at {said}, local time.",
    )
    start = (GREETING, "user: I want to move my ferry.")
    assert charged("contradicts_blueprint", bound, *start, *lines) == turns
