"""Frames that people bring: read, typed, checked. Every fault is one line that says what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, get_args

from userproxybench import scoring
from userproxybench.errors import InputError
from userproxybench.models import FAMILIES, CostBasis, Outcome
from userproxybench.scoring import FamilyOutcome, Status, Tally
from userproxybench.tables.cells import unguarded
from userproxybench.tables.frames import (
    EPISODE_DTYPES,
    VERDICT_DTYPES,
    Tables,
    each_text,
    family_tallies,
)
from userproxybench.tables.rows import SUCCESS_MARGIN

if TYPE_CHECKING:
    import pandas as pd

_TEXT_SETS: Mapping[str, tuple[str, ...]] = {
    "status": get_args(Status),
    "cost_basis": get_args(CostBasis),
    "family": tuple(FAMILIES),
    "verdict": get_args(Outcome),
    **dict.fromkeys(FAMILIES, get_args(FamilyOutcome)),
}
_NEVER_NEGATIVE = frozenset(EPISODE_DTYPES) - {"reward", "trial"}


def read_table(file: IO[bytes], name: str, *, parquet: bool = False) -> pd.DataFrame:
    """An unchecked frame from an open CSV or Parquet file; only an empty cell is missing.

    Raises `InputError` naming the file when it is not such a table.
    """
    import pandas as pd

    try:
        if parquet:
            return pd.read_parquet(file)
        frame = pd.read_csv(file, dtype="string", keep_default_na=False, na_values=[""])
        if not isinstance(frame.index, pd.RangeIndex):
            raise ValueError("the rows have more cells than the header")
        return each_text(frame, unguarded)
    except ImportError:
        raise InputError(
            f"{name}: reading Parquet needs pyarrow. Install 'userproxybench[parquet]'"
        ) from None
    except (ValueError, OSError) as error:  # pandas and pyarrow parse errors are ValueErrors
        problem = " ".join(str(error).split()) or type(error).__name__
        kind = "Parquet" if parquet else "CSV"
        raise InputError(f"{name}: not a readable {kind} table ({problem:.120})") from None


def checked(episodes: pd.DataFrame, verdicts: pd.DataFrame | None = None) -> Tables:
    """Both frames with all columns and the stated types, or `InputError` in one line.

    `episodes` needs `proxy`, `domain`, `task_id`, and `fidelity` unless `verdicts` gives it.
    Columns that are absent are missing throughout; columns of other names are left out.
    """
    answers = _typed(_renamed(verdicts), VERDICT_DTYPES, "verdicts")
    need = ["proxy", "domain", "task_id"] + ([] if len(answers) else ["fidelity"])
    _require(episodes, need, "episodes")
    frame = _typed(episodes, EPISODE_DTYPES, "episodes")
    _no_blank(frame, ("proxy", "domain", "task_id"), "episodes")
    frame = _with_ids(frame)
    _unique(frame, ["episode_id"], "episodes")
    if len(answers):
        answers = _checked_verdicts(answers, frame)
        frame = _with_scores(frame, answers, given="fidelity" in episodes.columns)
    return Tables(_with_derived(frame), answers)


def unused_columns(frame: pd.DataFrame, dtypes: Mapping[str, str]) -> list[str]:
    """Columns that no analysis reads: a misspelt name shows up here."""
    return [str(name) for name in frame.columns if str(name) not in dtypes]


def _renamed(verdicts: pd.DataFrame | None) -> pd.DataFrame:
    import pandas as pd

    if verdicts is None or not len(verdicts):
        return pd.DataFrame(columns=list(VERDICT_DTYPES))
    _require(verdicts, ["episode_id", "criterion_id", "family", "verdict"], "verdicts")
    return verdicts


def _require(frame: pd.DataFrame, names: Sequence[str], table: str) -> None:
    missing = [name for name in names if name not in frame.columns]
    if missing:
        found = ", ".join(str(name) for name in frame.columns[:12]) or "none"
        raise InputError(f"{table}: no column {missing[0]!r}; found: {found:.200}. Add it")


def _typed(frame: pd.DataFrame, dtypes: Mapping[str, str], table: str) -> pd.DataFrame:
    import pandas as pd

    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InputError(f"{table}: column {str(twice[0])!r} occurs twice. Keep one")
    columns = {
        name: (
            _column(frame[name], dtype, table)
            if name in frame.columns
            else pd.Series(pd.NA, index=frame.index, dtype=dtype)
            if dtype != "float64"
            else pd.Series(float("nan"), index=frame.index)
        )
        for name, dtype in dtypes.items()
    }
    return pd.DataFrame(columns).reset_index(drop=True)


def _column(values: pd.Series, dtype: str, table: str) -> pd.Series:
    """One column in its type, each fault named with its row (the first data row is 1)."""
    if dtype == "string":
        return _text(values, table)
    if dtype == "boolean":
        return _truth(values, table)
    return _number(values, dtype, table)


def _text(values: pd.Series, table: str) -> pd.Series:
    import pandas as pd

    if pd.api.types.is_float_dtype(values.dtype) and (values.dropna() % 1 == 0).all():
        values = values.astype("Int64")  # ids read as floats because one of them is missing
    text = values.astype("string")
    text = text.mask(text == "")
    allowed = _TEXT_SETS.get(str(values.name))
    if allowed:
        _refuse(values, text.notna() & ~text.isin(allowed), table, "one of " + ", ".join(allowed))
    return text


def _truth(values: pd.Series, table: str) -> pd.Series:
    words = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}
    text = values.astype("string").str.strip().str.lower()
    truth = text.map(words)
    _refuse(values, text.notna() & (text != "") & truth.isna(), table, "true or false")
    typed: pd.Series = truth.astype("boolean")
    return typed


def _number(values: pd.Series, dtype: str, table: str) -> pd.Series:
    import pandas as pd

    numbers = pd.to_numeric(values, errors="coerce").astype("Float64")
    number = pd.Series(numbers.to_numpy(dtype=float, na_value=float("nan")), index=values.index)
    blank = values.isna() | values.astype("string").str.strip().str.lower().isin(["", "nan"])
    _refuse(values, number.isna() & ~blank, table, "a number, or empty where unknown")
    _refuse(values, number.abs() == float("inf"), table, "a finite number, or empty where unknown")
    if str(values.name) in _NEVER_NEGATIVE:
        _refuse(values, number < 0, table, "0 or more")
    if str(values.name) == "fidelity":
        _refuse(values, number.notna() & ~number.isin([0, 1]), table, "0, 1, or empty")
    if dtype == "Int64":
        _refuse(values, number % 1 > 0, table, "a whole number")
        return number.astype("Int64")
    return number


def _refuse(values: pd.Series, wrong: pd.Series, table: str, wanted: str) -> None:
    bad = wrong.fillna(value=False).to_numpy(dtype=bool)
    if bad.any():
        row = int(bad.argmax())
        shown = str(values.iloc[row])[:60]
        more = f" ({int(bad.sum())} rows)" if bad.sum() > 1 else ""
        raise InputError(
            f"{table}: row {row + 1}, column {values.name!r}: {shown!r} should be {wanted}{more}"
        )


def _no_blank(frame: pd.DataFrame, names: Sequence[str], table: str) -> None:
    for name in names:
        _refuse(frame[name], frame[name].isna(), table, "filled in")


def _with_ids(frame: pd.DataFrame) -> pd.DataFrame:
    if frame["episode_id"].notna().all():
        return frame
    parts = [frame[name].fillna("") for name in ("proxy", "domain", "task_id")]
    made = parts[0] + "/" + parts[1] + "/" + parts[2]
    made = made + "/" + frame["trial"].astype("string").fillna("-")
    return frame.assign(episode_id=frame["episode_id"].fillna(made))


def _unique(frame: pd.DataFrame, keys: list[str], table: str) -> None:
    twice = frame.duplicated(keys)
    if twice.any():
        first = frame.loc[twice, keys].iloc[0]
        shown = ", ".join(f"{key} {str(first[key])[:80]!r}" for key in keys)
        raise InputError(
            f"{table}: {shown} occurs more than once ({int(twice.sum())} rows too many). "
            "Give each episode once; trials of a task need `trial` or `episode_id`"
        )


def _checked_verdicts(answers: pd.DataFrame, episodes: pd.DataFrame) -> pd.DataFrame:
    _no_blank(answers, ("episode_id", "criterion_id", "family", "verdict"), "verdicts")
    known = answers["episode_id"].isin(episodes["episode_id"])
    _refuse(answers["episode_id"], ~known, "verdicts", "an `episode_id` of the episodes table")
    for name, remedy in (("grader", "grader"), ("rubric_source", "rubric source")):
        kinds = sorted(answers[name].dropna().unique())
        if len(kinds) > 1:
            raise InputError(
                f"verdicts: {len(kinds)} {remedy}s in one table ({', '.join(kinds):.120}); scores "
                f"by different instruments do not compare. Analyse one {remedy} at a time"
            )
    _unique(answers, ["episode_id", "criterion_id"], "verdicts")
    return answers


def _with_scores(frame: pd.DataFrame, answers: pd.DataFrame, *, given: bool) -> pd.DataFrame:
    """Scores from the verdicts; where `fidelity` is given too, the two must agree."""
    import pandas as pd

    by_family = family_tallies(frame["episode_id"], answers)
    totals = [sum(parts, Tally()) for parts in zip(*by_family.values(), strict=True)]
    follows = pd.Series([scoring.fidelity(total) for total in totals], dtype="Int64")
    if given:
        says = frame["fidelity"]
        same = (says == follows).fillna(value=False) | (says.isna() & follows.isna())
        _refuse(says, ~same, "episodes", "what its verdicts come to")
    statuses = pd.Series([scoring.status(total) for total in totals], dtype="string")
    outcomes = {
        family: pd.Series([scoring.family_outcome(tally) for tally in tallies], dtype="string")
        for family, tallies in by_family.items()
    }
    return frame.assign(
        fidelity=follows,
        status=frame["status"].fillna(statuses),
        n_applicable=pd.Series([total.passed + total.failed for total in totals], dtype="Int64"),
        n_failed=pd.Series([total.failed for total in totals], dtype="Int64"),
        **{family: frame[family].fillna(values) for family, values in outcomes.items()},
    )


def _with_derived(frame: pd.DataFrame) -> pd.DataFrame:
    """`status`, `success` and `cost_basis` where they were not given."""
    import pandas as pd

    scored = frame["fidelity"].notna()
    made = pd.Series(["scored" if value else "ungraded" for value in scored], dtype="string")
    status = frame["status"].fillna(made)
    _refuse(
        frame["status"],
        (status == "scored") != scored,
        "episodes",
        "`scored` exactly where fidelity is given",
    )
    success = (frame["reward"] >= 1 - SUCCESS_MARGIN).astype("boolean")
    priced = frame["cost_usd"].notna()
    basis = pd.Series(["recorded" if value else "unknown" for value in priced], dtype="string")
    return frame.assign(
        status=status,
        success=success.where(frame["reward"].notna(), frame["success"]),
        cost_basis=frame["cost_basis"].fillna(basis),
    )
