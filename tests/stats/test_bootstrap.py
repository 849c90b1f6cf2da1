"""The cluster bootstrap: sums by hand, spread against theory and scipy, edges."""

import numpy as np
import pytest
from scipy import stats

from userproxybench.stats import (
    cluster_sums,
    percentile_interval,
    resample,
    resampled_ratios,
    simultaneous_lower_bounds,
)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_sums_per_cluster_by_hand() -> None:
    # clusters 0 and 2 in stratum 0, cluster 1 in stratum 1; a missing value adds nothing
    values = np.array([[1.0, 1], [0, 1], [1, 1], [np.nan, 0]])
    first, second = cluster_sums(values, np.array([0, 1, 2, 0]), np.array([0, 1, 0]), sizes=(3, 2))
    assert first.tolist() == [[1, 1], [1, 1]]
    assert second.tolist() == [[0, 1]]


def test_each_replicate_draws_as_many_clusters_as_there_are() -> None:
    sums = [np.ones((7, 1)), np.ones((3, 1))]
    drawn = resample(sums, resamples=50, rng=rng())
    assert drawn.shape == (50, 2, 1)
    assert (drawn[:, 0, 0] == 7).all()
    assert (drawn[:, 1, 0] == 3).all()


def test_the_same_seed_gives_the_same_numbers_and_chunks_do_not_matter() -> None:
    sums = [np.arange(12.0).reshape(6, 2)]
    first = resample(sums, resamples=40, rng=rng(5))
    assert (first == resample(sums, resamples=40, rng=rng(5))).all()


def test_the_spread_is_that_of_theory() -> None:
    # K = 400 clusters of one 0/1 episode, p = .5: standard error √(.25/400) = .025
    values = np.repeat([0.0, 1.0], 200)[:, None]
    drawn = resample([values], resamples=20_000, rng=rng())[:, 0, 0] / 400
    assert float(drawn.std()) == pytest.approx(0.025, rel=0.03)


def test_whole_clusters_are_drawn() -> None:
    # 20 tasks with 10 equal trials each: the error is that of 20, not of 200, √(.25/20) = .1118
    episodes = np.repeat(np.repeat([0.0, 1.0], 10), 10)
    tasks = np.repeat(np.arange(20), 10)
    values = np.stack([episodes, np.ones(200)], axis=1)
    sums = cluster_sums(values, tasks, np.zeros(20, dtype=int), sizes=(20, 1))
    drawn = resample(sums, resamples=20_000, rng=rng())[:, 0]
    assert float((drawn[:, 0] / drawn[:, 1]).std()) == pytest.approx(0.1118, rel=0.03)


def test_the_interval_agrees_with_scipy() -> None:
    data = rng(1).normal(size=60)
    ours = percentile_interval(
        resample([data[:, None]], resamples=20_000, rng=rng(2))[:, 0, 0] / 60
    )
    theirs = stats.bootstrap(
        (data,), np.mean, n_resamples=20_000, method="percentile", rng=rng(3)
    ).confidence_interval
    assert ours is not None
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


@pytest.mark.parametrize(
    "replicates",
    [
        pytest.param(np.full(100, 0.8), id="a single cluster"),
        pytest.param(np.ones(100), id="every episode faithful"),
        pytest.param(np.full(100, np.nan), id="never defined"),
        pytest.param(np.r_[np.linspace(0, 1, 80), np.full(20, np.nan)], id="often undefined"),
        pytest.param(np.array([]), id="none"),
    ],
)
def test_no_interval_where_the_bootstrap_cannot_tell(replicates: np.ndarray) -> None:
    assert percentile_interval(replicates) is None


def test_ratios_over_nothing_are_undefined() -> None:
    got = resampled_ratios(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    assert got[0] == 0.5
    assert np.isnan(got[1])


def test_no_resample_is_refused() -> None:
    with pytest.raises(ValueError, match="`resamples`"):
        resample([np.ones((2, 1))], resamples=0, rng=rng())


def test_simultaneous_bounds_by_hand() -> None:
    # two columns at confidence .9: each takes its 5th percentile, or the floor where lower
    replicates = np.stack([np.linspace(0, 1, 101), np.ones(101)], axis=1)
    got = simultaneous_lower_bounds(replicates, np.array([1.0, 0.7]), 0.9)
    assert got.tolist() == pytest.approx([0.05, 0.7])


def test_more_proxies_make_lower_bounds() -> None:
    one = rng().normal(size=(4000, 1))
    many = np.repeat(one, 5, axis=1)
    alone = simultaneous_lower_bounds(one, np.full(1, 9.0), 0.9)
    together = simultaneous_lower_bounds(many, np.full(5, 9.0), 0.9)
    assert together[0] < alone[0]


def test_an_undefined_column_has_no_bound() -> None:
    assert np.isnan(simultaneous_lower_bounds(np.full((10, 1), np.nan), np.ones(1), 0.9)).all()
