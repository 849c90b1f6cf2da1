"""AcCoRD dumps (docs/accord-format.md): scenarios with preferences, and rollouts of them.

`read_accord` gives a dump with its preferences, for unit tests and scores; `AccordReader` gives
the same conversations as trajectories and contracts, so that everything else works on them too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import UNSET, Raw

from userproxybench.accord.format import Rollout, Scenario, instructions_of
from userproxybench.accord.mapping import KeyMap
from userproxybench.accord.reading import (
    Dump,
    Play,
    Scenarios,
    is_accord,
    read_play,
    repeated,
)
from userproxybench.accord.rollouts import rollout_score
from userproxybench.errors import LoadError
from userproxybench.loaders.buffers import decode
from userproxybench.loaders.identity import flagged, hosting, is_model, stem
from userproxybench.loaders.records import Episode, LoadOptions, NotADumpError, ProxyIdentity
from userproxybench.loaders.shapes import LoadErrorFor, Shape, look
from userproxybench.models import (
    Blueprint,
    Contract,
    IdentitySource,
    Source,
    Speaker,
    ToolCall,
    Trajectory,
    Turn,
    UserCost,
    digest,
)

FORMAT = "AcCoRD"
_ACTION = re.compile(r"^\s*([\w.-]+)\s*[\[(](.*?)[\])]?\s*$", re.DOTALL)
Document = Raw | memoryview


def claims(shape: Shape, key_map: KeyMap | None = None) -> bool:
    """Whether a file is an AcCoRD dump, its keys renamed by `key_map` where one is given."""
    known = key_map or KeyMap()
    first = next(iter(shape.documents()), None)
    if first is None:
        return False
    try:
        keys = decode(first, dict[str, Raw])
    except (msgspec.DecodeError, RecursionError):
        return False
    return is_accord(keys, known)


def holds_scenario(shape: Shape) -> bool:
    """Whether the first item is a rollout with a whole scenario inside."""
    raw = shape.first.scenario if shape.first else UNSET
    return isinstance(raw, Raw) and b'"preferences"' in bytes(raw)


class AccordFile:
    """One file: its scenarios read, its rollouts read when they are asked for."""

    def __init__(self, shape: Shape, key_map: KeyMap | None) -> None:
        self.name = shape.name
        self.notes: list[str] = list(shape.notes)
        self._map = key_map or KeyMap()
        self.scenarios = Scenarios(shape.name, self._map)
        self._rollouts: Sequence[Document] = shape.documents()
        if shape.kind == "object":
            self._open_object()

    def _open_object(self) -> None:
        """Take a whole file apart; a single rollout with its scenario stays as it is."""
        parts = decode(self._rollouts[0], dict[str, Raw])
        fields = self._map.fields("dump")
        scenarios = parts.get(fields.get("scenarios", "scenarios"))
        if scenarios is None:
            return
        for index, raw in enumerate(self._items(scenarios, "scenarios")):
            self.scenarios.add(self._value(raw, f"scenarios[{index}]"), f"scenarios[{index}]")
        rollouts = parts.get(fields.get("rollouts", "rollouts"))
        self._rollouts = [] if rollouts is None else self._items(rollouts, "rollouts")

    def _items(self, raw: Raw, place: str) -> list[Raw]:
        """Items of a list; of an object, its values with their keys as ids."""
        try:
            return decode(raw, list[Raw])
        except msgspec.DecodeError as error:
            try:
                named = decode(raw, dict[str, dict[str, object]])
            except msgspec.DecodeError:
                raise LoadErrorFor.item(self.name, place, error) from error
        return [Raw(msgspec.json.encode({"id": key, **item})) for key, item in named.items()]

    def _value(self, raw: Document, place: str) -> object:
        try:
            return decode(raw, object)
        except (msgspec.DecodeError, RecursionError) as error:
            raise LoadErrorFor.item(self.name, place, error) from error

    def __len__(self) -> int:
        return len(self._rollouts)

    def play(self, index: int) -> Play:
        """One rollout with its scenario; raises `LoadError` where it cannot be read."""
        raw = self._value(self._rollouts[index], f"rollouts[{index}]")
        return read_play(raw, self.scenarios, self._map, name=self.name, index=index)


def read_accord(path: Path, name: str, key_map: KeyMap | None = None) -> Dump:
    """A whole dump with its preferences; items that cannot be read are `problems`.

    Raises:
        LoadError: the file cannot be read. `NotADumpError` where it is no AcCoRD dump.
    """
    shape = None if path.is_dir() else look(path, name)
    if shape is None or not claims(shape, key_map):
        raise NotADumpError(
            name,
            "this is no AcCoRD dump: it has no scenarios with rollouts",
            "See docs/accord-format.md; `--map FILE.toml` renames the keys of another layout",
        )
    file = AccordFile(shape, key_map)
    plays: list[Play] = []
    problems: list[LoadError] = []
    for index in range(len(file)):
        try:
            plays.append(file.play(index))
        except LoadError as error:
            problems.append(error)
    notes = [*file.notes, *file.scenarios.notes, *repeated(plays)]
    if not len(file):
        notes.append("the dump holds no rollouts: dataset statistics only")
    return Dump(
        name=name,
        scenarios=tuple(file.scenarios.by_id.values()),
        plays=tuple(plays),
        notes=tuple(dict.fromkeys(notes)),
        problems=(*file.scenarios.problems, *problems),
    )


class AccordReader:
    """An AcCoRD dump as trajectories and contracts."""

    format = FORMAT

    def __init__(self, shape: Shape, options: LoadOptions) -> None:
        self.name = shape.name
        self._file = AccordFile(shape, options.accord_map)
        self._flag = flagged(shape.name, options)
        self._guidelines = options.guidelines or ""
        self._contracts: dict[Scenario, Contract] = {}
        if not len(self._file):
            raise LoadError(
                shape.name,
                "the dump holds no rollouts",
                "`userproxybench accord` still gives the statistics of its scenarios",
            )
        self.notes = [*self._file.notes, *self._file.scenarios.notes]
        self.notes += [str(problem) for problem in self._file.scenarios.problems]
        if not self._guidelines:
            self.notes.append("no guidelines recorded, none assumed: the instructions rule alone")
        self.proxies = tuple(self._survey())

    def _survey(self) -> Iterator[ProxyIdentity]:
        seen: dict[ProxyIdentity, None] = {}
        for index in range(len(self._file)):
            try:
                seen[self._identity(self._file.play(index).rollout)] = None
            except LoadError:
                continue  # told when the episode itself is read
        yield from seen

    def _identity(self, rollout: Rollout) -> ProxyIdentity:
        if self._flag is not None:
            return ProxyIdentity(self._flag, "", "flag")
        if is_model(rollout.user_model):
            return ProxyIdentity(rollout.user_model, "", "recorded")
        return ProxyIdentity(stem(self.name), "", "name")

    def __len__(self) -> int:
        return len(self._file)

    def episode(self, index: int) -> Episode:
        """Read one rollout."""
        play = self._file.play(index)
        contract = self._contract(play.scenario)
        identity = self._identity(play.rollout)
        return Episode(trajectory_of(play, contract, self.name, identity), contract)

    def _contract(self, scenario: Scenario) -> Contract:
        if scenario not in self._contracts:
            self._contracts[scenario] = contract_of(scenario, self._guidelines)
        return self._contracts[scenario]


def contract_of(scenario: Scenario, guidelines: str = "") -> Contract:
    """What the user simulator was told about one scenario."""
    text = instructions_of(scenario)
    written = not scenario.instructions.strip()
    notes = ("no instructions recorded: written out of the preferences",) if written else ()
    return Contract(
        domain=scenario.domain,
        task_id=scenario.id,
        blueprint=Blueprint(instructions=text or None),
        guidelines=guidelines,
        guidelines_source="file" if guidelines else "none",
        notes=notes,
    )


def trajectory_of(
    play: Play, contract: Contract, name: str, identity: ProxyIdentity | None = None
) -> Trajectory:
    """One rollout as a trajectory; its reward is the task score where that is defined."""
    rollout = play.rollout
    turns = turns_of(rollout)
    source: IdentitySource = identity.source if identity else "recorded"
    users = sum(turn.speaker == "user" for turn in turns)
    reward = rollout_score(play).task
    notes = list(play.notes)
    if reward is not None:
        notes.append("reward is the AcCoRD task score: mean preference score, 0 if not completed")
    return Trajectory(
        id=f"{name}#{play.position}",
        task_id=play.scenario.id,
        domain=play.scenario.domain,
        proxy=identity.name if identity else rollout.user_model,
        agent=rollout.agent_model,
        turns=turns,
        contract_hash=contract.hash,
        source=Source(name, play.position),
        termination=_ENDINGS[rollout.completed],
        trial=rollout.rollout,
        reward=reward,
        cost=UserCost(calls=users),
        notes=tuple(notes),
        not_auditable="" if users else "no messages of the user",
        proxy_identity=source,
        agent_settings_hash=digest({"method": rollout.method}),
        hosting=hosting(rollout.user_model),
    )


_ENDINGS = {True: "completed", False: "not_completed", None: "unknown"}


def turns_of(rollout: Rollout) -> tuple[Turn, ...]:
    """The messages as turns; environment messages are results that the user never sees."""
    turns: list[Turn] = []
    waiting: list[str] = []
    for index, message in enumerate(rollout.messages):
        text = message.content or ""
        if message.role == "environment":
            tool = waiting.pop(0) if waiting else ""
            turns.append(Turn(index, "tool", text, requestor="agent", tool=tool))
            continue
        calls = tuple(_call(action) for action in message.actions)
        waiting += [call.name for call in calls]
        speaker: Speaker = "user" if message.role == "user" else "agent"
        turns.append(Turn(index, speaker, text, calls))
    return tuple(turns)


def _call(action: str) -> ToolCall:
    """`search[red shoes]` as a call of `search`."""
    match = _ACTION.match(action)
    if match is None:
        return ToolCall(name=action.strip() or "action")
    return ToolCall(name=match[1], arguments={"input": match[2]} if match[2] else {})
