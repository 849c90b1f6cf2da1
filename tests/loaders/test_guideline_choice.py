"""Which guidelines a proxy ran under."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from userproxybench.loaders import guideline_choice
from userproxybench.loaders.guideline_choice import NAMES, Variant, choose, restated


@pytest.fixture
def tau2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A tau2 that lies on the path, as its repository lays it out."""
    package = tmp_path / "src" / "tau2"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('never imported')")
    folder = tmp_path / "data" / "tau2" / "user_simulator"
    folder.mkdir(parents=True)
    (folder / "simulation_guidelines_tools.md").write_text("Installed, with tools.")
    monkeypatch.syspath_prepend(str(tmp_path / "src"))
    guideline_choice.installed.cache_clear()
    yield folder
    guideline_choice.installed.cache_clear()


def test_an_installed_tau2_is_read_without_importing_it(tau2: Path) -> None:
    found = choose("No such word here.", "tau2_tools", None)
    assert (found.text, found.source) == ("Installed, with tools.", "installed")


def test_a_given_file_outranks_an_installed_tau2(tau2: Path) -> None:
    assert choose(None, "tau2_tools", "Given.").source == "file"


def test_recorded_guidelines_that_speak_of_tools_are_kept(tau2: Path) -> None:
    assert choose("Use your tools.", "tau2_tools", "Given.").source == "recorded"


@pytest.mark.parametrize("variant", sorted(NAMES))
def test_every_variant_is_restated_in_full(variant: Variant) -> None:
    text = restated(variant)
    assert "###STOP###" in text
    assert ("tool" in text) == (variant == "tau2_tools")


def test_an_unfilled_slot_is_noted() -> None:
    assert "slot" in choose("Speak. <PERSONA_GUIDELINES>", "voice", None).note
