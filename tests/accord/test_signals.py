import pytest

from tests.accord_example import SCENARIO
from userproxybench.accord.signals import insists, says_unavailable, surfaces, wants_it

COLOR, _, WHISTLE = SCENARIO.preferences


@pytest.mark.parametrize(
    "text",
    [
        "Copper is sold out.",
        "I could not find a copper kettle.",
        "We don't carry anything in copper.",
        "There is no copper one left.",
        "Unfortunately, every copper kettle has been taken.",
        "We have run out of copper kettles.",
        "I looked for copper. Nothing came up.",
        "That color is unavailable.",
    ],
)
def test_an_unavailable_value_is_noticed(text: str) -> None:
    assert says_unavailable(text, COLOR, before="I'd like it in copper.")


@pytest.mark.parametrize(
    "text",
    [
        "Copper is a fine choice.",
        "Is there no copper in your kitchen?",
        "Steel is sold out.",
        "This copper kettle costs $40. It holds 2 liters.",
        "How about steel?",
    ],
)
def test_an_available_value_is_not_called_unavailable(text: str) -> None:
    assert not says_unavailable(text, COLOR)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        pytest.param("It has to be copper.", True, id="has to be"),
        pytest.param("I still want copper, please look again.", True, id="still"),
        pytest.param("Isn't there any copper one?", True, id="disbelief"),
        pytest.param("No. Keep looking.", True, id="keeps looking"),
        pytest.param("Steel is boring. I insist on copper.", True, id="runs the backoff down"),
        pytest.param("No, not steel.", True, id="turns the backoff down"),
        pytest.param("Steel is fine.", False, id="takes it"),
        pytest.param("Steel instead of copper, then.", False, id="takes it instead"),
        pytest.param("What other colors are there?", False, id="asks on"),
        pytest.param("Was it copper that you looked for?", None, id="cannot be told"),
    ],
)
def test_insisting_is_told_from_giving_way(text: str, verdict: bool | None) -> None:
    assert insists(text, COLOR) is verdict


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param("It has a whistle.", True, id="described"),
        pytest.param("Do you want a whistle?", True, id="asked"),
        pytest.param("It comes without a whistle.", False, id="denied"),
        pytest.param("It is loud.", False, id="not named"),
    ],
)
def test_a_value_is_surfaced_only_when_there_is_one(text: str, named: bool) -> None:
    assert surfaces(text, WHISTLE) is named


@pytest.mark.parametrize(
    ("text", "wants"),
    [("I'd love that.", True), ("We want one, yes.", True), ("I like it.", False), ("Ok.", False)],
)
def test_wanting_it_without_naming_it(text: str, wants: bool) -> None:
    assert wants_it(text) is wants
