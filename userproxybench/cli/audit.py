"""`userproxybench audit`: how faithful were the simulated users, and where did they fail?"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from userproxybench.errors import InputError

if TYPE_CHECKING:
    from userproxybench.audit import Audit


def audit(
    dumps: Annotated[
        list[Path],
        typer.Argument(
            help="Dump files, or folders of them (read recursively, .gz too).", metavar="DUMP..."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Run folder; one by the same instrument is continued. [runs/...]"),
    ] = None,
    rubrics: Annotated[
        str, typer.Option(help="`derived`, `library`, or a rubric folder.", metavar="SOURCE")
    ] = "derived",
    grader: Annotated[str, typer.Option(help="Who answers the criteria.")] = "rules",
    jobs: Annotated[int, typer.Option(min=1, help="Processes to grade in.")] = 1,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=GLOB", help="Name the proxy of the files that match."),
    ] = None,
    guidelines: Annotated[
        Path | None,
        typer.Option(help="The simulator guidelines, where the dump does not record them."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first input that cannot be read.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Audit the simulated users in recorded conversations. Needs no key and no network.

    Prints the User Fidelity Score (UFS) per domain and proxy, the most telling failures with the
    words that show them, and what could not be judged; leaves everything in a run folder.
    """
    from userproxybench.audit import audit as run
    from userproxybench.cli.audit_page import as_record, show
    from userproxybench.cli.progress import progress

    text = None if guidelines is None else read_text(guidelines)
    target = out or default_folder(dumps, (rubrics, grader, text or ""))
    with progress("audited") as tell:
        found = run(
            dumps,
            out=target,
            rubrics=rubrics,
            grader=grader,
            jobs=jobs,
            proxies=[name_and_glob(pair) for pair in proxy or []],
            guidelines=text,
            strict=strict,
            progress=tell,
        )
    if as_json:
        from userproxybench.cli.output import emit_json

        emit_json(as_record(found))
    else:
        show(found)
    finish(found)


def finish(found: Audit) -> None:
    """Say what could not be read, one line each, and end with exit code 2 if anything was not."""
    from userproxybench.cli.output import clean

    for problem in found.problems:
        typer.echo(f"error: {clean(problem)}", err=True)
    if found.problems:
        raise typer.Exit(InputError.exit_code)


def name_and_glob(pair: str) -> tuple[str, str]:
    """`NAME=GLOB` taken apart."""
    name, equals, glob = pair.partition("=")
    if not (name and equals and glob):
        raise InputError(f"`--proxy {pair}`: expected NAME=GLOB, such as --proxy 'mini=*mini*'")
    return name, glob


def read_text(path: Path) -> str:
    """A text file of the caller."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as text ({error}). Give a UTF-8 file") from error


def default_folder(dumps: list[Path], settings: tuple[str, ...]) -> Path:
    """A folder for these inputs under these settings: the same command finds it again."""
    parts = [*(str(dump.resolve()) for dump in dumps), *settings]
    code = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:6]
    name = dumps[0].resolve().name.removesuffix(".gz").rsplit(".", 1)[0] or "audit"
    return Path("runs") / f"{name[:40]}-{code}"
