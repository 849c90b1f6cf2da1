import pytest

from tests.rules.talks import GREETING, charged, under

SOUND = "The lamp is in good order; it does not match your room."
BROKEN = "The lamp flickers."


@pytest.mark.parametrize(
    ("known", "said", "turns"),
    [
        (SOUND, "The shade came cracked.", [3]),
        (SOUND, "It stopped working.", [3]),
        (SOUND, "It doesn't match my room.", []),
        (SOUND, "Nothing is broken, I just don't like it.", []),
        (BROKEN, "It's faulty, it flickers.", []),
    ],
    ids=["cracked", "stopped working", "its reason", "denied", "a defect in other words"],
)
def test_a_sound_thing_is_not_returned_for_a_defect(
    known: str, said: str, turns: list[int]
) -> None:
    bound = under(reason_for_call="You want to return a lamp.", known_info=known)
    lines = ("user: I want to return a lamp.", "agent: What is the reason?", f"user: {said}")
    assert charged("contradicts_blueprint", bound, GREETING, *lines) == turns


@pytest.mark.parametrize(
    ("task", "said", "turns"),
    [
        ("You want all of it cancelled.", "It's because of a mix-up at work.", [3]),
        ("You want all of it cancelled.", "The reason is a change of plans.", []),
        ("You want it cancelled because you are moving.", "Because I'm moving house.", []),
        ("You want all of it cancelled.", "I'd rather not say.", []),
    ],
    ids=["made up", "out of the menu", "the reason given", "none said"],
)
def test_a_reason_is_not_made_up_when_asked_for(task: str, said: str, turns: list[int]) -> None:
    bound = under(reason_for_call="You want to cancel your card.", task_instructions=task)
    asked = "agent: What is the reason: a change of plans, or something else?"
    lines = ("user: I want to cancel my card.", asked, f"user: {said}")
    assert charged("unsupported_personal_fact", bound, GREETING, *lines) == turns


@pytest.mark.parametrize(
    ("said", "turns"),
    [
        ("I've had a change in plans and won't be needing it anymore.", []),
        ("My plans have changed. I no longer need it.", []),
        ("I've had a change in plans and won't have the money.", [3]),
        ("My plans have changed because I found a cheaper one.", [3]),
    ],
    ids=["plans, not needed", "plans, then not needed", "plans, and more", "plans, and why"],
)
def test_other_plans_say_no_more_than_to_cancel(said: str, turns: list[int]) -> None:
    bound = under(reason_for_call="You want to cancel your card.")
    lines = ("user: I want to cancel my card.", "agent: What is the reason?", f"user: {said}")
    assert charged("unsupported_personal_fact", bound, GREETING, *lines) == turns
