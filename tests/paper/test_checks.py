"""Published statements are recomputed; what differs is said, what needs trajectories is listed."""

from decimal import Decimal

import numpy as np
import pytest

from userproxybench.paper import reproduce
from userproxybench.paper.checks import Check, checks
from userproxybench.paper.implied import implied
from userproxybench.paper.published import published


@pytest.fixture(scope="module")
def found() -> list[Check]:
    return checks(published())


def one(found: list[Check], statement: str) -> Check:
    (match,) = [check for check in found if check.statement == statement]
    return match


def test_one_statement_does_not_follow_from_its_parts(found: list[Check]) -> None:
    (differs,) = [check for check in found if check.outcome == "differs"]
    # 91.3 % x .675 = .616, and no rounding of the two reaches .619
    assert (differs.paper, differs.statement) == ("AcCoRD", "GPT-4.1 ReAct: task score")
    assert (differs.published, differs.recomputed) == ("0.619", "0.616275")


def test_one_statement_follows_within_rounding_only(found: list[Check]) -> None:
    assert [check.statement for check in found if check.outcome == "rounding"] == [
        "GPT-4.1 UncReAct: task score"
    ]


@pytest.mark.parametrize(
    ("statement", "recomputed"),
    [
        pytest.param("tasks in all", "375", id="tasks"),
        pytest.param("trajectories in all", "2625", id="trajectories"),
        pytest.param("scored trajectories", "2618", id="scored"),
        pytest.param("criteria", "2141", id="criteria"),
        pytest.param("cost ratio", "3.18857", id="cost ratio"),
        pytest.param("range of reward, points", "15.2", id="range"),
        pytest.param("Gemma-31B: thousand dollars per epoch", "1.12", id="epoch"),
        pytest.param("Gemini-3.5-Flash: thousand dollars per epoch", "3.5712", id="dear epoch"),
        pytest.param("spread of reward on Retail", "0.298", id="spread"),
        pytest.param("cheapest proxy with UFS of at least 0.84", "Gemma-31B", id="pick"),
        pytest.param("dominated proxies", "Sonnet-4-6, Qwen3.6-35B, GPT-5.4-mini", id="dominated"),
    ],
)
def test_what_follows_matches(found: list[Check], statement: str, recomputed: str) -> None:
    check = one(found, statement)
    assert (check.recomputed, check.outcome) == (recomputed, "match")


def test_means_are_taken_over_whole_counts(found: list[Check]) -> None:
    # .781, .880, .886, .835 as printed give .8455; as 89/114, 44/50, 101/114, 81/97 they give .8454
    assert one(found, "Gemma-31B: mean UFS").recomputed == "0.84543"


def test_statements_that_need_trajectories_are_listed_with_their_bounds(
    found: list[Check],
) -> None:
    open_ = [check for check in found if check.outcome == "needs trajectories"]
    assert len(open_) == 11
    assert all(check.recomputed == "" for check in open_)
    telecom = one(found, "share of Telecom trajectories that pass the reward and fail UFS")
    assert telecom.how == "Table 2 leaves 36.1% to 44.7% possible"


def test_a_wrong_print_would_be_caught() -> None:
    numbers = published()
    paper = numbers.userproxybench
    wrong = paper.model_copy(update={"stated": {**paper.stated, "cost_ratio": Decimal("3.4")}})
    made = checks(numbers.model_copy(update={"userproxybench": wrong}))
    assert one(made, "cost ratio").outcome == "differs"


def test_every_episode_of_the_tables_is_accounted_for() -> None:
    paper = published().userproxybench
    scored = sum(paper.ufs_n(proxy, d) for proxy in paper.proxies for d in paper.tasks)
    assert scored == 2618


def test_implied_intervals_hold_the_published_ufs() -> None:
    paper = published().userproxybench
    got = implied(paper, rng=np.random.default_rng(0))
    for row, proxy in zip(got.intervals, paper.proxies, strict=True):
        assert row.interval.low < float(proxy.ufs) < row.interval.high
    assert [pick.proxy for pick in got.picks] == ["GPT-4.1-mini", "Gemma-31B", "Gemini-3.5-Flash"]
    assert all(0.3 < pick.survives < 0.8 for pick in got.picks)


def test_the_same_files_each_time_and_all_tables_among_them() -> None:
    first, second = reproduce(), reproduce()
    assert first.files == second.files
    tables = {"table1", "table2", "accord_table2", "accord_table3", "accord_table4"}
    tables |= {"accord_table6", "checks", "implied_intervals", "implied_picks"}
    assert {f"{name}.csv" for name in tables} <= set(first.files)
    assert {"figure1.png", "figure2.svg"} <= set(first.files)
