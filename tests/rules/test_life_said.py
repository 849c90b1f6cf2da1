import pytest

from tests.rules.talks import GREETING, charged, under


@pytest.mark.parametrize(
    ("known", "said", "turns"),
    [
        ("You are Ola Finch.", "My mother has fallen ill.", [3]),
        ("You are Ola Finch.", "Is there a rule for people who are ill?", []),
        ("Your mother is in hospital.", "My mother has fallen ill.", []),
    ],
    ids=["from nowhere", "asked about", "of the blueprint"],
)
def test_events_of_a_life_come_from_the_blueprint(known: str, said: str, turns: list[int]) -> None:
    bound = under(reason_for_call="You want the fee dropped.", known_info=known)
    lines = ("user: Please drop the fee.", "agent: Why was it late?", f"user: {said}")
    assert charged("unsupported_personal_fact", bound, GREETING, *lines) == turns
