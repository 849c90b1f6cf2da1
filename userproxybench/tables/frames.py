"""Rows → frames, with the one list of column names and types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from userproxybench.models import FAMILIES, Family
from userproxybench.scoring import Tally
from userproxybench.tables.cells import guarded, quoting
from userproxybench.tables.rows import EpisodeRow, VerdictRow

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

EPISODE_DTYPES: Mapping[str, str] = MappingProxyType(
    {
        "proxy": "string",
        "domain": "string",
        "task_id": "string",
        "trial": "Int64",
        "reward": "float64",
        "success": "boolean",
        "fidelity": "Int64",
        "status": "string",
        "n_applicable": "Int64",
        "n_failed": "Int64",
        "groundedness": "string",
        "premature_disclosure": "string",
        "goal_deviation": "string",
        "missed_information": "string",
        "cost_usd": "float64",
        "cost_basis": "string",
        "prompt_tokens": "Int64",
        "completion_tokens": "Int64",
        "agent_turns": "Int64",
        "agent_tool_calls": "Int64",
        "agent_questions": "Int64",
        "user_turns": "Int64",
        "termination": "string",
        "missed_gold_writes": "Int64",
        "episode_id": "string",
        "agent": "string",
        "agent_settings_hash": "string",
        "task_hash": "string",
        "domain_version": "string",
        "hosting": "string",
        "proxy_settings_hash": "string",
        "agent_messages": "Int64",
        "agent_asking_turns": "Int64",
        "user_calls": "Int64",
        "priced_calls": "Int64",
        "metered_calls": "Int64",
        "discarded_attempts": "Int64",
    }
)
"""Columns of `episodes`, in order, with their pandas types."""

VERDICT_DTYPES: Mapping[str, str] = MappingProxyType(
    {
        "episode_id": "string",
        "criterion_id": "string",
        "family": "string",
        "mode": "string",
        "verdict": "string",
        "turn": "Int64",
        "quotation": "string",
        "reason": "string",
        "grader": "string",
        "rubric_source": "string",
    }
)
"""Columns of `verdicts`, in order, with their pandas types."""


_TALLIED = ("pass", "fail", "ungraded")
"""Outcomes in the order of `Tally`."""


@dataclass(frozen=True)
class Tables:
    """The two frames, checked and of the stated types."""

    episodes: pd.DataFrame
    """One row per trajectory."""
    verdicts: pd.DataFrame
    """One row per criterion and trajectory; may be empty."""


def episodes_frame(rows: Iterable[EpisodeRow]) -> pd.DataFrame:
    """The `episodes` frame; empty text becomes missing."""
    return _frame(rows, EPISODE_DTYPES)


def verdicts_frame(rows: Iterable[VerdictRow]) -> pd.DataFrame:
    """The `verdicts` frame; empty text becomes missing."""
    return _frame(rows, VERDICT_DTYPES)


def csv_text(frame: pd.DataFrame) -> str:
    """The frame as CSV: comma, LF, missing empty, floats in full, the same bytes every time.

    Texts that a spreadsheet would run are guarded (`tables.cells`); `read_table` undoes it.
    """
    texts = (text for values in _texts(frame).values() for text in values.dropna().unique())
    return each_text(frame, guarded).to_csv(
        index=False, lineterminator="\n", quoting=quoting(texts)
    )


def each_text(frame: pd.DataFrame, change: Callable[[str], str]) -> pd.DataFrame:
    """The frame with every text put through `change`, each distinct one once."""
    changed = {}
    for name, values in _texts(frame).items():
        other = {text: new for text in values.dropna().unique() if (new := change(text)) != text}
        if other:
            changed[name] = values.map(lambda text, other=other: other.get(text, text), "ignore")
    return frame.assign(**changed) if changed else frame


def _texts(frame: pd.DataFrame) -> dict[str, pd.Series]:
    return {str(name): frame[name] for name in frame.columns if frame[name].dtype == "string"}


def family_tallies(episode_ids: pd.Series, verdicts: pd.DataFrame) -> dict[Family, list[Tally]]:
    """Tally of each family on each episode, in the order of `episode_ids`; zeros without verdict.

    Every `verdicts.episode_id` must occur in `episode_ids`.
    """
    import numpy as np
    import pandas as pd

    row = pd.Index(episode_ids).get_indexer(pd.Index(verdicts["episode_id"]))
    family = _places(verdicts["family"], FAMILIES)
    answer = _places(verdicts["verdict"], _TALLIED)
    counts = np.zeros((len(episode_ids), len(FAMILIES), len(Tally._fields)), dtype=int)
    counted = answer >= 0
    np.add.at(counts, (row[counted], family[counted], answer[counted]), 1)
    return {
        name: [Tally(*cell) for cell in counts[:, at].tolist()] for at, name in enumerate(FAMILIES)
    }


def _places(values: pd.Series, names: Iterable[str]) -> np.ndarray:
    """Where each value stands among some names; -1 for one that does not."""
    import numpy as np

    places = np.full(len(values), -1)
    for place, name in enumerate(names):
        places[values.eq(name).to_numpy(dtype=bool, na_value=False)] = place
    return places


def _frame(rows: Iterable[EpisodeRow | VerdictRow], dtypes: Mapping[str, str]) -> pd.DataFrame:
    return frame_of_columns(list(zip(*rows, strict=True)) or [()] * len(dtypes), dtypes)


def frame_of_columns(
    columns: Iterable[Sequence[object]], dtypes: Mapping[str, str]
) -> pd.DataFrame:
    """A frame of columns in the order of `dtypes`; many rows take less room this way."""
    import pandas as pd

    kept = {"string": pd.StringDtype("python")}  # one object for each distinct text, no copies
    return pd.DataFrame(
        {
            name: pd.Series(_blank_as_missing(values, dtype), dtype=kept.get(dtype, dtype))
            for (name, dtype), values in zip(dtypes.items(), columns, strict=True)
        }
    )


def _blank_as_missing(values: Sequence[object], dtype: str) -> list[object]:
    blank = dtype == "string" and "" in values
    return [value or None for value in values] if blank else list(values)
