from tests.rules.talks import GREETING, charged, noted, under

BOUND = under(reason_for_call="You want to send a bicycle cheaply.")
KNOWN = under(reason_for_call="You want to send a bicycle.", known_info="You are Ida Marsh.")
OFFERS = "Here is what there is:\n1. Economy: €38\n2. Standard: €52\n3. Express: €79"


def test_a_user_has_no_offers_to_make() -> None:
    lines = ("user: What do you offer?", "agent: One moment, please.", f"user: {OFFERS}")
    assert charged("fabricated_tool_result", BOUND, GREETING, *lines) == [3]


def test_offers_of_the_agent_may_be_repeated() -> None:
    lines = ("user: What do you offer?", f"agent: {OFFERS}", f"user: So: {OFFERS}")
    assert charged("fabricated_tool_result", BOUND, GREETING, *lines) == []


def test_one_that_plays_the_agent_states_nothing_of_itself() -> None:
    start = (GREETING, "user: I want to send a bicycle.", "agent: Please wait.")
    address = "write to claims@wheelmail.test."
    as_agent = f"user: Thank you for confirming your user ID. You may {address}"
    assert charged("unsupported_personal_fact", KNOWN, *start, as_agent) == []
    assert noted(KNOWN, *start, as_agent) == [("role_confusion", 3)]
    as_itself = f"user: Please {address}"
    assert charged("unsupported_personal_fact", KNOWN, *start, as_itself) == [3]
