import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="You want a cabin for the night train.",
    known_info="Your son Milo is coming along with you.",
    task_instructions="Give details one at a time, once the agent asks.",
)


@pytest.mark.parametrize(
    ("agent", "user", "turns"),
    [
        ("On which date?", "On the 9th. My son Milo is coming along.", [3]),
        ("On which date?", "On the 9th.", []),
        ("Do you need a child's bed?", "Yes, my son Milo is coming along.", []),
        ("Who travels with you?", "My son Milo is coming along.", []),
        ("How many beds?", "Two, my son Milo is coming along.", []),
    ],
    ids=["unasked", "kept", "a child's bed", "who", "beds"],
)
def test_company_is_told_when_asked(agent: str, user: str, turns: list[int]) -> None:
    lines = (GREETING, "user: I'd like a cabin.", f"agent: {agent}", f"user: {user}")
    assert charged("volunteers_unasked_info", BOUND, *lines) == turns
