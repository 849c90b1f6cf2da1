"""The pick, its sureness, and the refusals."""

import math

import pytest

from tests.study import Design, Truth, own, study
from userproxybench.analysis import Choice, Options, Question, analyse, decide, epoch_cost
from userproxybench.analysis.costs import Override
from userproxybench.analysis.panel import Panel
from userproxybench.errors import InputError
from userproxybench.tables import Tables

FOUR = {"shop": 100, "phones": 100}
THREE = {"dear": Truth(0.95, 0.1), "fair": Truth(0.85, 0.02), "cheap": Truth(0.6, 0.01)}


def choice(tables: Tables, required: float, confidence: float | None = None) -> Choice:
    return decide(Panel.of(tables), Question(required, confidence))


@pytest.mark.parametrize(
    ("required", "pick"),
    [
        pytest.param(0.5, "cheap", id="the cheapest will do"),
        pytest.param(0.75, "fair", id="the next"),
        pytest.param(0.9, "dear", id="only the dearest"),
        pytest.param(0.999, None, id="nothing"),
    ],
)
def test_the_cheapest_that_qualifies_is_picked(required: float, pick: str | None) -> None:
    assert choice(study(Design(THREE, tasks=FOUR)), required).pick == pick


def test_a_confidence_asks_it_of_the_lower_bound() -> None:
    tables = study(Design(THREE, tasks=FOUR))
    plain = choice(tables, 0.85)
    fair = next(one for one in plain.candidates if one.proxy == "fair")
    assert (plain.pick, fair.ufs is not None and fair.ufs >= 0.85) == ("fair", True)
    assert fair.lower is not None
    assert fair.lower < 0.85
    assert choice(tables, 0.85, 0.9).pick == "dear"


def test_nothing_names_the_closest_and_its_gap() -> None:
    tables = study(Design(THREE, tasks=FOUR))
    got = choice(tables, 0.999)
    dear = next(one for one in got.candidates if one.proxy == "dear")
    assert got.closest == "dear"
    assert dear.ufs is not None
    assert got.gap == pytest.approx(0.999 - dear.ufs)


def test_shares_and_none_make_one() -> None:
    got = choice(study(Design(THREE, tasks=FOUR)), 0.85)
    shares = [one.picked_share or 0.0 for one in got.candidates]
    assert got.none_share is not None
    assert sum(shares) + got.none_share == pytest.approx(1.0)


def test_a_close_call_needs_more_tasks_than_a_clear_one() -> None:
    tables = study(Design(THREE, tasks=FOUR))
    clear, close = choice(tables, 0.75), choice(tables, 0.87)
    assert clear.tasks_until_stable == clear.tasks == 200
    assert close.tasks_until_stable is None or close.tasks_until_stable > 200


def test_an_unknown_cost_cannot_be_picked_and_is_named() -> None:
    tables = study(Design({"a": Truth(0.9, None), "b": Truth(0.9, 0.1)}, tasks=FOUR))
    got = choice(tables, 0.5)
    assert got.pick == "b"
    assert any("cost unknown, cannot be picked: a" in note for note in got.notes)


def test_no_known_cost_is_refused_with_every_ufs() -> None:
    tables = study(Design({"a": Truth(0.9, None), "b": Truth(0.9, None)}))
    with pytest.raises(InputError, match=r"no proxy has a known cost \(a UFS 0\.\d+; b UFS"):
        choice(tables, 0.5)


def test_one_task_says_nothing_about_sureness() -> None:
    tables = study(Design({"a": Truth(0.9, 0.1)}, tasks={"x": 1}, trials=20))
    got = choice(tables, 0.1)
    assert (got.pick, got.stable_share, got.candidates[0].lower) == ("a", None, None)
    assert choice(tables, 0.1, 0.9).pick is None


def test_a_few_perfect_episodes_are_not_called_sure() -> None:
    rows = "".join(f"a,x,{at},1,.1\n" for at in range(8))
    got = choice(own("proxy,domain,task_id,fidelity,cost_usd\n" + rows), 0.84)
    lower = got.candidates[0].lower
    assert (got.pick, got.stable_share) == ("a", None)
    assert lower is not None
    assert lower < 0.84
    assert choice(own("proxy,domain,task_id,fidelity,cost_usd\n" + rows), 0.84, 0.9).pick is None


def test_only_tasks_that_all_were_run_on_count() -> None:
    rows = "a,x,1,1,.1\na,x,2,1,.1\nb,x,1,1,.2\nb,x,2,1,.2\na,x,3,0,.1\n"
    got = choice(own("proxy,domain,task_id,fidelity,cost_usd\n" + rows), 0.5)
    assert (got.tasks, got.episodes_left_out) == (2, 1)
    assert [one.ufs for one in got.candidates] == [1.0, 1.0]


def test_different_agents_are_refused() -> None:
    rows = "a,x,1,1,.1,g\nb,x,1,1,.2,h\n"
    with pytest.raises(InputError, match="cannot be compared"):
        choice(own("proxy,domain,task_id,fidelity,cost_usd,agent\n" + rows), 0.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "no episode to choose from", id="empty"),
        pytest.param("a,x,1,,unscorable,.1\n", "no episode has a score", id="all unscorable"),
    ],
)
def test_nothing_to_choose_from_is_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        choice(own("proxy,domain,task_id,fidelity,status,cost_usd\n" + text), 0.5)


def test_mixed_bases_are_said_to_be() -> None:
    tables = study(Design({"a": Truth(0.9, 0.1), "b": Truth(0.8, None)}, tasks=FOUR))
    question = Question(0.5, basis="mixed")
    got = decide(Panel.of(tables), question, overrides={"b": Override(0.01)})
    assert got.pick == "b"
    assert any("mixed bases" in note and "b override" in note for note in got.notes)


def test_epoch_cost_by_hand() -> None:
    assert epoch_cost(0.0175, prompts=1000, rollouts=64) == pytest.approx(1120)


def test_the_curve_holds_shares_that_make_one() -> None:
    done = analyse(study(Design(THREE, tasks=FOUR)), Options(resamples=200))
    assert done.curve is not None
    total = done.curve.shares.sum(axis=1) + done.curve.none
    assert all(math.isclose(value, 1.0) for value in total.tolist())
