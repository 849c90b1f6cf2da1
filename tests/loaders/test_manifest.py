"""Every shared dump is read, with the number of episodes that its manifest gives."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from userproxybench.errors import LoadError
from userproxybench.loaders import NotADumpError, discover, open_input


def manifest(shared: Path) -> dict[str, dict[str, str]]:
    with (shared / "dumps" / "MANIFEST.tsv").open(encoding="utf-8", newline="") as lines:
        return {row["file"]: row for row in csv.DictReader(lines, delimiter="\t")}


def expected(row: dict[str, str]) -> int | None:
    """Episodes by the manifest; `None` for files that are no dump of conversations."""
    text = row["n_sims"].split()[0] if row["n_sims"] else ""
    refused = row["file"].endswith(".arrow") or "fewshot" in row["file"]
    return int(text) if text.isdigit() and not refused else None


def test_every_file_of_the_manifest_has_its_number_of_episodes(shared: Path) -> None:
    wrong, lines = {}, 0
    for file, row in manifest(shared).items():
        number = expected(row)
        try:
            episodes = list(open_input(shared / "dumps" / file).episodes())
        except LoadError as error:
            lines += str(error).count("\n")
            found = 0
        else:
            found = sum(not isinstance(episode, LoadError) for episode in episodes)
        if found != (number or 0):
            wrong[file] = f"{found} instead of {number}"
    assert (wrong, lines) == ({}, 0)


def test_only_side_few_shot_and_foreign_files_are_no_dumps(shared: Path) -> None:
    refused, empty = [], []
    for file in manifest(shared):
        try:
            open_input(shared / "dumps" / file)
        except NotADumpError:
            refused.append(Path(file).name.split("__")[-1])
        except LoadError as error:
            empty.append(error.problem)
    assert all("holds no simulations" in problem for problem in empty)
    assert sorted(set(refused)) == [
        "conv_verifiers_tau2_full.arrow",
        "index.json",
        "progress.json",
        "t1_fewshot_airline.jsonl",
    ]


def test_a_folder_of_everything_holds_each_episode_once(shared: Path) -> None:
    rows = manifest(shared)
    by_file = sum(
        expected(row) or 0 for file, row in rows.items() if not file.endswith("/results.json")
    )
    ids: Counter[str] = Counter()
    for one in discover([shared / "dumps"]).inputs:
        try:
            opened = open_input(one)
        except LoadError:
            continue
        for episode in opened.episodes():
            assert not isinstance(episode, LoadError), episode
            ids[episode.trajectory.id] += 1
    assert sum(ids.values()) == by_file
    assert max(ids.values()) == 1


@pytest.mark.parametrize(
    "file",
    ["conv_nemogym_tau2_rollouts.jsonl", "conv_sierra_sft_openai_messages.jsonl"],
    ids=["NeMo-Gym", "chat lines"],
)
def test_domains_are_found_where_no_run_names_them(shared: Path, file: str) -> None:
    listed = manifest(shared)[file]["domain"].split("(")[0]
    wanted = {name: int(count or 1) for name, count in re.findall(r"(\w+)(?: x?(\d+))?", listed)}
    assert open_input(shared / "dumps" / file).describe().domains == wanted


def test_bare_simulations_of_two_domains_share_one_folder(shared: Path) -> None:
    rows = manifest(shared).items()
    here = [row for file, row in rows if file.startswith("t2v0_human_agent/") and expected(row)]
    wanted = Counter(row["domain"] for row in here)
    assert open_input(shared / "dumps" / "t2v0_human_agent").describe().domains == wanted


def test_a_published_tau_bench_run_ends_as_its_manifest_says(shared: Path) -> None:
    file = "t1_airline_gpt4o_4trials.json"
    row = manifest(shared)[file]
    ends = dict(re.findall(r"([\w:]+):(\d+)", row["termination_reasons"]))
    found = open_input(shared / "dumps" / file).describe().terminations
    assert found["user_stop"] == int(ends["user:STOP"])
    assert found["transfer"] + found["max_steps"] == int(ends["tool:none"]) + int(ends["user:none"])


def test_a_stripped_dump_finds_most_of_its_tasks_again(shared: Path) -> None:
    found = open_input(shared / "dumps" / "t2v0_airline_toolorchestra_minimal.json").describe()
    assert found.blueprints >= 0.9 * found.episodes


def test_no_string_under_model_settings_or_raw_data_reaches_an_episode(shared: Path) -> None:
    file = shared / "dumps" / "t2v0_airline_relaxed_grok3mini_reasoning.json"
    shown = "".join(repr(episode) for episode in open_input(file).episodes())
    assert "reasoning_content" not in shown
    assert "llm_args" not in shown
