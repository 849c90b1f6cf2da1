"""The labelled loader and cost cases, read from the shared folder where there is one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.loaders.dumps import INFO, TALK, item, metered, only, read, run, say, simulation, write
from userproxybench.errors import LoadError
from userproxybench.loaders import LoadOptions, NotADumpError, cost_line, discover, open_input
from userproxybench.loaders.costs import LAST_CALL_NOTE

Case = dict[str, Any]  # cases have each their own shape


@pytest.fixture(scope="session")
def cases(shared: Path) -> dict[str, Case]:
    found = {}
    for name in ("loader.jsonl", "cost.jsonl", "judge.jsonl"):
        for line in (shared / "cases" / name).read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            found[case["id"]] = case
    return found


def test_l02_an_index_that_disagrees_with_the_files_is_refused_or_read_in_part(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    for name, content in cases["L02"]["input"]["files"].items():
        write(tmp_path, content, f"run/{name}")
    folder = tmp_path / "run"
    with pytest.raises(LoadError, match=r"missing s2, not in the index s9"):
        open_input(folder)
    opened = open_input(folder, LoadOptions(partial=True))
    assert [episode.trajectory.id for episode in read_all(opened)] == ["run#s1"]
    assert any("1 of 2 not audited" in note for note in opened.notes)


def read_all(opened: Any) -> list[Any]:  # an Input, its errors left to fail
    return list(opened.episodes())


def test_l03_identical_rows_are_one_and_a_second_id_for_a_cell_stays_visible(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    case = cases["L03"]
    opened = open_input(write(tmp_path, case["input"]["file"]))
    first, second = (episode.trajectory for episode in read_all(opened))
    assert len(opened) == case["expected"]["expected_counts"]["distinct_ids"]
    assert any("identical repetitions dropped: s1" in note for note in opened.notes)
    assert not any("repeats" in note for note in first.notes)
    assert any("repeats task 7, trial 0" in note for note in second.notes)


def test_l04_equal_task_ids_of_two_domains_are_two_tasks(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    for name, content in cases["L04"]["input"]["files"].items():
        task = {"id": "0", "user_scenario": {"instructions": f"You came for {name}."}}
        full = {**content, "tasks": [task], "simulations": [simulation(id="0", task_id="0")]}
        write(tmp_path, full, name)
    found = [open_input(one) for one in discover([tmp_path]).inputs]
    episodes = [episode for opened in found for episode in read_all(opened)]
    keys = {(episode.contract.domain, episode.contract.task_id) for episode in episodes}
    assert keys == {("airline", "0"), ("retail", "0")}
    assert all(
        episode.contract.domain in str(episode.contract.blueprint.instructions)
        for episode in episodes
    )
    assert len({episode.trajectory.id for episode in episodes}) == 2


def test_l05_task_ids_compare_as_text(cases: dict[str, Case], tmp_path: Path) -> None:
    ids = cases["L05"]["input"]["ids"]
    simulations = [simulation(id=f"s{n}", task_id=id_, trial=n) for n, id_ in enumerate(ids)]
    tasks = [
        {"id": "7", "user_scenario": {"instructions": "seven"}},
        {"id": "07", "user_scenario": {"instructions": "oh seven"}},
    ]
    found = read(write(tmp_path, run(*simulations, tasks=tasks)))
    assert sorted(episode.trajectory.task_id for episode in found) == ["07", "7", "7"]
    assert [episode.contract.blueprint.instructions for episode in found] == [
        "seven",
        "seven",
        "oh seven",
    ]


def test_l06_tau_bench_v1_items_are_read_and_a_transfer_is_a_normal_end(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    file = cases["L06"]["input"]["file"]
    trajectory, contract = only(tmp_path, file)
    assert contract.blueprint.instructions == file[0]["info"]["task"]["instruction"]
    assert [turn.index for turn in trajectory.turns] == [1, 2, 3]
    assert trajectory.turns[1].tool_calls[0].arguments == {"summary": "cancel"}
    assert trajectory.termination == "transfer"


def test_l07_max_steps_is_inferred_the_rule_named_and_the_cost_unknown(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    shape = cases["L07"]["input"]["shape"]
    talk = [say("user" if n % 2 else "assistant", "…") for n in range(shape["traj_len"] - 1)]
    full = item([*talk, say("user", shape["last_content"])])
    full["info"]["user_cost"] = shape["user_cost"]  # type: ignore[index]
    trajectory = only(tmp_path, [full]).trajectory
    assert trajectory.termination == "max_steps"
    assert any(note.startswith("termination derived") for note in trajectory.notes)
    assert trajectory.cost.usd is None


def test_l08_an_infrastructure_error_is_not_auditable(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    first, second = read(write(tmp_path, cases["L08"]["input"]["file"]))
    assert not first.trajectory.not_auditable
    assert "infrastructure_error" in second.trajectory.not_auditable
    assert second.trajectory.reward is None


def test_l09_an_empty_list_of_calls_is_no_call(cases: dict[str, Case], tmp_path: Path) -> None:
    bare = {"id": "7", "messages": [say("assistant", "Hi."), cases["L09"]["input"]["message"]]}
    trajectory = only(tmp_path, run(bare)).trajectory
    assert trajectory.turns[-1].tool_calls == ()
    assert trajectory.turns[-1].heard_by_agent
    assert trajectory.termination == "user_stop"


def test_l11_nan_and_infinity_are_missing_with_a_warning(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    opened = open_input(write(tmp_path, cases["L11"]["input"]["file_text"]))
    (episode,) = read_all(opened)
    assert episode.trajectory.reward is None
    assert any("read as missing" in note for note in opened.notes)


def test_l13_a_plain_text_blueprint_leaves_the_lists_not_given(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    scenario = cases["L13"]["input"]["user_scenario"]
    task = {"id": "7", "user_scenario": scenario}
    blueprint = only(tmp_path, run(simulation(), tasks=[task])).contract.blueprint
    assert blueprint.instructions == scenario["instructions"]
    assert (blueprint.known_info, blueprint.unknown_info) == (None, None)


def test_l15_scrubbed_guidelines_fall_back_to_a_named_set(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    contract = only(tmp_path, run(simulation(), info=cases["L15"]["input"]["info"])).contract
    assert contract.guidelines_source == "assumed"
    assert any("tau2 without user tools" in note for note in contract.notes)


def test_l18_a_wrong_file_names_its_keys_the_known_layouts_and_results_json(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    ((name, content),) = cases["L18"]["input"]["file"].items()
    wrong = write(tmp_path, content, name)
    with pytest.raises(NotADumpError, match=r"found: status, tasks.*Known layouts"):
        open_input(wrong)
    write(tmp_path, run(simulation()), "results.json")
    with pytest.raises(NotADumpError, match=r"results\.json lies next to it"):
        open_input(wrong)


def test_l19_a_new_termination_reason_is_kept_as_it_is(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    reason = cases["L19"]["input"]["termination_reason"]
    trajectory = only(tmp_path, run(simulation(termination_reason=reason))).trajectory
    assert trajectory.termination == reason


def test_c04_the_cost_of_the_last_call_is_not_a_run_total(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    given = cases["C04"]["input"]
    talk = [say(role, "…") for _ in range(given["user_turns"]) for role in ("user", "assistant")]
    full = item(talk)
    full["info"]["user_cost"] = given["user_cost"]  # type: ignore[index]
    trajectory = only(tmp_path, [full]).trajectory
    assert cases["C04"]["expected"]["display"] == LAST_CALL_NOTE
    assert LAST_CALL_NOTE in trajectory.notes
    assert (trajectory.cost.usd, trajectory.cost.calls) == (None, given["user_turns"])


def test_c05_the_user_cost_holds_the_users_own_calls_alone(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    sim = cases["C05"]["input"]["sim"]
    talk = [say("assistant", "Hi.", cost=sim["agent_cost"]), metered("Bye.", sim["user_cost"])]
    cost = only(tmp_path, run(simulation(talk, **sim))).trajectory.cost
    assert cost.usd == sim["user_cost"]


def test_c06_missing_usage_is_counted_and_the_cost_unknown(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    talk = [say("user", "…", **fields) for fields in cases["C06"]["input"]["user_messages"]]
    cost = only(tmp_path, run(simulation(talk, user_cost=None))).trajectory.cost
    assert cost_line(cost) == cases["C06"]["expected"]["display"]


def test_c08_discarded_attempts_are_named_beside_the_cost(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    given = cases["C08"]["input"]
    used, usd = given["hallucination_retries_used"], given["user_cost"]
    fields = {"hallucination_retries_used": used, "user_cost": usd}
    trajectory = only(tmp_path, run(simulation([metered("Bye.", usd)], **fields))).trajectory
    assert trajectory.cost.discarded_attempts == used
    assert f"kept attempt only, {used} discarded attempts" in cost_line(trajectory.cost)
    assert any(f"{used} discarded attempts" in note for note in trajectory.notes)


def test_j06_a_review_with_an_unknown_severity_keeps_its_finding(
    cases: dict[str, Case], tmp_path: Path
) -> None:
    review = json.loads(cases["J06"]["input"]["reply"])
    found = only(tmp_path, run(simulation(TALK, user_only_review=review), info=INFO)).trajectory
    (finding,) = found.review
    (error,) = review["errors"]
    assert finding.severity == error["severity"]
    assert (finding.turn, finding.tags) == (error["turn_idx"], tuple(error["error_tags"]))
