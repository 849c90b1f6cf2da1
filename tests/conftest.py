"""Shared fixtures. No test reaches beyond the loopback address."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


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
