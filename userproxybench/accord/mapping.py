"""Keys of other layouts, renamed into the AcCoRD dump format."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from userproxybench.accord.format import (
    DumpFile,
    Message,
    Preference,
    Purchase,
    Rollout,
    Scenario,
    TripOption,
)
from userproxybench.errors import InputError

Section = Literal["dump", "scenario", "preference", "rollout", "message", "purchase", "option"]
SECTIONS: Mapping[Section, type[BaseModel]] = {
    "dump": DumpFile,
    "scenario": Scenario,
    "preference": Preference,
    "rollout": Rollout,
    "message": Message,
    "purchase": Purchase,
    "option": TripOption,
}
_CHILDREN: Mapping[Section, Mapping[str, Section]] = {
    "scenario": {"preferences": "preference"},
    "rollout": {"messages": "message", "purchase": "purchase", "itinerary": "option"},
}
Json = dict[str, object]


class KeyMap(BaseModel):
    """One `--map` file: per section, our field = "their key" (dots lead into objects)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dump: dict[str, str] = Field(default_factory=dict)
    """`scenarios`, `rollouts`."""
    scenario: dict[str, str] = Field(default_factory=dict)
    """Fields of a scenario."""
    preference: dict[str, str] = Field(default_factory=dict)
    """Fields of a preference."""
    rollout: dict[str, str] = Field(default_factory=dict)
    """Fields of a rollout."""
    message: dict[str, str] = Field(default_factory=dict)
    """Fields of a message."""
    purchase: dict[str, str] = Field(default_factory=dict)
    """Fields of a purchase."""
    option: dict[str, str] = Field(default_factory=dict)
    """Fields of one part of an itinerary."""
    values: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Per field, "their value" = our value: `[values.dynamic]`, `[values.role]`, …"""
    constants: dict[str, dict[str, str | int | bool]] = Field(default_factory=dict)
    """Per section, values for fields that the dump does not have."""

    def fields(self, section: Section) -> Mapping[str, str]:
        """Renamed fields of one section."""
        renamed: Mapping[str, str] = getattr(self, section)
        return renamed

    def apply(self, section: Section, item: object) -> object:
        """One item of a dump under our names, its parts included."""
        if not isinstance(item, dict):
            return item
        renamed = self._renamed(section, item)
        for field, child in _CHILDREN.get(section, {}).items():
            if field in renamed:
                renamed[field] = self._children(child, renamed[field])
        if section == "rollout" and isinstance(renamed.get("scenario"), dict):
            renamed["scenario"] = self.apply("scenario", renamed["scenario"])
        return renamed

    def _children(self, section: Section, value: object) -> object:
        if section == "purchase":
            return self.apply(section, value)
        if isinstance(value, dict | list):
            return [self.apply(section, child) for child in listed(value)]
        return value

    def _renamed(self, section: Section, item: Json) -> Json:
        fields = self.fields(section)
        taken = {key.split(".")[0] for key in fields.values()}
        renamed = {
            key: value for key, value in item.items() if key not in taken and key not in fields
        }
        for field, key in fields.items():
            found = _look_up(item, key)
            if found is not _MISSING:
                renamed[field] = found
        for field, value in self.constants.get(section, {}).items():
            renamed.setdefault(field, value)
        return {key: self._translated(key, value) for key, value in renamed.items()}

    def _translated(self, field: str, value: object) -> object:
        words = self.values.get(field)
        if not words or isinstance(value, dict | list):
            return value
        spelled = str(value).lower() if isinstance(value, bool) else str(value)
        return words.get(spelled, value)


_MISSING = object()


def listed(value: Json | list[object]) -> Iterable[object]:
    """Items of a list; of an object, its values, each with its key as `id`."""
    if isinstance(value, list):
        return value
    return [{"id": key, **item} if isinstance(item, dict) else item for key, item in value.items()]


def _look_up(item: object, path: str) -> object:
    if isinstance(item, dict) and path in item:
        return item[path]
    head, dot, rest = path.partition(".")
    if not dot or not isinstance(item, dict) or head not in item:
        return _MISSING
    return _look_up(item[head], rest)


def read_key_map(text: str, name: str) -> KeyMap:
    """The text of a `--map` file.

    Raises:
        InputError: no TOML, an unknown section, or a field that the format does not have.
    """
    try:
        found = KeyMap.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(
            f"{name}: this is not TOML ({error}). See docs/accord-format.md"
        ) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"{name}: `{place}`: {first['msg'].lower()}. Sections are {', '.join(SECTIONS)}, "
            "values and constants, each with our field = their key"
        ) from error
    _check_fields(found, name)
    return found


def _check_fields(found: KeyMap, name: str) -> None:
    known = {section: set(kind.model_fields) for section, kind in SECTIONS.items()}
    for section in SECTIONS:
        for field in (*found.fields(section), *found.constants.get(section, {})):
            if field not in known[section]:
                raise InputError(
                    f"{name}: [{section}] has no field {field!r}. "
                    f"Its fields are {', '.join(sorted(known[section]))}"
                )
    strangers = set(found.constants) - set(SECTIONS)
    if strangers:
        raise InputError(
            f"{name}: [constants.{sorted(strangers)[0]}] is no section. "
            f"Sections are {', '.join(SECTIONS)}"
        )
    fields = set().union(*known.values())
    for field in found.values:
        if field not in fields:
            raise InputError(f"{name}: [values.{field}] names no field of the format")
