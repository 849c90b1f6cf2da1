"""Audit simulated users: how faithful were they to their instructions, and what do they cost?

dump ──load──▶ Trajectory + Contract ──rubric──▶ Criterion[] ──grade──▶ Verdict[]
     ──score──▶ f_i, UFS ──tabulate──▶ episodes, verdicts ──analyse──▶ tables, figures, report

Read in this order: models, scoring, rules, grading, analysis.
"""

__version__ = "0.1.0"
