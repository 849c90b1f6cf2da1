"""Error rates of a grader, from the report that `calibrate --json` writes."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from userproxybench.analysis.summary import ErrorRates
from userproxybench.errors import InputError

CARRIES = (
    "the corrected UFS takes the grader's error rates from labelled cases; the mix of modes in "
    "real conversations may differ, so it may not carry over"
)
"""Said wherever a corrected UFS stands."""


class _Overall(BaseModel):
    model_config = ConfigDict(extra="ignore")

    caught: int = Field(alias="episode_recall_k")
    guilty: int = Field(alias="episode_recall_n", gt=0)
    flagged: int = Field(alias="clean_false_alarm_rate_k")
    clean: int = Field(alias="clean_false_alarm_rate_n", gt=0)


class _Report(BaseModel):
    model_config = ConfigDict(extra="ignore")

    grader: str
    rubric_source: str
    overall: _Overall


class _Sets(BaseModel):
    """The report on the shipped set: the held-out part is the one that counts."""

    model_config = ConfigDict(extra="ignore")

    held_out: _Report = Field(alias="held out")


def read_error_rates(path: Path, *, grader: str, rubrics: str) -> ErrorRates:
    """Error rates of this instrument.

    Raises:
        InputError: no such report, or one of another grader or rubric source.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read. Give what `calibrate --json` printed") from error
    report = _parsed(path, text)
    if (report.grader, report.rubric_source) != (grader, rubrics):
        raise InputError(
            f"{path}: error rates of {report.grader!r} on {report.rubric_source!r} rubrics, but "
            f"this audit is by {grader!r} on {rubrics!r}. Calibrate the same instrument"
        )
    found = report.overall
    return ErrorRates((found.caught, found.guilty), (found.clean - found.flagged, found.clean))


def _parsed(path: Path, text: str) -> _Report:
    try:
        return _Sets.model_validate_json(text).held_out
    except ValidationError:
        pass
    try:
        return _Report.model_validate_json(text)
    except ValidationError as error:
        raise InputError(
            f"{path}: not a calibration report. Give what `calibrate --json` printed"
        ) from error
