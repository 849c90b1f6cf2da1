"""Effects of a violation: by hand, against least squares, at their edges."""

import numpy as np
import pytest

from userproxybench.stats import Effect, Exposure, exposure_effects, rate_difference, signs
from userproxybench.stats.effects import READINGS, Reading


def exposure(*rows: tuple[float, bool, int, int]) -> Exposure:
    quantity, exposed, proxy, task = (np.array(column) for column in zip(*rows, strict=True))
    return Exposure(
        quantity=quantity.astype(float),
        exposed=exposed.astype(bool),
        proxy=proxy,
        task=task,
        domain_of_task=np.zeros(int(task.max()) + 1, dtype=int),
        proxies=int(proxy.max()) + 1,
    )


def read(data: Exposure, reading: Reading, resamples: int = 200) -> Effect:
    made = exposure_effects(data, rng=np.random.default_rng(0), resamples=resamples)
    return made[READINGS.index(reading)]


def effect(data: Exposure, reading: Reading) -> float | None:
    return read(data, reading).estimate


BY_HAND = exposure(
    # quantity, exposed, proxy, task
    (2, True, 0, 0),
    (4, False, 1, 0),
    (6, False, 0, 1),
    (5, True, 1, 1),
    (9, False, 0, 2),
)


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        # exposed 2, 5; others 4, 6, 9
        pytest.param("pooled", 3.5 - 19 / 3, id="pooled"),
        # proxy 0: 2 - (6 + 9)/2; proxy 1: 5 - 4
        pytest.param("within proxy", (-5.5 + 1) / 2, id="within proxy"),
        # task 0: 2 - 4; task 1: 5 - 6; task 2 has no exposed episode
        pytest.param("matched on task", -1.5, id="matched on task"),
    ],
)
def test_readings_by_hand(reading: Reading, expected: float) -> None:
    assert effect(BY_HAND, reading) == pytest.approx(expected)


def test_two_way_effect_against_statsmodels() -> None:
    import pandas as pd
    import statsmodels.formula.api as smf

    rng = np.random.default_rng(3)
    task, proxy = (axis.ravel() for axis in np.mgrid[0:40, 0:5])
    exposed = rng.random(200) < 0.2 + 0.1 * proxy
    quantity = task * 0.1 + proxy - 1.5 * exposed + rng.normal(size=200)
    frame = pd.DataFrame({"y": quantity, "x": exposed * 1.0, "p": proxy, "t": task})
    theirs = smf.ols("y ~ x + C(p) + C(t)", frame).fit().params["x"]
    data = Exposure(quantity, exposed, proxy, task, np.arange(40) % 2, 5)
    assert effect(data, "within proxy and task") == pytest.approx(theirs)


def test_a_proxy_without_an_episode_keeps_its_place() -> None:
    data = Exposure(
        np.array([1.0, 2.0]),
        np.array([True, False]),
        np.zeros(2, int),
        np.zeros(2, int),
        np.zeros(1, int),
        3,
    )
    got = read(data, "within proxy", 10)
    assert got.by_proxy == (-1.0, None, None)


def test_each_proxy_has_its_own_difference() -> None:
    got = read(BY_HAND, "within proxy", 10)
    assert list(got.by_proxy) == [-5.5, 1.0]
    assert (got.exposed, got.others, got.tasks) == (2, 3, 3)


def test_intervals_hold_the_truth_of_a_known_effect() -> None:
    rng = np.random.default_rng(5)
    task, proxy = (axis.ravel() for axis in np.mgrid[0:60, 0:4])
    held = dict.fromkeys(READINGS, 0)
    for _ in range(200):
        exposed = rng.random(240) < 0.4
        quantity = rng.normal(size=60)[task] - 1.0 * exposed + rng.normal(size=240)
        data = Exposure(quantity, exposed, proxy, task, np.zeros(60, dtype=int), 4)
        for one in exposure_effects(data, rng=rng, resamples=200):
            inside = one.interval is not None and one.interval.low <= -1.0 <= one.interval.high
            held[one.reading] += inside
    assert all(0.90 <= count / 200 <= 0.99 for count in held.values()), held  # 95 % nominal


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("exposed", [True, False])
def test_without_both_kinds_there_is_no_effect(reading: Reading, exposed: bool) -> None:
    assert effect(exposure((1, exposed, 0, 0), (2, exposed, 1, 1)), reading) is None


@pytest.mark.parametrize("reading", READINGS)
def test_no_episode_gives_no_effect(reading: Reading) -> None:
    none = np.array([], dtype=int)
    data = Exposure(none.astype(float), none.astype(bool), none, none, none, 0)
    got = read(data, reading, 10)
    assert (got.estimate, got.interval, got.exposed, got.others) == (None, None, 0, 0)


def test_rate_difference_by_hand() -> None:
    outcome = np.array([1, 0, 0, 0, 0, 1, 1, 1, 1, 0], dtype=bool)
    exposed = np.array([1] * 5 + [0] * 5, dtype=bool)
    got = rate_difference(outcome, exposed)
    assert got is not None
    assert got.estimate == pytest.approx(0.2 - 0.8)
    # Agresti-Caffo: 2/7 - 5/7, ± 1.96 √(2 x (2/7)(5/7)/7)
    reach = 1.959964 * (2 * (2 / 7) * (5 / 7) / 7) ** 0.5
    assert got.interval.low == pytest.approx(-3 / 7 - reach)
    assert got.interval.high == pytest.approx(-3 / 7 + reach)
    assert (got.exposed, got.others) == (5, 5)


def test_a_side_too_small_has_no_difference() -> None:
    assert rate_difference(np.ones(9, dtype=bool), np.array([1] * 4 + [0] * 5, dtype=bool)) is None
    assert rate_difference(np.array([], bool), np.array([], bool), at_least=0) is None


def test_signs_by_hand() -> None:
    got = signs([-0.5, 0.1, 0.2, 0.0])
    assert got.mean == pytest.approx(-0.05)
    assert got.median == pytest.approx(0.05)
    assert (got.positive, got.negative, got.zero, got.n) == (2, 1, 1, 4)
    assert signs([]).mean is None
