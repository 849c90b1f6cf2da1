"""What `describe` counts."""

from __future__ import annotations

from pathlib import Path

from tests.loaders.dumps import metered, run, say, simulation, write
from userproxybench.loaders import open_input


def test_a_description_counts_what_the_episodes_hold(tmp_path: Path) -> None:
    broken = simulation([], id="s2", trial=1, termination_reason="infrastructure_error")
    free = simulation([metered("Bye.", 0.0)], id="s3", trial=2, user_cost=0.0)
    dump = run(simulation(), broken, free, simulation(id="s4", messages=7, trial=3))
    found = open_input(write(tmp_path, dump)).describe()
    assert (found.episodes, found.auditable, len(found.damaged)) == (3, 2, 1)
    assert found.domains == {"lending_library": 3}
    assert found.terminations == {"user_stop": 2, "infrastructure_error": 1}
    assert (found.cost.known, found.cost.usd, found.cost.calls) == (1, 0.5, 3)
    assert found.tasks == 1
    assert [proxy.name for proxy in found.proxies] == ["sim-model-a"]
    assert any("1 of 3 episodes" in note for note in found.notes)


def test_a_description_holds_no_setting(tmp_path: Path) -> None:
    info = {"user_info": {"llm": "m", "llm_args": {"api_key": "hunter2"}}}
    dump = run(simulation([say("user", "Hi.")]), info=info)
    assert "hunter2" not in open_input(write(tmp_path, dump)).describe().model_dump_json()
