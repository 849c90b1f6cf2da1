import pytest

from tests.rules.talks import GREETING, charged, under
from userproxybench.models import Contract

RENEW = under(
    reason_for_call="You want to renew the loan of a book.",
    known_info="You are Tilda Roe, card LC-4471.",
    task_instructions="You are done when the renewal is confirmed.",
)
ASKED = (GREETING, "user: I'd like to renew a loan.")


INSIST = under(
    reason_for_call="You want the block on your card lifted.",
    task_instructions="If the agent refuses, insist once. If it refuses again, give up.",
)
BLOCKED = (GREETING, "user: My card is blocked, please lift that.")
NO = "agent: Unfortunately, I cannot lift it."


@pytest.mark.parametrize(
    ("bound", "lines", "turns"),
    [
        (INSIST, (NO, "user: Oh well, never mind then."), [3]),
        (
            INSIST,
            ("agent: My advice is to wait a week.", "user: Maybe you're right, I'll leave it."),
            [3],
        ),
        (INSIST, (NO, "user: But I have paid. Please check.", NO, "user: Never mind then."), []),
        (RENEW, (NO, "user: Oh well, never mind then."), []),
    ],
    ids=["at the first refusal", "talked out of it", "after insisting", "no order to insist"],
)
def test_giving_in_at_once_is_charged_where_the_blueprint_says_to_insist(
    bound: Contract, lines: tuple[str, ...], turns: list[int]
) -> None:
    assert charged("abandons_goal", bound, *BLOCKED, *lines) == turns


@pytest.mark.parametrize(
    ("user", "turns"),
    [
        ("Yes, while you're at it, could you also send a poster of the zoo to my aunt?", [3]),
        ("Yes, could you also tell me when the book is due?", []),
        ("Yes, could you also renew the card LC-4471?", []),
    ],
    ids=["objects nobody named", "a question only", "an object of the blueprint"],
)
def test_a_further_request_is_unlisted_when_its_objects_are_new(
    user: str, turns: list[int]
) -> None:
    report = "agent: Your loan has been renewed. Anything else?"
    assert charged("pursues_unlisted_goal", RENEW, *ASKED, report, f"user: {user}") == turns
