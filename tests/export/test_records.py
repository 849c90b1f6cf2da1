from __future__ import annotations

from io import BytesIO
from pathlib import Path

import orjson
import pandas as pd
import pytest

from userproxybench import audit
from userproxybench.cli.graded import read_graded
from userproxybench.export import jsonl_lines, parquet_files
from userproxybench.store import RunFolder, data_folder
from userproxybench.tables import Tables


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, Tables]:
    out = tmp_path_factory.mktemp("records") / "run"
    audit(data_folder("trajectories") / "example", out=out)
    return RunFolder.open(out), read_graded([out]).tables


Run = tuple[RunFolder, Tables]


def test_a_line_holds_all_of_an_episode(run: Run) -> None:
    lines = [orjson.loads(line) for line in jsonl_lines(*run)]
    assert len(lines) == 12
    first = lines[0]
    assert set(first) == {"trajectory", "contract", "episode", "grade"}
    assert first["episode"]["episode_id"] == first["trajectory"]["id"]
    assert {one["verdict"] for one in first["grade"]["verdicts"]} <= {
        "pass",
        "fail",
        "not_applicable",
        "ungraded",
    }


def test_missing_is_null_and_never_nan(run: Run) -> None:
    assert all(b"NaN" not in line for line in jsonl_lines(*run))


def test_the_lines_are_audited_again_with_the_same_result(run: Run, tmp_path: Path) -> None:
    (tmp_path / "episodes.jsonl").write_bytes(b"".join(jsonl_lines(*run)))
    again = audit(tmp_path / "episodes.jsonl")
    before = run[1].episodes.set_index("episode_id")["fidelity"]
    assert again.episodes.set_index("episode_id")["fidelity"].to_dict() == before.to_dict()


def test_parquet_holds_the_tables(run: Run) -> None:
    files = parquet_files(*run)
    assert set(files) == {"episodes.parquet", "verdicts.parquet", "protocol.parquet"}
    read = pd.read_parquet(BytesIO(files["verdicts.parquet"]))
    assert len(read) == len(run[1].verdicts)
