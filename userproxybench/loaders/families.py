"""The families of formats, told apart by what a file holds, never by its name.

To add one: write a module with a reader, and a line in `FAMILIES`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from userproxybench.errors import LoadError
from userproxybench.loaders import accord
from userproxybench.loaders.chat_jsonl import ChatReader
from userproxybench.loaders.records import LoadOptions, NotADumpError, Reader
from userproxybench.loaders.shapes import Shape, found_keys
from userproxybench.loaders.tau2_files import FolderReader, ResultsReader
from userproxybench.loaders.tau2_lines import LinesReader
from userproxybench.loaders.tau_bench import TauBenchReader
from userproxybench.loaders.trajectory_jsonl import TrajectoryReader

KNOWN = (
    "tau2 results (simulations), tau2 simulation (messages with termination_reason, or ticks), "
    "tau2 viewer export (run_info), tau-bench v1 (traj), NeMo-Gym (result), blind bundle "
    "(task_context), AcCoRD (scenarios with rollouts), chat JSONL (messages), trajectory JSONL "
    "(trajectory with contract)"
)


class Family(NamedTuple):
    """One family of formats."""

    claims: Callable[[Shape], bool]
    """Whether a file of this shape is of this family."""
    open: Callable[[Shape, LoadOptions], Reader]
    """Read it."""


def is_simulation(shape: Shape) -> bool:
    """Whether the object or first item is a tau2 simulation."""
    keys = shape.keys
    ends = bool(keys & {"termination_reason", "run_info"})
    return "ticks" in keys or ("messages" in keys and ends)


def _single(shape: Shape, options: LoadOptions) -> Reader:
    return FolderReader(shape.path.parent, [shape.path], shape.name, options)


def _has(*wanted: str) -> Callable[[Shape], bool]:
    return lambda shape: shape.keys.issuperset(wanted)


FAMILIES: tuple[Family, ...] = (
    Family(_has("trajectory", "contract"), TrajectoryReader),
    Family(_has("scenarios"), accord.AccordReader),
    Family(accord.holds_scenario, accord.AccordReader),
    Family(_has("result", "config"), LinesReader),
    Family(_has("responses_create_params", "response"), LinesReader),
    Family(_has("trajectory", "task_context"), LinesReader),
    Family(_has("traj"), TauBenchReader),
    Family(lambda shape: "simulations" in shape.keys and shape.kind == "object", ResultsReader),
    Family(lambda shape: is_simulation(shape) and shape.kind != "object", ResultsReader),
    Family(is_simulation, _single),
    Family(_has("messages"), ChatReader),
)
"""In the order in which they are asked; the first that claims a file reads it."""


def recognised(shape: Shape) -> Family | None:
    """The family that claims a file, if any."""
    return next((family for family in FAMILIES if family.claims(shape)), None)


def open_shape(shape: Shape, options: LoadOptions) -> Reader:
    """Read a file whose shape is known.

    Raises:
        LoadError: no family claims it, or its run is empty.
    """
    if shape.kind == "array" and not shape.items:
        raise LoadError(shape.name, "the list is empty", "Run it again, or leave this file out")
    family = recognised(shape)
    unclear = family is None or family is FAMILIES[-1]
    if unclear and options.accord_map and accord.claims(shape, options.accord_map):
        return accord.AccordReader(shape, options)
    if family is None:
        raise refuse(shape)
    return family.open(shape, options)


def refuse(shape: Shape) -> NotADumpError:
    """The message for a file that no family claims."""
    if "messages_display" in shape.keys:
        return NotADumpError(
            shape.name,
            "few-shot text (messages_display): no roles, no tool calls, no blueprint to audit",
            "Give the results file of the run instead",
        )
    keys = ", ".join(found_keys(shape)) or "none"
    beside = shape.path.parent / "results.json"
    lies_beside = beside.is_file() and beside != shape.path
    return NotADumpError(
        shape.name,
        f"unrecognised layout (top-level keys found: {keys})",
        ("results.json lies next to it: give that. " if lies_beside else "")
        + f"Known layouts: {KNOWN}",
    )
