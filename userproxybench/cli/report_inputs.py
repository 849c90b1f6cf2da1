"""What `report` shows: run folders and labels, read into one `Material`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from userproxybench.errors import InputError, RunFolderError
from userproxybench.report.material import LabelledTurn, Labels, Material, Reading

if TYPE_CHECKING:
    from userproxybench.analysis import Analysis, Summary
    from userproxybench.loaders.labelled import LabelledCase
    from userproxybench.models import Contract, Grade, Rubric, Trajectory
    from userproxybench.store import RunFolder
    from userproxybench.tables import Tables


@dataclass
class _Group:
    """Run folders that one instrument made."""

    paths: list[Path] = field(default_factory=list)
    folders: list[RunFolder] = field(default_factory=list)
    grades: dict[str, Grade] = field(default_factory=dict)
    rubrics: dict[str, Rubric] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Digest of the instrument."""
        return self.folders[0].config.digest


def read_material(
    runs: Sequence[Path], labels: Sequence[Path] = (), *, allow_different: bool = False
) -> Material:
    """Everything for one report. The first folder's instrument is the one it is about.

    Folders by other instruments are set against it, on the episodes they share.

    Raises:
        InputError: a path is no finished run folder, or a label file cannot be read.
    """
    from userproxybench.analysis import Options, analyse
    from userproxybench.cli.graded import list_prices, read_graded

    groups = _grouped(runs)
    main = groups[0]
    graded = read_graded(main.paths)
    tables = graded.tables
    summary = _summary(main, tables)
    trajectories, contracts = _conversations(main)
    options = Options(prices=list_prices(), allow_different=allow_different)
    done = analyse(tables, options)
    readings = _readings(groups)
    return Material(
        version=summary.version,
        inputs=tuple(name for folder in main.folders for name in folder.config.inputs),
        tables=tables,
        summary=summary,
        analysis=done,
        main=readings[0],
        trajectories=trajectories,
        contracts=contracts,
        others=tuple(readings[1:]),
        labels=_labelled(labels, trajectories),
        unscored=_unscored(readings[0], trajectories, contracts, tables),
        warnings=tuple(_warnings(main, summary, done)),
        notes=(*graded.notes, *_unmatched(labels, trajectories)),
    )


def damage(material: Material) -> list[str]:
    """What is missing in the folders: the page is made all the same, and shows less."""
    graded = set(material.tables.episodes["episode_id"])
    spoken = {one.id for one in material.trajectories}
    answers = sum(
        len(grade.verdicts) for id_, grade in material.main.grades.items() if id_ in graded
    )
    listed = len(material.tables.verdicts)
    found = []
    if answers != listed:
        found.append(f"verdicts.csv has {listed} verdicts and verdicts.jsonl {answers}")
    if graded != spoken:
        found.append(
            f"{len(graded - spoken)} episodes of episodes.csv are not in trajectories.jsonl.gz, "
            f"and {len(spoken - graded)} of these are not in episodes.csv"
        )
    return [
        f"{one}. The files are damaged or of two runs: run the same `userproxybench audit` again"
        for one in found
    ]


def _grouped(runs: Sequence[Path]) -> list[_Group]:
    """Folders by instrument, in the order given."""
    from userproxybench.store import RunFolder

    groups: dict[str, _Group] = {}
    for path in dict.fromkeys(runs):
        folder = RunFolder.open(path)
        if not (path / "episodes.csv").is_file() or not (path / "summary.json").is_file():
            raise RunFolderError(
                f"{path}: the audit was not finished (no episodes.csv or summary.json). Run the "
                "same `userproxybench audit` command again; what is graded is kept"
            )
        group = groups.setdefault(folder.config.digest, _Group())
        group.paths.append(path)
        group.folders.append(folder)
        group.grades |= {grade.trajectory_id: grade for grade in folder.grades()}
        group.rubrics |= {rubric.contract_hash: rubric for rubric in _rubrics(path / "rubrics")}
    return list(groups.values())


def _rubrics(folder: Path) -> Iterator[Rubric]:
    from userproxybench.store import read_rubric, rubric_files

    if folder.is_dir():
        yield from map(read_rubric, rubric_files(folder))


def _summary(group: _Group, tables: Tables) -> Summary:
    """The summary on file; of several folders, one made anew."""
    from userproxybench.analysis import Summary, summarise

    found: list[Summary] = []
    for path in group.paths:
        try:
            found.append(Summary.model_validate_json((path / "summary.json").read_bytes()))
        except (ValidationError, OSError) as error:
            raise InputError(f"{path}/summary.json: not a summary of this package") from error
    if len(found) == 1:
        return found[0]
    spent = [one.audit_cost_usd for one in found]
    whole = summarise(
        tables,
        version=found[0].version,
        grader=found[0].grader,
        rubric_source=found[0].rubric_source,
        notes=list(dict.fromkeys(note for one in found for note in one.notes)),
    )
    known = [usd for usd in spent if usd is not None]
    total = sum(known) if len(known) == len(spent) else None
    return whole.model_copy(update={"audit_cost_usd": total})


def _conversations(group: _Group) -> tuple[list[Trajectory], dict[str, Contract]]:
    trajectories: dict[str, Trajectory] = {}
    contracts: dict[str, Contract] = {}
    for path, folder in zip(group.paths, group.folders, strict=True):
        contracts |= folder.contracts()
        for trajectory in folder.trajectories():
            if trajectory.id in trajectories:
                raise InputError(
                    f"episode {trajectory.id[:80]!r} is in {path} and in another of these folders. "
                    "Make one folder of them: audit all dumps with one `--out`"
                )
            trajectories[trajectory.id] = trajectory
    return list(trajectories.values()), contracts


def _readings(groups: Sequence[_Group]) -> list[Reading]:
    """One reading per instrument; where two share a name, their digests tell them apart."""
    names: list[tuple[str, str]] = []
    for group in groups:
        instrument = group.folders[0].config.instrument
        names.append((str(instrument.get("grader", "?")), str(instrument.get("rubrics", "?"))))
    return [
        Reading(
            grader=name[0] if names.count(name) == 1 else f"{name[0]} ({group.digest[:6]})",
            rubric_source=name[1],
            grades=group.grades,
            rubrics=group.rubrics,
        )
        for name, group in zip(names, groups, strict=True)
    ]


def _unscored(
    reading: Reading,
    trajectories: Iterable[Trajectory],
    contracts: Mapping[str, Contract],
    tables: Tables,
) -> dict[str, str]:
    """Why each episode without a score has none."""
    from userproxybench.audit.batch import NO_RUBRIC, why_unscored

    frame = tables.episodes
    open_ids = set(frame.loc[frame["status"] != "scored", "episode_id"])
    found: dict[str, str] = {}
    for one in trajectories:
        if one.id not in open_ids:
            continue
        reason = why_unscored(one, reading.grades.get(one.id))
        under = contracts.get(one.contract_hash)
        if reason == NO_RUBRIC and under is not None and under.blueprint.is_empty:
            reason = "no rubric, because the dump does not say what this user was told"
        found[one.id] = reason
    return found


def _warnings(group: _Group, summary: Summary, done: Analysis) -> Iterator[str]:
    """What is wrong with the comparison itself."""
    from userproxybench.llm import role_warnings

    instrument = group.folders[0].config.instrument
    yield from (note for note in summary.notes if "lower-coverage instrument" in note)
    roles = {"grader": summary.grader.removeprefix("rules+")}
    for role in ("generator", "verifier"):
        identity = instrument.get(role)
        if isinstance(identity, Mapping):
            roles[role] = str(identity.get("model", ""))
    yield from role_warnings(roles, done.proxies)


def _labelled(files: Sequence[Path], trajectories: Sequence[Trajectory]) -> dict[str, Labels]:
    """Labels by episode: a case belongs to the episode of its id, or with its very words."""
    if not files:
        return {}
    by_id = {one.id: one for one in trajectories}
    by_words = {_words(one): one for one in trajectories}
    found: dict[str, Labels] = {}
    for case in _cases(files):
        episode = by_id.get(case.id) or by_words.get(_words(case.trajectory))
        if episode is not None:
            found[episode.id] = Labels(
                certain=not case.ambiguous,
                violations=tuple(
                    LabelledTurn(one.turn, one.accept_modes or (one.mode,), one.why)
                    for one in case.violations
                    if one.family != "protocol"
                ),
                tolerated=tuple(LabelledTurn(one.turn, one.modes) for one in case.tolerated),
            )
    return found


def _cases(files: Sequence[Path]) -> Iterator[LabelledCase]:
    from userproxybench.loaders.labelled import read_cases

    for file in files:
        yield from read_cases(file)


def _unmatched(files: Sequence[Path], trajectories: Sequence[Trajectory]) -> list[str]:
    if not files:
        return []
    total = sum(1 for _ in _cases(files))
    matched = len(_labelled(files, trajectories))
    return [f"labels: {matched} of {total} labelled conversations are among these episodes"]


def _words(trajectory: Trajectory) -> str:
    """Digest over who said what."""
    text = "\0".join(f"{turn.index} {turn.speaker} {turn.text}" for turn in trajectory.turns)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
