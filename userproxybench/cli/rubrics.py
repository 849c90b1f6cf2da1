"""`userproxybench rubrics`: write, verify, check, show rubrics, and see what they cover."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from userproxybench.cli.options import (
    ApiBase,
    AsJson,
    Budget,
    Calls,
    Config,
    Dumps,
    path_of,
)
from userproxybench.cli.output import clean, emit_json, paragraph, table
from userproxybench.errors import GateNotMetError

app = typer.Typer(
    help="Write, verify, check and show rubrics, and see what they cover.", no_args_is_help=True
)

Rubrics = Annotated[
    Path | None,
    typer.Option(help="Rubric folder or file (default: the shipped library).", metavar="PATH"),
]


@app.command()
def generate(
    dumps: Dumps,
    out: Annotated[
        Path, typer.Option(help="Folder for the rubrics.", parser=path_of, metavar="PATH")
    ],
    generator: Annotated[str | None, typer.Option(metavar="MODEL", help="Writes.")] = None,
    verifier: Annotated[str | None, typer.Option(metavar="MODEL", help="Reads second.")] = None,
    sample_from: Annotated[
        str | None,
        typer.Option(
            metavar="DUMP|PROXY",
            help="Where sample conversations come from: a dump of proxies that are not audited, "
            "or one proxy's name; `none` for no samples.",
        ),
    ] = None,
    budget: Budget = None,
    jobs: Calls = 8,
    api_base: ApiBase = None,
    config: Config = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it costs; stop.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a verified rubric for every task of the dumps that has none in the folder yet."""
    from userproxybench.cli.roles import read_roles
    from userproxybench.cli.rubric_jobs import Writing, write

    roles = read_roles(config=config, budget=budget, api_base=api_base)
    job = Writing(
        dumps=tuple(dumps),
        out=out,
        generator=roles.model("generator", generator),
        verifier=roles.model("verifier", verifier),
        sample_from=sample_from,
        jobs=jobs,
    )
    report = write(job, dry_run=dry_run)
    if as_json:
        emit_json(report)
        return
    for line in report.lines():
        paragraph(clean(line))


@app.command()
def verify(
    path: Annotated[Path, typer.Argument(help="Rubric file or folder.", metavar="PATH")],
    dump: Annotated[list[Path], typer.Option("--dump", help="Where the task texts are.")],
    out: Annotated[
        Path, typer.Option(help="Folder for the verified rubrics.", parser=path_of, metavar="PATH")
    ],
    verifier: Annotated[str | None, typer.Option(metavar="MODEL", help="Reads them.")] = None,
    budget: Budget = None,
    jobs: Calls = 8,
    api_base: ApiBase = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Read rubrics a second time with a model; rejected criteria keep the check they failed."""
    from userproxybench.cli.roles import read_roles
    from userproxybench.cli.rubric_jobs import second_reading

    roles = read_roles(config=config, budget=budget, api_base=api_base)
    rows = second_reading(path, dump, out, roles.model("verifier", verifier), jobs)
    if as_json:
        emit_json(rows)
        return
    table(
        ("task", "kept", "rejected", "by"),
        [
            (clean(row.task, 40), str(row.kept), str(row.rejected), clean(row.by, 24))
            for row in rows
        ],
    )


@app.command()
def lint(
    path: Annotated[Path, typer.Argument(help="Rubric file or folder.", metavar="PATH")],
    dump: Annotated[
        list[Path] | None, typer.Option("--dump", help="Task texts, to check spans against.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check rubric files by machine. Exit 1 when a rule is broken."""
    from userproxybench.cli.rubric_jobs import faults_in

    files, faults = faults_in(path, dump or [])
    if as_json:
        emit_json({"files": files, "faults": faults})
    else:
        for fault in faults:
            place = f"{fault.file}: {fault.criterion}".rstrip(": ")
            paragraph(clean(f"{place}: {fault.check}: {fault.problem}"))
        typer.echo(f"{files} rubrics, {len(faults)} faults")
    if faults:
        raise GateNotMetError(f"{len(faults)} faults in {path}")


@app.command()
def show(
    task: Annotated[str, typer.Argument(help="Task id, or DOMAIN:TASK.", metavar="TASK")],
    rubrics: Rubrics = None,
    dump: Annotated[
        list[Path] | None, typer.Option("--dump", help="Task texts, to resolve quotations.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the criteria of a task with their quotations resolved."""
    from userproxybench.cli.rubric_jobs import resolved

    found = resolved(task, rubrics, dump or [])
    if as_json:
        emit_json(found)
        return
    for shown in found:
        typer.echo(clean(f"{shown.domain}:{shown.task_id} ({shown.source}), {shown.match}"))
        for item in shown.criteria:
            paragraph(clean(f"{item.id} {item.mode}: {item.statement}"), indent="  ")
            if item.applies_when:
                paragraph(clean(f"applies when: {item.applies_when}"), indent="    ")
            paragraph(clean(f"stands on {item.source}: {item.quotation}"), indent="    ")
        for reason in shown.rejected:
            paragraph(clean(f"rejected: {reason}"), indent="  ")


@app.command()
def coverage(dumps: Dumps, rubrics: Rubrics = None, as_json: AsJson = False) -> None:
    """Say which tasks of the dumps have a rubric that was written for their text."""
    from userproxybench.cli.rubric_jobs import covered

    found = covered(dumps, rubrics)
    if as_json:
        emit_json(found)
        return
    table(
        ("domain", "tasks", "exact", "task", "stale", "none"),
        [
            (
                clean(name, 24),
                *(str(row[key]) for key in ("tasks", "exact", "task", "stale", "none")),
            )
            for name, row in found.domains.items()
        ],
    )
    for line in found.stale:
        paragraph(clean(f"stale: {line}"))
