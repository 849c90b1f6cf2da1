import pytest

from tests.accord_example import SCENARIO
from userproxybench.accord.format import Preference
from userproxybench.accord.questions import alternatives, asked

KNOWN = SCENARIO.preferences


@pytest.mark.parametrize(
    ("text", "about"),
    [
        pytest.param("Which color would you like?", ["color"], id="open question"),
        pytest.param("And the color?", ["color"], id="fragment"),
        pytest.param("Tell me the color you want.", ["color"], id="request"),
        pytest.param("How large should it be, and what color?", ["color", "size"], id="two"),
        pytest.param("Do you need a whistle?", ["whistle"], id="the value itself"),
        pytest.param("It has a whistle. Does that matter to you?", ["whistle"], id="points back"),
        pytest.param("Copper or steel?", ["color"], id="alternatives"),
        pytest.param("Copper is sold out. Which other color would do?", ["color"], id="another"),
        pytest.param("Would you consider something else?", [], id="something else"),
    ],
)
def test_a_question_for_a_value_is_one(text: str, about: list[str]) -> None:
    found = asked(text, KNOWN)
    assert found.for_value
    assert sorted(p.id for p in found.preferences) == about


@pytest.mark.parametrize(
    "text",
    [
        "Shall I order the copper one?",
        "Would you like to buy it?",
        "How about steel?",
        "Would steel be an option?",
        "Does that suit you?",
        "This kettle has a whistle. Do you like it?",
        "Here is a copper kettle.",
        "Interested?",
    ],
)
def test_a_proposal_asks_for_no_value(text: str) -> None:
    assert not asked(text, KNOWN).for_value


def test_how_many_asks_about_what_is_counted() -> None:
    known = (
        Preference(id="p", attribute="party", value="two adults"),
        Preference(id="b", attribute="luggage", value="two checked bags"),
    )
    assert [p.id for p in asked("How many bags will you check?", known).preferences] == ["b"]


def test_alternatives_are_listed() -> None:
    assert alternatives("Do you want warm light or cool light?") == ["warm light", "cool light"]
    assert alternatives("Should I order it or not?") == []
