"""Judge-free evaluators: one ledger per trajectory, one short query per predicate.

words     text, plain, numbers, clock, values, rivals
contract  facts, orders
agent     asks, moves, fact_questions, tool_words
ledger    one pass over both
said      what a user may not have said of itself: identifiers_said, numbers_said, days_said,
          agreed, answers_said, novel_answers, reasons_said, life_said, unknown_said
          → values_said; of its tools: claims_said, reports_said (listings), results_said,
          states_said; and of what it said before: self_said
done      steps_taken, disclosure, held_back, goals, outcomes, missed, protocol
verdicts  derive makes the rubric, grade answers it
"""

from userproxybench.rules.derive import UNCOVERED, derive, generic
from userproxybench.rules.grade import grade
from userproxybench.rules.ledger import Ledger, build_ledger

__all__ = ["UNCOVERED", "Ledger", "build_ledger", "derive", "generic", "grade"]
