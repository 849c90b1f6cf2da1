"""Tables, figures and the bootstrap on a run folder as large as the paper's study.

2,618 episodes of seven proxies with 5.7 verdicts each. Every figure is taken in a process of its
own, imports included, and is of processor time, so that a busy machine does not spoil it.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import orjson

from tests.bench.target import Target
from tests.study import Design, Truth, study
from userproxybench.analysis import summarise
from userproxybench.tables import Tables, csv_text

EPISODES = 2618
VERDICTS = 5.7
TRUTH = {
    "sonnet": Truth(0.78, 0.18, 0.78),
    "gemini": Truth(0.86, 0.056, 0.80),
    "qwen": Truth(0.61, 0.025, 0.78),
    "gemma-31": Truth(0.85, 0.0175, 0.74),
    "gemma-26": Truth(0.76, 0.0147, 0.72),
    "gpt-5.4": Truth(0.60, 0.0144, 0.64),
    "gpt-4.1": Truth(0.75, 0.0063, 0.72),
}


def targets() -> Iterator[Target]:
    """Measure everything that is promised of `analyze`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        once, twice = run_folder(folder / "once", 1), run_folder(folder / "twice", 2)
        whole = child(once, folder / "out", "--figures")
        yield Target("analyze: tables, figures, 2,000 resamples", whole["cpu"], "<=", 15, "s")
        yield Target("analyze: peak memory", whole["peak"], "<=", 1000, "MB")
        bare = child(once, folder / "out", "--no-figures")
        yield Target("analyze --no-figures", bare["cpu"], "<=", 5, "s")
        double = child(twice, folder / "out", "--no-figures")
        yield Target(
            "analyze --no-figures: twice the episodes", double["cpu"] / bare["cpu"], "<=", 2.1
        )
        figures = child(twice, folder / "out", "--figures")
        yield Target("analyze: twice the episodes", figures["cpu"] / whole["cpu"], "<=", 2.1)


def run_folder(path: Path, times: int) -> Path:
    """Graded tables of the size of the paper's study, or that many times it."""
    tasks = {"telecom": 114, "airline": 50, "retail": 114, "banking": 97}
    made = study(Design(TRUTH, tasks={name: times * count for name, count in tasks.items()}))
    episodes = made.episodes.iloc[: times * EPISODES]
    verdicts = made.verdicts[made.verdicts["episode_id"].isin(episodes["episode_id"])]
    spare = verdicts.index[verdicts["verdict"] == "not_applicable"]
    surplus = len(verdicts) - round(VERDICTS * len(episodes))
    tables = Tables(episodes, verdicts.drop(spare[:surplus]))
    path.mkdir()
    (path / "episodes.csv").write_text(csv_text(tables.episodes), encoding="utf-8")
    (path / "verdicts.csv").write_text(csv_text(tables.verdicts), encoding="utf-8")
    summary = summarise(tables, version="0", grader="rules", rubric_source="derived")
    (path / "summary.json").write_text(summary.model_dump_json(), encoding="utf-8")
    return path


def child(run: Path, out: Path, flag: str) -> dict[str, float]:
    """One `analyze` in a fresh process: `cpu` in seconds, `peak` in MB."""
    command = [sys.executable, "-m", "tests.bench.bench_analysis", str(run), str(out), flag]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = orjson.loads(done.stdout.splitlines()[-1])
    return found


def main(run: Path, out: Path, flag: str) -> None:
    """`analyze` once, imports included."""
    from userproxybench.cli.analyze import analyze

    analyze([run], out=out, figures=flag == "--figures")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    sys.stdout.write("\n" + orjson.dumps({"cpu": time.process_time(), "peak": peak}).decode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
