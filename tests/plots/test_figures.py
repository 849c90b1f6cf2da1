"""Figures show what the results hold, draw names as they are, and are the same bytes each time."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.study import Design, Truth, own, study
from userproxybench.analysis import Analysis, Options, analyse
from userproxybench.plots import (
    FORMATS,
    Format,
    FrontierPoint,
    RewardPoint,
    cost_fidelity_frontier,
    figures,
    rendered,
    reward_range,
)
from userproxybench.stats import Interval


def done(*names: str) -> Analysis:
    proxies = {
        name: Truth(0.6 + 0.05 * at, 0.01 * (at + 1)) for at, name in enumerate(names or "abc")
    }
    return analyse(study(Design(proxies)), Options(resamples=100))


def words(figure: Figure) -> list[str]:
    return [text.get_text() for ax in figure.axes for text in ax.texts]


POINTS = [
    FrontierPoint("cheap", 0.01, 0.7, Interval(0.6, 0.8, 0.95, "x"), 1.0),
    FrontierPoint("beaten", 0.02, 0.6, None, 0.1),
    FrontierPoint("dear", 0.1, 0.9, None, 0.9),
]


def test_a_study_has_six_figures() -> None:
    assert list(figures(done())) == [
        "figure1_frontier",
        "figure2_reward_range",
        "figure3_failures",
        "figure4_effort",
        "figure5_families",
        "figure6_selection",
    ]


def test_the_frontier_labels_every_proxy_and_rings_the_dominated() -> None:
    figure = cost_fidelity_frontier(POINTS, basis="dollars", interval="95 %", required=0.8)
    assert words(figure) == ["UFS 0.8", "dear (90 %)", "cheap (100 %)", "beaten (10 %)"]
    rings = [line for line in figure.axes[0].lines if line.get_markerfacecolor() == "none"]
    assert [float(np.asarray(ring.get_ydata())[0]) for ring in rings] == [0.6]


def test_the_dashed_line_joins_the_frontier_only() -> None:
    figure = cost_fidelity_frontier(POINTS, basis="dollars", interval="95 %")
    (dashed,) = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    assert np.asarray(dashed.get_ydata()).tolist() == [0.7, 0.9]


def test_the_range_of_rewards_is_written_beside_each_domain() -> None:
    points = [RewardPoint("a", "x", 0.5), RewardPoint("b", "x", 0.75)]
    assert "0.250" in words(reward_range(points, interval=""))


@pytest.mark.parametrize("kind", FORMATS)
def test_equal_results_give_equal_bytes(kind: Format) -> None:
    first, second = (
        rendered(cost_fidelity_frontier(POINTS, basis="d", interval="i"), kind) for _ in range(2)
    )
    assert first == second
    assert b"Date" not in first


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("$x^2_{", id="looks like mathematics"),
        pytest.param("<script>&\\alpha", id="looks like markup"),
        pytest.param("\u7528\u6237", id="no glyph"),
        pytest.param("n" * 80, id="long"),
    ],
)
def test_names_are_drawn_as_they_are(name: str) -> None:
    points = [FrontierPoint(name, 0.1, 0.7), FrontierPoint("b", 0.2, 0.8)]
    figure = cost_fidelity_frontier(points, basis="dollars", interval="")
    assert rendered(figure, "svg").startswith(b"<?xml")
    assert any(name[:35] in word for word in words(figure))
    assert rendered(reward_range([RewardPoint(name, name, 0.5)], interval=""), "svg")


def test_more_proxies_than_colours_are_drawn() -> None:
    assert len(figures(done(*(f"p{at}" for at in range(10))))) == 6


def test_figures_with_nothing_to_show_are_left_out() -> None:
    tables = own("proxy,domain,task_id,fidelity,status\na,x,1,,unscorable\nb,x,1,,unscorable\n")
    assert figures(analyse(tables)) == {}


def test_what_may_not_be_compared_is_not_drawn_together() -> None:
    rows = "a,x,1,1,.1,g,1\nb,x,1,0,.2,h,0\n"
    tables = own("proxy,domain,task_id,fidelity,cost_usd,agent,reward\n" + rows)
    made = figures(analyse(tables, Options(resamples=50)))
    assert not {"figure1_frontier", "figure2_reward_range", "figure4_effort"} & set(made)
