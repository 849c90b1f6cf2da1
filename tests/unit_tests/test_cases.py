import pytest

from tests.accord_example import cases, labels
from tests.builders import contract, trajectory, turn
from userproxybench.accord.rules import TESTS
from userproxybench.unit_tests.cases import WITHOUT_PREFERENCES, cases_of_trajectory, wording_for


def test_every_labelled_turn_is_a_turn_under_test_and_no_other() -> None:
    keys = {(c.trajectory.task_id, c.trajectory.proxy, c.trajectory.trial, c.turn) for c in cases()}
    assert keys == set(labels())


def test_an_opening_answers_nothing_and_is_counted() -> None:
    found = cases_of_trajectory(trajectory("user: Hi", "agent: Hello", "user: Bye"), contract())
    assert [case.turn for case in found.tested] == [2]
    assert found.openings == 1


def test_only_spoken_turns_of_the_simulator_are_tested() -> None:
    turns = (
        turn(0, "agent", "Hello"),
        turn(1, "user", "Scripted", scripted=True),
        turn(2, "user", "", calls=("look",)),
        turn(3, "tool", "ok", requestor="user"),
        turn(4, "user", "###STOP###"),
        turn(5, "user", "Done. ###STOP###"),
    )
    found = cases_of_trajectory(trajectory(turns_=turns), contract())
    assert [case.turn for case in found.tested] == [5]


def test_what_only_the_agent_saw_is_not_part_of_the_exchange() -> None:
    turns = (
        turn(0, "agent", "", calls=("search",)),
        turn(1, "tool", "secret", requestor="agent"),
        turn(2, "agent", "Hello"),
        turn(3, "user", "Hi"),
    )
    (case,) = cases_of_trajectory(trajectory(turns_=turns), contract()).tested
    assert [each.text for each in case.exchange.before] == ["Hello"]


def test_other_benchmarks_get_the_tests_that_need_no_preferences() -> None:
    (case, _) = cases_of_trajectory(
        trajectory("agent: Hi", "user: A", "user: B"), contract()
    ).tested
    assert case.tests == WITHOUT_PREFERENCES
    assert cases()[0].tests == TESTS


@pytest.mark.parametrize(
    ("domain", "wording"),
    [("airline", "travel"), ("retail", "shop"), ("telecom", "shop"), ("Hotel_booking", "travel")],
)
def test_the_wording_follows_the_domain(domain: str, wording: str) -> None:
    assert wording_for(domain) == wording
