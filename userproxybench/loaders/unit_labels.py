"""Hand labels of unit tests: one line per user turn, with the outcome of each test."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from userproxybench.accord.format import Text
from userproxybench.accord.rules import TestName
from userproxybench.errors import LoadError

Label = Literal["yes", "no", "n/a"]


class TurnLabels(BaseModel):
    """What a person answers to the six tests at one user turn."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scenario: Annotated[str, BeforeValidator(str)]
    """Scenario id."""
    user_model: Text
    """Simulator of the rollout."""
    rollout: int
    """Repetition."""
    turn: int
    """Message index of the user turn."""
    test000: Literal["yes", "no"]
    """Response relevance; has no n/a."""
    test001: Label
    """Preference value consistency."""
    test002: Label
    """Contradiction acknowledgment."""
    test003: Label
    """Backoff acceptance."""
    test004: Label
    """Premature backoff disclosure."""
    test005: Label
    """Triggered preference revelation."""

    @property
    def key(self) -> tuple[str, str, int, int]:
        """Which turn."""
        return (self.scenario, self.user_model, self.rollout, self.turn)

    def of(self, test: TestName) -> Label:
        """The label of one test."""
        label: Label = getattr(self, test)
        return label


def read_labels(path: Path) -> dict[tuple[str, str, int, int], TurnLabels]:
    """The labels of one JSONL file by turn.

    Raises:
        LoadError: the file is missing, or a line is not a label.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise LoadError(
            str(path), error.strerror or "cannot be read", "Give a JSONL file of labels"
        ) from error
    found: dict[tuple[str, str, int, int], TurnLabels] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            labels = TurnLabels.model_validate_json(line)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise LoadError(
                path.name,
                f"{place or 'line'}: {first['msg'].lower()}",
                "Expected scenario, user_model, rollout, turn and the six outcomes",
                place=f"line {number}",
            ) from error
        found[labels.key] = labels
    return found
