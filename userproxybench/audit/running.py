"""One audit from paths to answer: gather, grade, collect, write, summarise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from userproxybench import __version__, rules
from userproxybench.audit import Audit, pool
from userproxybench.audit.batch import Batch, ProtocolRow
from userproxybench.audit.by_rules import RubricOf, RuleGrader, Slice, slices
from userproxybench.audit.collecting import Collected
from userproxybench.audit.folder import read_back, write_batches, write_tables
from userproxybench.audit.gathering import gather
from userproxybench.audit.instrument import rules_instrument
from userproxybench.errors import InputError
from userproxybench.loaders import LoadOptions
from userproxybench.models import Contract, Rubric, digest
from userproxybench.store import RunFolder, coverage, data_folder, load_rubrics

if TYPE_CHECKING:
    import pandas as pd

LOWER_COVERAGE = (
    "UFS by rules on derived rubrics is a lower-coverage instrument than a model-graded UFS: "
    "the two never share a table"
)


@dataclass(frozen=True)
class Request:
    """What was asked for; see `userproxybench.audit.audit`."""

    paths: tuple[Path, ...]
    out: Path | None
    rubrics: str
    grader: str
    jobs: int
    options: LoadOptions
    progress: Callable[[int, int], None] | None


def run(request: Request) -> Audit:
    """Do what was asked for."""
    if request.grader != "rules":
        raise InputError(f"`grader`: {request.grader!r} is not known here. Use 'rules'")
    instrument = rules_instrument(request.rubrics, request.options.guidelines)
    rubric_of = rubric_source(request.rubrics)
    gathered = gather(request.paths, request.options)
    if not gathered.inputs:
        raise InputError("\n".join(gathered.problems) or "there is no dump under the given paths")
    collected = Collected(
        problems=list(gathered.problems),
        passed_over=gathered.passed_over,
        assumed=gathered.notes,
    )
    with _open(request.out, instrument, gathered.names) as folder:
        before, done = (Batch(), {}) if folder is None else read_back(folder)
        collected.add(before)
        grader = RuleGrader(
            gathered.inputs, rubric_of, digest(instrument), done=done, keep=folder is not None
        )
        _drain(_collecting(collected, _batches(request, grader)), folder)
        del gathered, grader  # the inputs are not needed any more: tables take their place
        return finish(request, collected, folder)


def rubric_source(rubrics: str) -> RubricOf:
    """Where rules get the rubric of a task from."""
    if rubrics == "derived":
        return rules.derive
    if rubrics in ("generic", "generate"):
        raise InputError(
            f"`rubrics`: {rubrics!r} criteria are for model graders. Add `--grader MODEL`, or use "
            "'derived', 'library' or a rubric folder"
        )
    known = load_rubrics(data_folder("rubrics") if rubrics == "library" else Path(rubrics))

    def written(contract: Contract) -> Rubric | None:
        found = coverage(known, contract)
        return None if found.rubric is None or found.stale else found.rubric.under(contract)

    return written


def _open(
    out: Path | None, instrument: dict[str, object], names: Sequence[str]
) -> AbstractContextManager[RunFolder | None]:
    if out is None:
        return nullcontext()
    return RunFolder.create_or_resume(out, instrument, inputs=names)


def _batches(request: Request, grader: RuleGrader) -> Iterator[Batch]:
    parts = slices(grader.inputs, request.jobs)
    yield from _watched(pool.run(grader, parts, request.jobs), parts, request)


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


def finish(request: Request, collected: Collected, folder: RunFolder | None) -> Audit:
    """Frames, summary and files out of the rows."""
    from userproxybench.analysis.summary import summarise
    from userproxybench.tables import Tables, episodes_frame, verdicts_frame

    problems = collected.all_problems(request.out)
    if not collected.episodes:
        raise InputError("\n".join(problems) or "there are no episodes in the given dumps")
    collected.name_proxies()
    tables = Tables(episodes_frame(collected.episodes), verdicts_frame(collected.verdicts))
    protocol = protocol_frame(collected.protocol)
    notes = collected.assumptions()
    uncovered = rules.UNCOVERED if request.rubrics == "derived" else ()
    summary = summarise(
        tables,
        version=__version__,
        grader="rules",
        rubric_source=request.rubrics,
        notes=[LOWER_COVERAGE, f"modes no rule looks at: {', '.join(uncovered) or 'none'}", *notes],
    )
    frames = {"episodes": tables.episodes, "verdicts": tables.verdicts, "protocol": protocol}
    if folder is not None:
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
    )


def protocol_frame(rows: Sequence[ProtocolRow]) -> pd.DataFrame:
    """The protocol notes as a frame."""
    import pandas as pd

    frame = pd.DataFrame(rows, columns=list(ProtocolRow._fields))
    return frame.astype(
        {name: "Int64" if name == "turn" else "string" for name in ProtocolRow._fields}
    )
