"""Judge-free evaluators: one ledger per trajectory, one short query per predicate.

words     passages, anchors, cues, text, plain, numbers, clock, values, rivals, measures
contract  facts, orders, limits
agent     asks, moves, fact_questions, tool_words
ledger    one pass over both
said      what a user may not have said of itself: identifiers_said, numbers_said, counts_said,
          days_said, agreed, read_back, answers_said, novel_answers, reasons_said, life_said,
          past_said, unknown_said, unknown_told → values_said; of its tools: claims_said,
          reports_said (listings, readings_said), results_said, settings_said, states_said; and of
          what it said before: self_said
done      steps_taken, disclosure, held_back (limit_told), goals, stops, outcomes (prices), missed
          (denied_said), unraised, protocol
verdicts  derive makes the rubric, grade answers it
"""

from userproxybench.rules.caches import forget
from userproxybench.rules.derive import UNCOVERED, derive, generic
from userproxybench.rules.grade import grade
from userproxybench.rules.ledger import Ledger, build_ledger

__all__ = ["UNCOVERED", "Ledger", "build_ledger", "derive", "forget", "generic", "grade"]
