"""Small dumps in the shapes that benchmarks write, for the tests of the loaders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from userproxybench.errors import LoadError
from userproxybench.loaders import Episode, LoadOptions, open_input

GUIDELINES = "You are a member of the library. Answer what is asked. Send ###STOP### when done."
INFO: dict[str, object] = {
    "num_trials": 1,
    "user_info": {
        "implementation": "user_simulator",
        "llm": "sim-model-a",
        "llm_args": {"temperature": 0.0},
        "global_simulation_guidelines": GUIDELINES,
    },
    "agent_info": {"implementation": "llm_agent", "llm": "agent-model-a", "llm_args": {}},
    "environment_info": {"domain_name": "lending_library", "policy": "# Library Agent Policy"},
}
TASK: dict[str, object] = {
    "id": "7",
    "user_scenario": {
        "persona": None,
        "instructions": {
            "domain": "lending_library",
            "reason_for_call": "You want to bring back a kite.",
            "known_info": "You are Ida Brandt.",
            "unknown_info": None,
            "task_instructions": "Ask for a receipt.",
        },
    },
    "evaluation_criteria": None,
}


def say(role: str, content: object = None, **more: object) -> dict[str, object]:
    return {"role": role, "content": content, **more}


def call(
    name: str, id_: str = "", requestor: str = "user", **arguments: object
) -> dict[str, object]:
    return {"id": id_, "name": name, "arguments": arguments, "requestor": requestor}


def result(
    content: str, id_: str = "", requestor: str = "user", **more: object
) -> dict[str, object]:
    return {"role": "tool", "id": id_, "content": content, "requestor": requestor, **more}


def metered(content: object, cost: float | None = 0.25, **more: object) -> dict[str, object]:
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return say("user", content, cost=cost, usage=usage, raw_data={"index": 0}, **more)


TALK = [
    say("assistant", "Hello, how can I help?", cost=0.0, usage=None, raw_data=None),
    metered("I want to bring back a kite."),
    say("assistant", "Done."),
    metered("Thanks. ###STOP###"),
]


def simulation(messages: object = TALK, **fields: object) -> dict[str, object]:
    return {
        "id": "s1",
        "task_id": "7",
        "trial": 0,
        "termination_reason": "user_stop",
        "user_cost": 0.5,
        "reward_info": {"reward": 1.0},
        "messages": messages,
        **fields,
    }


def run(*simulations: Mapping[str, object], **top: object) -> dict[str, object]:
    """A tau2 results file; `info` and `tasks` can be replaced."""
    return {"info": INFO, "tasks": [TASK], "simulations": list(simulations), **top}


def user_info(**fields: object) -> dict[str, object]:
    """`INFO` with other fields of the user's side."""
    return {**INFO, "user_info": {**INFO["user_info"], **fields}}  # type: ignore[dict-item]


def item(traj: list[dict[str, object]], **fields: object) -> dict[str, object]:
    """One tau-bench v1 item."""
    info = {
        "task": {"instruction": "You are Tove Lind. You want to borrow a tent."},
        "source": "user",
    }
    return {"task_id": 3, "reward": 0.0, "trial": 0, "info": info, "traj": traj, **fields}


def write(folder: Path, value: object, name: str = "run.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = value if isinstance(value, str) else json.dumps(value)
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, options: LoadOptions | None = None) -> list[Episode]:
    """All episodes of a dump; a damaged item fails the test."""
    episodes = []
    for episode in open_input(path, options).episodes():
        assert not isinstance(episode, LoadError), episode
        episodes.append(episode)
    return episodes


def only(folder: Path, value: object, options: LoadOptions | None = None) -> Episode:
    """The single episode of a dump."""
    (episode,) = read(write(folder, value), options)
    return episode
