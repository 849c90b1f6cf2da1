"""AcCoRD: its dump format, its scores, and its simulator unit tests by rules.

Read in this order: format, mapping, reading; rollouts, scores, statistics, tables; words,
questions, signals, vocabulary, rules. Import from these modules: `scores` needs scipy, the others
do not, so nothing is gathered here.
"""
