"""What stays on disk: run folders and rubric files.

config.json            the instrument and its digest, the inputs so far
trajectories.jsonl.gz  contracts and trajectories
verdicts.jsonl         one line per finished verdict, append-only, fsynced
replies.jsonl          raw replies of models, on disk before their verdict counts
protocol.jsonl         protocol notes per trajectory
rubrics/               the rubrics that were used
"""

from userproxybench.store.files import Config
from userproxybench.store.library import (
    Coverage,
    coverage,
    data_folder,
    load_rubrics,
    read_rubric,
    rubric_files,
    rubric_path,
    rubric_places,
    save_rubric,
)
from userproxybench.store.lines import (
    contract_line,
    protocol_line,
    trajectory_line,
    verdict_line,
)
from userproxybench.store.merging import Merged, merge
from userproxybench.store.replies_log import ReplyLog
from userproxybench.store.run_folder import RunFolder
from userproxybench.store.spending import Spending

__all__ = [
    "Config",
    "Coverage",
    "Merged",
    "ReplyLog",
    "RunFolder",
    "Spending",
    "contract_line",
    "coverage",
    "data_folder",
    "load_rubrics",
    "merge",
    "protocol_line",
    "read_rubric",
    "rubric_files",
    "rubric_path",
    "rubric_places",
    "save_rubric",
    "trajectory_line",
    "verdict_line",
]
