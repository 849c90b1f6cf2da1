import numpy as np

from tests.accord_example import SCENARIO, play
from userproxybench.accord.rollouts import cell_of, rollout_score
from userproxybench.accord.scores import Estimate, Spread, score_cells
from userproxybench.accord.statistics import dataset_statistics
from userproxybench.accord.tables import (
    dataset_table,
    dynamics_table,
    main_table,
    number,
    percent,
    spread,
)


def test_the_tables_have_the_columns_of_the_paper() -> None:
    each = play(agent_model="m", user_model="u")
    scores = score_cells([(cell_of(each), rollout_score(each))], rng=np.random.default_rng(0))
    assert main_table(scores).rows[0][:6] == ("Shopping", "m", "other", "u", "1", "1")
    assert "Task Completion Rate" in main_table(scores).header
    assert dynamics_table(scores).rows[0][4:8] == ("1.000", "-", "1.000", "0.000")
    assert dataset_table(dataset_statistics([SCENARIO])).rows[0][3] == "1.00 (33.3%)"


def test_figures_carry_their_interval_and_a_missing_one_is_a_dash() -> None:
    given = Estimate(value=0.5, n=4, low=0.25, high=0.75)
    assert (percent(given), number(given)) == ("50.0% [25, 75]", "0.500 [0.25, 0.75]")
    none = Estimate(value=None, n=0)
    assert (percent(none), number(none)) == ("-", "-")
    assert spread(Spread(mean=None, median=None, n=0)) == "-"
