"""Small builders of records, so that a test shows only what it is about."""

from __future__ import annotations

from dataclasses import dataclass, field

from userproxybench.models import (
    Blueprint,
    Contract,
    Criterion,
    Grounding,
    Mode,
    Rubric,
    Source,
    ToolCall,
    Trajectory,
    Turn,
    UserTool,
)
from userproxybench.models.taxonomy import FAMILY_OF

GUIDELINES = (
    "You play the customer. Send one message per turn. Disclose information progressively and "
    "wait until the agent asks for it. Never invent what the scenario does not give. "
    "Send ###STOP### once the goal is met."
)
BLUEPRINT = Blueprint(
    reason_for_call="You want to cancel order H-77120.",
    known_info="You are Wren Castellano, zip code 97214.",
    unknown_info="You do not know your account number.",
    task_instructions="Wait for the agent to confirm the cancellation.",
)


def turn(index: int, speaker: str, text: str = "", **more: object) -> Turn:
    """`turn(3, "user", "Hi")`; calls by `calls=("name", ...)` or `tool_calls=(ToolCall, ...)`."""
    calls = more.pop("calls", ())
    assert isinstance(calls, tuple)
    if calls:
        more["tool_calls"] = tuple(ToolCall(name=name) for name in calls)
    return Turn(index=index, speaker=speaker, text=text, **more)  # type: ignore[arg-type]  # open keywords


def turns(*lines: str) -> tuple[Turn, ...]:
    """Turns from `"agent: Hello"`, `"user: Hi"` lines, numbered from 0."""
    pairs = [line.split(": ", 1) for line in lines]
    return tuple(turn(index, speaker, text) for index, (speaker, text) in enumerate(pairs))


def contract(**more: object) -> Contract:
    """A contract of a small shop task; any field can be replaced."""
    given: dict[str, object] = {
        "domain": "shop",
        "task_id": "cancel",
        "blueprint": BLUEPRINT,
        "guidelines": GUIDELINES,
        "guidelines_source": "recorded",
        **more,
    }
    return Contract.model_validate(given)


DIALOGUE = turns(
    "agent: Hello, how can I help you?",
    "user: Hi, I want to cancel order H-77120.",
    "agent: May I have your name and zip code?",
    "user: Wren Castellano, 97214.",
    "agent: Shall I cancel it? (yes/no)",
    "user: Yes. ###STOP###",
)


def trajectory(
    *lines: str,
    turns_: tuple[Turn, ...] | None = None,
    under: Contract | None = None,
    **more: object,
) -> Trajectory:
    """A trajectory of `"speaker: text"` lines (or `turns_`), by default a faulty cancellation."""
    spoken = turns_ if turns_ is not None else (turns(*lines) if lines else DIALOGUE)
    bound = under or contract()
    given: dict[str, object] = {
        "id": "episode-0001",
        "task_id": bound.task_id,
        "domain": bound.domain,
        "proxy": "gpt-4.1-mini",
        "agent": "gpt-5.5",
        "contract_hash": bound.hash,
        "source": Source(file="runs/dump_one.json", index=0),
        **more,
    }
    return Trajectory(turns=spoken, **given)  # type: ignore[arg-type]  # open keywords


def criterion(id: str = "c1", mode: Mode = "premature_stop", **more: object) -> Criterion:  # noqa: A002
    """A criterion grounded in the builder contract's task instructions."""
    text = BLUEPRINT.task_instructions or ""
    given: dict[str, object] = {
        "id": id,
        "family": FAMILY_OF[mode],
        "mode": mode,
        "statement": "The user does not stop before the agent has confirmed the cancellation.",
        "applies_when": "The agent offers to cancel the order.",
        "grounding": Grounding.of("task_instructions", text, 0, len(text)),
        "authored_by": "human",
        **more,
    }
    return Criterion.model_validate(given)


def rubric(*criteria: Criterion, under: Contract | None = None, **more: object) -> Rubric:
    """A rubric for the builder contract."""
    bound = under or contract()
    given: dict[str, object] = {
        "domain": bound.domain,
        "task_id": bound.task_id,
        "contract_hash": bound.hash,
        "source": "library",
        "criteria": criteria or (criterion(),),
        **more,
    }
    return Rubric.model_validate(given)


def user_tool(name: str, **more: object) -> UserTool:
    """A tool of the user's own."""
    return UserTool.model_validate({"name": name, **more})


@dataclass
class Seen:
    """A list that a callback fills."""

    items: list[object] = field(default_factory=list)

    def __call__(self, item: object) -> None:
        self.items.append(item)
