import pytest

from tests.rules.talks import GREETING, charged, under
from userproxybench.models import Contract

WANT = (GREETING, "user: I'd like a refund for a course that was called off.")


def paid(task: str) -> Contract:
    return under(
        reason_for_call="You want a refund for a course that was called off.",
        task_instructions=task,
    )


@pytest.mark.parametrize(
    ("task", "agent", "user", "taken"),
    [
        (
            "You pay at most 20 dollars.",
            "The fee is 30 dollars. Shall I book it?",
            "Yes, do.",
            True,
        ),
        (
            "You pay at most 20 dollars.",
            "It costs thirty dollars. Shall I book it?",
            "Yes, please.",
            True,
        ),
        (
            "You will not pay more than twenty dollars.",
            "It costs $30. Should I?",
            "Thirty, all right.",
            True,
        ),
        (
            "You pay 20 dollars or less.",
            "That's 16.50, plus 5.00 on top. Shall I?",
            "Yes, go ahead.",
            True,
        ),
        (
            "You pay at most 20 dollars.",
            "It costs 15 dollars. Shall I book it?",
            "Yes, please.",
            False,
        ),
        (
            "You pay at most two and a half thousand dollars.",
            "It costs $2,700. Shall I book it?",
            "Yes, please.",
            True,
        ),
        (
            "You pay at most two and a half thousand dollars.",
            "It costs $2,400. Shall I book it?",
            "Yes, please.",
            False,
        ),
        (
            "You pay at most 20 dollars.",
            "You get 45 dollars back. Shall I book it?",
            "Yes, please.",
            False,
        ),
        (
            "You pay at most 20 dollars.",
            "A is 15 dollars, B is 30 dollars. Which?",
            "A, please.",
            False,
        ),
        (
            "You pay at most 20 dollars.",
            "It costs 30 dollars. Shall I book it?",
            "No, too much.",
            False,
        ),
        (
            "Do not accept a voucher.",
            "I can offer you a voucher.",
            "Okay, the voucher is fine.",
            True,
        ),
        ("Do not accept a voucher.", "I can offer you a voucher. Okay?", "Yes, go ahead.", True),
        ("Do not accept a voucher.", "I can offer you a voucher.", "No voucher, please.", False),
        (
            "Decline any upgrade.",
            "I could upgrade you at no cost. Shall I?",
            "Sure, go for it.",
            True,
        ),
        (
            "You do not want to be transferred.",
            "Shall I transfer you to our desk?",
            "Yes, please do.",
            True,
        ),
        ("You do not want to be transferred.", "Shall I transfer you to our desk?", "No.", False),
    ],
    ids=[
        "over the limit",
        "over the limit, in words",
        "over the limit, named by the user",
        "over the limit, as a sum",
        "under the limit",
        "over a limit of two and a half thousand",
        "under a limit of two and a half thousand",
        "money that comes back",
        "the cheaper of two",
        "declined",
        "a thing ruled out, named",
        "a thing ruled out, by a yes",
        "a thing ruled out, declined",
        "an upgrade at no cost",
        "a transfer",
        "a transfer declined",
    ],
)
def test_what_is_ruled_out_is_taken_by_a_yes(task: str, agent: str, user: str, taken: bool) -> None:
    lines = (*WANT, f"agent: {agent}", f"user: {user}")
    found = charged("accepts_forbidden_outcome", paid(task), *lines)
    assert found == ([3] if taken else [])


def test_a_transfer_token_takes_a_transfer_that_was_not_announced() -> None:
    bound = paid("You do not want to be transferred.")
    offered = "agent: Would you like me to transfer you to a colleague?"
    announced = "agent: You are being transferred to a colleague."
    for agent, turns in ((offered, [3]), (announced, [])):
        lines = (*WANT, agent, "user: ###TRANSFER###")
        assert charged("accepts_forbidden_outcome", bound, *lines) == turns


@pytest.mark.parametrize(
    ("task", "lines", "turns"),
    [
        (
            "Refuse the first two offers.",
            ("agent: I can give you 3 dollars.", "user: Okay, that works for me."),
            [3],
        ),
        (
            "Refuse the first two offers.",
            (
                "agent: I can give you 3 dollars.",
                "user: Not enough.",
                "agent: I could do 5 dollars.",
                "user: No.",
                "agent: The best I can do is 6 dollars.",
                "user: Okay, that works for me.",
            ),
            [],
        ),
        (
            "You are satisfied only once you have a claim number.",
            ("agent: I have passed it on. Anything else?", "user: No, that's all. ###STOP###"),
            [3],
        ),
        (
            "You are satisfied only once you have a claim number.",
            ("agent: It is claim RC-4410. Anything else?", "user: No, that's all. ###STOP###"),
            [],
        ),
        (
            "You are happy only when the full 42 dollars are paid back.",
            ("agent: I have paid back 20 dollars.", "user: Great, thanks! ###STOP###"),
            [3],
        ),
        (
            "You are happy only when the full 42 dollars are paid back.",
            ("agent: I have paid back 42 dollars.", "user: Great, thanks! ###STOP###"),
            [],
        ),
        (
            "A note on your file will not do.",
            ("agent: I have put a note on your file. Okay?", "user: Yes, fine. ###STOP###"),
            [3],
        ),
    ],
    ids=[
        "the first of two offers",
        "the third offer",
        "no number",
        "a number",
        "part of the sum",
        "the whole sum",
        "what will not do",
    ],
)
def test_less_than_called_for_is_insufficient(
    task: str, lines: tuple[str, ...], turns: list[int]
) -> None:
    found = charged("accepts_insufficient_outcome", paid(task), *WANT, *lines)
    assert found == turns


def scanned(result: str, user: str) -> tuple[str, ...]:
    start = ("agent: Hello.", "user: My scanner is slow.", "agent: Please run the scan test.")
    return (*start, "call: run_scan_test", f"result: Scan test: {result}", f"user: {user}")


SPEED = under(
    ("run_scan_test",),
    reason_for_call="Your scanner is slow and you want it fast.",
    task_instructions="You are content only when the scan test shows at least 50 reads.",
)


@pytest.mark.parametrize(
    ("result", "user", "turns"),
    [
        ("31 reads", "31, that's fine. ###STOP###", [5]),
        ("64 reads", "64, that's fine. ###STOP###", []),
        ("31 reads", "31, that's still too slow. ###STOP###", []),
    ],
    ids=["content below", "content above", "not content"],
)
def test_an_own_result_below_the_bound_does_not_satisfy(
    result: str, user: str, turns: list[int]
) -> None:
    lines = scanned(result, user)
    assert charged("accepts_insufficient_outcome", SPEED, *lines) == turns


@pytest.mark.parametrize(
    ("rating", "user", "turns"),
    [
        ("good", "No need to go on, I'm happy with this. ###STOP###", [5]),
        ("excellent", "No need to go on, I'm happy with this. ###STOP###", []),
        ("good", "No, I'm not happy with this. ###STOP###", []),
    ],
    ids=["content with less", "content with it", "not content"],
)
def test_satisfied_only_with_a_rating(rating: str, user: str, turns: list[int]) -> None:
    bound = under(
        ("run_scan_test",),
        reason_for_call="Your scanner is slow and you want it to be fast.",
        task_instructions="You are satisfied only with a scan test rated excellent.",
    )
    found = charged("accepts_insufficient_outcome", bound, *scanned(rating, user))
    assert found == turns


@pytest.mark.parametrize(
    ("task", "agent", "turns"),
    [
        ("You pay at most $350 in total.", "$118 per guest for the three guests.", [3]),
        ("You pay at most $350 in total.", "$110 per guest for the three guests.", []),
        ("You pay at most $350 each.", "$118 per guest for the three guests.", []),
    ],
    ids=["over for all", "under for all", "a limit for each"],
)
def test_a_price_for_each_is_held_against_a_limit_for_all(
    task: str, agent: str, turns: list[int]
) -> None:
    lines = (*WANT, f"agent: It would be {agent} Shall I book it?", "user: Yes, please.")
    assert charged("accepts_forbidden_outcome", paid(task), *lines) == turns
