import pytest

from userproxybench.rules.clock import times_of_day


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("at 20:30", [510]),
        ("half past eight", [510]),
        ("a quarter to nine", [525]),
        ("eight o'clock", [480]),
        ("at 8 pm or 9:15", [480, 555]),
        ("twelve o'clock", [0]),
        ("$8.30 for eight", []),
    ],
    ids=["digits", "half", "quarter", "o'clock", "two", "noon and midnight", "a price"],
)
def test_times_of_day_are_read_on_a_twelve_hour_clock(text: str, minutes: list[int]) -> None:
    assert [time.minutes for time in times_of_day(text)] == minutes
