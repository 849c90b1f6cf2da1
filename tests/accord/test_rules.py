from collections import Counter

import pytest

from tests.accord_example import RULES, SCENARIO, cases, exchange, graders, label_of
from userproxybench.accord.format import Scenario
from userproxybench.accord.rules import TESTS, TestName, precondition

DECIDED: tuple[TestName, ...] = ("test001", "test003", "test004", "test005")
OUTCOMES = [(test, outcome) for test in DECIDED for outcome in ("yes", "no", "n/a")]


def answers() -> list[tuple[str, str, str]]:
    """(test, label, answer) over the whole example."""
    found: list[tuple[str, str, str]] = []
    for case in cases():
        assert case.scenario is not None
        grader = graders()[case.trajectory.source.file]
        for test in DECIDED:
            answer = grader.answer(test, case.scenario, case.exchange)
            found.append((test, label_of(case).of(test), answer.outcome))
    return found


@pytest.fixture(scope="module")
def found() -> Counter[tuple[str, str, str]]:
    return Counter(answers())


@pytest.mark.parametrize(("test", "label"), OUTCOMES)
def test_rules_agree_with_the_labels_of_every_outcome(
    test: TestName, label: str, found: Counter[tuple[str, str, str]]
) -> None:
    counts = Counter(
        {answer: n for (t, given, answer), n in found.items() if (t, given) == (test, label)}
    )
    decided = counts.total() - counts["ungraded"]
    assert counts.total() >= 20
    assert decided >= 0.8 * counts.total()
    assert counts[label] >= 0.95 * decided


def test_no_clean_turn_is_answered_no(found: Counter[tuple[str, str, str]]) -> None:
    false = {key: n for key, n in found.items() if key[1] != "no" and key[2] == "no"}
    assert false == {}


@pytest.mark.parametrize("test", ["test000", "test002"])
def test_what_takes_a_reader_is_ungraded(test: TestName) -> None:
    turn = exchange("user: A kettle", "agent: Here is a steel one.", "user: Fine.")
    answer = RULES.answer(test, SCENARIO, turn)
    assert answer.outcome == "ungraded"
    assert answer.reason.startswith("no_rule")


@pytest.mark.parametrize(
    ("test", "scenario"),
    [
        pytest.param("test001", Scenario(id="s", domain="shop"), id="no preferences"),
        pytest.param("test003", Scenario(id="s", domain="shop"), id="no backoff"),
        pytest.param("test004", Scenario(id="s", domain="shop"), id="no backoff to disclose"),
        pytest.param("test005", Scenario(id="s", domain="shop"), id="nothing triggered"),
    ],
)
def test_a_scenario_can_rule_a_test_out(test: TestName, scenario: Scenario) -> None:
    answer = precondition(test, scenario)
    assert answer is not None
    assert answer.outcome == "n/a"


def test_a_full_scenario_rules_nothing_out() -> None:
    assert [precondition(test, SCENARIO) for test in TESTS] == [None] * 6


LONG = (
    "I went through the whole catalogue. The Hearth kettle (1.7 liters, enamel, $39.90) is our "
    "best seller; reviewers like that it boils in four minutes and pours well. The Moor kettle "
    "holds 2 liters and costs $55. "
)


@pytest.mark.parametrize(
    ("test", "lines", "outcome"),
    [
        pytest.param(
            "test001",
            (
                "user: Hi",
                f"agent: {LONG}What color are you after?",
                "user: Copper if you can.",
            ),
            "yes",
            id="a value after a long message",
        ),
        pytest.param(
            "test001",
            ("user: Hi", f"agent: {LONG}What color are you after?", "user: I'd go for blue."),
            "no",
            id="a wrong value after a long message",
        ),
        pytest.param(
            "test001",
            ("user: Hi", f"agent: {LONG}Shall I order it?", "user: Does it come with a warranty?"),
            "n/a",
            id="a proposal is no request",
        ),
        pytest.param(
            "test001",
            ("user: Hi", "agent: Which color?", "user: Hmm, what do you have in stock just now?"),
            "n/a",
            id="the request is not taken up",
        ),
        pytest.param(
            "test001",
            ("user: Hi", "agent: How large, in liters?", "user: 3 liters."),
            "no",
            id="another number",
        ),
        pytest.param(
            "test001",
            ("user: Hi", "agent: Which color?", "user: Like the pans of my grandmother."),
            "ungraded",
            id="a value that cannot be compared",
        ),
        pytest.param(
            "test003",
            ("user: Copper", f"agent: {LONG}Both come in steel or red.", "user: Copper, please!"),
            "n/a",
            id="not called unavailable",
        ),
        pytest.param(
            "test003",
            (
                "user: Copper",
                f"agent: {LONG}Copper is no longer made.",
                "user: Then steel.",
                "agent: Done. Anything else?",
                "user: No, thank you.",
            ),
            "yes",
            id="still accepted a turn later",
        ),
        pytest.param(
            "test003",
            ("user: Copper", "agent: Copper is sold out.", "user: How is the weather?"),
            "ungraded",
            id="neither insists nor accepts",
        ),
        pytest.param(
            "test004",
            ("user: Hi", f"agent: {LONG}Which color?", "user: Copper; steel if you must."),
            "no",
            id="both at once",
        ),
        pytest.param(
            "test004",
            ("user: Copper", "agent: Steel is in stock.", "user: No, not steel."),
            "n/a",
            id="a backoff turned down is not revealed",
        ),
        pytest.param(
            "test005",
            ("user: Hi", f"agent: {LONG}It also has a whistle.", "user: A whistle is what I want."),
            "yes",
            id="revealed",
        ),
        pytest.param(
            "test005",
            ("user: Hi", f"agent: {LONG}It also has a whistle.", "user: And the warranty?"),
            "no",
            id="withheld",
        ),
        pytest.param(
            "test005",
            ("user: Hi", "agent: It has a whistle.", "user: Is the whistle loud?"),
            "ungraded",
            id="only asks about it",
        ),
        pytest.param(
            "test005",
            (
                "user: Hi",
                "agent: Do you want a whistle?",
                "user: Yes, a whistle.",
                "agent: The Moor has a whistle.",
                "user: Buy it.",
            ),
            "n/a",
            id="already revealed",
        ),
        pytest.param(
            "test005",
            ("user: Hi", "agent: It comes without a whistle.", "user: Fine."),
            "n/a",
            id="denied, so not surfaced",
        ),
    ],
)
def test_single_exchanges(test: TestName, lines: tuple[str, ...], outcome: str) -> None:
    assert RULES.answer(test, SCENARIO, exchange(*lines)).outcome == outcome
