"""Figure of the unit tests: pass rates per test and user model, one panel per domain."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from userproxybench.accord.format import DOMAINS
from userproxybench.accord.rules import TEST_TITLES, TESTS, TestName
from userproxybench.plots.style import colour, footer, note, styled
from userproxybench.unit_tests.rates import PassRate

_TITLES = {"shop": "AcCoRD-Shop", "travel": "AcCoRD-Travel"}


@styled
def unit_test_rates(rates: Sequence[PassRate]) -> Figure:
    """Pass rate of every test with its interval; the number beside it is how many it rests on."""
    models = list(dict.fromkeys(rate.user_model for rate in rates))
    domains = [domain for domain in DOMAINS if any(rate.domain == domain for rate in rates)]
    tests = [test for test in TESTS if any(rate.test == test for rate in rates)]
    height = 1.2 + len(tests) * (0.25 + 0.17 * max(1, len(models)))
    figure = Figure(figsize=(2.4 + 3.2 * max(1, len(domains)), height), layout="constrained")
    panels = figure.subplots(1, max(1, len(domains)), sharey=True, squeeze=False)[0]
    for ax, domain in zip(panels, domains, strict=False):
        _panel(ax, [rate for rate in rates if rate.domain == domain], tests, models)
        ax.set_title(_TITLES[domain])
    names = [f"{test}: {TEST_TITLES[test]}" for test in tests]
    panels[0].set_yticks(range(len(tests)), names)
    panels[0].set_ylim(len(tests) - 0.4, -0.6)
    keys = [
        Line2D([], [], marker="o", linestyle="", color=colour(at), label=model)
        for at, model in enumerate(models)
    ]
    figure.legend(handles=keys, loc="outside upper right", ncols=min(4, max(1, len(models))))
    footer(figure, "bars: 95 %, Wilson widened to the bootstrap over scenarios; beside: yes + no")
    return figure


def _panel(
    ax: Axes, rates: Sequence[PassRate], tests: Sequence[TestName], models: Sequence[str]
) -> None:
    step = 0.7 / max(1, len(models))
    for rate in rates:
        if rate.rate is None or rate.low is None or rate.high is None:
            continue
        at = models.index(rate.user_model)
        row = tests.index(rate.test) + step * (at - (len(models) - 1) / 2)
        ax.plot([rate.low, rate.high], [row, row], color=colour(at), linewidth=1.4, alpha=0.7)
        ax.plot([rate.rate], [row], "o", color=colour(at), markersize=4)
        note(ax, f"{rate.n}", (1.02, row), shade=colour(at), from_axis=True)
    ax.set_xlim(-0.02, 1.02)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    ax.set_xlabel("Pass rate, yes / (yes + no)")
