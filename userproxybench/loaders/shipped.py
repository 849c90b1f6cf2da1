"""Data that ships with the project, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from userproxybench.errors import InputError

_PACKAGE = Path(__file__).resolve().parent.parent


def shipped(name: Literal["rubrics", "trajectories"]) -> Path:
    """The folder of that name.

    Raises:
        InputError: the installation has lost it.
    """
    for folder in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise InputError(f"the shipped folder {name!r} is missing. Install the package again")


def calibration_sets() -> dict[str, list[Path]]:
    """The shipped labelled cases: the part to work on, and the part held out."""
    folder = shipped("trajectories") / "calibration"
    return {"development": [folder / "dev.jsonl"], "held out": [folder / "held_out.jsonl"]}
