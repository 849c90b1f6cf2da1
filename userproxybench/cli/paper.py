"""`userproxybench paper`: the papers' tables and figures, and a check of every number in them."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from userproxybench.cli.options import AsJson, path_of

if TYPE_CHECKING:
    from userproxybench.paper import Reproduction


def paper(
    out: Annotated[
        Path,
        typer.Option(
            help="Where tables, figures and checks.csv go.", parser=path_of, metavar="PATH"
        ),
    ] = Path("figures/paper"),
    as_json: AsJson = False,
) -> None:
    """Regenerate and check tables of published numbers.

    Tables and figures, and what follows from them.

    Every statement that follows from other published numbers is recomputed (checks.csv): `match`,
    `rounding`, `differs`, or `needs trajectories`.
    """
    from userproxybench.cli.analyze import write_files
    from userproxybench.paper import reproduce

    made = reproduce()
    write_files(out, made.files)
    if as_json:
        from userproxybench.cli.output import emit_json

        emit_json(
            {"checks": [asdict(check) for check in made.checks], "implied": asdict(made.implied)}
        )
    else:
        _show(made, out)


def _show(made: Reproduction, out: Path) -> None:
    from userproxybench.cli.output import table

    counts = Counter(check.outcome for check in made.checks)
    typer.echo(
        f"{len(made.checks)} statements checked: "
        + ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
        + "\n"
    )
    for outcome in ("differs", "rounding"):
        for check in made.checks:
            if check.outcome == outcome:
                typer.echo(
                    f"{outcome}: {check.paper} {check.source}, {check.statement}: published "
                    f"{check.published}, recomputed {check.recomputed} ({check.how})"
                )
    open_ = [check.statement for check in made.checks if check.outcome == "needs trajectories"]
    typer.echo("needs trajectories: " + "; ".join(open_) + "\n")
    typer.echo("what the paper's own n implies (cells drawn as binomials, proxies independent):")
    table(
        ("proxy", "UFS", "95 %", "n", "dominated in"),
        [
            (
                one.proxy,
                f"{one.ufs:.3f}",
                f"{one.interval.low:.3f}-{one.interval.high:.3f}",
                str(one.n),
                f"{one.dominated_share:.1%}",
            )
            for one in made.implied.intervals
        ],
    )
    table(
        ("required UFS", "published pick", "survives in", "otherwise mostly"),
        [
            (
                f"{one.required:g}",
                one.proxy,
                f"{one.survives:.1%}",
                f"{one.runner_up} ({one.runner_up_share:.1%})",
            )
            for one in made.implied.picks
        ],
    )
    typer.echo(f"{len(made.files)} files under {out}")
