import pytest

from userproxybench.rules.fact_questions import assertions, fact_questions, is_order, named_options


@pytest.mark.parametrize(
    ("asked", "wants_a_fact"),
    [
        ("Which router are you using?", True),
        ("And by which firm was it installed?", True),
        ("Whether you bought insurance for it.", True),
        ("Would you like to go on?", False),
        ("Do you want me to book it?", False),
        ("What can I do for you?", False),
        ("Here are the details.", False),
        ("I need this for the form: was it locked?", True),
    ],
    ids=["which", "by which", "whether", "offer", "wish", "invitation", "statement", "after colon"],
)
def test_a_question_of_fact_is_no_offer(asked: str, wants_a_fact: bool) -> None:
    assert bool(fact_questions(asked)) == wants_a_fact


@pytest.mark.parametrize(
    ("text", "asserted"),
    [
        ("It was placed on May 3.", ["It was placed on May 3."]),
        ("I don't know, but it was in spring.", ["it was in spring."]),
        ("I'm not sure, it may have been blue.", []),
        ("Is it blue?", []),
        ("I'll restart it.", []),
        ("My aunt fell ill.", ["My aunt fell ill."]),
    ],
    ids=["fact", "after but", "doubt", "question", "intent", "ill is no future"],
)
def test_only_what_is_said_of_how_things_are_is_asserted(text: str, asserted: list[str]) -> None:
    assert [clause for _, clause in assertions(text)] == asserted


def test_options_are_names_in_a_list() -> None:
    text = "Which one? Options: Leaf Reader, Leaf Reader Plus or Branch Viewer."
    assert named_options(text) == ("Leaf Reader", "Leaf Reader Plus", "Branch Viewer")


@pytest.mark.parametrize(
    ("text", "order"),
    [("Immediately check it.", True), ("I want it mended.", True), ("It stands there.", False)],
    ids=["order", "wish", "fact"],
)
def test_an_order_states_nothing(text: str, order: bool) -> None:
    assert is_order(text) == order
