import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(
    reason_for_call="Your oven worked fine until Sunday, and you want it mended.",
    known_info="You are Lotte Brand.",
    unknown_info="You do not know its age.",
)
WISH = (GREETING, "user: My oven needs mending.")


@pytest.mark.parametrize(
    ("asked", "said", "turns"),
    [
        ("Was a neighbour there?", "Yes, a young man from upstairs saw it.", [3]),
        ("Was a neighbour there?", "I don't know whether anyone was there.", []),
        ("Did it ever run properly?", "Yes, right up to Sunday it ran without a hitch.", []),
        ("In which cupboard is it fixed?", "It sits in a brick niche downstairs.", [3]),
        ("Which dentist do you see?", "I see Dr. Halvorsen.", [3]),
        ("Is it a gas oven with a fan?", "No, it's no gas oven, and has no fan.", [3]),
        ("Do you have your order number?", "I have no order number.", []),
        ("What can I do for you today?", "My stove has given up the ghost.", []),
        ("Is it in the kitchen?", "Please send someone with proper tools quickly.", []),
    ],
    ids=[
        "a witness from nowhere",
        "does not know",
        "a paraphrase",
        "a place from nowhere",
        "a name from nowhere",
        "the agent's words for what no line decides",
        "nothing to show",
        "an invitation to speak",
        "an order, not an answer",
    ],
)
def test_answers_in_unheard_words_come_from_nowhere(
    asked: str, said: str, turns: list[int]
) -> None:
    lines = (f"agent: {asked}", f"user: {said}")
    assert charged("unsupported_personal_fact", BOUND, *WISH, *lines) == turns


def test_under_a_blueprint_in_another_language_new_words_say_nothing() -> None:
    bound = under(reason_for_call="Quieres que reparen tu horno porque ya no calienta bien.")
    lines = ("agent: Was a neighbour there?", "user: Yes, a young man from upstairs saw it.")
    assert charged("unsupported_personal_fact", bound, *WISH, *lines) == []
