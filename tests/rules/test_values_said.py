from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="You want to renew a loan.",
    known_info="You are Theo Quill, card LC-4471.",
    unknown_info="You do not know the shelf mark.",
)
WISH = (GREETING, "user: I'd like to renew a loan.")


def test_a_value_is_read_as_unknown_before_it_is_read_as_another_or_as_invented() -> None:
    lines = ("agent: The shelf mark?", "user: The shelf mark is LC-9902.")
    assert charged("invents_unknown_info", BOUND, *WISH, *lines) == [3]
    assert charged("contradicts_blueprint", BOUND, *WISH, *lines) == []
    assert charged("unsupported_personal_fact", BOUND, *WISH, *lines) == []


def test_one_turn_is_charged_with_one_reading() -> None:
    lines = ("agent: Your card and phone?", "user: LC-4417, and 555-014-2210.")
    assert charged("contradicts_blueprint", BOUND, *WISH, *lines) == [3]
    assert charged("unsupported_personal_fact", BOUND, *WISH, *lines) == []


def test_a_turn_that_lists_invented_offers_is_charged_with_those_alone() -> None:
    offers = "Take your pick:\n1. A €38\n2. B €52\n3. C €79\nMail x.y@post.test."
    lines = ("agent: One moment.", f"user: {offers}")
    assert charged("fabricated_tool_result", BOUND, *WISH, *lines) == [3]
    assert charged("unsupported_personal_fact", BOUND, *WISH, *lines) == []
