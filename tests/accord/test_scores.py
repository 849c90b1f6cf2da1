import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.accord_example import play
from userproxybench.accord.format import DYNAMICS
from userproxybench.accord.rollouts import (
    Cell,
    PreferenceScore,
    RolloutScore,
    cell_of,
    rollout_score,
)
from userproxybench.accord.scores import score, score_cells

CELL = Cell("shop", "agent", "react", "user")
scores_in_01 = st.floats(0, 1)
preferences = st.lists(
    st.builds(PreferenceScore, st.sampled_from(DYNAMICS), scores_in_01), min_size=1, max_size=6
).map(tuple)
rollouts = st.lists(
    st.builds(
        RolloutScore,
        scenario=st.sampled_from(["a", "b", "c", "d"]),
        completed=st.booleans(),
        preferences=preferences,
    ),
    min_size=1,
    max_size=25,
)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def value(figure: float | None) -> float:
    assert figure is not None
    return figure


@settings(deadline=None, max_examples=60)
@given(rollouts)
def test_mean_task_score_is_completion_times_outcome(given_: list[RolloutScore]) -> None:
    found = score(given_, CELL, rng=rng(), resamples=10)
    outcome = found.outcome.value or 0.0
    assert value(found.task.value) == pytest.approx(value(found.completion.value) * outcome)


@settings(deadline=None, max_examples=60)
@given(rollouts)
def test_pooled_dynamics_weigh_back_to_the_pooled_outcome(given_: list[RolloutScore]) -> None:
    found = score(given_, CELL, rng=rng(), resamples=10)
    parts = found.dynamics_pooled.values()
    assert sum(part.n for part in parts) == found.outcome_pooled.n
    total = sum((part.value or 0.0) * part.n for part in parts)
    assert total == pytest.approx((found.outcome_pooled.value or 0.0) * found.outcome_pooled.n)


def test_the_outcome_score_is_a_mean_over_rollouts_not_over_preferences() -> None:
    one = RolloutScore("a", True, (PreferenceScore("triggered", 1.0),))
    three = RolloutScore("b", True, (PreferenceScore("triggered", 0.0),) * 3)
    found = score([one, three], CELL, rng=rng())
    # rollouts: (1 + 0) / 2; preferences: 1 of 4
    assert (found.outcome.value, found.outcome_pooled.value) == (0.5, 0.25)


def test_both_readings_of_the_perfect_rate() -> None:
    met = (PreferenceScore("triggered", 1.0),)
    given_ = [RolloutScore("a", True, met), RolloutScore("a", False, met)]
    found = score(given_, CELL, rng=rng())
    assert (found.perfect_all.value, found.perfect_completed.value) == (0.5, 1.0)


def test_what_is_not_scored_is_counted_and_left_out() -> None:
    given_ = [
        RolloutScore("a", True, (PreferenceScore("triggered", None),)),
        RolloutScore("a", None, (PreferenceScore("triggered", 1.0),)),
        RolloutScore("b", False, ()),
    ]
    found = score(given_, CELL, rng=rng())
    assert (found.ungraded, found.unknown, found.rollouts) == (1, 1, 3)
    assert found.outcome.value is None
    assert (found.task.value, found.task.n) == (0.0, 1)
    assert (found.completion.value, found.completion.n) == (0.5, 2)


def test_scores_of_a_rollout_that_was_not_completed_do_not_count() -> None:
    failed = rollout_score(play({"color": 1, "size": 1, "whistle": 1}, completed=False))
    assert (failed.outcome, failed.task) == (None, 0.0)


def test_counts_of_actions_and_utterances() -> None:
    given_ = [RolloutScore("a", False, (), n, n + 1) for n in (1, 2, 6)]
    found = score([*given_, RolloutScore("a", False, ())], CELL, rng=rng())
    assert (found.actions.mean, found.actions.median, found.actions.n) == (3.0, 2.0, 3)
    assert found.utterances.median == 3.0


def test_the_interval_draws_whole_scenarios() -> None:
    met = (PreferenceScore("triggered", 1.0),)
    missed = (PreferenceScore("triggered", 0.0),)
    given_ = [RolloutScore(f"s{i}", True, met if i % 2 else missed) for i in range(10)] * 3
    found = score(given_, CELL, rng=rng()).outcome
    # ten scenarios, standard error of a share of 0.5 is 0.158; thirty would give 0.091
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.158, abs=0.08)


def test_cells_are_kept_apart_and_sorted() -> None:
    other = play(method="uncreact")
    rows = [(cell_of(each), rollout_score(each)) for each in (other, play())]
    found = score_cells(rows, rng=rng())
    assert [each.method for each in found] == ["other", "uncreact"]
