import pytest

from userproxybench.rules.orders import (
    Instruction,
    condition_of,
    first_offers,
    forbidden_things,
    is_insistence,
    limits,
    must_say,
    orders_early,
    rules_disclosure,
    successes,
)
from userproxybench.rules.text import Placed


def order(text: str) -> Instruction:
    return Instruction(
        "task_instructions", Placed(text, 0, len(text), is_question=text.endswith("?"))
    )


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("If it is out, take the old one.", ("it is out", "take the old one")),
        ("Take the old one if it is out.", ("it is out", "Take the old one")),
        (
            "You want the new one, and if it is out, the old one.",
            ("it is out", "the old one"),
        ),
        ("Ask when it comes back.", ("", "Ask when it comes back.")),
        ("The price should go down.", ("", "The price should go down.")),
        ("A book is lost if no card is filed.", ("", "A book is lost if no card is filed.")),
    ],
    ids=["before", "behind", "in the middle", "an indirect question", "a plain should", "defined"],
)
def test_conditions_are_cut_from_what_follows(sentence: str, parts: tuple[str, str]) -> None:
    assert condition_of(sentence) == parts


@pytest.mark.parametrize(
    ("sentence", "limit"),
    [
        ("You pay up to 40 euros.", 40),
        ("You will not pay more than thirty-five dollars.", 35),
        ("Accept a fee of 8 euros or less.", 8),
        ("If it costs more than $60, turn it down.", 60),
        ("Your limit for the change is 75 dollars.", 75),
        ("If more than $100 is wasted, use the card instead.", None),
        ("You would prefer to spend up to 40 euros.", None),
        ("You are up to 40 years old.", None),
    ],
)
def test_ceilings_are_read_where_something_is_paid(sentence: str, limit: float | None) -> None:
    assert [value for _, value in limits([order(sentence)])] == ([] if limit is None else [limit])


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Once it is done, ask for a receipt.", "ask for a receipt"),
        ("You must tell the agent that the bell is not working.", "must tell the agent that"),
        ("If there is a fee, ask for a receipt.", ""),
        ("Do not ask for a receipt.", ""),
        ("Ask for a receipt only if the agent offers one.", ""),
        ("After the agent's third message, ask for a receipt.", ""),
        ("As soon as the agent offers a voucher, ask for a receipt.", ""),
    ],
)
def test_what_must_be_said_stands_under_no_condition_but_time(sentence: str, said: str) -> None:
    assert must_say(order(sentence)).startswith(said)
    assert bool(must_say(order(sentence))) == bool(said)


@pytest.mark.parametrize(
    ("sentence", "condition"),
    [
        ("You are done when the room is booked.", "the room is booked"),
        ("You will consider it solved only if the light is on.", "the light is on"),
        ("You want a room.", None),
    ],
)
def test_conditions_for_success_are_read(sentence: str, condition: str | None) -> None:
    assert [when for _, when in successes([order(sentence)])] == ([condition] if condition else [])


@pytest.mark.parametrize(
    ("sentence", "early"),
    [
        ("Start by saying that you are in a hurry.", True),
        ("In your first message give your name.", True),
        ("Tell the agent only if asked.", False),
        ("You are in a hurry.", False),
    ],
)
def test_orders_to_speak_first_are_read(sentence: str, early: bool) -> None:
    assert orders_early(sentence) is early


@pytest.mark.parametrize(
    ("text", "ruled"),
    [
        ("Disclose information progressively.", True),
        ("Let details come out gradually.", True),
        ("Wait until the agent asks.", True),
        ("Be polite.", False),
    ],
)
def test_a_rule_of_disclosure_is_found_in_its_many_wordings(text: str, ruled: bool) -> None:
    assert rules_disclosure([text]) is ruled


def test_insistence_is_read() -> None:
    assert is_insistence("Do not take no for an answer.")
    assert not is_insistence("Accept what the agent says.")


@pytest.mark.parametrize(
    ("sentence", "things"),
    [
        ("Do not accept a voucher or store credit.", [("voucher", False), ("store credit", False)]),
        ("Decline any upgrade to business class.", [("upgrade", False)]),
        ("A temporary lock will not do.", [("temporary lock", True)]),
        ("You do not want to wait.", []),
        ("Do not accept the first offer.", []),
    ],
    ids=["two things", "up to the preposition", "not enough", "a verb", "an offer"],
)
def test_things_ruled_out_are_read(sentence: str, things: list[tuple[str, bool]]) -> None:
    assert list(forbidden_things(sentence)) == things


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("Refuse the first two offers.", 2),
        ("Don't accept the first offer, be insistent.", 1),
        ("Accept the first offer.", 0),
    ],
)
def test_offers_to_refuse_are_counted(sentence: str, count: int) -> None:
    assert first_offers(sentence) == count
