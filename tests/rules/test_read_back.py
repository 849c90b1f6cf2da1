import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="You want the lamp of order B-4471 replaced.",
    known_info="You are Tilda Roe. You have two bicycles and 28 chairs.",
)


@pytest.mark.parametrize(
    ("agent", "user", "turns"),
    [
        ("To confirm: 24 chairs go with it. Is that right?", "Yes, exactly.", [3]),
        ("To confirm: 28 chairs go with it. Is that right?", "Yes, exactly.", []),
        ("To confirm: 24 chairs go with it. Is that right?", "Yes, but with 28 chairs.", []),
        ("To confirm: 28 chairs; there are 40 chairs left. Right?", "Yes, exactly.", []),
        ("To confirm: 28 chairs, room for 12 bicycles. Is that right?", "Yes, exactly.", []),
        ("To confirm: it is order B-4477. Is that right?", "Yes, exactly.", [3]),
        ("To confirm: the replacement is B-4473. Is that right?", "Yes, exactly.", []),
    ],
    ids=["other", "its own", "put right", "left over", "room for", "misread", "a new number"],
)
def test_a_yes_to_a_wrong_summary_is_wrong(agent: str, user: str, turns: list[int]) -> None:
    lines = (GREETING, "user: I'd like a lamp replaced.", f"agent: {agent}", f"user: {user}")
    assert charged("contradicts_blueprint", BOUND, *lines) == turns
