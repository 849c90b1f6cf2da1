"""The command line: one module per command, registered here."""

from __future__ import annotations

import sys

import typer

from userproxybench import __version__
from userproxybench.errors import UserProxyBenchError

app = typer.Typer(
    name="userproxybench",
    help="Audit simulated users: how faithful were they to their instructions, and at what cost?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # panels would cost a third of the start-up
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"userproxybench {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """Hold the options that precede a command."""


def main() -> None:
    """Run the command line. Expected errors end as one line on stderr and an exit code."""
    from userproxybench.cli.commands import register

    register(app)
    try:
        app()
    except UserProxyBenchError as error:
        from userproxybench.cli.output import clean

        typer.echo(f"error: {clean(str(error))}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
