"""The two frames that every analysis starts from: `episodes` and `verdicts`.

Rows are built without pandas (`episode_row`, `verdict_rows`); a frame is made once, at the end
(`episodes_frame`, `verdicts_frame`). People may bring their own: `read_table` and `checked`.
"""

from userproxybench.tables.cells import csv_of, guarded, unguarded
from userproxybench.tables.check import checked, read_table, unused_columns
from userproxybench.tables.frames import (
    EPISODE_DTYPES,
    VERDICT_DTYPES,
    Tables,
    csv_text,
    episodes_frame,
    family_tallies,
    frame_of_columns,
    verdicts_frame,
)
from userproxybench.tables.rows import (
    EpisodeRow,
    VerdictRow,
    count_questions,
    episode_row,
    missed_gold_writes,
    no_verdicts,
    verdict_columns,
    verdict_rows,
)

__all__ = [
    "EPISODE_DTYPES",
    "VERDICT_DTYPES",
    "EpisodeRow",
    "Tables",
    "VerdictRow",
    "checked",
    "count_questions",
    "csv_of",
    "csv_text",
    "episode_row",
    "episodes_frame",
    "family_tallies",
    "frame_of_columns",
    "guarded",
    "missed_gold_writes",
    "no_verdicts",
    "read_table",
    "unguarded",
    "unused_columns",
    "verdict_columns",
    "verdict_rows",
    "verdicts_frame",
]
