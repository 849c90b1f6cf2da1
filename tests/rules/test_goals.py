import pytest

from tests.rules.talks import GREETING, charged, under
from userproxybench.models import Contract

RENEW = under(
    reason_for_call="You want to renew the loan of a book.",
    known_info="You are Tilda Roe, card LC-4471.",
    task_instructions="You are done when the renewal is confirmed.",
)
ASKED = (GREETING, "user: I'd like to renew a loan.")


@pytest.mark.parametrize(
    ("agent", "user", "early"),
    [
        ("I can renew it until May 9th. Shall I go ahead?", "Yes, go ahead. Bye! ###STOP###", True),
        ("I'd renew it until May 9th. Do I have your go-ahead?", "Sure, bye! ###STOP###", True),
        (
            "Until the 9th or the 16th. Which date do you prefer?",
            "The 16th, please. ###STOP###",
            True,
        ),
        ("Please confirm the renewal until May 9th.", "###STOP###", True),
        ("I'm renewing it now, one moment please.", "Thanks! ###STOP###", True),
        ("¿Lo prorrogo? ¿Procedo?", "Sí, adelante. ###STOP###", True),
        ("What is your card number?", "###STOP###", True),
        ("It has been renewed until May 9th. Anything else?", "No, thanks. ###STOP###", False),
        ("Done. Would you like a receipt by e-mail?", "Yes, please. Bye! ###STOP###", False),
        ("I can renew it for a fee. Shall I go ahead?", "No, thank you. ###STOP###", False),
        ("You can renew it online. Would you like me to explain?", "###OUT-OF-SCOPE###", False),
    ],
    ids=[
        "yes and stop in one turn",
        "yes to a go-ahead",
        "picks a date and stops",
        "silent stop at a request to confirm",
        "stops while the agent is at work",
        "yes and stop in Spanish",
        "silent stop at a question",
        "stops after the report",
        "takes a side offer after the report",
        "declines and stops",
        "another token",
    ],
)
def test_an_early_stop_is_told_from_an_end(agent: str, user: str, early: bool) -> None:
    found = charged("premature_stop", RENEW, *ASKED, f"agent: {agent}", f"user: {user}")
    assert found == ([3] if early else [])


def test_a_stop_as_the_first_word_is_early() -> None:
    assert charged("premature_stop", RENEW, GREETING, "user: ###STOP###") == [1]


def test_an_exit_that_the_blueprint_names_may_be_taken() -> None:
    bound = under(
        reason_for_call="You want to renew the loan of a book.",
        task_instructions="If there is a fee, decline and end the conversation.",
    )
    fee = "agent: There is a fee of 3 dollars. Shall I proceed?"
    assert (
        charged("premature_stop", bound, *ASKED, fee, "user: No, I'd rather not. ###STOP###") == []
    )


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
