"""Which commands exist. Their modules import anything heavy inside the command."""

from __future__ import annotations

import typer

from userproxybench.cli.accord import accord
from userproxybench.cli.audit import audit
from userproxybench.cli.calibrate import calibrate
from userproxybench.cli.unit_test import unit_test


def register(app: typer.Typer) -> None:
    """Put every command on `app`, in the order people need them."""
    app.command()(audit)
    app.command()(calibrate)
    app.command("unit-test")(unit_test)
    app.command()(accord)
