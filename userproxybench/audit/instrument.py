"""What made the verdicts: everything that, changed, makes scores incomparable."""

from __future__ import annotations

import hashlib
from importlib import resources

from userproxybench import __version__

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
        "rules": rules_digest(),
        "version": __version__,
        "guidelines": text_digest(guidelines),
    }


def text_digest(text: str | None) -> str:
    """Short digest of a text that was given; empty where none was."""
    return "" if text is None else hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
