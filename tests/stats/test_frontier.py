"""Dominance and picks, by hand and at their edges."""

import numpy as np
import pytest

from userproxybench.stats import dominated, pick, picks, selection

NAN = float("nan")


@pytest.mark.parametrize(
    ("costs", "values", "expected"),
    [
        pytest.param([1, 2, 3], [0.5, 0.6, 0.7], [0, 0, 0], id="a frontier"),
        pytest.param([1, 2], [0.7, 0.6], [0, 1], id="dearer and worse"),
        pytest.param([1, 1], [0.7, 0.6], [0, 1], id="as cheap and better"),
        pytest.param([1, 2], [0.7, 0.7], [0, 1], id="cheaper and as good"),
        pytest.param([1, 1], [0.7, 0.7], [0, 0], id="equal in both"),
        pytest.param([NAN, 2], [0.9, 0.6], [0, 0], id="unknown cost dominates nothing"),
        pytest.param([1, 2], [NAN, 0.6], [0, 0], id="unknown value dominates nothing"),
        pytest.param([1], [0.5], [0], id="alone"),
    ],
)
def test_dominated_by_hand(costs: list[float], values: list[float], expected: list[int]) -> None:
    assert dominated(np.array(costs, float), np.array(values)).tolist() == [
        bool(mark) for mark in expected
    ]


@pytest.mark.parametrize(
    ("costs", "values", "required", "expected"),
    [
        pytest.param([3, 1, 2], [0.9, 0.7, 0.8], 0.8, 2, id="cheapest that qualifies"),
        pytest.param([1, 1], [0.8, 0.9], 0.8, 1, id="of equally cheap the better"),
        pytest.param([1, 1], [0.9, 0.9], 0.8, 0, id="of equal the first"),
        pytest.param([1, 2], [0.5, 0.6], 0.8, None, id="nothing qualifies"),
        pytest.param([NAN, 2], [0.9, 0.8], 0.8, 1, id="one without a cost is not taken"),
        pytest.param([NAN], [0.9], 0.8, None, id="no cost at all"),
        pytest.param([1, 2], [NAN, 0.8], 0.8, 1, id="one without a value does not qualify"),
        pytest.param([1], [0.8], 0.8, 0, id="at the limit"),
    ],
)
def test_pick_by_hand(
    costs: list[float], values: list[float], required: float, expected: int | None
) -> None:
    assert pick(np.array(costs, float), np.array(values), required) == expected


def test_selection_shares_by_hand() -> None:
    # four replicates: pick 0, pick 1, nothing, pick 0; option 1 is dominated in the last only
    costs = np.array([[1.0, 2], [1, 2], [1, 2], [1, 2]])
    values = np.array([[0.8, 0.9], [0.7, 0.9], [0.5, 0.6], [0.9, 0.8]])
    got = selection(costs, values, 0.8)
    assert got.picked.tolist() == [0.5, 0.25]
    assert got.dominated.tolist() == [0, 0.25]
    assert (got.none, got.resamples) == (0.25, 4)


def test_rows_are_picked_one_by_one() -> None:
    costs, values = np.array([[1.0, 2], [2, 1]]), np.array([[0.9, 0.9], [0.9, 0.9]])
    assert picks(costs, values, 0.5).tolist() == [0, 1]


def test_no_option_is_dominated_by_brute_force() -> None:
    rng = np.random.default_rng(0)
    costs, values = (rng.integers(0, 5, (200, 6)).astype(np.float64) for _ in range(2))
    expected = [
        [
            any(c2 <= c and v2 >= v and (c2 < c or v2 > v) for c2, v2 in zip(cs, vs, strict=True))
            for c, v in zip(cs, vs, strict=True)
        ]
        for cs, vs in zip(costs, values, strict=True)
    ]
    assert dominated(costs, values).tolist() == expected
