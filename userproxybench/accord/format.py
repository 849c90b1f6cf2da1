"""The AcCoRD dump format: scenarios with structured preferences, and rollouts of them.

No dump of the benchmark is public, so this format is the project's own (docs/accord-format.md);
`mapping` renames the keys of other layouts into it. Unknown keys are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

Domain = Literal["shop", "travel"]
DOMAINS: tuple[Domain, ...] = get_args(Domain)
Dynamic = Literal["hard_underspecified", "soft_underspecified", "unachievable", "triggered"]
DYNAMICS: tuple[Dynamic, ...] = get_args(Dynamic)
Reveal = Literal["when_asked", "only_if_mentioned", "upfront"]
REVEALS: tuple[Reveal, ...] = get_args(Reveal)
Role = Literal["user", "agent", "environment"]

_ROLES: Mapping[str, Role] = {
    "assistant": "agent",
    "tool": "environment",
    "observation": "environment",
    "system": "environment",
}


def _text(value: object) -> object:
    """Numbers and truth values as the text they stand for."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}"
    return value


def _texts(value: object) -> object:
    """One text, or several."""
    return (value,) if isinstance(value, str | int | float) else value


def _role(value: object) -> object:
    return _ROLES.get(value, value) if isinstance(value, str) else value


def _actions(value: object) -> object:
    """Actions as text, whatever they were recorded as."""
    if isinstance(value, list | tuple):
        return tuple(_action(item) for item in value)
    return value


def _action(value: object) -> object:
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        arguments = value.get("arguments")
        return f"{value['name']}[{'' if arguments is None else arguments}]"
    return value if isinstance(value, str) else str(value)


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_texts)]
Actions = Annotated[tuple[str, ...], BeforeValidator(_actions)]
Score = Annotated[float, Field(ge=0, le=1)]


class _Part(BaseModel):
    """Base of the parts of a dump: frozen, unknown keys passed over, no NaN."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class Preference(_Part):
    """One thing the user wants of the product or the trip."""

    id: Text
    """Unique within its scenario."""
    attribute: Text
    """What it is about, in words: `color`, `hotel area`."""
    value: Text
    """What the user wants, as one would say it: `navy blue`, `under $90`."""
    aliases: Texts = ()
    """Other ways to write the value."""
    dynamic: Dynamic | None = None
    """How the preference behaves; null where it is not known."""
    backoff: Text | None = None
    """What the user settles for when the value cannot be had; null: nothing."""
    backoff_aliases: Texts = ()
    """Other ways to write the backoff."""
    reveal: Reveal | None = None
    """When the user may say it; null: `only_if_mentioned` when triggered, else `when_asked`."""

    @property
    def rule(self) -> Reveal:
        """`reveal`, or what the dynamic implies."""
        if self.reveal is not None:
            return self.reveal
        return "only_if_mentioned" if self.dynamic == "triggered" else "when_asked"

    @property
    def values(self) -> tuple[str, ...]:
        """The value in every way it is written."""
        return (self.value, *self.aliases)

    @property
    def backoffs(self) -> tuple[str, ...]:
        """The backoff in every way it is written; empty where there is none."""
        return (self.backoff, *self.backoff_aliases) if self.backoff else ()


class Scenario(_Part):
    """One task: what the user wants, and how it comes out."""

    id: Text
    """Unique within its domain."""
    domain: Domain
    """Which of the two benchmarks."""
    instructions: str = ""
    """What the user simulator was told, word for word; empty: written out of the preferences."""
    preferences: tuple[Preference, ...] = ()
    """Its preferences."""

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Scenario:
        ids = [preference.id for preference in self.preferences]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"preference id {twice[0]!r} is used twice")
        return self

    @property
    def by_id(self) -> dict[str, Preference]:
        """Preferences by id."""
        return {preference.id: preference for preference in self.preferences}


class Message(_Part):
    """One message. What the agent does in the environment is not heard by the user."""

    role: Annotated[Role, BeforeValidator(_role)]
    """Who it is from; `assistant` is read as `agent`, `tool` and `system` as `environment`."""
    content: str | None = None
    """Text; null where the agent only acted."""
    actions: Actions = ()
    """Environment actions taken with this message."""


class Purchase(_Part):
    """The product bought, in the fields of AcCoRD's purchase-evaluation prompt."""

    name: str = ""
    """Product name."""
    description: str = ""
    """Product description."""
    price: float | None = None
    """Product price in dollars."""
    attributes: dict[str, Text] = Field(default_factory=dict)
    """Product attributes."""
    features: str = ""
    """Description of its features."""
    selected_options: dict[str, Text] = Field(default_factory=dict)
    """Options selected at the purchase."""


class TripOption(_Part):
    """One booked part of an itinerary."""

    kind: str = ""
    """`hotel`, `flight`, `activity`, …"""
    name: str = ""
    """Name of the option."""
    price: float | None = None
    """Price in dollars."""
    attributes: dict[str, Text] = Field(default_factory=dict)
    """Its attributes; a preference names one by its `attribute`, with or without the kind."""


class Rollout(_Part):
    """One conversation on one scenario, and what came of it."""

    scenario: Text
    """Scenario id; a whole scenario in its place is read as well."""
    agent_model: str = "unknown"
    """Model of the agent."""
    method: str = "other"
    """How the agent is prompted: `react`, `uncreact`, or another name."""
    user_model: str = "unknown"
    """Model of the user simulator."""
    rollout: int | None = None
    """Number of the repetition."""
    messages: tuple[Message, ...] = ()
    """The conversation in order."""
    completed: bool | None = None
    """Whether the agent bought or booked; null where it is not known."""
    purchase: Purchase | None = None
    """What was bought (shop)."""
    itinerary: tuple[TripOption, ...] = ()
    """What was booked (travel)."""
    preference_scores: dict[str, Score | None] = Field(default_factory=dict)
    """Score in [0, 1] per preference id; missing or null: not scored."""
    environment_actions: Actions | Annotated[int, Field(ge=0)] | None = None
    """What the agent did in the environment, or how often; null: counted in the messages."""

    @property
    def has_choice(self) -> bool:
        """Whether the dump says what was bought or booked."""
        return self.purchase is not None or bool(self.itinerary)

    @property
    def n_actions(self) -> int | None:
        """Environment actions; `None` where the dump records none anywhere."""
        if isinstance(self.environment_actions, int):
            return self.environment_actions
        if self.environment_actions is not None:
            return len(self.environment_actions)
        counted = sum(len(message.actions) for message in self.messages)
        return counted or None

    @property
    def n_utterances(self) -> int:
        """Messages of the agent that the user hears."""
        return sum(bool(m.content and m.role == "agent") for m in self.messages)


class DumpFile(_Part):
    """A whole file: one object, or JSON Lines with one rollout a line and its scenario inside."""

    format: Literal["accord/1"] = "accord/1"
    """Name and version of the format."""
    scenarios: tuple[Scenario, ...] = ()
    """Scenarios, each once."""
    rollouts: tuple[Rollout, ...] = ()
    """Rollouts of them."""


def json_schema() -> dict[str, object]:
    """The JSON Schema of a dump file."""
    return DumpFile.model_json_schema(mode="validation")


def instructions_of(scenario: Scenario) -> str:
    """What the user was told: the recorded text, else one written out of the preferences."""
    if scenario.instructions.strip():
        return scenario.instructions
    lines = []
    for preference in scenario.preferences:
        line = f"{preference.attribute}: {preference.value} ({_WORDS[preference.rule]})"
        if preference.backoff:
            line += (
                f"; if the assistant says that it cannot be had, accept {preference.backoff}, "
                "and do not mention that before"
            )
        lines.append(line)
    return "\n".join(lines)


_WORDS: Mapping[Reveal, str] = {
    "when_asked": "say it when asked",
    "only_if_mentioned": "only reveal if mentioned",
    "upfront": "say it at the start",
}
