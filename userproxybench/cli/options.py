"""Arguments and options that several commands share, and what they are turned into."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from userproxybench.errors import InputError

if TYPE_CHECKING:
    from userproxybench.loaders import LoadOptions


def path_of(text: str | Path) -> Path:
    """A path as it was typed; an empty one (an unset variable) would mean the current folder."""
    if not str(text).strip():
        raise typer.BadParameter("the path is empty. Is a variable unset?")
    return Path(text)


Dumps = Annotated[
    list[Path],
    typer.Argument(
        help="Dump files, or folders of them (read recursively, .gz too).",
        metavar="DUMP...",
        parser=path_of,
    ),
]
Proxies = Annotated[
    list[str] | None,
    typer.Option("--proxy", metavar="NAME=GLOB", help="Name the proxy of the files that match."),
]
Guidelines = Annotated[
    Path | None,
    typer.Option(help="The simulator guidelines, where the dump does not record them."),
]
Partial = Annotated[
    bool,
    typer.Option("--partial", help="Read a run folder whose index and files disagree."),
]

Graded = Annotated[
    list[Path],
    typer.Argument(
        help="Run folders, or one episodes table (CSV, Parquet) of your own.",
        metavar="RUN...",
        parser=path_of,
    ),
]
VerdictsTable = Annotated[
    Path | None, typer.Option(help="Verdicts table that belongs to your episodes table.")
]
Agent = Annotated[str | None, typer.Option(help="Only episodes with this agent.")]
Only = Annotated[
    list[str] | None, typer.Option(metavar="PROXY", help="Only this proxy; repeat for several.")
]
Costs = Annotated[Path | None, typer.Option(help="TOML with costs of your own per proxy.")]
Basis = Annotated[
    Literal["auto", "recorded", "list", "override", "mixed"],
    typer.Option(help="Basis of the costs; `auto`: the one that prices most."),
]
AllowDifferent = Annotated[
    bool, typer.Option("--allow-different", help="Compare although more than the proxy differs.")
]

Budget = Annotated[
    float | None, typer.Option(min=0, metavar="USD", help="Ceiling in dollars; never crossed.")
]
Calls = Annotated[int, typer.Option("--jobs", min=1, help="Calls of a model in flight.")]
ApiBase = Annotated[str | None, typer.Option(metavar="URL", help="Endpoint of a local model.")]
Config = Annotated[
    Path | None, typer.Option(help="Settings file (default: userproxybench.toml here).")
]

AccordDomain = Annotated[
    str | None,
    typer.Option(help="Only `shop` or only `travel`; for other dumps, whose wordings."),
]
KeyMapFile = Annotated[
    Path | None, typer.Option("--map", help="TOML file that renames foreign keys.")
]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def load_options(
    proxies: Sequence[str] | None,
    guidelines: str | None,
    *,
    partial: bool,
    strict: bool = False,
) -> LoadOptions:
    """How dumps are to be read.

    Raises:
        InputError: a `--proxy` is not NAME=GLOB.
    """
    from userproxybench.loaders import LoadOptions

    return LoadOptions(
        proxies=tuple(_name_and_glob(pair) for pair in proxies or ()),
        guidelines=guidelines,
        strict=strict,
        partial=partial,
    )


def _name_and_glob(pair: str) -> tuple[str, str]:
    name, equals, glob = pair.partition("=")
    if not (name and equals and glob):
        raise InputError(f"`--proxy {pair}`: expected NAME=GLOB, such as --proxy 'mini=*mini*'")
    return name, glob


def read_text(path: Path) -> str:
    """A text file of the caller.

    Raises:
        InputError: it cannot be read as UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as text ({error}). Give a UTF-8 file") from error
