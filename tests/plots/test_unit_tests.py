import numpy as np

from tests.unit_tests.test_rates import result_of
from userproxybench.plots import rendered
from userproxybench.plots.unit_tests import unit_test_rates
from userproxybench.unit_tests.rates import pass_rates


def test_the_figure_has_a_panel_per_domain_and_is_the_same_bytes_twice() -> None:
    rates = pass_rates(
        [result_of("yes"), result_of("no", domain="travel"), result_of("n/a", test="test005")],
        rng=np.random.default_rng(0),
    )
    figure = unit_test_rates(rates)
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["AcCoRD-Shop", "AcCoRD-Travel"]
    assert rendered(figure, "svg") == rendered(unit_test_rates(rates), "svg")


def test_nothing_to_draw_is_an_empty_figure() -> None:
    assert rendered(unit_test_rates([]), "svg")
