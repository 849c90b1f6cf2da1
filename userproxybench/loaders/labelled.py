"""Labelled cases: a contract, a conversation, and what an auditor should find in it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from userproxybench.errors import LoadError
from userproxybench.models import (
    Blueprint,
    Contract,
    Record,
    Source,
    ToolCall,
    Trajectory,
    Turn,
    UserTool,
)


class Violation(Record):
    """One violation that an auditor should find."""

    turn: int
    """Message index of the user turn at which it is complete."""
    family: str
    """One of the four families, or `protocol`."""
    mode: str
    """The mode it was labelled with."""
    accept_modes: tuple[str, ...]
    """Modes that count as right for it."""
    evidence: str = ""
    """Words that show it."""
    why: str = ""
    """The labeller's reason."""


class Span(Record):
    """Modes at one turn that count neither way (tolerated) or must not be flagged (a trap)."""

    turn: int
    """Message index."""
    modes: tuple[str, ...] = ()
    """Which modes; empty: all."""


class LabelledCase(Record):
    """One case as the scorer needs it."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    id: str
    """Unique within its file."""
    file: str
    """File it was read from."""
    domain: str
    """Domain, or `unknown`."""
    pair: str | None
    """Id of the twin."""
    ambiguous: bool
    """The label is not certain enough to score, or the contract itself is at fault."""
    verdict: Literal["violation", "clean", "ambiguous"]
    """What the labellers say of the whole conversation."""
    violations: tuple[Violation, ...]
    """What should be found."""
    tolerated: tuple[Span, ...]
    """What counts neither way."""
    must_not_flag: tuple[Span, ...]
    """Named traps."""
    trajectory: Trajectory
    """The conversation."""
    contract: Contract
    """What the user was told."""


class _Foreign(BaseModel):
    """Base of the shapes found in case files; unknown keys are ignored."""

    model_config = ConfigDict(extra="ignore")


class _Call(_Foreign):
    name: str
    arguments: dict[str, object] = Field(default_factory=dict)
    id: str = ""
    requestor: str = ""


class _Message(_Foreign):
    role: str
    content: str | None = None
    tool_calls: list[_Call] | None = None
    requestor: str = "assistant"
    error: bool = False
    id: str = ""


class _Expected(_Foreign):
    verdict: Literal["violation", "clean", "ambiguous"]
    violations: tuple[Violation, ...] = ()
    tolerated: tuple[Span, ...] = ()
    must_not_flag: tuple[Span, ...] = ()


class _Case(_Foreign):
    id: str
    domain: str = "unknown"
    pair: str | None = None
    label_confidence: str = "certain"
    blueprint: Blueprint
    guidelines_excerpt: str | None = None
    user_tools: list[str] = Field(default_factory=list)
    messages: list[_Message]
    expected: _Expected
    termination_reason: str = "unknown"


def read_cases(path: Path) -> Iterator[LabelledCase]:
    """Yield the labelled cases of one JSONL file.

    Raises:
        LoadError: the file is missing, or a line is not a labelled case.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LoadError(
            str(path), error.strerror or "cannot be read", "Give a JSONL file of labelled cases"
        ) from error
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            yield _read_case(path.name, number, line)


def _read_case(file: str, number: int, line: bytes) -> LabelledCase:
    try:
        case = _Case.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise LoadError(
            file,
            f"{place or 'line'}: {first['msg'].lower()}",
            "Expected one labelled case a line (docs/calibration.md)",
            place=f"line {number}",
        ) from error
    contract = Contract(
        domain=case.domain,
        task_id=case.id,
        blueprint=case.blueprint,
        guidelines=case.guidelines_excerpt or "",
        guidelines_source="recorded" if case.guidelines_excerpt else "none",
        user_tools=tuple(UserTool(name=name) for name in case.user_tools),
        user_tools_source="recorded" if case.user_tools else "none",
    )
    expected = case.expected
    return LabelledCase(
        id=case.id,
        file=file,
        domain=case.domain,
        pair=case.pair,
        ambiguous=case.label_confidence == "ambiguous" or expected.verdict == "ambiguous",
        verdict=expected.verdict,
        violations=expected.violations,
        tolerated=expected.tolerated,
        must_not_flag=expected.must_not_flag,
        trajectory=_trajectory(case, file, number, contract.hash),
        contract=contract,
    )


def _trajectory(case: _Case, file: str, number: int, contract_hash: str) -> Trajectory:
    return Trajectory(
        id=case.id,
        task_id=case.id,
        domain=case.domain,
        proxy="case",
        agent="unknown",
        turns=tuple(_turns(case.messages)),
        contract_hash=contract_hash,
        source=Source(file=file, index=number - 1),
        termination=case.termination_reason,
    )


def _turns(messages: list[_Message]) -> Iterator[Turn]:
    waiting: list[str] = []
    for index, message in enumerate(messages):
        if message.role == "tool":
            yield Turn(
                index=index,
                speaker="tool",
                text=message.content or "",
                requestor="user" if message.requestor == "user" else "agent",
                tool=waiting.pop(0) if waiting else "",
                error=message.error,
            )
        elif message.role in ("user", "assistant"):
            calls = message.tool_calls or []
            waiting = [call.name for call in calls]
            yield Turn(
                index=index,
                speaker="user" if message.role == "user" else "agent",
                text=message.content or "",
                tool_calls=tuple(ToolCall(call.name, call.arguments, call.id) for call in calls),
            )
