"""One self-contained page out of a graded run. Reads nothing, writes nothing: text comes back.

`render(Material)` is all of it; `material` says what goes in.
"""

from userproxybench.report.material import LabelledTurn, Labels, Material, Reading
from userproxybench.report.page import render

__all__ = ["LabelledTurn", "Labels", "Material", "Reading", "render"]
