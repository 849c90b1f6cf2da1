"""Loading and auditing a large dump, as multiples of plain JSON decoding of the same bytes.

Every figure is taken in a process of its own. Ratios of one process are of processor time, so that
a busy machine does not spoil them; the speed-up is of wall time. The pace of a machine drifts by
more than what is measured: so all that is compared is run within one minute, what is compared with
comes before and after, and of each ratio the median of some rounds counts.
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
        rounds = [ratios(whole, half) for _ in range(ROUNDS)]
        found = {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}
        yield Target("load / orjson.loads", found["load"], "<=", 0.5)
        yield Target("load + derive + grade + score / orjson.loads", found["audit"], "<=", 8)
        yield Target("twice the episodes", found["twice"], "<=", 2.1)
        peak = statistics.median(once("memory", whole)["peak"] for _ in range(REPEAT))
        yield Target("peak memory above file size", peak - size / MB, "<=", 150, "MB")
        yield Target("speed-up by --jobs 2", found["jobs"], ">=", 1.7)
    yield from start_up()


def start_up() -> Iterator[Target]:
    """`--help`, against an interpreter that does nothing."""
    command = Path(sys.executable).with_name("userproxybench")
    helped = best(lambda: subprocess.run([command, "--help"], check=True, capture_output=True))
    bare = best(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    yield Target("userproxybench --help", helped, "<=", 0.5, "s")
    yield Target("userproxybench --help / python -c pass", helped / bare, "<=", 35)


def best(work: Callable[[], object]) -> float:
    """Least time over the repetitions, in seconds."""
    times = []
    for _ in range(REPEAT):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def ratios(whole: Path, half: Path) -> dict[str, float]:
    """One round: every ratio that is promised of an audit of the whole dump."""
    order = (
        ("audit", half),
        ("decode", whole),
        ("load", whole),
        ("audit", whole),
        ("decode", whole),
        ("audit2", whole),
        ("audit", half),
    )
    first, before, load, audit, after, two, last = (once(kind, path) for kind, path in order)
    decode = (before["cpu"] + after["cpu"]) / 2
    return {
        "load": load["cpu"] / decode,
        "audit": audit["cpu"] / decode,
        "twice": 2 * audit["cpu"] / (first["cpu"] + last["cpu"]),
        "jobs": audit["wall"] / two["wall"],
    }


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
