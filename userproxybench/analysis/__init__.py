"""Frames → named results → sheets. Opens no file, prints nothing; drawing and writing are above."""

from userproxybench.analysis.layout_compared import sheets
from userproxybench.analysis.selection import Choice, Question, decide, epoch_cost
from userproxybench.analysis.sheet import Column, Sheet
from userproxybench.analysis.study import Analysis, Options, analyse
from userproxybench.analysis.summary import Summary, summarise

__all__ = [
    "Analysis",
    "Choice",
    "Column",
    "Options",
    "Question",
    "Sheet",
    "Summary",
    "analyse",
    "decide",
    "epoch_cost",
    "sheets",
    "summarise",
]
