"""Figures: results in, `Figure` out. Colour-blind safe, labelled directly, intervals drawn."""

from userproxybench.plots.agent import RewardPoint, effort, reward_range
from userproxybench.plots.choosing import FrontierPoint, cost_fidelity_frontier, selection_shares
from userproxybench.plots.failing import failures_and_effects, family_heatmap
from userproxybench.plots.study import figures
from userproxybench.plots.style import FORMATS, Format, rendered

__all__ = [
    "FORMATS",
    "Format",
    "FrontierPoint",
    "RewardPoint",
    "cost_fidelity_frontier",
    "effort",
    "failures_and_effects",
    "family_heatmap",
    "figures",
    "rendered",
    "reward_range",
    "selection_shares",
]
