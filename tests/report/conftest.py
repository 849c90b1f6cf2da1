"""Pages that several tests look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.runs import hostile
from userproxybench.report import render


@pytest.fixture(scope="session")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page whose every text is hostile."""
    target = tmp_path_factory.mktemp("hostile") / "report.html"
    target.write_text(render(hostile()), encoding="utf-8", newline="\n")
    return target
