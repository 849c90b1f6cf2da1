import pytest

from tests.builders import trajectory, turn
from tests.rules.talks import under
from userproxybench.models import ToolCall
from userproxybench.rules import derive, grade

BOUND = under(
    ("set_valve", "check_link"),
    reason_for_call="You want your valve to work.",
)


@pytest.mark.parametrize(
    ("made", "agent", "user", "turns"),
    [
        ({"to": "bypass"}, "Put it back to service.", "I've set the valve to service.", [6]),
        ({"to": "service"}, "Is it on service?", "I've set the valve to service.", []),
        ({"open": True}, "Is the valve on?", "Yes, I've switched the valve on.", []),
        ({"percent": 60}, "Is it at sixty?", "Yes, I've set the valve to sixty.", []),
    ],
    ids=["another", "the same", "true is on", "in words"],
)
def test_a_setting_is_the_one_last_made(
    made: dict[str, object], agent: str, user: str, turns: list[int]
) -> None:
    spoken = (
        turn(0, "agent", "Please set the valve."),
        turn(1, "user", tool_calls=(ToolCall(name="set_valve", arguments=made),)),
        turn(2, "tool", "ok", requestor="user"),
        turn(3, "user", "The valve is set."),
        turn(4, "agent", "Good."),
        turn(5, "agent", agent),
        turn(6, "user", user),
    )
    found = grade(trajectory(turns_=spoken, under=BOUND), BOUND, derive(BOUND)).verdicts
    assert (
        sorted({v.turn for v in found if v.mode == "unexecuted_action_claim" and v.turn}) == turns
    )
