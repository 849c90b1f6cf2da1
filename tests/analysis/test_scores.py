"""UFS per proxy, domain and variant follows from the tables by hand."""

import numpy as np
import pytest

from tests.study import Design, Truth, panel, study
from userproxybench.analysis.costs import costs
from userproxybench.analysis.panel import Panel
from userproxybench.analysis.scores import Scores, Setting, ranks, scores


def made(data: Panel, *, compared: bool = True) -> Scores:
    setting = Setting("recorded", compared, 500)
    return scores(data, costs(data), setting, rng=np.random.default_rng(0))


HEAD = "proxy,domain,task_id,fidelity,status,reward,cost_usd,user_turns,hosting\n"
BY_HAND = HEAD + (
    "a,x,1,1,scored,1,.2,3,open\na,x,2,0,scored,0,.2,3,open\na,y,1,1,scored,1,.2,3,open\n"
    "b,x,1,0,scored,1,.1,3,\nb,x,2,,unscorable,,,0,\nb,y,1,1,scored,0,.1,3,\n"
)


def test_proxies_by_hand() -> None:
    a, b = made(panel(BY_HAND)).proxies
    assert (a.ufs, a.reward) == (0.75, 0.75)
    assert a.pooled == pytest.approx(2 / 3)
    assert (b.ufs, b.reward, b.pooled) == (0.5, 0.5, 0.5)
    assert [a.cost, b.cost] == pytest.approx([0.2, 0.1])
    assert (a.hosting, b.hosting) == ("open", "")
    assert (b.episodes, b.scored, b.unscorable) == (3, 2, 1)
    assert (a.dominated, b.dominated) == (False, False)


def test_cells_say_what_is_missing() -> None:
    cells = {(cell.domain, cell.proxy): cell for cell in made(panel(BY_HAND)).cells}
    assert (cells["x", "b"].scored, cells["x", "b"].missing_tasks) == (1, 1)
    assert (cells["x", "a"].ufs, cells["x", "a"].missing_tasks) == (0.5, 0)
    assert cells["y", "a"].interval is None  # one task says nothing about how tasks differ


def test_nothing_is_dominated_where_nothing_may_be_compared() -> None:
    assert [one.dominated for one in made(panel(BY_HAND), compared=False).proxies] == [None, None]


def test_variants_and_rank_change_by_hand() -> None:
    verdicts = "episode_id,criterion_id,family,verdict\n" + "".join(
        f"{proxy}/x/1/-,c{at},{family},{verdict}\n"
        for proxy, answers in (("a", ("fail", "pass")), ("b", ("pass", "pass")))
        for at, (family, verdict) in enumerate(
            zip(("premature_disclosure", "goal_deviation"), answers, strict=True)
        )
    )
    a, b = made(panel("proxy,domain,task_id\na,x,1\nb,x,1\n", verdicts)).variants
    assert (a.ufs["all"], a.ufs["without_premature_disclosure"], a.ufs["disclosure_only"]) == (
        0,
        1,
        0,
    )
    assert a.ufs["fraction"] == 0.5
    assert (a.rank, b.rank) == (2, 1)
    assert (a.rank_without_disclosure, b.rank_without_disclosure) == (1, 1)


def test_intervals_hold_the_estimate_and_narrow_with_tasks() -> None:
    widths = []
    for tasks in (20, 200):
        design = Design({"a": Truth(0.7, 0.1)}, tasks={"x": tasks, "y": tasks})
        (one,) = made(Panel.of(study(design))).proxies
        assert one.interval is not None
        assert one.ufs is not None
        assert one.interval.low < one.ufs < one.interval.high
        widths.append(one.interval.high - one.interval.low)
    assert widths[1] < widths[0] / 2


def test_ranks_share_the_better_place() -> None:
    assert ranks(np.array([0.5, np.nan, 0.9, 0.5])) == [2, None, 1, 2]
