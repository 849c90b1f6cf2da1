from tests.accord_example import SCENARIO, dumps
from userproxybench.accord.format import Scenario
from userproxybench.accord.statistics import dataset_statistics


def test_averages_and_shares_of_a_domain() -> None:
    (found,) = dataset_statistics([SCENARIO, Scenario(id="t", domain="shop")])
    assert (found.scenarios, found.per_scenario) == (2, 1.5)
    assert (found.average("triggered"), found.share("triggered")) == (0.5, 1 / 3)


def test_no_preferences_have_no_shares() -> None:
    (found,) = dataset_statistics([Scenario(id="t", domain="travel")])
    assert found.share("triggered") is None


def test_the_example_has_all_four_dynamics_in_both_domains() -> None:
    found = dataset_statistics(scenario for dump in dumps() for scenario in dump.scenarios)
    assert [(each.domain, each.scenarios) for each in found] == [("shop", 12), ("travel", 12)]
    assert all(count for each in found for count in each.per_dynamic.values())
