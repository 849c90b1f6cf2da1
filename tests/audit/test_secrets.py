"""Nothing that a dump holds under `llm_args` or `raw_data` reaches any output."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from tests import dumps

SECRET = "sk-planted-9f2c71"
COMMAND = Path(sys.executable).with_name("userproxybench")


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    raw = {"model": "aurora-70b", "thought": SECRET, "headers": {"x": f"{SECRET}-raw"}}
    lines = [dumps.message(line, raw_data=raw) for line in dumps.TELLING]
    content = dumps.dump(dumps.simulation("a", messages=lines))
    arguments = {"api_key": SECRET, "api_base": f"http://{SECRET}.example", "temperature": 0.5}
    for side in ("user_info", "agent_info"):
        content["info"][side]["llm_args"] = arguments  # type: ignore[index]  # a dump
    return dumps.write(tmp_path / "in" / "a.json", content)


def test_no_output_of_an_audit_holds_a_secret(planted: Path, tmp_path: Path) -> None:
    texts = []
    for extra in ((), ("--json",)):
        done = subprocess.run(
            [COMMAND, "audit", planted, "--out", tmp_path / "run", *extra],
            capture_output=True,
            check=True,
        )
        texts += [done.stdout, done.stderr]
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert len(files) > 8
    for path in files:
        data = path.read_bytes()
        texts.append(gzip.decompress(data) if path.suffix == ".gz" else data)
    assert not [text for text in texts if SECRET.encode() in text]
