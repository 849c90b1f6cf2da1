"""Decoded JSON → a dump: what can be kept is kept, and everything assumed is said in one line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from userproxybench.accord.format import DYNAMICS, REVEALS, Rollout, Scenario
from userproxybench.accord.mapping import Json, KeyMap, Section
from userproxybench.errors import LoadError

_DYNAMIC_STEMS = {
    "hard": "hard_underspecified",
    "soft": "soft_underspecified",
    "unachiev": "unachievable",
    "trigger": "triggered",
}
T = TypeVar("T", bound=BaseModel)


class Play(NamedTuple):
    """One rollout with the scenario that it plays."""

    rollout: Rollout
    """The rollout."""
    scenario: Scenario
    """Its scenario."""
    position: int
    """Position among the rollouts of the dump, from 0."""
    notes: tuple[str, ...]
    """What had to be assumed about it."""

    @property
    def where(self) -> str:
        """Scenario and repetition, for messages."""
        number = "" if self.rollout.rollout is None else f" rollout {self.rollout.rollout}"
        return f"scenario {self.scenario.id!r}{number}"


@dataclass(frozen=True)
class Dump:
    """Everything that could be read of one file."""

    name: str
    """Name of the file, as messages show it."""
    scenarios: tuple[Scenario, ...]
    """Scenarios, each once, in the order they came."""
    plays: tuple[Play, ...]
    """Rollouts that could be read."""
    notes: tuple[str, ...] = ()
    """What had to be assumed."""
    problems: tuple[LoadError, ...] = ()
    """Items that could not be read, one line each."""


class Scenarios:
    """The scenarios of a dump by id, and what was odd about them."""

    def __init__(self, name: str, key_map: KeyMap) -> None:
        self._name = name
        self._map = key_map
        self.by_id: dict[str, Scenario] = {}
        self.notes: list[str] = []
        self.problems: list[LoadError] = []

    def add(self, raw: object, place: str) -> None:
        """Read one entry of the list of scenarios."""
        try:
            scenario, notes = self.read(raw, place)
        except LoadError as error:
            self.problems.append(error)
            return
        known = self.by_id.setdefault(scenario.id, scenario)
        self.notes += notes
        if known is not scenario:
            what = "differently; the first is used" if known != scenario else "the same way"
            self.notes.append(f"scenario {scenario.id!r} is given twice, {what}")

    def read(self, raw: object, place: str) -> tuple[Scenario, list[str]]:
        """One scenario and what had to be assumed about it."""
        notes: list[str] = []
        item = self._map.apply("scenario", raw)
        where = f"scenario {item.get('id')!r}" if isinstance(item, dict) else place
        if isinstance(item, dict) and isinstance(item.get("preferences"), list):
            item["preferences"] = _mended(item["preferences"], where, notes)
        scenario = _validated(Scenario, item, self._name, place)
        for preference in scenario.preferences:
            if preference.dynamic == "unachievable" and not preference.backoff:
                notes.append(
                    f"{where}: preference {preference.id!r} is unachievable and has no backoff; "
                    "test003 and test004 do not apply to it"
                )
        return scenario, notes

    def of(self, raw: object, place: str) -> tuple[Scenario, list[str]]:
        """The scenario that a rollout names or holds."""
        if isinstance(raw, dict):
            scenario, notes = self.read(raw, f"{place}.scenario")
            known = self.by_id.setdefault(scenario.id, scenario)
            if known == scenario:
                return known, notes
            return scenario, [*notes, f"scenario {scenario.id!r} differs between rollouts"]
        key = f"{raw:g}" if isinstance(raw, int | float) else str(raw)
        if key not in self.by_id:
            raise LoadError(
                self._name,
                f"scenario {key!r} is not among the scenarios",
                "The rollout is left out; add its scenario or correct the id",
                place=place,
            )
        return self.by_id[key], []


def read_play(raw: object, scenarios: Scenarios, key_map: KeyMap, *, name: str, index: int) -> Play:
    """One rollout.

    Raises:
        LoadError: it cannot be read, or its scenario is not known.
    """
    place = f"rollouts[{index}]"
    item = key_map.apply("rollout", raw)
    if not isinstance(item, dict) or "scenario" not in item:
        raise LoadError(
            name, "this rollout names no scenario", "It is left out; add `scenario`", place=place
        )
    scenario, notes = scenarios.of(item["scenario"], place)
    item["scenario"] = scenario.id
    _align_scores(item, scenario)
    rollout = _validated(Rollout, item, name, place)
    return Play(rollout, scenario, index, tuple(notes + _oddities(rollout, scenario)))


def _oddities(rollout: Rollout, scenario: Scenario) -> list[str]:
    notes = []
    strangers = sorted(set(rollout.preference_scores) - set(scenario.by_id))
    if strangers:
        notes.append(f"score for unknown preference {strangers[0]!r} is passed over")
    if rollout.completed and not rollout.has_choice:
        notes.append("completed, but no purchase or itinerary is recorded")
    if rollout.completed is None:
        notes.append("the dump does not say whether the task was completed")
    return notes


def repeated(plays: Iterable[Play]) -> list[str]:
    """One line per rollout that is in the dump more than once; all are kept."""
    counts = Counter(
        (p.scenario.domain, p.where, p.rollout.agent_model, p.rollout.method, p.rollout.user_model)
        for p in plays
        if p.rollout.rollout is not None
    )
    return [
        f"{where} by {user!r} is recorded {count} times under one number; all are kept"
        for (_, where, _, _, user), count in counts.items()
        if count > 1
    ]


def _align_scores(item: Json, scenario: Scenario) -> None:
    """A list of scores goes with the preferences in their order."""
    scores = item.get("preference_scores")
    if isinstance(scores, Sequence) and len(scores) == len(scenario.preferences):
        item["preference_scores"] = dict(zip(scenario.by_id, scores, strict=True))


def _mended(preferences: list[object], where: str, notes: list[str]) -> list[object]:
    """Preferences with unknown words set to null, and ids made unique."""
    seen: Counter[str] = Counter()
    mended: list[object] = []
    for raw in preferences:
        if not isinstance(raw, dict):
            mended.append(raw)
            continue
        item = dict(raw)
        name = str(item.setdefault("id", item.get("attribute", "")))
        seen[name] += 1
        if seen[name] > 1:
            item["id"] = f"{name}~{seen[name]}"
            notes.append(f"{where}: preference {name!r} is given twice; kept as {item['id']!r}")
        _mend_word(item, "dynamic", DYNAMICS, f"{where}: preference {name!r}", notes)
        _mend_word(item, "reveal", REVEALS, f"{where}: preference {name!r}", notes)
        mended.append(item)
    return mended


def _mend_word(item: Json, field: str, known: Sequence[str], where: str, notes: list[str]) -> None:
    value = item.get(field)
    if value is None:
        return
    word = re.sub(r"[^a-z]+", "_", str(value).lower()).strip("_")
    if field == "dynamic":
        word = next((full for stem, full in _DYNAMIC_STEMS.items() if word.startswith(stem)), word)
    item[field] = word if word in known else None
    if word not in known:
        effect = "; it counts in no score per dynamic" if field == "dynamic" else ""
        notes.append(f"{where}: unknown {field} {value!r} (known: {', '.join(known)}){effect}")


def _validated(kind: type[T], item: object, name: str, place: str) -> T:
    try:
        return kind.model_validate(item)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        inner = "".join(
            f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]
        )
        raise LoadError(
            name,
            f"{first['msg'][:1].lower()}{first['msg'][1:]}",
            "It is left out; see docs/accord-format.md, or rename its keys with --map",
            place=f"{place}{inner}",
        ) from error


def is_accord(keys: Iterable[str], key_map: KeyMap) -> bool:
    """Whether an object with these top-level keys is a dump file, or one rollout of one."""
    found = set(keys)

    def has(section: Section, field: str) -> bool:
        fields: Mapping[str, str] = key_map.fields(section)
        constant = field in key_map.constants.get(section, {})
        return fields.get(field, field).split(".")[0] in found or constant

    whole = has("dump", "scenarios") and has("dump", "rollouts")
    return whole or (has("rollout", "scenario") and has("rollout", "messages"))
