import numpy as np
import pytest

from userproxybench.accord.rules import UnitOutcome
from userproxybench.unit_tests.rates import PassRate, counts_table, pass_rates, rates_table
from userproxybench.unit_tests.running import UnitResult


def result_of(outcome: UnitOutcome, scenario: str = "s", **more: object) -> UnitResult:
    given = {
        "file": "d.json",
        "scenario": scenario,
        "domain": "shop",
        "user_model": "m",
        "rollout": 0,
        "trajectory": "t",
        "turn": 2,
        "test": "test001",
        "outcome": outcome,
        "reason": "",
        "grader": "rules",
        "response": "x",
        **more,
    }
    return UnitResult.model_validate(given)


def rate(*given: UnitResult) -> PassRate:
    (found,) = pass_rates(given, rng=np.random.default_rng(0))
    return found


def test_not_applicable_and_ungraded_are_no_part_of_the_rate() -> None:
    found = rate(*(result_of(outcome) for outcome in ("yes", "yes", "no", "n/a", "ungraded")))
    assert (found.rate, found.n, found.not_applicable, found.ungraded) == (2 / 3, 3, 1, 1)


def test_nothing_applicable_has_no_rate() -> None:
    found = rate(result_of("n/a"), result_of("ungraded"))
    assert (found.rate, found.low, found.high) == (None, None, None)


def test_a_perfect_rate_keeps_wilsons_width() -> None:
    found = rate(*[result_of("yes", f"s{i}") for i in range(10)])
    # binom.confint(10, 10, method = "wilson") in R: 0.7225, 1
    assert found.low == pytest.approx(0.7225, abs=1e-4)
    assert found.high == pytest.approx(1.0)


def test_turns_of_few_scenarios_widen_the_interval() -> None:
    spread = [result_of("yes" if i % 2 else "no", f"s{i}") for i in range(40)]
    bunched = [result_of("yes" if i % 2 else "no", f"s{i % 2}{i % 4}") for i in range(40)]
    wide, narrow = rate(*bunched), rate(*spread)
    assert wide.low is not None
    assert narrow.low is not None
    assert wide.low < narrow.low


def test_the_table_has_a_row_per_test_and_a_column_per_domain_and_user() -> None:
    rates = pass_rates(
        [result_of("yes"), result_of("no", domain="travel"), result_of("yes", test="test003")],
        rng=np.random.default_rng(0),
    )
    table = rates_table(rates)
    assert table.header == ("Test", "Shop: m", "Travel: m")
    assert [row[0].split(":")[0] for row in table.rows] == ["test001", "test003"]
    assert table.rows[1][2] == ""
    assert len(counts_table(rates).rows) == 3
