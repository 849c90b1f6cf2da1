"""One audit from paths to answer: gather, grade, collect, write, summarise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from userproxybench.audit import pool
from userproxybench.audit.batch import Batch
from userproxybench.audit.by_rules import RuleGrader, Slice, slices
from userproxybench.audit.collecting import Collected
from userproxybench.audit.folder import read_back, write_batches
from userproxybench.audit.gathering import Gathered, gather
from userproxybench.audit.instrument import model_instrument, rules_instrument
from userproxybench.audit.outcome import finish
from userproxybench.audit.rubric_sources import rubric_source
from userproxybench.errors import InputError
from userproxybench.loaders import LoadOptions, unmatched
from userproxybench.models import digest
from userproxybench.rules import forget
from userproxybench.store import RunFolder

if TYPE_CHECKING:
    from userproxybench.audit import Audit
    from userproxybench.audit.by_model import Foreseen
    from userproxybench.audit.judges import Judges


@dataclass(frozen=True)
class Request:
    """What was asked for; see `userproxybench.audit.audit`."""

    paths: tuple[Path, ...]
    out: Path | None
    rubrics: str | None
    jobs: int | None
    options: LoadOptions
    progress: Callable[[int, int], None] | None
    calibration: Path | None = None


@pool.undisturbed()
def run_rules(request: Request) -> Audit:
    """Grade by rules."""
    source = request.rubrics or "derived"
    rubric_of = rubric_source(source, by_rules=True)
    instrument = rules_instrument(source, request.options.guidelines)
    gathered, collected = _begin(request)
    with _open(request.out, instrument, gathered.names) as folder:
        grader = RuleGrader(gathered.inputs, rubric_of, digest(instrument), keep=folder is not None)
        if folder is not None:
            before, grader.done = read_back(folder, grader)
            collected.add(before)
        _drain(_collecting(collected, _batches(request, grader)), folder)
        del gathered, grader  # the inputs are not needed any more: tables take their place
        forget()
        return finish(
            collected, folder, grader="rules", rubrics=source, calibration=request.calibration
        )


def run_model(request: Request, judges: Judges) -> Audit:
    """Grade by a model, alone or behind the rules."""
    from userproxybench.audit import by_model

    source = request.rubrics or "library"
    gathered, collected = _begin(request)
    instrument = model_instrument(judges, source, request.options.guidelines)
    with _open(request.out, instrument, gathered.names) as folder:
        work = by_model.work_of(gathered, folder, collected, strict=request.options.strict)
        rubrics = by_model.rubrics_for(source, work.episodes, judges, folder, collected)
        by_model.grade_by_model(work, rubrics, judges, folder, collected, request.progress)
        return finish(
            collected,
            folder,
            grader=judges.grader.name,
            rubrics=source,
            calibration=request.calibration,
        )


def foresee(request: Request, judges: Judges) -> Foreseen:
    """What `run_model` would ask and cost, and how many rubrics are to be written before."""
    from userproxybench.audit import by_model

    gathered, collected = _begin(request)
    resumed = request.out is not None and (request.out / "config.json").exists()
    folder = RunFolder.open(request.out) if resumed and request.out is not None else None
    work = by_model.work_of(gathered, folder, collected, strict=request.options.strict)
    source = request.rubrics or "library"
    return by_model.estimated(source, work, judges, folder, collected.problems)


def _begin(request: Request) -> tuple[Gathered, Collected]:
    gathered = gather(request.paths, request.options)
    if not gathered.inputs:
        raise InputError("\n".join(gathered.problems) or "there is no dump under the given paths")
    proxies = ((each.name, each.source) for one in gathered.inputs for each in one.proxies)
    return gathered, Collected(
        problems=list(gathered.problems),
        passed_over=gathered.passed_over,
        assumed=gathered.notes,
        warnings=unmatched(proxies, request.options),
    )


def _open(
    out: Path | None, instrument: Mapping[str, object], names: Sequence[str]
) -> AbstractContextManager[RunFolder | None]:
    if out is None:
        return nullcontext()
    return RunFolder.create_or_resume(out, instrument, inputs=names)


def _batches(request: Request, grader: RuleGrader) -> Iterator[Batch]:
    jobs = request.jobs or 1
    parts = slices(grader.inputs, jobs)
    yield from _watched(pool.run(grader, parts, jobs), parts, request)


def _watched(batches: Iterator[Batch], parts: Sequence[Slice], request: Request) -> Iterator[Batch]:
    """Batches as they come, with progress; with `strict` the first problem ends it."""
    total, done = sum(part.stop - part.start for part in parts), 0
    for part, batch in zip(parts, batches, strict=True):
        if request.options.strict and batch.problems:
            raise InputError(batch.problems[0])
        done += part.stop - part.start
        if request.progress is not None:
            request.progress(done, total)
        yield batch


def _collecting(collected: Collected, batches: Iterator[Batch]) -> Iterator[Batch]:
    for batch in batches:
        collected.add(batch)
        yield batch


def _drain(batches: Iterator[Batch], folder: RunFolder | None) -> None:
    if folder is not None:
        write_batches(folder, batches)
        return
    for _ in batches:
        pass
