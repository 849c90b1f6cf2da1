import pytest

from tests.rules.talks import GREETING, charged, under

WISH = "You want to hire a tent."


@pytest.mark.parametrize(
    ("limit", "agent", "charged_at"),
    [
        ("You pay at most 70 euros.", "The tent is 85 euros. Shall I book it?", [3]),
        ("You pay at most 70 euros.", "The list price is 90 euros. Shall I book it at 63?", []),
        ("You pay at most 70 euros.", "With your discount of 27 euros it is 63 euros. OK?", []),
        (
            "You pay at most 70 euros.",
            "The tent is 60 euros. Plus a deposit of 200 euros is held on your card. Okay?",
            [],
        ),
        (
            "You pay at most 70 euros.",
            "The tent is 60 euros. Plus a mat, which is 25 euros. Shall I book both?",
            [3],
        ),
        (
            "You pay at most 70 euros.",
            "The tent is 40 euros. Plus a mat, which is 25 euros. Shall I book both?",
            [],
        ),
        ("You pay at most 20 euros for the delivery.", "In total that is 195 euros. Okay?", []),
        ("You pay at most 20 euros for the delivery.", "The delivery is 25 euros. Okay?", [3]),
        ("Accept no less than 80 euros.", "I can refund 50 euros. Is that all right?", [3]),
        ("Accept no less than 80 euros.", "I can refund 50 euros and 40 euros in cash. Okay?", []),
        ("Accept no less than 80 euros.", "I can refund 45 euros each. Is that all right?", []),
    ],
    ids=[
        "over the limit",
        "list price",
        "discount",
        "deposit",
        "over the limit with what is added",
        "within the limit with what is added",
        "limit for a part, sum for all",
        "limit for a part, dearer",
        "under the least",
        "two sums",
        "a sum for each",
    ],
)
def test_a_yes_is_held_against_the_sum_it_is_to(
    limit: str, agent: str, charged_at: list[int]
) -> None:
    bound = under(reason_for_call=WISH, task_instructions=limit)
    lines = (GREETING, "user: I'd like to hire a tent.", f"agent: {agent}", "user: Yes, please.")
    found = charged("accepts_forbidden_outcome", bound, *lines)
    assert found + charged("accepts_insufficient_outcome", bound, *lines) == charged_at
