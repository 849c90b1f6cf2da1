"""Statistics: arrays in, frozen results out. Nothing here knows a trajectory or a table."""

from userproxybench.stats.agreement import Agreement, cohen_kappa
from userproxybench.stats.bootstrap import (
    cluster_sums,
    percentile_interval,
    resample,
    resampled_ratios,
    simultaneous_lower_bounds,
)
from userproxybench.stats.correction import Corrected, corrected_rate
from userproxybench.stats.correlation import Correlation, pearson, spearman
from userproxybench.stats.effects import (
    Difference,
    Effect,
    Exposure,
    Signs,
    exposure_effects,
    rate_difference,
    signs,
)
from userproxybench.stats.frontier import Selection, dominated, pick, picks, selection
from userproxybench.stats.interval import Interval
from userproxybench.stats.paired import PairedTest, compare_pairs, holm
from userproxybench.stats.power import tasks_to_tell_apart
from userproxybench.stats.proportions import macro_interval, macro_lower_bound, wilson_interval

__all__ = [
    "Agreement",
    "Corrected",
    "Correlation",
    "Difference",
    "Effect",
    "Exposure",
    "Interval",
    "PairedTest",
    "Selection",
    "Signs",
    "cluster_sums",
    "cohen_kappa",
    "compare_pairs",
    "corrected_rate",
    "dominated",
    "exposure_effects",
    "holm",
    "macro_interval",
    "macro_lower_bound",
    "pearson",
    "percentile_interval",
    "pick",
    "picks",
    "rate_difference",
    "resample",
    "resampled_ratios",
    "selection",
    "signs",
    "simultaneous_lower_bounds",
    "spearman",
    "tasks_to_tell_apart",
    "wilson_interval",
]
