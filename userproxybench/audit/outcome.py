"""Rows become frames, a summary, files, and the `Audit` that the caller gets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from userproxybench import __version__, rules
from userproxybench.audit import Audit
from userproxybench.audit.batch import ProtocolRow
from userproxybench.audit.collecting import Collected
from userproxybench.audit.folder import write_tables
from userproxybench.errors import InputError
from userproxybench.models import MODES, Mode
from userproxybench.store import RunFolder
from userproxybench.tables import VerdictRow

if TYPE_CHECKING:
    import pandas as pd


PROTOCOL_DTYPES = {name: "Int64" if name == "turn" else "string" for name in ProtocolRow._fields}
"""Columns of `protocol`, in order, with their pandas types."""


def finish(
    collected: Collected,
    folder: RunFolder | None,
    *,
    grader: str,
    rubrics: str,
    calibration: Path | None = None,
) -> Audit:
    """Frames, summary and files out of the rows.

    Raises:
        InputError: there is not one episode, or `calibration` is of another instrument.
    """
    from userproxybench.analysis.summary import summarise
    from userproxybench.audit.error_rates import CARRIES, read_error_rates
    from userproxybench.tables import VERDICT_DTYPES, Tables, episodes_frame, frame_of_columns

    problems = collected.all_problems(None if folder is None else folder.path)
    if not collected.episodes:
        raise InputError("\n".join(problems) or "there are no episodes in the given dumps")
    rates = read_error_rates(calibration, grader=grader, rubrics=rubrics) if calibration else None
    collected.name_proxies()
    uncovered = _uncovered(collected, grader, rubrics)
    tables = Tables(
        episodes_frame(collected.episodes), frame_of_columns(collected.taken(), VERDICT_DTYPES)
    )
    collected.episodes.clear()
    protocol = protocol_frame(collected.protocol)
    notes = collected.assumptions()
    summary = summarise(
        tables,
        version=__version__,
        grader=grader,
        rubric_source=rubrics,
        audit_cost_usd=collected.spent,
        error_rates=rates,
        notes=[
            *_instrument_notes(grader, rubrics, uncovered),
            *([CARRIES] if rates else []),
            *collected.said,
            *notes,
        ],
    )
    if folder is not None:
        frames = {"episodes": tables.episodes, "verdicts": tables.verdicts, "protocol": protocol}
        write_tables(folder, frames, summary)
    return Audit(
        episodes=tables.episodes,
        verdicts=tables.verdicts,
        summary=summary,
        protocol=protocol,
        problems=tuple(problems),
        passed_over=collected.passed_over,
        notes=tuple(notes),
        unjudged=dict(collected.unjudged.most_common()),
        uncovered=uncovered,
        reused=collected.reused,
        out=None if folder is None else folder.path,
        warnings=collected.warnings,
    )


def _uncovered(collected: Collected, grader: str, rubrics: str) -> tuple[Mode, ...]:
    """Modes that nothing looked at: no rule decides them, or no criterion names them."""
    if grader == "rules" and rubrics == "derived":
        return rules.UNCOVERED
    watched = set(collected.verdicts[VerdictRow._fields.index("mode")])
    return tuple(mode for mode in MODES if mode not in watched)


def _instrument_notes(grader: str, rubrics: str, uncovered: Sequence[Mode]) -> list[str]:
    notes = []
    if grader == "rules":
        notes.append(
            f"UFS by rules on {rubrics} rubrics is a lower-coverage instrument than a model-graded "
            "UFS: the two never share a table"
        )
    if uncovered:
        listed = ", ".join(uncovered)
        notes.append(f"modes that this instrument sees in part or not at all: {listed}")
    return notes


def protocol_frame(rows: Sequence[ProtocolRow]) -> pd.DataFrame:
    """The protocol notes as a frame."""
    from userproxybench.tables import frame_of_columns

    columns = list(zip(*rows, strict=True)) or [()] * len(PROTOCOL_DTYPES)
    return frame_of_columns(columns, PROTOCOL_DTYPES)
