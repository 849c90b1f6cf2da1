"""`userproxybench audit`: how faithful were the simulated users, and where did they fail?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from userproxybench.cli.options import (
    ApiBase,
    AsJson,
    Budget,
    Config,
    Dumps,
    Guidelines,
    Partial,
    Proxies,
    load_options,
    path_of,
    read_text,
)

if TYPE_CHECKING:
    from userproxybench.audit import Audit
    from userproxybench.audit.by_model import Foreseen
    from userproxybench.audit.judges import Judges
    from userproxybench.audit.running import Request

Mode = Literal["per-criterion", "per-trajectory"]


def audit(
    dumps: Dumps,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Run folder; one by the same instrument is continued (default: runs/...).",
            parser=path_of,
            metavar="PATH",
        ),
    ] = None,
    rubrics: Annotated[
        str | None,
        typer.Option(
            help="`derived`, `library`, `generic`, `generate`, or a rubric folder "
            "(default: derived for rules, library for models).",
            metavar="SOURCE",
        ),
    ] = None,
    grader: Annotated[
        str, typer.Option(help="`rules`, MODEL, or `rules+MODEL`.", metavar="GRADER")
    ] = "rules",
    generator: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Writes rubrics, for `generate`.")
    ] = None,
    verifier: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Reads them a second time.")
    ] = None,
    budget: Budget = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print calls, tokens and dollars; send nothing.")
    ] = False,
    samples: Annotated[int, typer.Option(min=1, help="Ask a model so many times.")] = 1,
    mode: Annotated[
        Mode, typer.Option(help="One call per criterion, or one for all: another instrument.")
    ] = "per-criterion",
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Put each failure to the model once more.")
    ] = False,
    api_base: ApiBase = None,
    config: Config = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Processes of rules (default: 1), or calls of a model in flight (default: 8).",
        ),
    ] = None,
    proxy: Proxies = None,
    guidelines: Guidelines = None,
    calibration: Annotated[
        Path | None,
        typer.Option(help="What `calibrate --json` printed: adds a corrected UFS."),
    ] = None,
    partial: Partial = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first input that cannot be read.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Audit the simulated users in recorded conversations. By default without key or network.

    Prints the User Fidelity Score (UFS) per domain and proxy, the most telling failures with the
    words that show them, and what could not be judged; leaves everything in a run folder.
    """
    from userproxybench.audit.running import Request
    from userproxybench.cli.progress import progress

    text = None if guidelines is None else read_text(guidelines)
    settings = (rubrics or "", grader, mode, f"{samples} {confirm}", text or "")
    asked = Asked(grader, generator, verifier, budget, jobs or 8, samples, mode, confirm)
    judges = None if grader == "rules" else asked.judges(rubrics, api_base, config)
    with progress("audited") as tell:
        request = Request(
            paths=tuple(dumps),
            out=out or default_folder(dumps, settings),
            rubrics=rubrics,
            jobs=jobs,
            options=load_options(proxy, text, partial=partial, strict=strict),
            progress=tell,
            calibration=calibration,
        )
        found = None if dry_run else _run(request, judges)
    if found is None:
        _foresee(request, judges, as_json)
    else:
        _print(found, as_json)


@dataclass(frozen=True)
class Asked:
    """The flags that concern models."""

    grader: str
    generator: str | None
    verifier: str | None
    budget: float | None
    jobs: int
    samples: int
    mode: Mode
    confirm: bool

    def judges(self, rubrics: str | None, api_base: str | None, config: Path | None) -> Judges:
        """The models of these flags and the settings file, under one budget."""
        from userproxybench.audit.judges import RULES_AND, Judges, model_grader
        from userproxybench.audit.writing import Authors
        from userproxybench.cli.roles import read_roles
        from userproxybench.grading import Settings

        roles = read_roles(config=config, budget=self.budget, api_base=api_base)
        authors = None
        if rubrics == "generate":
            authors = Authors(
                roles.model("generator", self.generator), roles.model("verifier", self.verifier)
            )
        grader = model_grader(
            roles.model("grader", self.grader.removeprefix(RULES_AND)),
            with_rules=self.grader.startswith(RULES_AND),
            jobs=self.jobs,
            settings=Settings(self.mode, self.samples, self.confirm),
        )
        return Judges(grader, authors)


def _run(request: Request, judges: Judges | None) -> Audit:
    from userproxybench.audit.running import run_model, run_rules

    return run_rules(request) if judges is None else run_model(request, judges)


def _print(found: Audit, as_json: bool) -> None:
    """Print the answer, then one line for each input that could not be read; exit 2 if any."""
    from userproxybench.cli.audit_page import as_record, show
    from userproxybench.cli.output import emit_json, finish, warn

    if as_json:
        emit_json(as_record(found))
    else:
        show(found)
    warn(found.warnings)
    finish(found.problems)


def _foresee(request: Request, judges: Judges | None, as_json: bool) -> None:
    """Print what the same command without `--dry-run` would ask and cost."""
    from userproxybench.audit.running import foresee
    from userproxybench.cli.output import emit_json, finish

    if judges is None:
        problems: tuple[str, ...] = ()
        found: dict[str, object] = {"calls": 0, "usd": 0.0, "rubrics_to_write": 0}
        lines = ["0 calls, $0: rules need no model."]
    else:
        foreseen = foresee(request, judges)
        problems = foreseen.problems
        found = {**foreseen.estimate._asdict(), **vars(foreseen)}
        del found["estimate"]
        lines = list(_expected(foreseen))
    if as_json:
        emit_json(found)
    else:
        typer.echo("\n".join(lines))
    finish(problems)


def _expected(foreseen: Foreseen) -> Iterator[str]:
    """The estimate for people."""
    from userproxybench.cli.audit_page import WAY_OUT

    expected = foreseen.estimate
    yield (
        f"{expected.calls} calls, {expected.prompt_tokens:,} prompt and "
        f"{expected.completion_tokens:,} completion tokens (estimated); "
        f"{expected.on_file} verdicts on file, {expected.by_rules} by rules"
    )
    yield (
        f"without a prefix cache {_dollars(expected.usd)}, with one "
        f"{_dollars(expected.usd_cached)}; the dearest single call may take "
        f"{_dollars(expected.usd_worst)}"
    )
    if foreseen.rubrics_to_write:
        yield (
            f"{foreseen.rubrics_to_write} rubrics would be written first: `rubrics generate "
            "--dry-run` says what that costs; their criteria are not in the figures above"
        )
    elif foreseen.no_rubric:
        yield (
            f"{foreseen.no_rubric} conversations have no rubric and would not be scored: {WAY_OUT}"
        )


def _dollars(usd: float | None) -> str:
    return "an unknown price" if usd is None else f"${usd:.4f}"


def default_folder(dumps: list[Path], settings: tuple[str, ...]) -> Path:
    """A folder for these inputs under this instrument: the same command finds it again."""
    from userproxybench.audit.instrument import rules_digest

    parts = [*(str(dump.resolve()) for dump in dumps), *settings, rules_digest()]
    code = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:6]
    name = dumps[0].resolve().name.removesuffix(".gz").rsplit(".", 1)[0] or "audit"
    return Path("runs") / f"{name[:40]}-{code}"
