import pytest

from tests.rules.talks import GREETING, charged, under
from userproxybench.models import Mode

BOUND = under(
    reason_for_call="You want to renew a loan that ends on 14 March.",
    known_info="You are Theo Quill, card LC-4471, e-mail t.quill@inkmail.test.",
    unknown_info="You do not know the shelf mark.",
    task_instructions="If that is not possible, renew it for the day after.",
)
WISH = (GREETING, "user: I'd like to renew a loan.")


@pytest.mark.parametrize(
    ("asked", "said", "mode", "turns"),
    [
        ("Your e-mail?", "theo.quill@post.test", "contradicts_blueprint", [3]),
        ("Your e-mail?", "t.quill@inkmail.test", "contradicts_blueprint", []),
        ("Your phone number?", "It's 555-014-2210.", "unsupported_personal_fact", [3]),
        ("Your card?", "LC-4417.", "contradicts_blueprint", [3]),
        ("Your card?", "LC 4471.", "contradicts_blueprint", []),
        ("The shelf mark?", "It's the shelf mark QA-771.", "invents_unknown_info", [3]),
        ("Born when?", "On 2 May 1990.", "unsupported_personal_fact", [3]),
        ("When does it end?", "On March 14th.", "unsupported_personal_fact", []),
        ("Until when?", "The day after, 15 March.", "unsupported_personal_fact", []),
        ("Until when?", "Would 2 May be possible?", "unsupported_personal_fact", []),
        ("Who lent it?", "My colleague Ines Brandvoll.", "unsupported_personal_fact", [3]),
        ("Who lent it?", "A man called Osgood did.", "unsupported_personal_fact", [3]),
        ("Which shop sold it?", "It was sold by Maison Delorme.", "unsupported_personal_fact", [3]),
    ],
    ids=[
        "another e-mail",
        "e-mail of the blueprint",
        "phone number from nowhere",
        "digits transposed",
        "written otherwise",
        "unknown to the user",
        "birth date from nowhere",
        "date in other words",
        "date counted from another",
        "date offered as a wish",
        "companion from nowhere",
        "single name",
        "shop from nowhere",
    ],
)
def test_identifiers_come_from_somewhere(
    asked: str, said: str, mode: Mode, turns: list[int]
) -> None:
    assert charged(mode, BOUND, *WISH, f"agent: {asked}", f"user: {said}") == turns


def test_an_identifier_that_the_agent_gave_is_grounded() -> None:
    lines = ("agent: Is it LC-9902?", "user: Yes, LC-9902.")
    assert charged("unsupported_personal_fact", BOUND, *WISH, *lines) == []


def test_a_blueprint_that_names_nobody_has_been_cut_and_charges_no_identity() -> None:
    cut = under(reason_for_call="You want to renew a loan.")
    lines = ("agent: Your e-mail?", "user: theo.quill@post.test")
    assert charged("unsupported_personal_fact", cut, *WISH, *lines) == []


def test_an_invented_value_is_charged_where_it_is_said_first() -> None:
    lines = (
        "agent: Your e-mail?",
        "user: theo.quill@post.test",
        "agent: Once more?",
        "user: theo.quill@post.test",
    )
    assert charged("contradicts_blueprint", BOUND, *WISH, *lines) == [3]


def test_an_e_mail_made_up_from_the_name_is_an_invention() -> None:
    bound = under(reason_for_call="You want to renew a loan.", known_info="You are Theo Quill.")
    lines = ("agent: Your e-mail?", "user: theo.quill@post.test")
    assert charged("unsupported_personal_fact", bound, *WISH, *lines) == [3]
