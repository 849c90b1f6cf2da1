"""Effort of the agent: common tasks, correlations, and what disclosure spares it."""

import numpy as np
import pytest

from tests.study import Design, Truth, panel, study
from userproxybench.analysis.effort import Effort, effort
from userproxybench.analysis.panel import Panel

HEAD = (
    "proxy,domain,task_id,fidelity,reward,user_turns,agent_turns,agent_tool_calls,"
    "agent_questions,premature_disclosure\n"
)


def made(data: Panel) -> Effort:
    return effort(data, rng=np.random.default_rng(0), resamples=300)


def test_common_tasks_are_those_where_every_conversation_took_place() -> None:
    rows = (
        "a,x,1,1,1,3,5,1,1,passed\nb,x,1,1,1,3,7,1,1,passed\n"
        "a,x,2,1,1,3,9,1,1,passed\nb,x,2,,,0,0,0,0,\n"
    )
    got = made(panel(HEAD + rows))
    assert got.common_tasks == 1
    assert [point.effort for point in got.points] == [5, 7]


def test_correlation_over_proxies_by_hand() -> None:
    # turns 1..5 against UFS 0, 0, 1, 1, 1: Pearson's r = 3 / √(10 x 1.2)
    rows = "".join(
        f"{name},x,1,{ufs},1,3,{turns},1,1,passed\n"
        for name, turns, ufs in zip("abcde", range(1, 6), (0, 0, 1, 1, 1), strict=True)
    )
    found = {
        (one.effort, one.target, one.on): one.correlation
        for one in made(panel(HEAD + rows)).correlations
    }
    assert found["agent_turns", "ufs", "common tasks"].estimate == pytest.approx(3 / 12**0.5)
    assert found["agent_turns", "reward", "common tasks"].estimate is None  # reward is constant


def test_disclosure_is_looked_at_in_successful_episodes_only() -> None:
    rows = (
        "a,x,1,0,1,3,5,4,2,failed\na,x,2,1,1,3,5,7,3,passed\n"
        "a,x,3,0,0,3,5,99,99,failed\na,x,4,1,,3,5,99,99,passed\n"
    )
    found = {
        (one.quantity, one.effect.reading): one.effect
        for one in made(panel(HEAD + rows)).disclosure
    }
    assert found["agent_tool_calls", "pooled"].estimate == -3
    assert found["agent_questions", "within proxy"].estimate == -1
    assert (
        found["agent_tool_calls", "pooled"].exposed,
        found["agent_tool_calls", "pooled"].others,
    ) == (1, 1)


def test_the_built_in_effect_of_a_study_is_found() -> None:
    design = Design({name: Truth(0.6, 0.1, 0.9) for name in "abcd"}, tasks={"x": 150, "y": 150})
    found = made(Panel.of(study(design))).disclosure
    pooled = next(one.effect for one in found if one.quantity == "agent_tool_calls")
    assert pooled.interval is not None
    assert pooled.interval.low < -1 < pooled.interval.high < 0


def test_spreads_name_the_extremes() -> None:
    rows = "a,x,1,1,1,3,4,1,1,passed\nb,x,1,1,1,3,5,1,1,passed\n"
    spread = next(one for one in made(panel(HEAD + rows)).spreads if one.quantity == "agent_turns")
    assert (spread.lowest_proxy, spread.highest_proxy) == ("a", "b")
    assert spread.relative == pytest.approx(1 / 4)
    assert spread.relative_to_centre == pytest.approx(1 / 4.5)


def test_no_common_task_gives_no_correlation() -> None:
    rows = "a,x,1,1,1,3,5,1,1,passed\nb,x,2,1,1,3,7,1,1,passed\n"
    got = made(panel(HEAD + rows))
    assert (got.common_tasks, got.points, got.correlations) == (0, (), ())
