"""What `analyze` and `select` read: run folders, or tables that people bring."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from userproxybench.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from userproxybench.analysis.costs import Override, PriceLookup
    from userproxybench.tables import Tables


class _Instrument(BaseModel):
    """The head of `summary.json`."""

    model_config = ConfigDict(extra="ignore")

    grader: str
    rubric_source: str


class _OverrideTable(BaseModel):
    """One proxy in a cost file."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    per_simulation: float | None = Field(default=None, ge=0)
    input: float | None = Field(default=None, ge=0)
    output: float | None = Field(default=None, ge=0)


@dataclass(frozen=True)
class _Part:
    """One input."""

    name: str
    tables: Tables
    instrument: tuple[str, str] | None


@dataclass(frozen=True)
class Graded:
    """Everything that was read, as one."""

    tables: Tables
    """The frames of all inputs together."""
    notes: tuple[str, ...]
    """What a reader must know about the reading."""


def read_graded(
    paths: Sequence[Path],
    *,
    verdicts: Path | None = None,
    agent: str | None = None,
    only: Sequence[str] = (),
) -> Graded:
    """Read run folders and tables into one, and keep what was asked for.

    Raises `InputError` where inputs were graded by different instruments, hold an episode twice,
    or nothing is left.
    """
    if verdicts is not None and len(paths) != 1:
        raise InputError("--verdicts belongs to one episodes table; give one path")
    notes: list[str] = []
    parts = [_read(path, verdicts, notes) for path in paths]
    _same_instrument(parts)
    tables = _joined(parts)
    return Graded(_narrowed(tables, agent, only), tuple(notes))


def read_overrides(path: Path | None) -> dict[str, Override]:
    """Costs that the user sets: a TOML table per proxy.

    ["proxy name"]
    per_simulation = 0.0175    # dollars
    input = 0.2                # or dollars per million tokens
    output = 0.6
    """
    from userproxybench.analysis.costs import Override

    if path is None:
        return {}
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        tables = TypeAdapter(dict[str, _OverrideTable]).validate_python(raw)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not TOML ({error})") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"{path}: {place}: {first['msg']}. Give per proxy `per_simulation` (dollars), or "
            "`input` and `output` (dollars per million tokens)"
        ) from error
    return {
        name: Override(one.per_simulation, _per_token(one.input), _per_token(one.output))
        for name, one in tables.items()
    }


def list_prices() -> PriceLookup:
    """The shipped list prices, by name of the proxy, with those of `userproxybench.toml` on top."""
    from userproxybench.config import read_settings
    from userproxybench.prices import ListPrice, shipped_prices

    own = {name: ListPrice(**price.model_dump()) for name, price in read_settings().prices.items()}
    return shipped_prices().overridden(own).price


def _per_token(per_million: float | None) -> float | None:
    return None if per_million is None else per_million / 1e6


def _read(path: Path, verdicts: Path | None, notes: list[str]) -> _Part:
    from userproxybench.tables import EPISODE_DTYPES, VERDICT_DTYPES, checked, unused_columns

    if path.is_dir():
        episodes_file, beside = path / "episodes.csv", path / "verdicts.csv"
        verdicts_file = verdicts or (beside if beside.is_file() else None)
        if not episodes_file.is_file():
            raise InputError(
                f"{path}: no run folder (it has no episodes.csv). Make one with "
                "`userproxybench audit DUMP --out RUN`"
            )
        if verdicts_file is None:
            notes.append(f"{path}: no verdicts.csv, so nothing is said about families and criteria")
    else:
        episodes_file, verdicts_file = path, verdicts
    episodes = _frame(episodes_file)
    answers = None if verdicts_file is None else _frame(verdicts_file)
    for frame, dtypes in ((episodes, EPISODE_DTYPES), (answers, VERDICT_DTYPES)):
        unused = [] if frame is None else unused_columns(frame, dtypes)
        if unused:
            notes.append(f"{path}: columns that nothing reads: {', '.join(unused):.200}")
    try:
        tables = checked(episodes, answers)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return _Part(str(path), tables, _instrument(path, tables))


def _frame(path: Path) -> pd.DataFrame:
    from userproxybench.tables import read_table

    try:
        with path.open("rb") as file:
            return read_table(file, str(path), parquet=path.suffix == ".parquet")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error


def _instrument(path: Path, tables: Tables) -> tuple[str, str] | None:
    """Grader and rubric source, from the summary, else from the verdicts; `None` when unknown."""
    summary = path / "summary.json"
    if path.is_dir() and summary.is_file():
        try:
            head = _Instrument.model_validate_json(summary.read_bytes())
        except (ValidationError, OSError) as error:
            raise InputError(f"{summary}: not a summary of this package") from error
        return head.grader, head.rubric_source
    kinds = [tables.verdicts[name].dropna().unique() for name in ("grader", "rubric_source")]
    return (str(kinds[0][0]), str(kinds[1][0])) if all(len(kind) for kind in kinds) else None


def _same_instrument(parts: Sequence[_Part]) -> None:
    known = {part.instrument: part.name for part in parts if part.instrument is not None}
    if len(known) > 1:
        shown = "; ".join(f"{name}: {one[0]} on {one[1]}" for one, name in known.items())
        raise InputError(
            f"inputs were graded by different instruments ({shown}); their scores do not compare. "
            "Analyse each instrument on its own"
        )


def _joined(parts: Sequence[_Part]) -> Tables:
    import pandas as pd

    from userproxybench.tables import Tables

    if len(parts) == 1:
        return parts[0].tables
    _no_episode_twice(parts)
    ids = pd.concat([part.tables.episodes["episode_id"] for part in parts])
    renamed = (
        [_qualified(part) for part in parts]
        if ids.duplicated().any()
        else [part.tables for part in parts]
    )
    return Tables(
        pd.concat([one.episodes for one in renamed], ignore_index=True),
        pd.concat([one.verdicts for one in renamed], ignore_index=True),
    )


def _no_episode_twice(parts: Sequence[_Part]) -> None:
    key = ["episode_id", "proxy", "domain", "task_id", "trial"]
    seen: dict[tuple[object, ...], str] = {}
    for part in parts:
        rows = part.tables.episodes[key].astype(object)
        for values in rows.where(rows.notna(), None).itertuples(index=False, name=None):
            first = seen.setdefault(values, part.name)
            if first != part.name:
                raise InputError(
                    f"episode {str(values[0])[:80]!r} is in {first} and in {part.name}. "
                    "Give each episode once"
                )
        if len({str(other.name) for other in parts}) < len(parts):
            raise InputError(f"{part.name}: given more than once")


def _qualified(part: _Part) -> Tables:
    """Ids told apart by the name of the input: they are unique within a run folder only."""
    from userproxybench.tables import Tables

    episodes, verdicts = part.tables.episodes, part.tables.verdicts
    return Tables(
        episodes.assign(episode_id=part.name + "/" + episodes["episode_id"]),
        verdicts.assign(episode_id=part.name + "/" + verdicts["episode_id"]),
    )


def _narrowed(tables: Tables, agent: str | None, only: Sequence[str]) -> Tables:
    from userproxybench.tables import Tables

    episodes = tables.episodes
    for column, wanted in (("agent", [agent] if agent else []), ("proxy", list(only))):
        stray = sorted(set(wanted) - set(episodes[column].dropna()))
        if stray:
            found = ", ".join(sorted(set(episodes[column].dropna()))) or "none"
            raise InputError(f"no {column} {stray[0]!r} here; found: {found:.200}")
        if wanted:
            episodes = episodes[episodes[column].isin(wanted)]
    held = tables.verdicts["episode_id"].isin(episodes["episode_id"])
    return Tables(episodes.reset_index(drop=True), tables.verdicts[held].reset_index(drop=True))
