import pytest

from tests.rules.talks import GREETING, charged, under
from userproxybench.models import Contract


def asking(task: str, reason: str = "You want to renew a loan.") -> Contract:
    return under(reason_for_call=reason, task_instructions=task)


DONE = (GREETING, "user: I'd like to renew a loan.", "agent: Renewed. Anything else?")


@pytest.mark.parametrize(
    ("task", "user", "turns"),
    [
        ("You must tell the agent that the lamp at the desk is broken.", "No. ###STOP###", [3]),
        (
            "You must tell the agent that the lamp at the desk is broken.",
            "The lamp is. ###STOP###",
            [],
        ),
        ("Once that is done, ask for a receipt by post.", "No, that's all. ###STOP###", [3]),
        ("If there is a fee, ask for a receipt by post.", "No, that's all. ###STOP###", []),
        ("Do not ask for a receipt by post.", "No, that's all. ###STOP###", []),
        ("Ask for a receipt only if you are asked about one.", "No, that's all. ###STOP###", []),
    ],
    ids=["never said", "said", "never asked", "condition not met", "forbidden", "held back"],
)
def test_a_required_statement_is_owed_by_the_end(task: str, user: str, turns: list[int]) -> None:
    found = charged("omits_required_request", asking(task), *DONE, f"user: {user}")
    assert found == turns


@pytest.mark.parametrize(
    ("said", "turns"),
    [
        ("I'd like to renew loan B-4471.", [3]),
        ("I'd like to renew loans B-4471 and B-5520.", []),
        ("I'd like to renew my loans.", []),
    ],
    ids=["one of two", "both", "none by name"],
)
def test_the_second_of_two_identifiers_is_missed(said: str, turns: list[int]) -> None:
    bound = asking("Be brief.", "You want to renew the loans B-4471 and B-5520.")
    lines = (GREETING, f"user: {said}", "agent: Done. Anything else?", "user: No. ###STOP###")
    assert charged("omits_required_request", bound, *lines) == turns
