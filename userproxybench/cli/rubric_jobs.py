"""The work behind `userproxybench rubrics`."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from userproxybench.audit.gathering import gather
from userproxybench.audit.writing import Authors, write_missing
from userproxybench.blinding import Names
from userproxybench.cli.progress import progress
from userproxybench.errors import InputError, JudgeError, LoadError
from userproxybench.generation import RubricFailure, RubricTask, write_rubrics
from userproxybench.linting import lint
from userproxybench.litellm_model import LiteLLMModel
from userproxybench.llm import role_warnings
from userproxybench.loaders import Episode, LoadOptions
from userproxybench.models import Contract, Rubric, Trajectory
from userproxybench.store import (
    ReplyLog,
    coverage,
    data_folder,
    load_rubrics,
    read_rubric,
    rubric_files,
    save_rubric,
)
from userproxybench.verification import verified, verify

COLUMNS = ("tasks", "exact", "task", "stale", "none")
"""Counts of `rubrics coverage`."""
_CALLS, _REPLY_TOKENS = 2, 1500
"""A task's usual calls (one round), and tokens of a usual reply."""


@dataclass(frozen=True)
class Writing:
    """What `rubrics generate` was asked for."""

    dumps: tuple[Path, ...]
    out: Path
    generator: LiteLLMModel
    verifier: LiteLLMModel
    sample_from: str | None
    jobs: int


@dataclass(frozen=True)
class WritingReport:
    """What `rubrics generate` did, or would do."""

    tasks: int
    """Tasks in the dumps that tell their users different things."""
    written: int = 0
    """Rubrics written now."""
    reused: int = 0
    """Rubrics that these authors had written before."""
    criteria: int = 0
    """Criteria in all of them."""
    rejected: dict[str, int] = field(default_factory=dict)
    """Criteria not kept, by the check they failed."""
    few: list[str] = field(default_factory=list)
    """Tasks with fewer than four criteria."""
    failures: list[str] = field(default_factory=list)
    """Tasks without a rubric, and why."""
    usd: float | None = None
    """Dollars spent; `None` without known prices."""
    calls_expected: int | None = None
    """With `--dry-run`: calls that would be made."""
    usd_expected: float | None = None
    """With `--dry-run`: dollars they would cost, about."""
    warnings: list[str] = field(default_factory=list)
    """Lines about the choice of models and samples."""

    def lines(self) -> Iterator[str]:
        """The report for people."""
        if self.calls_expected is not None:
            money = "price unknown" if self.usd_expected is None else f"${self.usd_expected:.2f}"
            yield f"{self.tasks} tasks, about {self.calls_expected} calls, {money}: nothing sent"
        else:
            spent = "cost unknown" if self.usd is None else f"${self.usd:.4f}"
            yield (
                f"{self.tasks} tasks: {self.written} rubrics written, {self.reused} on file, "
                f"{self.criteria} criteria, {spent}"
            )
        for check, count in sorted(self.rejected.items()):
            yield f"rejected: {count} by {check}"
        yield from (f"fewer than four criteria: {task}" for task in self.few)
        yield from (f"no rubric: {line}" for line in self.failures)
        yield from (f"warning: {line}" for line in self.warnings)


def write(job: Writing, *, dry_run: bool) -> WritingReport:
    """Write the missing rubrics."""
    episodes = list(_episodes(job.dumps))
    tasks, warnings = _with_samples(episodes, job.sample_from)
    names = Names.of_run(episode.trajectory for episode in episodes)
    roles = {"generator": job.generator.name, "verifier": job.verifier.name}
    warnings += role_warnings(roles)
    if dry_run:
        return _expected(tasks, job, warnings)
    authors = Authors(job.generator, job.verifier, names)
    with ReplyLog(job.out) as log, progress("rubrics") as tell:
        done = write_missing(
            tasks,
            authors=authors,
            folder=job.out,
            keep=log.keep,
            jobs=job.jobs,
            on_progress=lambda count: tell(count, len(tasks)),
        )
    checks: Counter[str] = Counter(
        item.failed for rubric in done.rubrics for item in rubric.provenance.rejected
    )
    return WritingReport(
        tasks=len(done.rubrics) + len(done.failures),
        written=len(done.rubrics) - done.reused,
        reused=done.reused,
        criteria=sum(len(rubric.criteria) for rubric in done.rubrics),
        rejected=dict(checks),
        few=[f"{item.domain}:{item.task_id}" for item in done.rubrics if len(item.criteria) < 4],
        failures=[f"{fail.contract.task_id}: {fail.reason}" for fail in done.failures],
        usd=log.usd,
        warnings=warnings,
    )


def _episodes(paths: Sequence[Path]) -> Iterator[Episode]:
    gathered = gather(paths, LoadOptions())
    if not gathered.inputs:
        raise InputError("\n".join(gathered.problems) or "there is no dump under the given paths")
    for item in gathered.inputs:
        for episode in item.episodes(0, len(item)):
            if not isinstance(episode, LoadError):
                yield episode


def contracts_in(paths: Sequence[Path]) -> dict[tuple[str, str, str], Contract]:
    """Every contract in some dumps by domain, task and hash."""
    found: dict[tuple[str, str, str], Contract] = {}
    for _, contract in _episodes(paths):
        found.setdefault((contract.domain, contract.task_id, contract.hash), contract)
    return found


def _with_samples(
    episodes: Sequence[Episode], sample_from: str | None
) -> tuple[list[RubricTask], list[str]]:
    """One task per contract, with a conversation of it where there is one."""
    warnings = []
    shown: Iterable[Episode] = episodes
    if sample_from is None:
        warnings.append("samples are by the audited proxies; `--sample-from` keeps them away")
    elif sample_from == "none":
        shown = ()
    elif Path(sample_from).exists():
        shown = _episodes([Path(sample_from)])
    else:
        shown = [episode for episode in episodes if episode.trajectory.proxy == sample_from]
        if not shown:
            known = ", ".join(sorted({episode.trajectory.proxy for episode in episodes}))
            raise InputError(
                f"`--sample-from`: {sample_from!r} is neither a dump nor a proxy ({known})"
            )
    samples: dict[tuple[str, str], Trajectory] = {}
    for trajectory, contract in shown:
        if not trajectory.not_auditable:
            samples.setdefault((contract.domain, contract.task_id), trajectory)
    contracts = {(item.domain, item.hash): item for _, item in reversed(episodes)}
    tasks = [
        RubricTask(contract, samples.get((contract.domain, contract.task_id)))
        for contract in reversed(contracts.values())
    ]
    return tasks, warnings


def _expected(tasks: Sequence[RubricTask], job: Writing, warnings: list[str]) -> WritingReport:
    size = sum(
        4000
        + len(task.contract.guidelines)
        + sum(map(len, task.contract.blueprint.texts().values()))
        + sum(len(turn.text) for turn in (task.sample.turns if task.sample else ()))
        for task in tasks
    )
    tokens, replies = size // 4, len(tasks) * _REPLY_TOKENS
    prices = (job.generator.price, job.verifier.price)
    dollars = [None if price is None else price.of(tokens, replies) for price in prices]
    known = [amount for amount in dollars if amount is not None]
    return WritingReport(
        tasks=len(tasks),
        calls_expected=_CALLS * len(tasks),
        usd_expected=sum(known) if len(known) == len(dollars) else None,
        warnings=warnings,
    )


@dataclass(frozen=True, order=True)
class SecondReading:
    """One row of `rubrics verify`."""

    task: str
    kept: int
    rejected: int
    by: str


def second_reading(
    path: Path, dumps: Sequence[Path], out: Path, verifier: LiteLLMModel, jobs: int
) -> list[SecondReading]:
    """Verify rubrics against the task texts of some dumps."""
    texts = {contract.hash: contract for contract in contracts_in(dumps).values()}
    rubrics = {item.contract_hash: item for item in load_rubrics(path).values()}
    bound = [RubricTask(texts[key], None) for key in rubrics if key in texts]
    if not bound:
        raise InputError(f"no rubric in {path} was written for a task of these dumps")

    def read(task: RubricTask) -> Rubric:
        rubric = rubrics[task.contract.hash]
        review = verify(
            task.contract,
            rubric.criteria,
            verifier=verifier,
            names=Names(),
            keep=functools.partial(log.keep, task.contract.hash, "verifier"),
        )
        result = verified(rubric, review, verifier.name)
        save_rubric(out, result)
        return result

    rows = []
    with ReplyLog(out) as log:
        for result in write_rubrics(bound, write=read, jobs=jobs):
            if isinstance(result, RubricFailure):
                raise JudgeError("format", f"{result.contract.task_id}: {result.reason}")
            before = rubrics[result.contract_hash]
            rejected = len(before.criteria) - len(result.criteria)
            checks = Counter(item.failed for item in result.provenance.rejected[-rejected:])
            by = ", ".join(checks) if rejected else ""
            rows.append(
                SecondReading(
                    f"{result.domain}:{result.task_id}", len(result.criteria), rejected, by
                )
            )
    return sorted(rows)


@dataclass(frozen=True)
class FileFault:
    """One fault that `rubrics lint` found."""

    file: str
    criterion: str
    check: str
    problem: str


def faults_in(path: Path, dumps: Sequence[Path]) -> tuple[int, list[FileFault]]:
    """How many rubrics there are, and their faults."""
    texts = _by_task(contracts_in(dumps)) if dumps else {}
    faults = []
    count = 0
    for file in rubric_files(path):
        count += 1
        rubric = read_rubric(file)
        contracts = texts.get((rubric.domain, rubric.task_id), [])
        best = next((item for item in contracts if item.hash == rubric.contract_hash), None)
        found = lint(rubric, best or (contracts[0] if contracts else None))
        faults += [FileFault(str(file), item.criterion, item.check, item.problem) for item in found]
    return count, faults


def _by_task(
    contracts: dict[tuple[str, str, str], Contract],
) -> dict[tuple[str, str], list[Contract]]:
    grouped: dict[tuple[str, str], list[Contract]] = defaultdict(list)
    for (domain, task_id, _), contract in contracts.items():
        grouped[domain, task_id].append(contract)
    return grouped


@dataclass(frozen=True)
class ShownCriterion:
    """One criterion as `rubrics show` prints it."""

    id: str
    mode: str
    statement: str
    applies_when: str
    source: str
    quotation: str


@dataclass(frozen=True)
class ShownRubric:
    """One rubric as `rubrics show` prints it."""

    domain: str
    task_id: str
    source: str
    match: str
    criteria: list[ShownCriterion]
    rejected: list[str]


def resolved(task: str, rubrics: Path | None, dumps: Sequence[Path]) -> list[ShownRubric]:
    """The rubrics of a task id, in whatever domain unless one is named."""
    known = load_rubrics(rubrics or data_folder("rubrics"))
    wanted = [
        rubric for (domain, name), rubric in known.items() if task in (name, f"{domain}:{name}")
    ]
    if not wanted:
        raise InputError(f"no rubric for task {task!r} in {rubrics or 'the library'}")
    texts = _by_task(contracts_in(dumps)) if dumps else {}
    return [_shown(rubric, texts.get((rubric.domain, rubric.task_id), [])) for rubric in wanted]


def _shown(rubric: Rubric, contracts: Sequence[Contract]) -> ShownRubric:
    best = next((item for item in contracts if item.hash == rubric.contract_hash), None)
    contract = best or (contracts[0] if contracts else None)
    criteria = []
    for item in rubric.criteria:
        quotation = "(give --dump to see it)"
        if contract is not None and item.grounding is not None:
            quotation = item.grounding.resolve(contract) or "(gone from this text of the task)"
        source = item.grounding.source if item.grounding else "-"
        criteria.append(
            ShownCriterion(item.id, item.mode, item.statement, item.applies_when, source, quotation)
        )
    return ShownRubric(
        rubric.domain,
        rubric.task_id,
        rubric.source,
        rubric.match(contract) if contract else "no text given",
        criteria,
        [f"{item.statement} [{item.failed}: {item.reason}]" for item in rubric.provenance.rejected],
    )


@dataclass(frozen=True)
class Covered:
    """What `rubrics coverage` found."""

    domains: dict[str, dict[str, int]]
    """Per domain: tasks, and how many have a rubric that matches exact, by task, stale, none."""
    stale: list[str]
    """Tasks whose rubric was written for another text."""


def covered(dumps: Sequence[Path], rubrics: Path | None) -> Covered:
    """How far a rubric folder covers the tasks of some dumps."""
    known = load_rubrics(rubrics or data_folder("rubrics"))
    counts: dict[str, dict[str, int]] = {}
    stale = []
    for (domain, task_id, _), contract in sorted(contracts_in(dumps).items()):
        row = counts.setdefault(
            domain, dict.fromkeys(("tasks", "exact", "task", "stale", "none"), 0)
        )
        match = coverage(known, contract).match or "none"
        row["tasks"] += 1
        row[match] += 1
        if match == "stale":
            stale.append(f"{domain}:{task_id}")
    return Covered(counts, stale)
