"""The outer shape of a dump: what its top level holds, found in one pass without parsing items."""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, Raw, UnsetType

from userproxybench.errors import LoadError
from userproxybench.loaders.buffers import (
    TOO_DEEP,
    Decoded,
    decode,
    decode_noting,
    place_of,
    problem_of,
    read,
)
from userproxybench.loaders.records import NotADumpError

Part = Raw | UnsetType


class RewardInfo(msgspec.Struct, gc=False):
    """tau2 `reward_info`, as far as it is used."""

    reward: object = None
    action_checks: Part = UNSET
    nl_assertions: Part = UNSET
    communicate_checks: Part = UNSET


class Simulation(msgspec.Struct):
    """One tau2 SimulationRun, its large parts left undecoded."""

    id: object = None
    task_id: object = None
    trial: object = None
    seed: object = None
    termination_reason: object = None
    user_cost: object = None
    mode: object = None
    hallucination_retries_used: object = None
    messages: Part = UNSET
    ticks: Part = UNSET
    reward_info: RewardInfo | None = None
    review: Part = UNSET
    user_only_review: Part = UNSET


class Top(Simulation):
    """Every top-level key of an object that some known layout has, items left undecoded."""

    info: Part = UNSET
    tasks: Part = UNSET
    simulations: list[Simulation] | UnsetType | None = UNSET
    simulation_index: Part = UNSET
    domain: object = UNSET
    agent: object = UNSET
    model: object = UNSET
    task: Part = UNSET
    run_info: Part = UNSET
    config: Part = UNSET
    result: Part = UNSET
    responses_create_params: Part = UNSET
    response: Part = UNSET
    task_context: Part = UNSET
    traj: Part = UNSET
    reward: object = UNSET
    tools: Part = UNSET
    messages_display: Part = UNSET
    trajectory: Part = UNSET
    contract: Part = UNSET
    scenarios: Part = UNSET
    rollouts: Part = UNSET
    scenario: Part = UNSET


class LooseTop(Top, kw_only=True):
    """The same, where an entry of `simulations` is not an object."""

    simulations: list[Simulation] | UnsetType | None = msgspec.field(default=UNSET, name=" ")
    entries: list[Raw] = msgspec.field(default_factory=list, name="simulations")


@dataclass(frozen=True)
class Shape:
    """What a file holds at its outermost level."""

    name: str
    """Name of the file, as messages show it."""
    path: Path
    """Where it lies."""
    kind: Literal["object", "array", "lines"]
    """One JSON object, one JSON array, or one JSON value a line."""
    first: Top | None
    """The object, or the first item where that is an object."""
    keys: frozenset[str]
    """Top-level keys of `first` that some known layout has."""
    items: Sequence[Raw | memoryview] = ()
    """Items of an array or lines, undecoded."""
    notes: tuple[str, ...] = ()
    """What had to be repaired."""
    bad: dict[int, LoadError] = field(default_factory=dict)
    """Entries of `simulations` that are no simulation."""

    def documents(self) -> Sequence[Raw | memoryview]:
        """The items or lines; the whole text where it is one object."""
        return self.items or (Raw(bytes(read(self.path, self.name)[:])),)


class Lines(Sequence[memoryview]):
    """The non-empty lines of a text, by offset."""

    def __init__(self, data: bytes | mmap.mmap | memoryview) -> None:
        self._view = memoryview(data)
        self._starts = array("Q")
        self._ends = array("Q")
        start, size = 0, len(self._view)
        text = data if isinstance(data, bytes | mmap.mmap) else bytes(data)
        while start < size:
            end = text.find(b"\n", start)
            end = size if end < 0 else end
            if text[start:end].strip():
                self._starts.append(start)
                self._ends.append(end)
            start = end + 1

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, index: int) -> memoryview:  # type: ignore[override]  # no slices
        return self._view[self._starts[index] : self._ends[index]]


def look(path: Path, name: str) -> Shape:
    """Read a file as far as its outer shape.

    Raises:
        LoadError: unreadable, empty, no JSON, or cut off; the message names the byte.
    """
    data = read(path, name)
    start = bytes(data[:4096]).lstrip()[:1]
    if start == b"[":
        return _array(data, path, name)
    if start == b"{":
        return _object_or_lines(data, path, name)
    raise LoadErrorFor.no_json(name, data)


def _array(data: bytes | mmap.mmap | memoryview, path: Path, name: str) -> Shape:
    try:
        items, repaired = decode_noting(data, list[Raw])
    except msgspec.DecodeError as error:
        raise LoadErrorFor.damaged(name, error, len(data)) from error
    first = _top(items[0]) if items else None
    return Shape(name, path, "array", first, _keys(first), items, _notes(repaired))


def _object_or_lines(data: bytes | mmap.mmap | memoryview, path: Path, name: str) -> Shape:
    bad: dict[int, LoadError] = {}
    try:
        top, repaired = _decode_top(data, name, bad)
    except msgspec.DecodeError as error:
        lines = _lines(data, error)
        if lines is None:
            raise LoadErrorFor.damaged(name, error, len(data)) from error
        first = _top(lines[0])
        return Shape(name, path, "lines", first, _keys(first), lines)
    return Shape(name, path, "object", top, _keys(top), (), _notes(repaired), bad)


def _decode_top(
    data: bytes | mmap.mmap | memoryview, name: str, bad: dict[int, LoadError]
) -> Decoded[Top]:
    """Decode the top level; entries of `simulations` that are no objects go to `bad`."""
    try:
        return decode_noting(data, Top)
    except msgspec.ValidationError:
        top, repaired = decode_noting(data, LooseTop)
    simulations = []
    for index, raw in enumerate(top.entries):
        try:
            simulations.append(decode(raw, Simulation))
        except msgspec.DecodeError as error:
            bad[index] = LoadErrorFor.item(name, f"simulations[{index}]", error)
            simulations.append(Simulation())
    top.simulations = simulations
    top.entries = []
    return Decoded(top, repaired)


def _lines(data: bytes | mmap.mmap | memoryview, error: Exception) -> Lines | None:
    """The text as lines, when its first line is a whole JSON value of its own."""
    if "trailing characters" not in str(error):
        head = bytes(data[: 1 << 20]).lstrip().split(b"\n", 1)[0].rstrip()
        if not head.endswith(b"}"):
            return None
    lines = Lines(data)
    return lines if len(lines) > 1 and _top(lines[0]) is not None else None


def _top(raw: Raw | memoryview) -> Top | None:
    try:
        return decode(raw, Top)
    except msgspec.DecodeError:
        return None


def _keys(top: Top | None) -> frozenset[str]:
    if top is None:
        return frozenset()
    return frozenset(
        name
        for name in top.__struct_fields__
        if getattr(top, name) is not UNSET and getattr(top, name) is not None
    )


def _notes(repaired: str) -> tuple[str, ...]:
    return (repaired,) if repaired else ()


def found_keys(shape: Shape, limit: int = 12) -> list[str]:
    """All top-level keys of the object or first item, for a message; values are not looked at."""
    data = shape.items[0] if shape.items else read(shape.path, shape.name)
    try:
        keys: dict[str, Raw] = msgspec.json.decode(data, type=dict[str, Raw])
    except msgspec.DecodeError:
        return []
    return sorted(key[:40] for key in keys)[:limit]


_SINGLE = {"str": "text", "NoneType": "null", "bool": "truth value"}


class LoadErrorFor:
    """The messages for files that are no sound JSON."""

    @staticmethod
    def no_json(name: str, data: bytes | mmap.mmap | memoryview) -> LoadError:
        """Plain text or binary data, or JSON without a conversation in it."""
        try:
            kind = type(msgspec.json.decode(data)).__name__
            what = f"this is a single JSON {_SINGLE.get(kind, 'number')}, not a dump"
        except msgspec.DecodeError:
            what = "this is not JSON"
        return NotADumpError(name, what, "Give the .json or .jsonl file that the benchmark wrote")

    @staticmethod
    def item(name: str, place: str, error: Exception) -> LoadError:
        """One item of a file; the others are read."""
        inner = place_of(error).removeprefix("$")
        return LoadError(
            name,
            f"this item cannot be read ({problem_of(error)})",
            "It is left out; repair it or leave it",
            place=place + (inner if inner.startswith((".", "[")) else f" {inner}".rstrip()),
        )

    @staticmethod
    def damaged(name: str, error: Exception, size: int) -> LoadError:
        """Cut off, or broken in the middle."""
        if "truncated" in str(error):
            return LoadError(
                name,
                f"the JSON is cut off: the file ends at byte {size} in the middle of a value",
                "Copy the file again, or wait until the run that writes it has ended",
                place=f"byte {size}",
            )
        if TOO_DEEP in str(error):
            return LoadError(name, TOO_DEEP, "Take out `raw_data`, or what else is so deep in it")
        return LoadError(
            name,
            f"damaged JSON ({problem_of(error)})",
            "Repair the file at that place, or copy it again",
            place=place_of(error),
        )
