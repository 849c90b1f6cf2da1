"""Proxy against proxy, and ranges of means."""

import numpy as np
import pytest

from tests.study import Design, Truth, panel, study
from userproxybench.analysis.pairs import pairs, spreads
from userproxybench.analysis.panel import Panel


def test_pairs_by_hand() -> None:
    rows = "".join(f"a,x,{at},1\nb,x,{at},{int(at >= 6)}\n" for at in range(10))
    (one,) = pairs(
        panel("proxy,domain,task_id,fidelity\n" + rows), rng=np.random.default_rng(0), resamples=200
    )
    assert (one.a, one.b, one.test.tasks, one.test.a_only) == ("a", "b", 10, 6)
    assert one.test.difference == pytest.approx(0.6)
    assert one.test.p_value == one.p_holm == pytest.approx(2 / 64)
    assert one.tasks_needed == 11  # ((1.96 √.6 + .84 √(.6 - .36)) / .6)² = 10.35, rounded up


def test_several_trials_switch_the_test_and_give_no_sample_size() -> None:
    tables = study(Design({"a": Truth(0.7, 0.1), "b": Truth(0.6, 0.1)}, trials=3))
    (one,) = pairs(Panel.of(tables), rng=np.random.default_rng(0), resamples=200)
    assert one.test.method == "sign-flip permutation"
    assert one.tasks_needed is None


def test_holm_counts_every_pair() -> None:
    tables = study(Design({name: Truth(0.7, 0.1) for name in "abc"}))
    made = pairs(Panel.of(tables), rng=np.random.default_rng(0), resamples=100)
    assert [(one.a, one.b) for one in made] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(one.p_holm is not None and one.test.p_value is not None for one in made)
    assert all((one.p_holm or 0) >= (one.test.p_value or 0) for one in made)


def test_reward_spread_by_hand() -> None:
    rows = "a,x,1,1,1\na,y,1,1,0\nb,x,1,1,0.5\nb,y,1,1,0.25\n"
    made = spreads(panel("proxy,domain,task_id,fidelity,reward\n" + rows), ("reward",))
    by_domain = {one.domain: one.absolute for one in made}
    assert by_domain == {"x": 0.5, "y": 0.25, "all": pytest.approx(0.125)}


def test_one_proxy_has_no_spread_and_no_pair() -> None:
    data = panel("proxy,domain,task_id,fidelity,reward\na,x,1,1,1\n")
    assert spreads(data, ("reward",)) == ()
    assert pairs(data, rng=np.random.default_rng(0), resamples=10) == ()
