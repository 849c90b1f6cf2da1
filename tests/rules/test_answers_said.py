import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="You want to cancel a booking of the studio.",
    known_info="You are Mattis Ohlin. You don't need any insurance for the new one.",
)
WISH = (GREETING, "user: I want to cancel a booking.")


@pytest.mark.parametrize(
    ("asked", "said", "turns"),
    [
        ("Do you have any open tickets?", "I don't have any open tickets.", [3]),
        ("Did you purchase insurance?", "I didn't purchase any insurance for it.", [3]),
        ("Do you have a parking permit?", "I do have a parking permit.", [3]),
        ("Do you have a parking permit?", "I don't know about any permit.", []),
        ("Do you have the receipt?", "I don't have the receipt here.", []),
        ("Do you have any feedback?", "I don't have any feedback.", []),
        ("Tell me more about the booking.", "It's the only booking I have.", [3]),
        ("Tell me more about the booking.", "It's the only one that I want cancelled.", []),
        ("How will you pay?", "With the card I always use.", [3]),
        ("Is the code in your e-mail?", "My e-mail was deleted.", [3]),
        ("Is the code in your e-mail?", "I can't look at it now.", []),
        ("When did you book it?", "I booked it two weeks ago.", [3]),
        ("When did you book it?", "I can't say when that was.", []),
    ],
    ids=[
        "holds none of what was asked for",
        "bought none, where a wish only speaks of it",
        "holds one",
        "does not know",
        "has nothing to show",
        "nothing to add",
        "the only one",
        "the only wish",
        "a habit",
        "a mishap",
        "no mishap",
        "a time",
        "no time",
    ],
)
def test_what_no_line_decides_is_not_answered(asked: str, said: str, turns: list[int]) -> None:
    lines = (f"agent: {asked}", f"user: {said}")
    assert charged("unsupported_personal_fact", BOUND, *WISH, *lines) == turns


@pytest.mark.parametrize(
    ("known", "asked", "said"),
    [
        ("You have an open ticket.", "Do you have a ticket?", "I have an open ticket."),
        ("It is your only booking.", "Anything more?", "It's the only booking I have."),
        ("You have lost your phone.", "Where is the code?", "I lost my phone."),
        ("You booked it last week.", "When was that?", "I booked it last week."),
    ],
    ids=["holding", "only", "mishap", "time"],
)
def test_what_the_blueprint_says_may_be_answered(known: str, asked: str, said: str) -> None:
    bound = under(reason_for_call="You want to cancel a booking.", known_info=known)
    lines = (f"agent: {asked}", f"user: {said}")
    assert charged("unsupported_personal_fact", bound, *WISH, *lines) == []


def test_a_time_worked_out_from_a_date_that_the_agent_told_is_no_invention() -> None:
    told = "agent: It was booked on 2024-05-11 for today, the 16th. When did you book it?"
    assert charged("unsupported_personal_fact", BOUND, *WISH, told, "user: Some days ago.") == []
