"""The summary says what the tables say, with None where they say nothing."""

import numpy as np
import pytest

from tests.study import Design, Truth, own, panel, study
from userproxybench.analysis.panel import means
from userproxybench.analysis.summary import Summary, summarise
from userproxybench.tables import Tables


def summary(tables: Tables) -> Summary:
    return summarise(tables, version="0", grader="rules", rubric_source="derived")


BY_HAND = """proxy,domain,task_id,fidelity,status,reward,cost_usd,user_turns
a,x,1,1,scored,1,0.1,3
a,x,2,0,scored,0,0.3,3
a,y,1,1,scored,1,0.2,3
a,y,2,,ungraded,0,0.2,3
a,y,3,,unscorable,,,0
b,x,1,1,scored,1,0,3
b,x,2,1,scored,1,0,3
"""


def test_by_hand() -> None:
    a, b = summary(own(BY_HAND)).proxies
    assert a.ufs_by_domain == {"x": 0.5, "y": 1.0}
    assert a.ufs == pytest.approx(0.75)
    assert a.ufs_pooled == pytest.approx(2 / 3)
    assert (a.ufs_bound_low, a.ufs_bound_high) == (0.5, 0.75)  # y: 1/2 or 2/2
    assert a.reward == pytest.approx(0.5)
    assert (a.episodes, a.scored, a.unscorable, a.ungraded) == (5, 3, 1, 1)
    assert a.cost_usd == pytest.approx(0.2)
    assert (a.cost_basis, a.cost_coverage) == ("recorded", 1.0)
    assert b.ufs_by_domain == {"x": 1.0}


def test_zero_costs_are_unknown_and_said_to_be() -> None:
    made = summary(own(BY_HAND))
    b = made.proxies[1]
    assert (b.cost_usd, b.cost_basis, b.cost_coverage) == (None, "unknown", 0.0)
    assert any("b: 2 recorded cost(s) of exactly 0" in note for note in made.notes)


def test_a_domain_of_one_task_has_no_interval_and_an_all_alike_one_keeps_its_width() -> None:
    made = summary(own(BY_HAND))
    one_task, alike = made.proxies
    assert (one_task.ufs_ci_low, one_task.ufs_ci_high) == (None, None)
    assert any("no interval (a domain with a single task)" in note for note in made.notes)
    # Price-Bonett, 2 of 2 tasks: p = (2 + 2)/(2 + 4) = 2/3, 2/3 - 1.96 sqrt(2/9/6) = .289
    assert alike.ufs_ci_low == pytest.approx(0.2895, abs=5e-4)
    assert alike.ufs_ci_high == 1.0


def test_counts_and_families_follow_the_tables() -> None:
    tables = study(Design({"a": Truth(0.5, 0.1), "b": Truth(0.9, None)}))
    made = summary(tables)
    assert made.counts.episodes == made.counts.scored == 100
    assert made.counts.tasks == 50
    assert made.counts.verdicts == 600
    failed = tables.episodes["premature_disclosure"].eq("failed") & tables.episodes["proxy"].eq("a")
    assert made.proxies[0].families["premature_disclosure"].episodes == int(failed.sum())
    total = sum(proxy.families[name].criteria for proxy in made.proxies for name in proxy.families)
    assert total == made.counts.verdicts_failed


def test_a_mixed_basis_is_no_cost() -> None:
    text = (
        "proxy,domain,task_id,fidelity,cost_usd,cost_basis\na,x,1,1,.1,recorded\na,x,2,1,.1,list\n"
    )
    assert summary(own(text)).proxies[0].cost_usd is None


def test_little_coverage_is_shown_and_gives_no_mean() -> None:
    text = "proxy,domain,task_id,fidelity,cost_usd\na,x,1,1,.1\na,x,2,1,\n"
    a = summary(own(text)).proxies[0]
    assert (a.cost_usd, a.cost_coverage) == (None, 0.5)


def test_the_same_tables_give_the_same_summary() -> None:
    tables = study(Design({"a": Truth(0.6, 0.1)}))
    assert summary(tables) == summary(tables)
    a = summary(tables).proxies[0]
    assert a.ufs is not None
    assert a.ufs_ci_low is not None
    assert a.ufs_ci_high is not None
    assert a.ufs_ci_low < a.ufs < a.ufs_ci_high


def test_an_empty_run_has_a_summary() -> None:
    made = summary(own("proxy,domain,task_id,fidelity\n"))
    assert made.proxies == ()
    assert made.counts.episodes == 0


def test_a_summary_survives_writing_and_reading() -> None:
    made = summary(own(BY_HAND))
    assert Summary.model_validate_json(made.model_dump_json()) == made


def _interval(made: Summary, proxy: str) -> tuple[float | None, float | None]:
    (one,) = [each for each in made.proxies if each.proxy == proxy]
    return one.ufs_ci_low, one.ufs_ci_high


def test_an_interval_does_not_depend_on_company() -> None:
    rows = [f"a,m,{task},{int(task % 3 > 0)}" for task in range(24)]
    others = [f"a2,k,{task},{task % 2}" for task in range(9)]  # a domain that comes before
    beside = [f"b,m,{task},{task % 2}" for task in range(24)]  # the same tasks
    head = "proxy,domain,task_id,fidelity"
    alone = _interval(summary(own("\n".join([head, *rows]))), "a")
    assert alone[0] is not None
    for company in (others, beside, [*others, *beside]):
        together = _interval(summary(own("\n".join([head, *company, *rows]))), "a")
        assert together == pytest.approx(alone, abs=1e-12)


def test_another_seed_or_another_domain_name_draws_otherwise() -> None:
    text = "proxy,domain,task_id,fidelity\n" + "\n".join(
        f"a,{domain},{task},{int(task % 3 > 0)}" for domain in "mn" for task in range(24)
    )
    made = [
        means(panel(text), [panel(text).fidelity], rng=np.random.default_rng(seed), resamples=50)[0]
        for seed in (0, 0, 1)
    ]
    assert (made[0].drawn == made[1].drawn).all()
    assert (made[0].drawn != made[2].drawn).any()
    assert (made[0].drawn[:, 0] != made[0].drawn[:, 1]).any()
