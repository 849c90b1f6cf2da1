"""tau2 files: one results file, a list of simulations, a folder with one simulation a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
from msgspec import UNSET, Raw, UnsetType

from userproxybench.errors import LoadError
from userproxybench.loaders.buffers import decode, decode_part
from userproxybench.loaders.contracts import Task, task_key
from userproxybench.loaders.identity import flagged, stem
from userproxybench.loaders.records import LoadOptions, ProxyIdentity
from userproxybench.loaders.shapes import LoadErrorFor, Shape, Simulation, Top, look
from userproxybench.loaders.task_match import name_tasks
from userproxybench.loaders.tau2 import Tau2Reader, some
from userproxybench.loaders.tau2_episode import Entry
from userproxybench.loaders.tau2_schema import Info, Meta, Side, meta_of, witnesses_of
from userproxybench.models import Source


class RunInfo(msgspec.Struct):
    """`run_info` of a viewer export."""

    simulation_id: object = None
    termination_reason: object = None
    user_cost: object = None


class IndexEntry(msgspec.Struct):
    """One line of `simulation_index`."""

    id: object = None


class ResultsReader(Tau2Reader):
    """One file that holds all simulations of a run."""

    def __init__(self, shape: Shape, options: LoadOptions) -> None:
        super().__init__(shape.name, options)
        self.notes += shape.notes
        top = shape.first or Top()
        self._bad = shape.bad
        if shape.kind == "array":
            self.format = "tau2 list of simulations"
            self._simulations, self._bad = _each(shape)
        else:
            self._simulations = list(top.simulations or ())
            self.format = "tau2 v1 results" if self._is_v1(shape) else "tau2 v0 results"
        if not self._simulations:
            raise LoadError(
                shape.name,
                "the run holds no simulations (it was broken off before the first ended)",
                "Run it again, or leave this file out",
            )
        self._meta = run_meta(top, self._simulations, self, stem(shape.name))
        self._tasks, damaged = read_tasks(top.tasks)
        self.notes += [*damaged, *name_tasks(self._simulations, self._tasks)]
        self.survey()
        self._note_missing_tasks()

    def _is_v1(self, shape: Shape) -> bool:
        first = self._simulations[0] if self._simulations else Simulation()
        return (
            "simulation_index" in shape.keys
            or (shape.first or Top()).simulation_index is not UNSET
            or first.ticks is not UNSET
            or first.mode is not None
        )

    def entries(self) -> int:
        """Number of simulations in the dump."""
        return len(self._simulations)

    def read(self, index: int) -> Entry:
        """One simulation."""
        if index in self._bad:
            raise self._bad[index]
        simulation = self._simulations[index]
        return Entry(simulation, self._meta, self._tasks.get(task_key(simulation.task_id)))

    def tasks(self) -> Iterable[tuple[str, Task]]:
        """All tasks of the file."""
        return ((self._meta.domain, task) for task in self._tasks.values())

    def _note_missing_tasks(self) -> None:
        named = (one.task_id for one in self._simulations if one.task_id is not None)
        missing = {task_key(id_) for id_ in named} - self._tasks.keys()
        if not self._tasks:
            self.notes.append("the file holds no tasks: blueprints are missing")
        elif missing:
            self.notes.append(f"tasks not in the file, blueprint missing: {some(sorted(missing))}")


def _each(shape: Shape) -> tuple[list[Simulation], dict[int, LoadError]]:
    simulations, bad = [], {}
    for index, raw in enumerate(shape.items):
        try:
            simulations.append(decode(raw, Simulation))
        except msgspec.DecodeError as error:
            simulations.append(Simulation())
            bad[index] = LoadErrorFor.item(shape.name, f"[{index}]", error)
    return simulations, bad


def read_tasks(raw: Raw | UnsetType) -> tuple[dict[str, Task], list[str]]:
    """Tasks by id, and a note on those that cannot be read."""
    if isinstance(raw, UnsetType):
        return {}, []
    try:
        tasks = decode_part(raw, list[Task]) or []
        return {task_key(task.id): task for task in tasks}, []
    except msgspec.DecodeError:
        return _tasks_one_by_one(raw)


def _tasks_one_by_one(raw: Raw) -> tuple[dict[str, Task], list[str]]:
    tasks: dict[str, Task] = {}
    notes = []
    try:
        items = decode(raw, list[Raw])
    except msgspec.DecodeError:
        return {}, ["`tasks` is not a list: blueprints are missing"]
    for index, item in enumerate(items):
        try:
            task = decode(item, Task)
        except msgspec.DecodeError as error:
            notes.append(f"tasks[{index}] cannot be read: {error}")
        else:
            tasks[task_key(task.id)] = task
    return tasks, notes


def run_meta(
    top: Top, simulations: Sequence[Simulation], reader: Tau2Reader, fallback: str
) -> Meta:
    """Who and what a run is about, from `info`, else from the messages, else from names."""
    info = read_info(top.info, reader.notes)
    user, agent = info.user_info or Side(), info.agent_info or Side()
    witnesses = witnesses_of(simulations, user=user.llm, agent=agent.llm or top.model)
    domain = top.domain if isinstance(top.domain, str) else None
    if info.agent_info is None and isinstance(top.model, str):
        kind = top.agent if isinstance(top.agent, str) else None
        info.agent_info = Side(implementation=kind, llm=top.model)
    meta, notes = meta_of(info, domain=domain, fallback=fallback, witnesses=witnesses)
    name = flagged(reader.name, reader.options)
    if name is not None:
        notes.append(f"proxy named {name!r} by --proxy")
        identity = ProxyIdentity(name, meta.proxy.settings_hash, "flag")
        meta = replace(meta, proxy=identity)
    reader.notes += notes
    return meta


def read_info(raw: Raw | UnsetType, notes: list[str]) -> Info:
    """`info`, or an empty one with a note where it cannot be read."""
    try:
        info = decode_part(raw, Info)
        return Info() if info is None else info
    except msgspec.DecodeError:
        notes.append("`info` cannot be read: models and guidelines are unknown")
        return Info()


_BEGINS = re.compile(rb'\s*\{\s*"id":\s*"[^"]*",\s*"task_id":')


def _has_siblings(path: Path) -> bool:
    """Whether other files beside this one begin like a simulation."""
    for other in sorted(path.parent.glob("*.json")):
        if other != path:
            with other.open("rb") as handle:
                if _BEGINS.match(handle.read(512)):
                    return True
    return False


class FolderReader(Tau2Reader):
    """One simulation a file: directory format, viewer export, or bare simulations."""

    def __init__(
        self, folder: Path, files: Sequence[Path], name: str, options: LoadOptions
    ) -> None:
        super().__init__(name, options)
        self._folder = folder
        self._files = list(files)
        results = folder / "results.json"
        if not results.is_file() and folder.name == "simulations":
            results = folder.parent / "results.json"
        top = (look(results, name).first if results.is_file() else None) or Top()
        self._tasks, damaged = read_tasks(top.tasks)
        self.notes += damaged
        self.format = "tau2 v1 directory" if results.is_file() else "tau2 simulation files"
        self._meta = Meta("unknown", ProxyIdentity(stem(name), "", "name"), "unknown")
        self._check_index(top)
        first = list(self._readable(self._files[:3]))
        if self._own_tasks:
            self.format = "tau2 viewer export"
        simulations = [entry.simulation for _, entry in first]
        self._meta = run_meta(top, simulations, self, self._fallback(name))
        self.survey()
        if not self._tasks and not self._own_tasks:
            self.notes.append("no tasks beside the simulations: blueprints are missing")

    _own_tasks = False

    def tasks(self) -> Iterable[tuple[str, Task]]:
        """The tasks of results.json."""
        return ((self._meta.domain, task) for task in self._tasks.values())

    def _fallback(self, name: str) -> str:
        """The folder's name; a file that is alone of its kind there is named by itself."""
        folder = self._folder.parent if self._folder.name == "simulations" else self._folder
        alone = len(self._files) == 1 and not self._own_tasks and not _has_siblings(self._files[0])
        return stem(name) if alone else folder.resolve().name or stem(name)

    def entries(self) -> int:
        """Number of simulation files."""
        return len(self._files)

    def source(self, index: int) -> Source:
        """The file of one simulation."""
        return Source(self._name_of(self._files[index]), 0)

    def _name_of(self, path: Path) -> str:
        if path.parent == self._folder and path.name == Path(self.name).name:
            return self.name
        return f"{self.name}/{path.relative_to(self._folder).as_posix()}"

    def read(self, index: int) -> Entry:
        """One simulation, read from its file."""
        return self._read(self._files[index])

    def _readable(self, paths: Iterable[Path]) -> Iterator[tuple[Path, Entry]]:
        """Those that can be read; the others are errors when their turn comes."""
        for path in paths:
            try:
                yield path, self._read(path)
            except LoadError:
                continue

    def _read(self, path: Path) -> Entry:
        name = self._name_of(path)
        top = look(path, name).first or Top()
        try:
            task = decode_part(top.task, Task)
            run = decode_part(top.run_info, RunInfo)
        except (msgspec.DecodeError, RecursionError) as error:
            raise LoadErrorFor.item(name, "task", error) from error
        self._own_tasks = self._own_tasks or task is not None
        if run is not None:
            top.id, top.user_cost = run.simulation_id, run.user_cost
            top.termination_reason = run.termination_reason
        return Entry(top, self._meta, task or self._tasks.get(task_key(top.task_id)))

    def _listed(self, top: Top) -> list[IndexEntry] | None:
        try:
            return decode_part(top.simulation_index, list[IndexEntry])
        except msgspec.DecodeError as error:
            raise LoadErrorFor.item(self.name, "simulation_index", error) from error

    def _check_index(self, top: Top) -> None:
        """Refuse a run folder whose index and files disagree, unless `partial` is given."""
        listed = self._listed(top)
        if listed is None:
            if self.format == "tau2 v1 directory":
                self.notes.append("no simulation_index: whether files are missing is not known")
            return
        there = {task_key(entry.simulation.id): path for path, entry in self._readable(self._files)}
        wanted = [task_key(entry.id) for entry in listed]
        missing = [id_ for id_ in wanted if id_ not in there]
        unlisted = [id_ for id_ in there if id_ not in set(wanted)]
        if not missing and not unlisted:
            return
        problem = f"simulation_index and files disagree: missing {some(missing) or 'none'}, "
        problem += f"not in the index {some(unlisted) or 'none'}"
        if not self.options.partial:
            raise LoadError(self.name, problem, "Complete the folder, or allow a partial run")
        self.notes.append(f"partial run: {problem}; {len(missing)} of {len(wanted)} not audited")
        self._files = [path for id_, path in there.items() if id_ in set(wanted)]
