"""Every real dump is audited; only what holds no conversations is refused, in one line."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import userproxybench
from userproxybench.errors import InputError

NO_CONVERSATIONS = ("arrow", "few-shot")
"""Words of the manifest for formats from which no audit can be made."""


def expected(shared: Path) -> dict[str, int]:
    """Episodes of each file of the manifest; 0 where it should be refused."""
    with (shared / "dumps" / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    found = {}
    for row in rows:
        family = row["format_family (how known)"]
        count = row["n_sims"].partition(" ")[0]
        refused = any(word in family for word in NO_CONVERSATIONS)
        found[row["file"]] = 0 if refused or not count else int(count)
    return found


def audited(path: Path) -> int:
    """Episodes of one dump; 0 where it is refused in one line."""
    try:
        found = userproxybench.audit(path)
    except InputError as error:
        problems = str(error).splitlines()
        episodes = 0
    else:
        problems = list(found.problems)
        episodes = len(found.episodes)
    assert len(problems) == (episodes == 0)
    assert all(path.name in problem for problem in problems)
    return episodes


@pytest.fixture(scope="module")
def counts(shared: Path) -> dict[str, int]:
    return expected(shared)


def test_every_dump_has_the_episodes_of_the_manifest(shared: Path, counts: dict[str, int]) -> None:
    assert len(counts) > 50
    assert {name: audited(shared / "dumps" / name) for name in counts} == counts


def test_a_folder_of_all_dumps_is_audited_in_one_go(shared: Path, counts: dict[str, int]) -> None:
    found = userproxybench.audit(shared / "dumps", jobs=2)
    inside = sum(count for name, count in counts.items() if "/simulations/" not in name)
    assert len(found.episodes) == inside
    refused = {line.split(":")[0] for line in (*found.problems, *found.passed_over)}
    empty = {name for name, count in counts.items() if not count}
    assert empty <= refused | {"FORMATS.md", "MANIFEST.tsv"}
    assert found.summary.counts.ungraded == 0


def test_episodes_that_never_took_place_are_unscorable(shared: Path) -> None:
    found = userproxybench.audit(shared / "dumps" / "t1_ncuser_airline_all_errors.json")
    assert found.summary.counts.unscorable == len(found.episodes) == 46
    assert found.summary.proxies[0].ufs is None
    assert sum(found.unjudged.values()) == 46
