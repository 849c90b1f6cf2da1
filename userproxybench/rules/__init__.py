"""Judge-free evaluators: one ledger per trajectory, one short query per predicate.

text, numbers, values → facts (contract), asks (agent) → ledger → values_said, tools_said,
disclosure, goals, missed, protocol → grade; derive makes the rubric.
"""

from userproxybench.rules.derive import UNCOVERED, derive, generic
from userproxybench.rules.grade import grade
from userproxybench.rules.ledger import Ledger, build_ledger

__all__ = ["UNCOVERED", "Ledger", "build_ledger", "derive", "generic", "grade"]
