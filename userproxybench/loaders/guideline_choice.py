"""Which standing guidelines the simulator ran under, and how that is known."""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from userproxybench.models import GuidelinesSource

Variant = Literal["tau2", "tau2_tools", "tau_bench", "voice"]

NAMES: dict[Variant, str] = {
    "tau2": "tau2 without user tools",
    "tau2_tools": "tau2 with user tools",
    "tau_bench": "tau-bench v1",
    "voice": "tau2 voice",
}
_INSTALLED: dict[Variant, str] = {
    "tau2": "simulation_guidelines.md",
    "tau2_tools": "simulation_guidelines_tools.md",
    "voice": "simulation_guidelines_voice.md",
}


class Guidelines(NamedTuple):
    """The guidelines of a contract."""

    text: str
    """The text itself."""
    source: GuidelinesSource
    """How it is known."""
    note: str
    """What had to be assumed; empty for a recorded text."""


def choose(recorded: str | None, variant: Variant, given: str | None) -> Guidelines:
    """The guidelines the proxy most likely saw.

    A recorded text is taken as it is, except where it is the text without tools of a proxy that
    had tools: tau2 records that text for every run. Then, or where nothing is recorded: `given`
    (`--guidelines`), else the text of an installed tau2, else a restatement shipped here.
    """
    recorded = (recorded or "").strip() and recorded
    lost_tools = bool(recorded) and variant == "tau2_tools" and "tool" not in str(recorded).lower()
    if recorded and not lost_tools:
        return Guidelines(recorded, "recorded", _slot_note(recorded))
    why = (
        "the dump records the guidelines without tools although the user had tools"
        if lost_tools
        else "the dump records no guidelines"
    )
    if given:
        return Guidelines(given, "file", f"{why}; the given file is used")
    if (text := installed(variant)) is not None:
        return Guidelines(text, "installed", f"{why}; those of the installed tau2 are used")
    note = f"{why}; assumed: '{NAMES[variant]}', restated (give the text with --guidelines FILE)"
    return Guidelines(restated(variant), "assumed", note)


def _slot_note(recorded: str) -> str:
    if "<PERSONA_GUIDELINES>" in recorded:
        return "the recorded guidelines keep an unfilled <PERSONA_GUIDELINES> slot"
    return ""


@cache
def restated(variant: Variant) -> str:
    """The rules of a variant in our own words."""
    folder = resources.files("userproxybench.loaders") / "guidelines"
    return (folder / f"{variant}.md").read_text(encoding="utf-8")


@cache
def installed(variant: Variant) -> str | None:
    """The text an installed tau2 ships, found without importing it; `None` where there is none."""
    spec = find_spec("tau2")
    if spec is None or variant not in _INSTALLED or not spec.submodule_search_locations:
        return None
    package = Path(next(iter(spec.submodule_search_locations)))
    for root in (package, *package.parents[:3]):
        for data in (root / "data" / "tau2", root / "data"):
            path = data / "user_simulator" / _INSTALLED[variant]
            if path.is_file():
                return path.read_text(encoding="utf-8")
    return None
