import json
from pathlib import Path

import pytest

from tests.accord_example import FOLDER
from userproxybench.accord.mapping import KeyMap, read_key_map
from userproxybench.errors import InputError
from userproxybench.loaders import LoadOptions, open_input
from userproxybench.loaders.accord import read_accord

MAP = """
[dump]
scenarios = "tasks"
rollouts = "runs"
[scenario]
id = "task_id"
domain = "benchmark"
instructions = "user.prompt"
preferences = "user.wishes"
[preference]
attribute = "slot"
value = "target"
backoff = "fallback"
dynamic = "kind"
reveal = "policy"
[rollout]
scenario = "task"
user_model = "simulator"
rollout = "seed"
messages = "dialogue"
completed = "done"
preference_scores = "scores"
purchase = "bought"
itinerary = "trip"
environment_actions = "steps"
[message]
role = "who"
content = "text"
[purchase]
selected_options = "options"
[option]
kind = "type"
[values.domain]
AcCoRD-Shop = "shop"
AcCoRD-Travel = "travel"
[values.role]
bot = "agent"
[values.completed]
success = "true"
failure = "false"
[constants.rollout]
agent_model = "meridian-large"
"""
WORDS = {"shop": "AcCoRD-Shop", "travel": "AcCoRD-Travel"}


def renamed(item: dict[str, object], names: dict[str, str]) -> dict[str, object]:
    return {names.get(key, key): value for key, value in item.items()}


def foreign(dump: dict[str, list[dict[str, object]]]) -> dict[str, object]:
    """The example as another project might have written it."""
    tasks, runs = [], []
    for scenario in dump["scenarios"]:
        wishes = {}
        for preference in scenario["preferences"]:  # type: ignore[attr-defined]  # a list of objects
            names = {
                "attribute": "slot",
                "value": "target",
                "backoff": "fallback",
                "dynamic": "kind",
                "reveal": "policy",
            }
            wishes[preference.pop("id")] = renamed(preference, names)
        tasks.append(
            {
                "task_id": scenario["id"],
                "benchmark": WORDS[str(scenario["domain"])],
                "user": {"prompt": scenario["instructions"], "wishes": wishes},
            }
        )
    for rollout in dump["rollouts"]:
        names = {
            "scenario": "task",
            "user_model": "simulator",
            "rollout": "seed",
            "messages": "dialogue",
            "completed": "done",
            "preference_scores": "scores",
            "purchase": "bought",
            "itinerary": "trip",
            "environment_actions": "steps",
        }
        run = renamed(rollout, names)
        del run["agent_model"]
        run["done"] = "success" if run["done"] else "failure"
        run["dialogue"] = [
            {"who": "bot" if m["role"] == "agent" else m["role"], "text": m["content"]}
            for m in rollout["messages"]  # type: ignore[attr-defined]  # a list of objects
        ]
        if "bought" in run:
            run["bought"] = renamed(run["bought"], {"selected_options": "options"})  # type: ignore[arg-type]  # an object
        if "trip" in run:
            run["trip"] = [renamed(o, {"kind": "type"}) for o in run["trip"]]  # type: ignore[attr-defined]  # a list
        runs.append(run)
    return {"tasks": tasks, "runs": runs}


@pytest.mark.parametrize("name", ["shop.json", "travel.json"])
def test_a_foreign_keyed_copy_loads_through_a_map_and_is_the_same(
    name: str, tmp_path: Path
) -> None:
    dump = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    path = tmp_path / name
    path.write_text(json.dumps(foreign(dump)), encoding="utf-8")
    key_map = read_key_map(MAP, "map.toml")
    own = read_accord(FOLDER / name, name)
    other = read_accord(path, name, key_map)
    assert other.problems == ()
    assert other.scenarios == own.scenarios
    assert other.plays == own.plays


def test_the_general_loader_reads_it_with_the_map_too(tmp_path: Path) -> None:
    dump = json.loads((FOLDER / "shop.json").read_text(encoding="utf-8"))
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps(foreign(dump)), encoding="utf-8")
    opened = open_input(path, LoadOptions(accord_map=read_key_map(MAP, "map.toml")))
    assert (opened.format, len(opened)) == ("AcCoRD", 72)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        pytest.param("[scenario\n", "not TOML", id="no TOML"),
        pytest.param("[senario]\nid='x'\n", "`senario`", id="unknown section"),
        pytest.param("[scenario]\nname='x'\n", "has no field 'name'", id="unknown field"),
        pytest.param("[constants.thing]\na='x'\n", "no section", id="constants of no section"),
        pytest.param("[values.colour]\na='x'\n", "names no field", id="values of no field"),
    ],
)
def test_a_faulty_map_says_what_is_wrong(text: str, match: str) -> None:
    with pytest.raises(InputError, match=match):
        read_key_map(text, "map.toml")


def test_a_key_that_is_renamed_away_keeps_no_second_meaning() -> None:
    key_map = KeyMap(rollout={"scenario": "task", "rollout": "scenario"})
    item = key_map.apply("rollout", {"task": "t1", "scenario": 4})
    assert item == {"scenario": "t1", "rollout": 4}


def test_an_absent_key_stays_absent() -> None:
    assert KeyMap(rollout={"purchase": "result.item"}).apply("rollout", {"result": {}}) == {}
