"""Shared fixtures. No test reaches beyond the loopback address."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser import Page


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real dumps and labelled cases; tests that need it skip without it."""
    folder = os.environ.get("USERPROXYBENCH_SHARED")
    if not folder:
        pytest.skip("USERPROXYBENCH_SHARED is not set: no real dumps to test on")
    path = Path(folder)
    if not (path / "dumps").is_dir():
        pytest.fail(f"USERPROXYBENCH_SHARED={folder!r} has no folder 'dumps'")
    return path


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A real browser; tests that need it skip, or fail where it is required, without one."""
    from tests.browser import chromium

    with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly that browser tests were skipped, and how to enable them."""
    reasons = {
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple) and "browser tests need" in report.longrepr[2]
    }
    if reasons:
        terminalreporter.section("BROWSER TESTS WERE SKIPPED", red=True, bold=True)
        for reason in sorted(reasons):
            terminalreporter.write_line(reason)
