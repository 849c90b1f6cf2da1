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
