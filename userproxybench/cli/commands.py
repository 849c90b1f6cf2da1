"""Which commands exist. Their modules import anything heavy inside the command."""

from __future__ import annotations

import typer

from userproxybench.cli import prices, rubrics
from userproxybench.cli.accord import accord
from userproxybench.cli.analyze import analyze
from userproxybench.cli.audit import audit
from userproxybench.cli.calibrate import calibrate
from userproxybench.cli.describe import describe
from userproxybench.cli.export import export
from userproxybench.cli.paper import paper
from userproxybench.cli.report import report
from userproxybench.cli.select import select
from userproxybench.cli.unit_test import unit_test


def register(app: typer.Typer) -> None:
    """Put every command on `app`, in the order people need them."""
    app.command()(audit)
    app.command()(describe)
    app.command()(calibrate)
    app.command()(analyze)
    app.command()(select)
    app.command()(report)
    app.command()(export)
    app.add_typer(rubrics.app, name="rubrics")
    app.add_typer(prices.app, name="prices")
    app.command("unit-test")(unit_test)
    app.command()(accord)
    app.command()(paper)
