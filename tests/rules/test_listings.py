from tests.rules.talks import GREETING, charged, under

BOUND = under(reason_for_call="You want to send a bicycle cheaply.")
OFFERS = "Here is what there is:\n1. Economy: €38\n2. Standard: €52\n3. Express: €79"


def test_a_user_has_no_offers_to_make() -> None:
    lines = ("user: What do you offer?", "agent: One moment, please.", f"user: {OFFERS}")
    assert charged("fabricated_tool_result", BOUND, GREETING, *lines) == [3]


def test_offers_of_the_agent_may_be_repeated() -> None:
    lines = ("user: What do you offer?", f"agent: {OFFERS}", f"user: So: {OFFERS}")
    assert charged("fabricated_tool_result", BOUND, GREETING, *lines) == []
