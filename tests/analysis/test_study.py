"""One call gives every result, the same each time, and no number where there is none."""

import pytest

from tests.study import Design, Truth, own, study
from userproxybench.analysis import Analysis, Options, analyse, sheets
from userproxybench.errors import InputError

TWO = Design({"a": Truth(0.7, 0.1), "b": Truth(0.8, 0.2)})
QUICK = Options(resamples=100)


def test_the_same_tables_give_the_same_sheets() -> None:
    first, second = (
        [sheet.csv() for sheet in sheets(analyse(study(TWO), QUICK))] for _ in range(2)
    )
    assert first == second
    assert len(first) == 15


def names(done: Analysis) -> set[str]:
    return {sheet.name for sheet in sheets(done)}


def test_proxies_that_differ_in_more_are_not_set_against_each_other() -> None:
    rows = "a,x,1,1,.1,g,1\nb,x,1,0,.2,h,0\n"
    tables = own("proxy,domain,task_id,fidelity,cost_usd,agent,reward\n" + rows)
    done = analyse(tables, QUICK)
    assert not done.compared
    assert {"comparisons", "effort", "spreads", "selection_shares"}.isdisjoint(names(done))
    assert [one.cost for one in done.scores.proxies] == [0.1, 0.2]
    assert "comparisons" in names(analyse(tables, Options(resamples=50, allow_different=True)))


@pytest.mark.parametrize(
    ("rows", "ufs"),
    [
        pytest.param("a,x,1,1,scored,1,.1\n", [1.0], id="one episode"),
        pytest.param("a,x,1,1,scored,1,.1\na,x,2,0,scored,0,.1\n", [0.5], id="one proxy"),
        pytest.param(
            "a,x,1,,unscorable,1,.1\nb,x,1,,unscorable,1,.1\n", [None, None], id="unscorable"
        ),
        pytest.param("a,x,1,1,scored,1,\nb,x,1,0,scored,1,\n", [1.0, 0.0], id="no cost"),
        pytest.param("a,x,1,1,scored,nan,.1\nb,x,1,1,scored,,.1\n", [1.0, 1.0], id="no reward"),
        pytest.param("a,x,1,,ungraded,1,.1\na,x,2,1,scored,1,.1\n", [1.0], id="ungraded"),
    ],
)
def test_thin_inputs_give_sheets_and_invent_nothing(rows: str, ufs: list[float | None]) -> None:
    done = analyse(own("proxy,domain,task_id,fidelity,status,reward,cost_usd\n" + rows), QUICK)
    assert [one.ufs for one in done.scores.proxies] == ufs
    assert [one.interval for one in done.scores.proxies if one.scored < 2] == [
        None for one in done.scores.proxies if one.scored < 2
    ]
    for sheet in sheets(done):
        assert "nan" not in sheet.csv().lower()
        assert sheet.markdown()
        assert sheet.latex()


def test_no_flag_compares_proxies_without_a_common_task() -> None:
    tables = own("proxy,domain,task_id,fidelity\na,x,1,1\nb,x,2,1\n")
    assert not analyse(tables, Options(resamples=50, allow_different=True)).compared


def test_an_empty_table_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match="hold no episode"):
        analyse(own("proxy,domain,task_id,fidelity\n"))


def test_ungraded_episodes_widen_the_bounds_only() -> None:
    done = analyse(own("proxy,domain,task_id,fidelity,status\na,x,1,,ungraded\na,x,2,1,scored\n"))
    (one,) = done.scores.proxies
    assert (one.bound_low, one.ufs, one.bound_high) == (0.5, 1.0, 1.0)
