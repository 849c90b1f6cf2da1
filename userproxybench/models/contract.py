"""What a user proxy was told: blueprint, guidelines, user tools."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

GuidelinesSource = Literal["recorded", "installed", "file", "assumed", "none"]
ToolsSource = Literal["recorded", "inferred", "none"]
SourceField = Literal[
    "persona",
    "reason_for_call",
    "known_info",
    "unknown_info",
    "task_instructions",
    "instructions",
    "guidelines",
    "user_tools",
]
"""Places a criterion may be grounded in."""

BLUEPRINT_FIELDS: tuple[SourceField, ...] = (
    "persona",
    "reason_for_call",
    "known_info",
    "unknown_info",
    "task_instructions",
    "instructions",
)


class Record(BaseModel):
    """Base of the closed, frozen records."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Blueprint(Record):
    """The private scenario. Either the five tau2 fields, or one text in `instructions`."""

    persona: str | None = None
    """Who the user is; `None` when not given."""
    reason_for_call: str | None = None
    """Why the user is here."""
    known_info: str | None = None
    """What it knows; `None` when not given, which is not "nothing"."""
    unknown_info: str | None = None
    """What it does not know; `None` when not given, which is not "everything is known"."""
    task_instructions: str | None = None
    """How to behave in this task."""
    instructions: str | None = None
    """The whole scenario as one text (tau-bench v1, tau2 plain-string instructions)."""

    def texts(self) -> dict[SourceField, str]:
        """The fields that hold text, in reading order."""
        values = {name: getattr(self, name) for name in BLUEPRINT_FIELDS}
        return {name: text for name, text in values.items() if text}

    @cached_property
    def hash(self) -> str:
        """Digest over the blueprint alone (`task_hash` in tables)."""
        return digest(self.texts())

    @property
    def is_empty(self) -> bool:
        """Whether the dump held no blueprint at all."""
        return not self.texts()


class UserTool(Record):
    """One tool of the user's own."""

    name: str
    """Name as the dump calls it."""
    description: str = ""
    """What it does, where the dump says so."""
    writes: bool | None = None
    """Whether it changes the world; `None` when not known."""


class GoldWrite(Record):
    """One user action of the reference solution. For the probe only, never shown to a judge."""

    name: str
    """Tool name."""
    arguments: dict[str, object] = Field(default_factory=dict)
    """Reference arguments."""
    compare: tuple[str, ...] | None = None
    """Argument names to compare: `None` all of the call made, empty for the name alone."""


class Contract(Record):
    """Everything that bound one proxy on one task. Task text outranks guidelines."""

    domain: str
    """Domain of the task."""
    task_id: str
    """Task id as text."""
    blueprint: Blueprint
    """The private scenario."""
    guidelines: str = ""
    """Standing simulator guidelines."""
    guidelines_source: GuidelinesSource = "none"
    """`assumed` and `installed` texts did not come from the dump."""
    user_tools: tuple[UserTool, ...] = ()
    """Tools of the user's own."""
    user_tools_source: ToolsSource = "none"
    """`inferred`: the dump has no schemas, the names come from calls and evaluation actions."""
    gold_user_writes: tuple[GoldWrite, ...] = ()
    """Reference user actions that change the world."""
    notes: tuple[str, ...] = ()
    """What had to be assumed."""

    @cached_property
    def hash(self) -> str:
        """Digest over what the proxy saw: blueprint, guidelines, and recorded tools.

        White space is folded (tau2 v0 and v1 guidelines differ by one blank line), and inferred
        tools are left out: which calls happened is not part of what the proxy was told.
        """
        recorded = self.user_tools if self.user_tools_source == "recorded" else ()
        texts = {**self.blueprint.texts(), "guidelines": self.guidelines}
        return digest(
            {
                **{name: " ".join(text.split()) for name, text in texts.items()},
                "user_tools": sorted(tool.name for tool in recorded),
            }
        )

    def text_of(self, source: SourceField) -> str:
        """The text a grounding span is counted in; empty where the contract has none."""
        if source == "guidelines":
            return self.guidelines
        if source == "user_tools":
            return "\n".join(f"{tool.name}: {tool.description}" for tool in self.user_tools)
        return getattr(self.blueprint, source) or ""


def digest(value: object) -> str:
    """First 16 hex digits of the SHA-256 of the canonical JSON of `value`."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
