"""Loading and auditing a large dump, as multiples of plain JSON decoding of the same bytes.

Every figure is taken in a process of its own. Ratios of one process are of processor time, so that
a busy machine does not spoil them; the speed-up is of wall time. Multiples of decoding are medians
of rounds in which decoding goes before and after: the pace of a machine drifts by more than what
is measured. Other figures are the best of some repetitions.
"""

from __future__ import annotations

import importlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from tests.bench.corpus import write_dump
from tests.bench.shape import measured
from tests.bench.target import Target

EPISODES = 3000
REPEAT = 3
ROUNDS = 5
ENOUGH = 20.0
"""Seconds after which a measurement is not repeated."""
MB = 1e6


def targets() -> Iterator[Target]:
    """Measure everything that is promised of an audit."""
    shared = os.environ.get("USERPROXYBENCH_SHARED")
    shape = measured(Path(shared) if shared else None)
    with tempfile.TemporaryDirectory() as folder:
        whole, half = Path(folder) / "whole.json", Path(folder) / "half.json"
        size = write_dump(whole, EPISODES, shape)
        write_dump(half, EPISODES // 2, shape)
        yield Target(f"dump of {EPISODES} episodes ({shape.origin})", size / MB, ">=", 70, "MB")
        yield Target("load / orjson.loads", multiple("load", whole), "<=", 0.5)
        graded = multiple("audit", whole)
        yield Target("load + derive + grade + score / orjson.loads", graded, "<=", 8)
        audit = child("audit", whole)
        yield Target("twice the episodes", audit["cpu"] / child("audit", half)["cpu"], "<=", 2.1)
        peak = child("memory", whole)["peak"]
        yield Target("peak memory above file size", peak - size / MB, "<=", 150, "MB")
        two = child("audit2", whole)["wall"]
        yield Target("speed-up by --jobs 2", audit["wall"] / two, ">=", 1.7)
    yield from start_up()


def start_up() -> Iterator[Target]:
    """`--help`, against an interpreter that does nothing."""
    command = Path(sys.executable).with_name("userproxybench")
    helped = best(lambda: subprocess.run([command, "--help"], check=True, capture_output=True))
    bare = best(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    yield Target("userproxybench --help", helped, "<=", 0.5, "s")
    yield Target("userproxybench --help / python -c pass", helped / bare, "<=", 35)


def best(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Least time over the repetitions, in seconds."""
    times = []
    for _ in range(REPEAT):
        begin = clock()
        work()
        times.append(clock() - begin)
    return min(times)


def multiple(kind: str, path: Path) -> float:
    """Processor time of some work as a multiple of plain decoding: the median of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        before, work, after = (once(one, path)["cpu"] for one in ("decode", kind, "decode"))
        rounds.append(2 * work / (before + after))
    return statistics.median(rounds)


def child(kind: str, path: Path) -> dict[str, float]:
    """The best of some fresh processes: `cpu` and `wall` in seconds, `peak` in MB."""
    runs: list[dict[str, float]] = []
    while len(runs) < REPEAT and sum(run["wall"] for run in runs) < ENOUGH:
        runs.append(once(kind, path))
    return {name: min(run[name] for run in runs) for name in runs[0]}


def once(kind: str, path: Path) -> dict[str, float]:
    """One fresh process. Never twice in one: what a run leaves in caches would flatter the next."""
    command = [sys.executable, "-m", "tests.bench.bench_audit", kind, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, float] = orjson.loads(done.stdout)
    return figures


def _decode(path: Path) -> None:
    orjson.loads(path.read_bytes())


def _load(path: Path) -> None:
    from userproxybench.loaders import open_input

    for _ in open_input(path).episodes():
        pass


def _audit(path: Path, jobs: int = 1) -> None:
    import userproxybench

    userproxybench.audit(path, jobs=jobs)


WORK: dict[str, Callable[[Path], None]] = {
    "decode": _decode,
    "load": _load,
    "audit": _audit,
    "memory": _audit,
    "audit2": lambda path: _audit(path, jobs=2),
}


def main(kind: str, path: Path) -> None:
    """Measure one kind of work; imports come before the clock, except where memory is measured."""
    if kind != "memory":
        for module in ("pandas", "userproxybench.audit.running", "userproxybench.analysis.summary"):
            importlib.import_module(module)
    wall, cpu = time.perf_counter(), time.process_time()
    WORK[kind](path)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MB
    sys.stdout.write(orjson.dumps({"wall": wall, "cpu": cpu, "peak": peak}).decode())


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
