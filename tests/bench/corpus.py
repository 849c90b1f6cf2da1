"""A tau2 dump of any size: invented support conversations in the shape of recorded ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import orjson

from tests.bench.shape import Shape, draw

GUIDELINES = (
    "# Playing the customer\nYou are a customer who talks to a support agent. Write one message at "
    "a time and stay inside the scenario.\n- Disclose information progressively. Wait for the "
    "agent to ask for specific information before you provide it.\n- Never make up what the "
    "scenario does not tell you; say that you do not know it.\n- You have tools for your device. "
    "Report only what their latest result shows.\n- Go on until your goal is met, then send "
    "###STOP###.\n"
)
FIRST = ("Mirela", "Tomas", "Ines", "Radu", "Noor", "Petra", "Anselm", "Yuki", "Dario", "Saga")
LAST = ("Osk", "Vantrier", "Quell", "Brandis", "Okonta", "Lindqvist", "Ferrant", "Sorel")
USER_TOOLS = (
    "check_signal",
    "toggle_flight_mode",
    "restart_device",
    "run_speed_check",
    "read_bill",
)
AGENT_TOOLS = ("find_customer", "get_line_details", "get_bill", "enable_roaming", "refuel_data")
AGENT_LINES = (
    "Could you please tell me your phone number?",
    "May I have your full name and your customer id?",
    "Please check the signal on your device and tell me what it shows.",
    "Please turn flight mode off and on again, and tell me when you have done it.",
    "Could you restart your device now?",
    "I have found your account, thank you.",
    "Your line {phone} is active and on the Comet 8 plan.",
    "The data limit of 8 GB was reached on 14 May.",
    "I can add 2 GB for $4.50. Shall I go ahead? (yes/no)",
    "Please run a speed check and read me the result.",
    "Roaming has been switched on for your line.",
    "1. Open the settings.\n2. Choose Mobile network.\n3. Tell me which mode is selected.",
    "Is there anything else that I can help you with today?",
    "I am sorry for the trouble that this has caused.",
)
USER_LINES = (
    "My mobile data has stopped working since {date}.",
    "My name is {name}.",
    "My phone number is {phone}.",
    "My customer id is {id}.",
    "It says that flight mode is on.",
    "The signal shows three bars now.",
    "I have restarted the device, and it still does not load anything.",
    "The speed check says 12.4 Mbps, which is poor.",
    "Yes, please go ahead.",
    "I don't know that, sorry.",
    "What should I do next?",
    "I only want to pay for it if it costs less than $6.",
    "I'll try that now.",
    "I'm in {city} at the moment.",
    "That did not help; could there be another reason?",
)
RESULTS = (
    '{{"customer_id": "{id}", "name": "{name}", "phone": "{phone}", "status": "Active", '
    '"plan": "Comet 8", "bills": ["B-10441", "B-10442"], "city": "{city}"}}',
    "Flight mode: OFF | Signal: 3 of 4 | Network: 5G | Data: connected",
    "Speed check: 12.4 Mbps (poor)",
    "Device restarted.",
)


def write_dump(path: Path, episodes: int, shape: Shape, *, seed: int = 7, tasks: int = 100) -> int:
    """Write one tau2 results file of so many episodes; returns its size in bytes."""
    rng = random.Random(seed)
    scenarios = [_scenario(number, rng) for number in range(tasks)]
    info = {
        "git_commit": "bench",
        "num_trials": -(-episodes // tasks),
        "max_steps": 200,
        "max_errors": 10,
        "seed": 300,
        "user_info": {
            "implementation": "user_simulator",
            "llm": "aurora-70b",
            "llm_args": {"temperature": 1.0},
            "global_simulation_guidelines": GUIDELINES,
        },
        "agent_info": {"implementation": "llm_agent", "llm": "meridian-large", "llm_args": {}},
        "environment_info": {
            "domain_name": "handset_care",
            "policy": "Be kind.",
            "tool_defs": None,
        },
    }
    with path.open("wb") as file:
        head: dict[str, object] = {"timestamp": "2026-01-01T00:00:00", "info": info}
        head["tasks"] = [_task(scenario) for scenario in scenarios]
        file.write(orjson.dumps(head)[:-1] + b',"simulations":[')
        for number in range(episodes):
            simulation = _simulation(number, scenarios[number % tasks], shape, rng)
            file.write((b"," if number else b"") + orjson.dumps(simulation))
        file.write(b"]}")
        return file.tell()


def _scenario(number: int, rng: random.Random) -> dict[str, str]:
    return {
        "task": f"task_{number:03d}",
        "name": f"{rng.choice(FIRST)} {rng.choice(LAST)}",
        "phone": f"555-{rng.randrange(100, 999)}-{rng.randrange(1000, 9999)}",
        "id": f"C{rng.randrange(1000, 9999)}",
        "city": rng.choice(("Lisbon", "Graz", "Turku", "Brno")),
        "date": f"May {rng.randrange(1, 28)}",
    }


def _task(scenario: dict[str, str]) -> dict[str, object]:
    instructions = {
        "domain": "handset_care",
        "reason_for_call": f"Your mobile data has stopped working since {scenario['date']} and "
        "you want it to work again, at an excellent speed.",
        "known_info": f"You are {scenario['name']} with phone number {scenario['phone']} and "
        f"customer id {scenario['id']}. You are currently in {scenario['city']}.",
        "unknown_info": "You do not know the name of your plan.",
        "task_instructions": "You are satisfied only when a speed check reads 'excellent'. You are "
        "willing to pay for more data only if it costs less than $6. If the agent offers to "
        "transfer you to a person, first ask whether there is anything else to try. " * 3,
    }
    return {
        "id": scenario["task"],
        "description": None,
        "user_scenario": {"persona": None, "instructions": instructions},
        "ticket": None,
        "initial_state": None,
        "evaluation_criteria": {
            "actions": [
                {
                    "action_id": "a0",
                    "requestor": "user",
                    "name": "toggle_flight_mode",
                    "arguments": {},
                    "info": None,
                    "compare_args": None,
                }
            ],
            "env_assertions": [],
            "communicate_info": None,
            "nl_assertions": None,
            "reward_basis": ["ENV_ASSERTION"],
        },
    }


def _simulation(
    number: int, scenario: dict[str, str], shape: Shape, rng: random.Random
) -> dict[str, object]:
    messages = list(_messages(scenario, shape, rng))
    return {
        "id": f"{number:08x}",
        "task_id": scenario["task"],
        "timestamp": "2026-01-01T00:00:00",
        "start_time": "2026-01-01T00:00:00",
        "end_time": "2026-01-01T00:01:00",
        "duration": 60.0,
        "termination_reason": "user_stop",
        "agent_cost": 0.1,
        "user_cost": 0.01,
        "reward_info": {
            "reward": float(rng.random() < 0.6),
            "db_check": {"db_match": True, "db_reward": 1.0},
            "env_assertions": [],
            "action_checks": [{"action_match": True, "action_reward": 1.0}] * 8,
            "nl_assertions": None,
            "communicate_checks": None,
            "reward_basis": ["ENV_ASSERTION"],
            "reward_breakdown": {"ENV_ASSERTION": 1.0},
            "info": {"note": "x" * 300},
        },
        "messages": messages,
        "trial": number // 100,
        "seed": 300 + number,
    }


def _messages(
    scenario: dict[str, str], shape: Shape, rng: random.Random
) -> Iterator[dict[str, object]]:
    kind = ""
    length = draw(shape.episodes, rng)
    for index in range(length):
        after = shape.follows.get(kind) or {"agent": 1}
        kind = rng.choices(list(after), list(after.values()))[0]
        last = index == length - 1
        kind = "user" if last else kind
        message = _message(index, kind, scenario, shape, rng)
        if last:
            message["content"] = "Thank you, that is all. ###STOP###"
        yield message


def _message(
    index: int, kind: str, scenario: dict[str, str], shape: Shape, rng: random.Random
) -> dict[str, object]:
    side, _, what = kind.partition("_")
    requestor = "assistant" if side == "agent" else "user"
    text = _text(side, what, draw(shape.text[kind], rng), scenario, rng)
    when = f"2026-01-01T00:{index // 60:02d}:{index % 60:02d}"
    if what == "result":
        return {
            "id": f"call_{index}",
            "role": "tool",
            "content": text,
            "requestor": requestor,
            "error": False,
            "turn_idx": index,
            "timestamp": when,
        }
    call = {"id": f"call_{index + 1}", "arguments": {}, "requestor": requestor}
    call["name"] = rng.choice(USER_TOOLS if side == "user" else AGENT_TOOLS)
    return {
        "role": requestor,
        "content": text or None,
        "tool_calls": [call] if what == "call" else None,
        "turn_idx": index,
        "timestamp": when,
        "cost": 0.0031,
        "usage": {"completion_tokens": 39, "prompt_tokens": 2309},
        "raw_data": _raw(text, draw(shape.raw[kind], rng)),
    }


def _text(side: str, what: str, size: int, scenario: dict[str, str], rng: random.Random) -> str:
    if not size:
        return ""
    lines = RESULTS if what == "result" else USER_LINES if side == "user" else AGENT_LINES
    parts: list[str] = []
    while sum(map(len, parts)) < size:
        parts.append(rng.choice(lines).format_map(scenario))
    return " ".join(parts)[:size]


def _raw(text: str, extra: int) -> dict[str, object] | None:
    if not extra:
        return None
    raw: dict[str, object] = {
        "finish_reason": "stop",
        "index": 0,
        "message": {
            "content": text,
            "role": "assistant",
            "tool_calls": None,
            "function_call": None,
            "annotations": [],
        },
        "provider_specific_fields": {},
    }
    raw["padding"] = "x" * max(0, extra - 172)
    return raw
