import pytest

from tests.rules.talks import GREETING, charged, under

KNOWN = under(
    reason_for_call="You want to change the pick-up branch of a book.",
    known_info="You are Theo Quill, user id theo_quill_88, e-mail t.quill@inkmail.test.",
    unknown_info="You do not know the order number.",
)
WISH = (GREETING, "user: I'd like to change the pick-up branch of a book.")


@pytest.mark.parametrize(
    ("lines", "turns"),
    [
        (("agent: What is your user ID?", "user: I don't remember my user ID."), [3]),
        (("agent: What is your user ID?", "user: I'm not sure I have one of those."), [3]),
        (("agent: Your e-mail?", "user: I couldn't tell you my e-mail, sorry."), [3]),
        (("agent: Your e-mail?", "user: No idea, honestly."), [3]),
        (("agent: What is the order number?", "user: I don't know the order number."), []),
        (
            (
                "agent: What is your user ID?",
                "user: I don't have my user ID at hand.",
                "agent: Please look for it.",
                "user: Here it is: theo_quill_88.",
            ),
            [],
        ),
        (
            (
                "agent: I need your user ID and the order number.",
                "user: I don't have the order number.",
                "agent: Then please give me your user ID.",
                "user: Is there no other way?",
            ),
            [3],
        ),
        (
            (
                "agent: I need your user ID or the order number.",
                "user: I don't have the order number.",
                "agent: Your user ID or e-mail will do.",
                "user: t.quill@inkmail.test",
            ),
            [],
        ),
        (("agent: Is theo_quill_88 your user ID?", "user: I don't know my user ID."), []),
    ],
    ids=[
        "denied by name",
        "denied by pronoun",
        "cannot tell",
        "curt",
        "unknown to the user",
        "late but given",
        "asked for twice and passed over",
        "an alternative was given",
        "named by the agent",
    ],
)
def test_a_known_fact_is_owed_when_asked_for(lines: tuple[str, ...], turns: list[int]) -> None:
    assert charged("withholds_requested_info", KNOWN, *WISH, *lines) == turns


def test_an_id_inside_an_e_mail_is_not_given() -> None:
    lines = (
        "agent: What is your user ID?",
        "user: I don't remember my user ID, but my e-mail is theo_quill_88@inkmail.test.",
    )
    assert charged("withholds_requested_info", KNOWN, *WISH, *lines) == [3]


STEPS = under(
    ("reset_keypad", "read_display"),
    reason_for_call="Your locker does not open.",
    task_instructions="Do what the agent asks for.",
)


@pytest.mark.parametrize(
    ("lines", "turns"),
    [
        (("user: I'd rather not touch the keypad.",), [3]),
        (("user: I can't do it now.", "agent: Later then.", "call: reset_keypad"), []),
        (("call: reset_keypad", "result: done", "user: It's reset."), []),
    ],
    ids=["refused", "done later", "done"],
)
def test_a_step_that_an_own_tool_offers_is_owed(lines: tuple[str, ...], turns: list[int]) -> None:
    start = ("agent: Hello.", "user: My locker does not open.", "agent: Please reset the keypad.")
    assert charged("skips_requested_action", STEPS, *start, *lines) == turns


LISTED = "agent: To find you, please give me:\n\n- Your e-mail address\n- Your user ID"
EITHER = "agent: To find you, please give me one of these:\n\n- Your e-mail address\n- Your user ID"


@pytest.mark.parametrize(
    ("agent", "user", "turns"),
    [
        (LISTED, "It's t.quill@inkmail.test, but my user ID isn't something I know.", [3]),
        (LISTED, "It's t.quill@inkmail.test, and the user ID is theo_quill_88.", []),
        ("agent: What are your e-mail and user ID?", "I don't know the e-mail.", [3]),
        (
            "agent: What are the order number and your user ID?",
            "I don't know the order number, but my user ID is theo_quill_89.",
            [],
        ),
    ],
    ids=[
        "an item of a list, denied",
        "the items of a list, given",
        "denied",
        "another thing denied before a `but`",
    ],
)
def test_a_denial_is_of_what_it_names(agent: str, user: str, turns: list[int]) -> None:
    assert charged("withholds_requested_info", KNOWN, *WISH, agent, f"user: {user}") == turns


def test_one_of_a_list_will_do() -> None:
    lines = (*WISH, EITHER, "user: t.quill@inkmail.test", EITHER, "user: As I said, that one.")
    assert charged("withholds_requested_info", KNOWN, *lines) == []


@pytest.mark.parametrize(
    ("task", "turns"),
    [
        ("Never give the whole card number.", []),
        ("You answer all questions.", [3]),
    ],
    ids=["ordered to keep it", "free to give it"],
)
def test_what_is_to_be_kept_is_no_denial(task: str, turns: list[int]) -> None:
    bound = under(
        reason_for_call="You want your card replaced.",
        known_info="The card number is 4417 2200 9136 5581.",
        task_instructions=task,
    )
    lines = ("agent: Please give me the card number.", "user: I can't tell you the card number.")
    start = (GREETING, "user: I want my card replaced.")
    assert charged("withholds_requested_info", bound, *start, *lines) == turns
