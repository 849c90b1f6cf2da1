"""Grade by a model: every conversation against its task's rubric, nothing paid for twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from userproxybench import rules
from userproxybench.audit.batch import Batch, fingerprint
from userproxybench.audit.collecting import Collected
from userproxybench.audit.gathering import Gathered
from userproxybench.audit.judges import Judges
from userproxybench.audit.rubric_sources import GENERATE, RubricOf, rubric_source
from userproxybench.audit.writing import write_missing
from userproxybench.blinding import Names
from userproxybench.errors import InputError, LoadError
from userproxybench.generation import RubricTask
from userproxybench.grading import (
    Estimate,
    GradingTask,
    MemoryStore,
    estimate,
    grade_trajectories,
)
from userproxybench.litellm_model import LiteLLMModel
from userproxybench.llm import role_warnings
from userproxybench.loaders import Episode
from userproxybench.models import Contract, Grade, GradingFailure, ProtocolNote, Rubric
from userproxybench.rules.protocol import protocol_notes
from userproxybench.store import RunFolder, read_rubric, rubric_places, save_rubric


@dataclass
class Work:
    """The conversations to grade, each once, and the rubrics of their tasks."""

    episodes: list[Episode] = field(default_factory=list)
    """Those on file first, then the new ones."""
    on_file: int = 0
    """How many were on file."""
    changed: list[str] = field(default_factory=list)
    """Given again with other content; the one on file counts."""


def work_of(
    gathered: Gathered, folder: RunFolder | None, collected: Collected, *, strict: bool
) -> Work:
    """Everything on file and in the inputs.

    Raises:
        InputError: with `strict`, the first item that cannot be read.
    """
    work = Work()
    known: dict[str, str] = {}
    if folder is not None:
        contracts = folder.contracts()
        for trajectory in folder.trajectories():
            work.episodes.append(Episode(trajectory, contracts[trajectory.contract_hash]))
            known[trajectory.id] = fingerprint(trajectory)
    work.on_file = len(work.episodes)
    for item in (item for opened in gathered.inputs for item in opened.episodes()):
        if isinstance(item, LoadError):
            if strict:
                raise item
            collected.problems.append(str(item))
        elif item.trajectory.id not in known:
            known[item.trajectory.id] = fingerprint(item.trajectory)
            work.episodes.append(item)
        elif known[item.trajectory.id] != fingerprint(item.trajectory):
            work.changed.append(item.trajectory.id)
    return work


def rubrics_for(
    source: str,
    episodes: Sequence[Episode],
    judges: Judges,
    folder: RunFolder | None,
    collected: Collected,
) -> dict[str, Rubric]:
    """The rubric of each contract that has one, by contract hash."""
    if source == GENERATE:
        return _written(episodes, judges, folder, collected)
    return _found(episodes, rubric_source(source, by_rules=False))


def _found(episodes: Iterable[Episode], rubric_of: RubricOf) -> dict[str, Rubric]:
    contracts = {item.contract.hash: item.contract for item in episodes}
    found = {key: rubric_of(contract) for key, contract in contracts.items()}
    return {key: rubric for key, rubric in found.items() if rubric is not None}


def _written(
    episodes: Sequence[Episode], judges: Judges, folder: RunFolder | None, collected: Collected
) -> dict[str, Rubric]:
    """Rubrics by models, from the run folder or newly written; no conversation is shown to them."""
    if judges.authors is None or folder is None:
        raise InputError(
            "`rubrics`: 'generate' needs `generator`, `verifier` and `out`, where the rubrics go"
        )
    contracts = {item.contract.hash: item.contract for item in episodes}
    tasks = [RubricTask(contract, None) for contract in contracts.values()]
    written = write_missing(
        tasks,
        authors=judges.authors,
        folder=folder.path / "rubrics",
        keep=folder.add_reply,
        jobs=judges.grader.jobs,
    )
    collected.said += [
        f"no rubric could be written for {fail.contract.task_id}: {fail.reason}"
        for fail in written.failures
    ]
    return {rubric.contract_hash: rubric for rubric in written.rubrics}


def tasks_of(episodes: Iterable[Episode], rubrics: dict[str, Rubric]) -> list[GradingTask]:
    """What to ask: every conversation that can be judged and whose task has a rubric."""
    return [
        GradingTask(trajectory, contract, rubrics[contract.hash])
        for trajectory, contract in episodes
        if contract.hash in rubrics and not trajectory.not_auditable
    ]


def grade_by_model(
    work: Work,
    rubrics: dict[str, Rubric],
    judges: Judges,
    folder: RunFolder | None,
    collected: Collected,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Ask, and collect the rows."""
    if folder is not None:
        folder.write_trajectories(
            (item.trajectory for item in work.episodes), (item.contract for item in work.episodes)
        )
        for rubric in rubrics.values():
            save_rubric(folder.path / "rubrics", rubric, beside_others=True)
    names = names_of(work.episodes)
    tasks = tasks_of(work.episodes, rubrics)
    store = MemoryStore() if folder is None else folder
    total = sum(len(task.rubric.criteria) for task in tasks) * judges.grader.settings.samples
    run = grade_trajectories(
        tasks,
        grader=judges.grader,
        store=store,
        names=names,
        on_progress=None if progress is None else lambda done: progress(done, total),
    )
    grades: dict[str, Grade | GradingFailure] = {}
    grades |= {grade.trajectory_id: grade for grade in run.grades}
    grades |= {failure.trajectory_id: failure for failure in run.failures}
    collected.add(_batch(work.episodes, grades, folder))
    collected.said += [*run.notes, *_warnings(judges, work.episodes)]
    collected.reused, collected.changed = work.on_file, work.changed
    collected.spent = _spent(store)


def _spent(store: MemoryStore | RunFolder) -> float | None:
    """Dollars over the life of the store; `None` when any reply is unpriced."""
    if isinstance(store, MemoryStore):
        paid = [reply.usd for reply in store.replies]
    else:
        paid = [role.usd for role in store.spending()]
    known = [usd for usd in paid if usd is not None]
    return sum(known) if len(known) == len(paid) else None


@dataclass(frozen=True)
class Foreseen:
    """What an audit by a model would take."""

    estimate: Estimate
    """Calls, tokens and dollars of grading."""
    rubrics_to_write: int
    """Tasks for which a rubric has to be written first."""
    no_rubric: int
    """Conversations whose task has no rubric in the source that was named."""
    problems: tuple[str, ...]
    """One line for each input that cannot be read."""


def estimated(
    source: str, work: Work, judges: Judges, folder: RunFolder | None, problems: Sequence[str]
) -> Foreseen:
    """What grading will take."""
    contracts = {item.contract.hash: item.contract for item in work.episodes}
    if source == GENERATE:
        rubrics = _on_file(contracts.values(), folder)
    else:
        rubrics = _found(work.episodes, rubric_source(source, by_rules=False))
    judge = judges.grader.judge
    tasks = tasks_of(work.episodes, rubrics)
    return Foreseen(
        estimate=estimate(
            tasks,
            grader=judges.grader,
            store=folder or MemoryStore(),
            price=judge.price if isinstance(judge, LiteLLMModel) else None,
            names=names_of(work.episodes),
        ),
        rubrics_to_write=len(contracts) - len(rubrics) if source == GENERATE else 0,
        no_rubric=sum(item.contract.hash not in rubrics for item in work.episodes),
        problems=tuple(problems),
    )


def _on_file(contracts: Iterable[Contract], folder: RunFolder | None) -> dict[str, Rubric]:
    if folder is None:
        return {}
    places = ((item, rubric_places(folder.path / "rubrics", item)) for item in contracts)
    rubrics = (
        (contract.hash, read_rubric(path))
        for contract, paths in places
        for path in paths
        if path.exists()
    )
    return {key: rubric for key, rubric in rubrics if rubric.contract_hash == key}


def _batch(
    episodes: Sequence[Episode],
    grades: dict[str, Grade | GradingFailure],
    folder: RunFolder | None,
) -> Batch:
    batch = Batch()
    noted = set() if folder is None else set(folder.protocol())
    fresh: dict[str, tuple[ProtocolNote, ...]] = {}
    for trajectory, contract in episodes:
        grade = grades.get(trajectory.id)
        if isinstance(grade, Grade):
            notes = tuple(protocol_notes(rules.build_ledger(trajectory, contract)))
            grade = grade.model_copy(update={"protocol": notes})
            if notes and trajectory.id not in noted:
                fresh[trajectory.id] = notes
        batch.add(trajectory, contract, grade)
    if folder is not None:
        folder.append_protocol(fresh)
    return batch


def names_of(episodes: Iterable[Episode]) -> Names:
    """The names that no judge may see."""
    return Names.of_run(item.trajectory for item in episodes)


def _warnings(judges: Judges, episodes: Iterable[Episode]) -> list[str]:
    roles = {"grader": judges.grader.judge.name}
    if judges.authors is not None:
        roles |= {
            "generator": judges.authors.generator.name,
            "verifier": judges.authors.verifier.name,
        }
    return role_warnings(roles, {item.trajectory.proxy for item in episodes})
