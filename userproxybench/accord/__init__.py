"""AcCoRD: its dump format, its scores, and its simulator unit tests by rules.

Read in this order: format, reading, scores, words, questions, signals, rules.
"""

from userproxybench.accord.format import (
    DOMAINS,
    DYNAMICS,
    Domain,
    Dynamic,
    Preference,
    Rollout,
    Scenario,
    instructions_of,
    json_schema,
)
from userproxybench.accord.mapping import KeyMap, read_key_map
from userproxybench.accord.preference_scores import scores_by_rules
from userproxybench.accord.reading import Dump, Play, Scenarios, is_accord, read_play, repeated
from userproxybench.accord.rules import (
    TEST_TITLES,
    TESTS,
    Answer,
    Exchange,
    RuleGrader,
    TestName,
    UnitOutcome,
    precondition,
)
from userproxybench.accord.scores import (
    Cell,
    RolloutScore,
    Scores,
    cell_of,
    rollout_score,
    score_cells,
)
from userproxybench.accord.statistics import DatasetStatistics, dataset_statistics
from userproxybench.accord.vocabulary import Vocabulary

__all__ = [
    "DOMAINS",
    "DYNAMICS",
    "TESTS",
    "TEST_TITLES",
    "Answer",
    "Cell",
    "DatasetStatistics",
    "Domain",
    "Dump",
    "Dynamic",
    "Exchange",
    "KeyMap",
    "Play",
    "Preference",
    "Rollout",
    "RolloutScore",
    "RuleGrader",
    "Scenario",
    "Scenarios",
    "Scores",
    "TestName",
    "UnitOutcome",
    "Vocabulary",
    "cell_of",
    "dataset_statistics",
    "instructions_of",
    "is_accord",
    "json_schema",
    "precondition",
    "read_key_map",
    "read_play",
    "repeated",
    "rollout_score",
    "score_cells",
    "scores_by_rules",
]
