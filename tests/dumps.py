"""Small tau2 dumps made on the spot, so that a test shows only what it is about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

GUIDELINES = (
    "Play the customer. Disclose information progressively: wait for the agent to ask for "
    "specific information before you provide it. Never make up what the scenario does not say. "
    "Send ###STOP### once your goal is met."
)
FAITHFUL = (
    "agent: Hello, how can I help you?",
    "user: I want to cancel my order.",
    "agent: May I have your name and zip code?",
    "user: I'm Wren Castellano, 97214.",
    "agent: Order H-77120 has been cancelled. Anything else?",
    "user: No, thank you. ###STOP###",
)
TELLING = (
    "agent: Hello, how can I help you?",
    "user: I'm Wren Castellano, zip 97214, and I want to cancel my order.",
    *FAITHFUL[4:],
)


def message(line: str, **more: object) -> dict[str, object]:
    """A message from `"user: text"`."""
    who, text = line.split(": ", 1)
    role = {"agent": "assistant"}.get(who, who)
    cost = 0.001 if role == "user" else None
    return {
        "role": role,
        "content": text,
        "tool_calls": None,
        "cost": cost,
        "raw_data": None,
        **more,
    }


def simulation(name: str, lines: Sequence[str] = FAITHFUL, **more: object) -> dict[str, object]:
    """One simulation; more keys replace or add."""
    return {
        "id": f"{name:->32}",
        "task_id": "cancel",
        "termination_reason": "user_stop",
        "agent_cost": None,
        "user_cost": None,
        "reward_info": {"reward": 1.0},
        "messages": [message(line) for line in lines],
        "trial": None,
        "seed": None,
        **more,
    }


def dump(
    *simulations: dict[str, object], proxy: str = "aurora-70b", **more: object
) -> dict[str, object]:
    """A tau2 results file."""
    return {
        "timestamp": "2026-01-01T00:00:00",
        "info": {
            "user_info": {
                "implementation": "user_simulator",
                "llm": proxy,
                "llm_args": {"temperature": 1.0},
                "global_simulation_guidelines": GUIDELINES,
            },
            "agent_info": {"implementation": "llm_agent", "llm": "meridian", "llm_args": {}},
            "environment_info": {"domain_name": "shop", "policy": "Be kind."},
        },
        "tasks": [
            {
                "id": "cancel",
                "user_scenario": {
                    "persona": None,
                    "instructions": {
                        "domain": "shop",
                        "reason_for_call": "You want to cancel your order.",
                        "known_info": "You are Wren Castellano, zip code 97214.",
                        "unknown_info": "You do not know your order number.",
                        "task_instructions": "Wait until the cancellation is confirmed.",
                    },
                },
                "evaluation_criteria": None,
            }
        ],
        "simulations": list(simulations),
        **more,
    }


def write(path: Path, content: object) -> Path:
    """Write JSON, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
