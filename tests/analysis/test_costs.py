"""Costs on three bases: what is known, what is not, and no mixing unsaid."""

from typing import NamedTuple

import pytest

from tests.study import panel
from userproxybench.analysis.costs import Override, choose_basis, costs
from userproxybench.errors import InputError


class Price(NamedTuple):
    input: float
    output: float


HEAD = (
    "proxy,domain,task_id,fidelity,cost_usd,cost_basis,prompt_tokens,completion_tokens,"
    "user_turns,user_calls,metered_calls,discarded_attempts\n"
)


def test_recorded_by_hand() -> None:
    (one,) = costs(panel(HEAD + "a,x,1,1,.1,recorded,,,3,,,\na,x,2,1,.3,recorded,,,3,,,\n")).proxies
    assert one.bases["recorded"].usd == pytest.approx(0.2)
    assert (one.bases["recorded"].coverage, one.bases["list"].coverage) == (1.0, 0.0)


def test_list_is_tokens_times_price() -> None:
    data = panel(HEAD + "a,x,1,1,,,1000,100,3,2,2,\n")
    (one,) = costs(data, prices={"a": Price(1e-6, 2e-6)}.get).proxies
    assert one.bases["list"].usd == pytest.approx(0.0012)
    assert one.bases["recorded"].usd is None


def test_a_model_the_book_does_not_know_is_unknown() -> None:
    (one,) = costs(panel(HEAD + "a,x,1,1,,,1000,100,3,2,2,\n"), prices=lambda _: None).proxies
    assert one.bases["list"].usd is None


def test_tokens_of_some_calls_only_price_nothing() -> None:
    # 300 and 12 tokens over 1 of 2 calls: the cost is unknown, not that of the one call
    data = panel(HEAD + "a,x,1,1,,,300,12,2,2,1,\n")
    (one,) = costs(data, prices={"a": Price(1, 1)}.get).proxies
    assert one.bases["list"].usd is None
    assert (one.metered, one.partly_metered, one.prompt_tokens) == (0, 1, None)


def test_a_recorded_zero_is_unknown_and_counted() -> None:
    (one,) = costs(panel(HEAD + "a,x,1,1,0,recorded,900,40,3,3,3,\n")).proxies
    assert one.bases["recorded"].usd is None
    assert one.zero_costs == 1


def test_an_override_of_zero_is_free() -> None:
    (one,) = costs(panel(HEAD + "a,x,1,1,,,,,3,,,\n"), overrides={"a": Override(0.0)}).proxies
    assert one.bases["override"].usd == 0.0


def test_an_override_may_price_tokens() -> None:
    data = panel(HEAD + "a,x,1,1,,,1000,100,3,2,2,\n")
    (one,) = costs(data, overrides={"a": Override(input=1e-6, output=1e-5)}).proxies
    assert one.bases["override"].usd == pytest.approx(0.002)


def test_little_coverage_is_no_cost() -> None:
    rows = "".join(f"a,x,{at},1,{'.1' if at < 8 else ''},,,,3,,,\n" for at in range(10))
    (one,) = costs(panel(HEAD + rows)).proxies
    assert one.bases["recorded"].usd is None
    assert one.bases["recorded"].coverage == 0.8


def test_a_conversation_that_never_took_place_does_not_lower_coverage() -> None:
    (one,) = costs(panel(HEAD + "a,x,1,1,.1,,,,3,,,\na,x,2,,,,,,0,,,\n")).proxies
    assert one.bases["recorded"].coverage == 1.0


def test_discarded_attempts_are_counted() -> None:
    (one,) = costs(panel(HEAD + "a,x,1,1,.004,recorded,,,3,,,2\n")).proxies
    assert one.discarded_attempts == 2


def test_the_basis_that_prices_most_is_chosen_and_mixing_is_named() -> None:
    data = panel(
        HEAD + "a,x,1,1,.1,recorded,,,3,,,\nb,x,1,1,,,10,10,3,1,1,\nc,x,1,1,,,10,10,3,1,1,\n"
    )
    found = costs(data, prices={"b": Price(1, 1), "c": Price(1, 1)}.get)
    assert choose_basis(found) == "list"
    assert [one.mixed_from for one in found.proxies] == ["recorded", "list", "list"]
    assert found.known("mixed").all()


def test_no_cost_gives_no_basis() -> None:
    assert choose_basis(costs(panel(HEAD + "a,x,1,1,,,,,3,,,\n"))) is None


def test_an_override_of_nobody_is_refused() -> None:
    with pytest.raises(InputError, match="'z', but no such proxy here; proxies: a"):
        costs(panel(HEAD + "a,x,1,1,,,,,3,,,\n"), overrides={"z": Override(1.0)})
