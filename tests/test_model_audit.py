"""generate → verify → grade → UFS through the command line, real HTTP and real dumps."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from tests.author import reply_to
from tests.openai_server import OpenAIServer
from userproxybench.cli import app
from userproxybench.cli.commands import register
from userproxybench.store import RunFolder, load_rubrics

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")

TRAITS = ("none", "confusion", "incoherence")


@pytest.fixture(scope="module")
def cli() -> CliRunner:
    if not app.registered_groups:
        register(app)
    return CliRunner()


@pytest.fixture
def dumps(shared: Path, tmp_path: Path) -> Path:
    """Ten episodes of each of three proxies."""
    folder = tmp_path / "dumps"
    folder.mkdir()
    for trait in TRAITS:
        name = f"t1_trait_telecom_{trait}.json"
        items = json.loads((shared / "dumps" / name).read_text())
        (folder / name).write_text(json.dumps(items[:10]))
    return folder


def test_thirty_episodes_from_generated_rubrics_to_ufs(
    cli: CliRunner, dumps: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    with OpenAIServer(reply_to) as server:
        command = [
            *("audit", str(dumps), "--out", str(out), "--rubrics", "generate", "--json"),
            *("--grader", "openai/judge", "--generator", "openai/writer"),
            *("--verifier", "openai/reader", "--api-base", server.url),
        ]
        first = cli.invoke(app, command)
        assert first.exit_code == 0, first.output
        calls = len(server.requests)
        second = cli.invoke(app, command)
        assert second.exit_code == 0, second.output
        assert len(server.requests) == calls
    summary = json.loads(first.stdout)
    assert {row["proxy"] for row in summary["proxies"]} == {f"t1_trait_telecom_{t}" for t in TRAITS}
    assert sum(row["episodes"] for row in summary["proxies"]) == 30
    for row in summary["proxies"]:
        assert 0 <= row["ufs_bound_low"] <= row["ufs"] <= row["ufs_bound_high"] <= 1
    assert json.loads(second.stdout)["proxies"] == summary["proxies"]
    verdicts = pd.read_csv(out / "verdicts.csv")
    assert len(verdicts) == calls_of(out)["grader"]
    rubrics = load_rubrics(out / "rubrics")
    assert all(4 <= len(rubric.criteria) <= 8 for rubric in rubrics.values())
    failed = {item.failed for rubric in rubrics.values() for item in rubric.provenance.rejected}
    assert failed == {"span_is_verbatim", "achievable"}
    print(f"calls {calls}: {calls_of(out)}, rubrics {len(rubrics)}, verdicts {len(verdicts)}")


def calls_of(out: Path) -> dict[str, int]:
    return {role.role: role.calls for role in RunFolder.open(out).spending()}
