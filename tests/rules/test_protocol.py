import pytest

from tests.rules.talks import GREETING, noted, under

BOUND = under(
    ("read_display",),
    reason_for_call="You want to know when the library closes.",
    task_instructions="You are done when you know it.",
)
ASKED = (GREETING, "user: When do you close today?")
TOLD = "agent: At seven. Anything else?"


@pytest.mark.parametrize(
    ("lines", "notes"),
    [
        ((TOLD, "user: No, thank you! ###STOP###"), []),
        (
            (TOLD, "user: No, thank you!", "agent: You're welcome.", "user: Thanks, bye!"),
            [("late_stop", 5)],
        ),
        ((TOLD, "user: Thanks.", "agent: Goodbye.", "user: Please wait, one more thing."), []),
        (
            ("agent: Shall I transfer you to a colleague?", "user: Yes. ###TRANSFER###"),
            [("control_token_misuse", 3)],
        ),
        (("agent: You are being transferred to a colleague.", "user: ###TRANSFER###"), []),
        (
            (TOLD, "user: ###STOP### And could you tell me where the bus stop is, please?"),
            [("control_token_misuse", 3)],
        ),
        (
            ("agent: One moment.", "user: Thank you for contacting us. How can I help you today?"),
            [("role_confusion", 3)],
        ),
        ((TOLD, "user: As a language model I cannot visit you."), [("character_break", 3)]),
        ((TOLD, "user: <think>I should wait</think> Fine."), [("reasoning_leak", 3)]),
        ((TOLD, "user:  "), [("empty_turn", 3)]),
        (
            (TOLD, "user: Gracias, pero no quiero nada más, es la hora que está bien para mi."),
            [("language_switch", 3)],
        ),
    ],
    ids=[
        "an end in time",
        "a second farewell",
        "a farewell taken back",
        "a transfer only offered",
        "a transfer announced",
        "a token in running talk",
        "speaks as the agent",
        "speaks as a model",
        "thinks aloud",
        "says nothing",
        "changes the language",
    ],
)
def test_faults_of_form_are_noted(lines: tuple[str, ...], notes: list[tuple[str, int]]) -> None:
    assert noted(BOUND, *ASKED, *lines) == notes


def test_the_same_message_for_the_third_time_is_a_loop() -> None:
    same = "user: When exactly do you close today?"
    lines = (GREETING, same, "agent: Pardon?", same, "agent: Pardon?", f"{same} ")
    assert noted(BOUND, *lines) == [("restart_loop", 5)]


def test_the_same_call_for_the_third_time_is_a_loop() -> None:
    call = ("call: read_display", "result: on")
    assert noted(BOUND, GREETING, *call, *call, *call) == [("restart_loop", 5)]
