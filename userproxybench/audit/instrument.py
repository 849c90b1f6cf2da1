"""What made the verdicts: everything that, changed, makes scores incomparable."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from userproxybench import __version__
from userproxybench.audit.rubric_sources import GENERATE
from userproxybench.store import data_folder, rubric_files

if TYPE_CHECKING:
    from userproxybench.audit.judges import Judges

PARTS = ("models", "rules", "scoring.py")
"""What a verdict by rules depends on."""


def rules_digest() -> str:
    """Digest over the source of the rules and of what they read and write."""
    package = resources.files("userproxybench")
    found = hashlib.sha256()
    for part in PARTS:
        place = package / part
        files = [place] if place.is_file() else sorted(place.iterdir(), key=lambda file: file.name)
        for file in files:
            if file.name.endswith(".py"):
                found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()[:16]


def rules_instrument(rubrics: str, guidelines: str | None) -> dict[str, object]:
    """The instrument `rules` on a rubric source."""
    return {
        "grader": "rules",
        "rubrics": rubrics,
        "rubric_files": rubrics_digest(rubrics),
        "rules": rules_digest(),
        "version": __version__,
        "guidelines": text_digest(guidelines),
    }


def rubrics_digest(rubrics: str) -> str:
    """Digest over the files of a written rubric set; empty for a source without files."""
    if rubrics in ("derived", "generic", GENERATE):
        return ""
    found = hashlib.sha256()
    for file in rubric_files(data_folder("rubrics") if rubrics == "library" else Path(rubrics)):
        found.update(file.read_bytes())
    return found.hexdigest()[:16]


def model_instrument(judges: Judges, rubrics: str, guidelines: str | None) -> dict[str, object]:
    """A model as grader, alone or behind the rules, on a rubric source."""
    from userproxybench.grading import instrument

    grader = judges.grader
    found: dict[str, object] = {
        **instrument(grader.judge, grader.settings),
        "grader": grader.name,
        "rubrics": rubrics,
        "guidelines": text_digest(guidelines),
    }
    if grader.rules is not None:
        found["rules"] = rules_digest()
    if judges.authors is not None and rubrics == GENERATE:
        found |= judges.authors.instrument
    return found


def text_digest(text: str | None) -> str:
    """Short digest of a text that was given; empty where none was."""
    return "" if text is None else hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
