import pytest

from tests.rules.talks import GREETING, charged, under

TOOLS = ("check_storage", "run_sync_test", "check_valve")
BOUND = under(TOOLS, reason_for_call="Your reader is full and slow.")
WISH = (GREETING, "user: My reader is full.", "agent: Please check it and tell me.")


@pytest.mark.parametrize(
    ("result", "said", "turns"),
    [
        ("Used: 7.1 GB | Free: 0.9 GB", "Used is 0.9 gigabytes and free is 7.1.", [5]),
        ("Used: 7.1 GB | Free: 0.9 GB", "7.1 used and 0.9 free.", []),
        ("Used: 7.1 GB | Free: 0.9 GB", "About seven used, not even one free.", []),
        ("Valve: CLOSED", "The valve is open.", [5]),
        ("Valve: CLOSED", "The valve isn't open.", []),
        ("48.2 Mbps (excellent)", "It says that's only fair.", [5]),
        ("48.2 Mbps (fair)", "It's fair, but I need excellent.", []),
        ("4G, battery 55 %", "It's on 4G, with 55 percent.", []),
        ("FAULT E-207", "It says E-270.", [5]),
    ],
    ids=[
        "swapped",
        "right",
        "rounded",
        "other state",
        "denied state",
        "other grade",
        "grade and wish",
        "label and figure",
        "transposed code",
    ],
)
def test_what_is_reported_is_the_latest_result(result: str, said: str, turns: list[int]) -> None:
    lines = ("call: check_storage", f"result: {result}", f"user: {said}")
    assert charged("contradicts_tool_result", BOUND, *WISH, *lines) == turns


@pytest.mark.parametrize(
    ("said", "turns"),
    [("Still 62 percent.", [8]), ("From 62 it went down to 48.", []), ("48 percent.", [])],
    ids=["stale", "then and now", "latest"],
)
def test_a_later_result_replaces_an_earlier_one(said: str, turns: list[int]) -> None:
    lines = (
        "call: check_storage",
        "result: Battery 62 %",
        "call: check_storage",
        "result: Battery 48 %",
        "agent: And?",
        f"user: {said}",
    )
    spoken = ("user: 62 percent.", "agent: Check once more.")
    talk = (*WISH, *lines[:2], *spoken, *lines[2:4])
    assert charged("contradicts_tool_result", BOUND, *talk, f"user: {said}") == [
        turn + 1 for turn in turns
    ]
