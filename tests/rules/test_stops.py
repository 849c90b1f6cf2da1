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


DONE = (
    "agent: It has been renewed until May 9th.",
    "user: Good.",
    "agent: Which of our talks may I tell you about?",
)
BARRED = under(
    reason_for_call="You want to hear whether a loan can be renewed.",
    task_instructions="Do not go through with the renewal.",
)
ASKS = under(reason_for_call="You want to know when the reading room opens.")
PLEASE = "agent: Please confirm the renewal until May 9th."


@pytest.mark.parametrize(
    ("bound", "lines", "turns"),
    [
        (RENEW, (PLEASE, "user: ###STOP###"), [3]),
        (RENEW, (*DONE, "user: ###STOP###"), []),
        (BARRED, (PLEASE, "user: ###STOP###"), []),
        (ASKS, ("agent: Shall I reserve you a desk?", "user: ###STOP###"), []),
    ],
    ids=[
        "before the change",
        "after the change",
        "where the blueprint bars it",
        "sent for an answer only",
    ],
)
def test_a_silent_stop_is_early_while_a_change_that_was_wanted_is_open(
    bound: Contract, lines: tuple[str, ...], turns: list[int]
) -> None:
    assert charged("premature_stop", bound, *ASKED, *lines) == turns


@pytest.mark.parametrize(
    ("agent", "user", "early"),
    [
        ("It is renewed. May I e-mail you a receipt?", "Yes, please e-mail it. ###STOP###", False),
        ("I will now renew it. Once entered, it shows at home.", "Thanks, bye! ###STOP###", True),
        ("I can renew it.", "Please proceed with that. ###STOP###", True),
        ("I can renew it.", "Let me know once that is done. ###STOP###", True),
        (
            'On it. {"name": "renew", "arguments": {"card": "LC-4471"}}',
            "Thanks for doing that. ###STOP###",
            True,
        ),
        ("Could you tell me the title? ", "That's all for now, thanks. ###STOP###", True),
        ("The desk opens at nine.", "That's all for now, thanks. ###STOP###", False),
    ],
    ids=[
        "a courtesy",
        "at work, with a word after it",
        "asks for the step",
        "asks to be told",
        "a call left as text",
        "parts when details are asked for",
        "parts when told",
    ],
)
def test_what_a_reply_cuts_off_makes_its_stop_early(agent: str, user: str, early: bool) -> None:
    found = charged("premature_stop", RENEW, *ASKED, f"agent: {agent}", f"user: {user}")
    assert found == ([3] if early else [])
