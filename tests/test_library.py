"""The shipped rubrics: their form, and how they stand to the tasks in real dumps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from userproxybench.linting import lint
from userproxybench.loaders import Episode, open_input
from userproxybench.models import FAMILIES, FAMILY_OF, MODES, Contract, Rubric
from userproxybench.store import (
    data_folder,
    load_rubrics,
    read_rubric,
    rubric_files,
    rubric_path,
    save_rubric,
)

LIBRARY = data_folder("rubrics")
FILES = tuple(rubric_files(LIBRARY))
DOMAINS = {"airline": 5, "retail": 5, "telecom": 5, "banking_knowledge": 5}
DUMPS = {
    "airline": "t2v0_airline_qwen7b_agent_error.json",
    "telecom": "t2v0_telecom_dual_gpt4o.json",
    "retail": "t2v0_split_retail_2x2/A-gpt41_U-gpt41",
}


@cache
def library() -> dict[tuple[str, str], Rubric]:
    return load_rubrics(LIBRARY)


each_file = pytest.mark.parametrize(
    "file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}"
)


def test_library_has_five_tasks_of_each_domain() -> None:
    assert Counter(domain for domain, _ in library()) == DOMAINS


def test_library_watches_all_families_and_all_but_one_mode() -> None:
    modes = Counter(item.mode for rubric in library().values() for item in rubric.criteria)
    assert {FAMILY_OF[mode] for mode in modes} == set(FAMILIES)
    assert set(MODES) - set(modes) == {"self_contradiction"}


def test_the_documented_counts_are_those_of_the_library() -> None:
    page = (LIBRARY.parent / "docs" / "library.md").read_text(encoding="utf-8")
    for domain in DOMAINS:
        items = [
            item
            for key, rubric in library().items()
            if key[0] == domain
            for item in rubric.criteria
        ]
        checked = sum(item.check is not None for item in items)
        assert re.search(
            rf"^\| {domain} \| 5 \| {len(items)} \|.* {checked} \|$", page, re.MULTILINE
        )
    modes = Counter(item.mode for rubric in library().values() for item in rubric.criteria)
    assert [mode for mode, count in modes.items() if f"`{mode}` {count}" not in page] == []


def test_the_documented_rejections_are_those_of_the_library() -> None:
    page = (LIBRARY.parent / "docs" / "library.md").read_text(encoding="utf-8")
    rejected = [item for rubric in library().values() for item in rubric.provenance.rejected]
    by_check = Counter(item.failed for item in rejected)
    assert [check for check, n in by_check.items() if f"| `{check}` | {n} |" not in page] == []
    assert "| **154** | **15** | **139** | **11** | **1** | **149** |" in page
    assert len(rejected) == 15 + 1
    assert sum(len(rubric.criteria) for rubric in library().values()) == 149


@each_file
def test_every_rubric_was_read_second_and_keeps_what_was_rejected(file: Path) -> None:
    rubric = read_rubric(file)
    assert rubric.provenance.verifier
    assert all(item.reason for item in rubric.provenance.rejected)
    kept = {item.statement for item in rubric.criteria}
    assert [item for item in rubric.provenance.rejected if item.statement in kept] == []


@each_file
def test_file_is_as_the_project_writes_it(file: Path, tmp_path: Path) -> None:
    written = save_rubric(tmp_path, read_rubric(file))
    assert written.read_bytes() == file.read_bytes()


@each_file
def test_file_stands_where_its_task_is_looked_up(file: Path) -> None:
    rubric = read_rubric(file)
    assert file == rubric_path(LIBRARY, rubric.domain, rubric.task_id)
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,100}\.json", file.name)


@each_file
def test_rubric_says_what_it_was_written_for_and_by_whom(file: Path) -> None:
    rubric = read_rubric(file)
    assert rubric.source == "library"
    assert re.fullmatch("[0-9a-f]{16}", rubric.contract_hash)
    assert re.fullmatch("[0-9a-f]{16}", rubric.task_hash)
    assert rubric.provenance.generator
    assert "inspect-evals" in rubric.provenance.notes
    assert all(item.authored_by for item in rubric.criteria)


@each_file
def test_file_passes_lint(file: Path) -> None:
    assert lint(read_rubric(file)) == []


@each_file
def test_criteria_are_four_to_eight_distinct_grounded_sentences(file: Path) -> None:
    criteria = read_rubric(file).criteria
    assert 4 <= len(criteria) <= 8
    assert len({item.id for item in criteria}) == len(criteria)
    assert len({item.statement for item in criteria}) == len(criteria)
    for item in criteria:
        assert re.fullmatch(r"[A-Z].*[^.]\.", item.statement)
        assert "user" in item.statement
        assert item.family == FAMILY_OF[item.mode]
        assert item.grounding
        assert item.grounding.start < item.grounding.end
        assert re.fullmatch("[0-9a-f]{64}", item.grounding.sha256)


@cache
def contracts(dump: Path) -> dict[tuple[str, str], Contract]:
    episodes = (item for item in open_input(dump).episodes() if isinstance(item, Episode))
    return {(item.contract.domain, item.contract.task_id): item.contract for item in episodes}


def shared_tasks(shared: Path, domain: str) -> Iterator[tuple[Rubric, Contract]]:
    for key, contract in contracts(shared / "dumps" / DUMPS[domain]).items():
        if key in library():
            yield library()[key], contract


@pytest.mark.parametrize("domain", DUMPS)
def test_spans_are_found_in_the_tasks_of_real_dumps(shared: Path, domain: str) -> None:
    met = 0
    for rubric, contract in shared_tasks(shared, domain):
        met += 1
        assert rubric.match(contract) in {"exact", "task"}, rubric.task_id
        assert lint(rubric, contract) == []
        assert rubric.task_hash == contract.blueprint.hash
    assert met >= {"airline": 5, "telecom": 5, "retail": 1}[domain]


@pytest.mark.parametrize("domain", DUMPS)
def test_no_statement_copies_the_task(shared: Path, domain: str) -> None:
    for rubric, contract in shared_tasks(shared, domain):
        given = " ".join(" ".join(contract.blueprint.texts().values()).lower().split())
        for item in rubric.criteria:
            words = item.statement.lower().rstrip(".").split()
            runs = (" ".join(words[at : at + 7]) for at in range(len(words) - 6))
            assert not [run for run in runs if run in given], item.id
