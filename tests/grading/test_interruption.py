"""Killed runs lose at most the calls in flight, and end in the same tables."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.grading.worker import JOBS
from tests.openai_server import OpenAIServer, honest_judge
from userproxybench.errors import RunFolderError
from userproxybench.models import Grade
from userproxybench.store import RunFolder, merge

CALLS = 500
MOMENTS = 20


class Workers:
    """The parent process that forks workers."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.grading.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._read() == "ready"

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def start(self, url: str, folder: Path) -> int:
        """Start a worker; returns its process id."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{url} {folder}\n")
        self.process.stdin.flush()
        return int(self._read())

    def status(self) -> int:
        """Exit status of the worker, once it has ended."""
        return int(self._read())

    def close(self) -> None:
        """End the parent."""
        self.process.communicate()


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    found = Workers()
    yield found
    found.close()


def grades(path: Path) -> list[Grade]:
    found = RunFolder.open(path).grades()
    return sorted(
        (
            grade.model_copy(
                update={"verdicts": tuple(sorted(grade.verdicts, key=lambda v: v.criterion_id))}
            )
            for grade in found
        ),
        key=lambda grade: grade.trajectory_id,
    )


def finished(path: Path) -> set[bytes]:
    """Verdict lines that are whole."""
    file = path / "verdicts.jsonl"
    if not file.exists():
        return set()
    return {line for line in file.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")}


@pytest.mark.slow
def test_kill_at_twenty_random_moments_loses_nothing_that_was_finished(
    workers: Workers, tmp_path: Path
) -> None:
    moments = random.Random(4)
    repeated, kept = [], []
    with OpenAIServer(honest_judge, latency=0.005) as server:
        workers.start(server.url, tmp_path / "undisturbed")
        assert workers.status() == 0
        assert len(server.requests) == CALLS
        expected = grades(tmp_path / "undisturbed")
        for number in range(MOMENTS):
            folder = tmp_path / f"killed-{number}"
            before = len(server.requests)
            worker = workers.start(server.url, folder)
            target = before + moments.randrange(CALLS)
            while len(server.requests) < target:
                time.sleep(0.001)
            time.sleep(moments.uniform(0.0, 0.02))
            with contextlib.suppress(ProcessLookupError):  # it may have come to its end meanwhile
                os.kill(worker, signal.SIGKILL)
            assert workers.status() in (0, signal.SIGKILL)
            at_kill = finished(folder)
            workers.start(server.url, folder)
            assert workers.status() == 0
            assert at_kill <= finished(folder)
            assert grades(folder) == expected
            kept.append(len(at_kill))
            repeated.append(len(server.requests) - before - CALLS)
    print(f"kept at the kill: {sorted(kept)}; calls repeated: {sorted(repeated)} (jobs {JOBS})")
    assert max(repeated) <= JOBS
    assert min(kept) < CALLS / 2 < max(kept)


def test_second_process_on_one_folder_is_told_so(tmp_path: Path) -> None:
    with RunFolder.create_or_resume(tmp_path, {"grader": "x"}):
        code = (
            "import sys; from pathlib import Path; from userproxybench.store import RunFolder\n"
            "RunFolder.create_or_resume(Path(sys.argv[1]), {'grader': 'x'})"
        )
        result = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
        )
    assert "is being written by another process" in result.stderr
    RunFolder.create_or_resume(tmp_path, {"grader": "x"}).close()


@pytest.mark.slow
def test_shards_of_two_machines_merge_into_the_undisturbed_tables(
    workers: Workers, tmp_path: Path
) -> None:
    with OpenAIServer(honest_judge) as server:
        workers.start(server.url, tmp_path / "whole")
        assert workers.status() == 0
        worker = workers.start(server.url, tmp_path / "part")
        time.sleep(1.0)
        os.kill(worker, signal.SIGKILL)
        workers.status()
    merged = merge([tmp_path / "part", tmp_path / "whole"], tmp_path / "merged")
    assert merged.conflicts == 0
    assert grades(tmp_path / "merged") == grades(tmp_path / "whole")


def test_merging_another_instrument_is_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        RunFolder.create_or_resume(tmp_path / name, {"grader": name}).close()
    with pytest.raises(RunFolderError, match="grader: 'b' there, 'a' now"):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
