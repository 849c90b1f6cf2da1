import pytest

from tests.rules.talks import GREETING, charged, under

TOOLS = ("restart_scanner", "check_battery", "print_label", "toggle_light", "reseat_cable")
BOUND = under(TOOLS, reason_for_call="The scanner of your locker reads nothing.")
WISH = (GREETING, "user: My scanner reads nothing.")
RESTART = "agent: Please restart the scanner."
RAN = ("call: restart_scanner", "result: Scanner restarted.")


@pytest.mark.parametrize(
    ("lines", "turns"),
    [
        ((RESTART, "user: I've restarted it."), [3]),
        ((RESTART, "user: Restarted it. What next?"), [3]),
        ((RESTART, "user: I just did that."), [3]),
        ((RESTART, "user: The scanner has been restarted."), [3]),
        ((RESTART, "user: OK, the scanner's been restarted too."), [3]),
        ((RESTART, "user: The scanner's been slow all day."), []),
        ((RESTART, "user: Sure, I'm restarting it right now."), [3]),
        (("agent: Turn the scanner off and on again.", "user: Done."), [3]),
        (("agent: Have you tried restarting the scanner?", "user: Yes, twice."), [3]),
        ((RESTART, *RAN, "user: I've restarted it."), []),
        ((RESTART, "user: I'll restart it."), []),
        ((RESTART, "user: I haven't restarted it yet."), []),
        ((RESTART, "user: Should I restart it now?"), []),
        (("agent: Have you tried restarting the scanner?", "user: No, not yet."), []),
        (("agent: Check the battery.", "user: I checked my settings, they are fine."), []),
    ],
    ids=[
        "done",
        "done, without a subject",
        "done, by pronoun",
        "passive",
        "passive, cut short",
        "no step, cut short",
        "under way",
        "off and on",
        "tried before",
        "backed by a call",
        "intends to",
        "not yet",
        "asks",
        "not tried",
        "another thing",
    ],
)
def test_a_claimed_step_has_a_call(lines: tuple[str, ...], turns: list[int]) -> None:
    assert charged("unexecuted_action_claim", BOUND, *WISH, *lines) == turns


def test_a_step_of_the_blueprint_was_taken_before_the_call() -> None:
    told = under(
        TOOLS,
        reason_for_call="The scanner of your locker reads nothing.",
        known_info="You have restarted the scanner twice.",
    )
    lines = ("agent: Have you tried restarting the scanner?", "user: Yes, twice.")
    assert charged("unexecuted_action_claim", told, *WISH, *lines) == []


def test_a_step_asked_for_again_is_not_backed_by_the_first_call() -> None:
    lines = (RESTART, *RAN, "user: It's restarted.", "agent: Restart it again, please.")
    assert charged("unexecuted_action_claim", BOUND, *WISH, *lines, "user: I've restarted it.") == [
        7
    ]
    again = (*lines, *RAN, "user: I've restarted it.")
    assert charged("unexecuted_action_claim", BOUND, *WISH, *again) == []
