"""Audit simulated users: how faithful were they to their instructions, and what do they cost?

dump ──load──▶ Trajectory + Contract ──rubric──▶ Criterion[] ──grade──▶ Verdict[]
     ──score──▶ f_i, UFS ──tabulate──▶ episodes, verdicts ──analyse──▶ tables, figures, report

Read in this order: models, scoring, rules, grading, analysis.
"""

from userproxybench.audit import Audit, audit

__all__ = ["Audit", "__version__", "audit"]

__version__ = "0.1.0"
