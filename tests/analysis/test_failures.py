"""Failures, and how they go with success, by hand."""

import pytest

from tests.study import Design, Truth, panel, study
from userproxybench.analysis.failures import failures
from userproxybench.analysis.panel import Panel

EPISODES = "proxy,domain,task_id,reward\na,x,1,1\na,x,2,1\nb,x,1,0\nb,x,2,\n"
VERDICTS = """episode_id,criterion_id,family,mode,verdict
a/x/1/-,c1,premature_disclosure,volunteers_unasked_info,fail
a/x/1/-,c2,premature_disclosure,dumps_blueprint,fail
a/x/2/-,c1,goal_deviation,premature_stop,pass
b/x/1/-,c1,premature_disclosure,volunteers_unasked_info,pass
b/x/2/-,c1,goal_deviation,premature_stop,fail
"""


def test_counts_by_hand() -> None:
    counts = {(one.family, one.proxy): one for one in failures(panel(EPISODES, VERDICTS)).counts}
    a = counts["premature_disclosure", "a"]
    assert (a.episodes, a.applicable, a.scored, a.criteria, a.share) == (1, 1, 2, 2, 0.5)
    assert counts["groundedness", "a"].applicable == 0


def test_criteria_are_counted_once_per_task() -> None:
    rows = {one.mode: one for one in failures(panel(EPISODES, VERDICTS)).criteria}
    one = rows["volunteers_unasked_info"]  # task 1, under both proxies
    assert (one.criteria, one.tasks, one.passed, one.failed) == (1, 1, 1, 1)
    assert sum(row.criteria for row in rows.values()) == 3


def test_reward_against_fidelity_by_hand() -> None:
    table = failures(panel(EPISODES, VERDICTS)).reward[0]
    # a/1 success and unfaithful, a/2 success and faithful, b/1 failure and faithful, b/2 no reward
    assert (table.pass_pass, table.pass_fail, table.fail_pass, table.fail_fail) == (1, 1, 1, 0)
    assert (table.n, table.share_of_successes) == (3, 0.5)
    assert table.share_of_all == pytest.approx(1 / 3)


def test_effect_of_a_family_by_hand() -> None:
    # ten episodes of one cell: 5 failed the family (1 success), 5 passed it (4 successes)
    rows = [(at, "fail" if at < 5 else "pass", at in (0, 5, 6, 7, 8)) for at in range(10)]
    episodes = "proxy,domain,task_id,reward\n" + "".join(f"a,x,{t},{int(r)}\n" for t, _, r in rows)
    verdicts = "episode_id,criterion_id,family,verdict\n" + "".join(
        f"a/x/{t}/-,c,goal_deviation,{v}\n" for t, v, _ in rows
    )
    found = failures(panel(episodes, verdicts))
    (cell,) = [one for one in found.cells if one.others == "not failed"]
    assert cell.difference.estimate == pytest.approx(0.2 - 0.8)
    effect = next(one for one in found.effects if one.family == "goal_deviation")
    assert effect.cells.mean == pytest.approx(-0.6)
    assert (effect.cells.n, effect.cells.negative) == (1, 1)


def test_small_cells_give_no_effect() -> None:
    found = failures(panel(EPISODES, VERDICTS))
    assert found.cells == ()
    assert {one.cells.mean for one in found.effects} == {None}


def test_counts_agree_with_the_tables_of_a_study() -> None:
    tables = study(Design({"a": Truth(0.5, 0.1), "b": Truth(0.8, 0.1)}))
    found = failures(Panel.of(tables))
    failed = tables.episodes["premature_disclosure"].eq("failed").sum()
    mine = [one.episodes for one in found.counts if one.family == "premature_disclosure"]
    assert sum(mine) == failed


def test_a_table_without_verdicts_has_no_criteria() -> None:
    found = failures(panel("proxy,domain,task_id,fidelity\na,x,1,1\n"))
    assert found.criteria == ()
    assert found.reward[0].n == 0
