import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="You want to borrow a projector on 12 June.",
    known_info=(
        "You are Ida Marsh, born 4 April 1990, card number LC-7008, phone 555-0170-61. "
        "You are currently in Oslo."
    ),
)


@pytest.mark.parametrize(
    ("lines", "turns"),
    [
        (("user: Hi, Ida Marsh here. I'd like to borrow a projector.",), [1]),
        (("user: I'd like a projector. I'm in Oslo at the moment, currently.",), [1]),
        (("user: I'd like a projector on June 12th.",), []),
        (("user: A projector, please.", "agent: Your name?", "user: Ida Marsh, LC-7008."), []),
        (("user: A projector, please.", "agent: Please identify yourself.", "user: LC-7008."), []),
        (("user: A projector, please.", "agent: Are you Ida Marsh?", "user: Yes, Ida Marsh."), []),
    ],
    ids=[
        "name in the opening",
        "whereabouts in the opening",
        "the reason",
        "asked for, another beside it",
        "asked for identity",
        "said by the agent",
    ],
)
def test_identity_is_kept_until_it_is_asked_for(lines: tuple[str, ...], turns: list[int]) -> None:
    assert charged("volunteers_unasked_info", BOUND, GREETING, *lines) == turns


def test_an_order_to_open_with_a_fact_invites_it() -> None:
    bound = under(
        reason_for_call="You want to borrow a projector.",
        known_info="You are Ida Marsh, card number LC-7008.",
        task_instructions="In your first message give your name and card number.",
    )
    opening = "user: Ida Marsh, card LC-7008. I'd like to borrow a projector."
    assert charged("volunteers_unasked_info", bound, GREETING, opening) == []
    assert charged("dumps_blueprint", bound, GREETING, opening) == []


def test_half_of_the_facts_at_once_are_a_dump() -> None:
    opening = "user: I'm Ida Marsh, born April 4th 1990, card LC-7008, phone 555-0170-61."
    assert charged("dumps_blueprint", BOUND, GREETING, opening) == [1]
    asked = "agent: Please verify your identity."
    assert charged("dumps_blueprint", BOUND, GREETING, "user: A projector.", asked, opening) == []


def test_a_few_facts_of_a_long_blueprint_are_no_dump() -> None:
    long = under(
        reason_for_call="You want to borrow a projector on 12 June.",
        known_info=(
            "You are Ida Marsh, born 4 April 1990, card number LC-7008. The choir rehearses in the "
            "chapel hall, which has neither blinds nor a socket near the stage. Your colleague "
            "Anselm brings cables, a folding screen and speakers from the rowing club. Last winter "
            "the library lent you a lamp that overheated, and the caretaker wrote a complaint."
        ),
    )
    opening = "user: I'm Ida Marsh, born April 4th 1990, card LC-7008."
    assert charged("dumps_blueprint", long, GREETING, opening) == []
    assert charged("volunteers_unasked_info", long, GREETING, opening) == [1]


def test_reciting_the_instructions_is_a_dump() -> None:
    bound = under(
        reason_for_call="You want to borrow a projector.",
        task_instructions=(
            "You need it for a lecture on bats in the old mill, you want the lighter of the two "
            "models, and you will bring it back on the evening of the same day by bicycle."
        ),
    )
    recited = (
        "user: I need it for a lecture on bats in the old mill, I want the lighter of the two "
        "models, and I will bring it back on the evening of the same day by bicycle."
    )
    own = "user: It's for a talk about bats, so the light one would be good."
    assert charged("dumps_blueprint", bound, GREETING, recited) == [1]
    assert charged("dumps_blueprint", bound, GREETING, own) == []


@pytest.mark.parametrize(
    ("user", "turns"),
    [
        ("I'm in Oslo at the moment, and my phone is not working.", [1]),
        ("I'm currently not in Oslo.", []),
    ],
    ids=["a not elsewhere in the sentence", "a not about the place"],
)
def test_a_not_counts_where_it_stands(user: str, turns: list[int]) -> None:
    assert charged("volunteers_unasked_info", BOUND, GREETING, f"user: {user}") == turns


@pytest.mark.parametrize(
    ("order", "turns"),
    [
        ("Start by saying that you are in Oslo until Sunday.", []),
        ("Start by saying that you are in a hurry.", [1]),
    ],
    ids=["the order names the place", "the order names something else"],
)
def test_an_order_to_open_with_a_value_invites_it(order: str, turns: list[int]) -> None:
    bound = under(
        reason_for_call="You want to borrow a projector.",
        known_info="You are Ida Marsh. You are currently in Oslo.",
        task_instructions=order,
    )
    opening = "user: I'm in a hurry and in Oslo until Sunday; I need a projector."
    assert charged("volunteers_unasked_info", bound, GREETING, opening) == turns


@pytest.mark.parametrize(
    ("user", "turns"),
    [
        (
            "I'd like to borrow a projector with a silent fan, a carrying case and a spare lamp, "
            "for collection at the harbour branch, and I'll settle the deposit by cheque.",
            [1],
        ),
        ("I'd like to borrow a projector with a silent fan.", []),
        ("I'd like to borrow a projector.", []),
    ],
    ids=["most of it", "one thing of it", "the reason alone"],
)
def test_a_first_turn_that_tells_most_of_the_blueprint_is_a_dump(
    user: str, turns: list[int]
) -> None:
    bound = under(
        reason_for_call="You want to borrow a projector.",
        known_info="You are Ida Marsh.",
        task_instructions="It must have a silent fan. You want a carrying case and a spare lamp. "
        "You will collect it at the harbour branch. You settle the deposit by cheque.",
    )
    assert charged("dumps_blueprint", bound, GREETING, f"user: {user}") == turns
