"""How long the messages of real two-handed support conversations are, and in which order they come.

Quantiles (minimum to maximum in tenths) and transition counts of recorded runs, or measured afresh
from the dumps that `USERPROXYBENCH_SHARED` points to. Numbers only, no text.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import orjson

DUMPS = ("t2v0_telecom_dual_gpt4o", "t2v0_telecom_trace_e2e", "t2v0_telecom_trace_adversarial")


@dataclass(frozen=True)
class Shape:
    """Lengths and order of messages; kinds are agent, user, each with `_call` and `_result`."""

    text: dict[str, list[int]]
    """Characters of text per kind, sorted."""
    raw: dict[str, list[int]]
    """Characters of `raw_data` beyond that text per kind, sorted."""
    follows: dict[str, dict[str, int]]
    """How often a kind follows a kind; the empty kind is the start."""
    episodes: list[int]
    """Messages per episode, sorted."""
    origin: str
    """Where the numbers come from."""


STORED = Shape(
    text={
        "agent": [29, 29, 125, 180, 229, 286, 354, 460, 545, 689, 1250],
        "agent_call": [0, 0, 0, 0, 0, 0, 0, 0, 0, 300, 932],
        "agent_result": [19, 39, 125, 127, 217, 315, 327, 327, 574, 574, 1892],
        "user": [14, 38, 68, 93, 105, 124, 140, 161, 175, 206, 517],
        "user_call": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 239],
        "user_result": [18, 33, 36, 40, 44, 57, 78, 89, 111, 154, 215],
    },
    raw={
        "agent": [0, 0, 180, 180, 180, 182, 185, 187, 190, 227, 235],
        "agent_call": [321, 323, 323, 323, 344, 344, 351, 370, 464, 511, 695],
        "agent_result": [0, 0],
        "user": [0, 180, 180, 180, 180, 180, 180, 180, 182, 193, 229],
        "user_call": [301, 302, 304, 305, 306, 308, 310, 337, 366, 441, 544],
        "user_result": [0, 0],
    },
    follows={
        "": {"agent": 22},
        "agent": {"user": 86, "user_call": 94},
        "agent_call": {"agent_result": 91},
        "agent_result": {"agent_call": 47, "agent": 44, "agent_result": 13},
        "user": {"agent": 114, "agent_call": 44},
        "user_call": {"user_result": 113},
        "user_result": {"user_result": 22, "user": 94, "user_call": 19},
    },
    episodes=[14, 22, 27, 32, 33, 34, 38, 44, 46, 54, 58],
    origin="stored quantiles",
)


def measured(shared: Path | None) -> Shape:
    """The shape of the shared dumps, or the stored one where there are none."""
    files = [] if shared is None else [shared / "dumps" / f"{name}.json" for name in DUMPS]
    files = [file for file in files if file.exists()]
    if not files:
        return STORED
    text, raw = defaultdict(list), defaultdict(list)
    follows: dict[str, Counter[str]] = defaultdict(Counter)
    episodes = []
    for file in files:
        for simulation in orjson.loads(file.read_bytes())["simulations"]:
            before = ""
            episodes.append(len(simulation["messages"]))
            for message in simulation["messages"]:
                kind = kind_of(message)
                size = len(message.get("content") or "")
                whole = len(orjson.dumps(message["raw_data"])) if message.get("raw_data") else 0
                text[kind].append(size)
                raw[kind].append(max(0, whole - size))
                follows[before][kind] += 1
                before = kind
    return Shape(
        text={kind: sorted(sizes) for kind, sizes in text.items()},
        raw={kind: sorted(sizes) for kind, sizes in raw.items()},
        follows={kind: dict(after) for kind, after in follows.items()},
        episodes=sorted(episodes),
        origin=f"{len(episodes)} recorded episodes",
    )


def kind_of(message: dict[str, object]) -> str:
    """Which kind a tau2 message is."""
    user = message["role"] == "user" or message.get("requestor") == "user"
    side = "user" if user else "agent"
    if message["role"] == "tool":
        return side + "_result"
    return side + "_call" if message.get("tool_calls") else side


def draw(sizes: list[int], rng: random.Random) -> int:
    """A size between the quantiles, as often as they say."""
    place = rng.random() * (len(sizes) - 1)
    low = int(place)
    return round(sizes[low] + (place - low) * (sizes[min(low + 1, len(sizes) - 1)] - sizes[low]))
