"""Grading by a model: what our care costs over bare litellm, and what the cached prefix saves.

A loopback server in a process of its own answers after 200 ms. The same 1,000 calls are made twice,
by bare litellm in 32 threads and by `grade_trajectories` with 32 jobs and a run folder on disk, in
turns, three times; each ratio is of the sums.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.bench.target import Target
from tests.builders import contract, criterion, rubric, trajectory
from userproxybench.blinding import Names
from userproxybench.grading import (
    Case,
    GradingTask,
    ModelGrader,
    Question,
    Settings,
    grade_trajectories,
)
from userproxybench.litellm_model import LiteLLMModel, bundled_prices
from userproxybench.llm import ModelSpec
from userproxybench.models import MODES
from userproxybench.models.exchange import Reply
from userproxybench.replies import CriterionReply, schema_of
from userproxybench.store import RunFolder

TRAJECTORIES, CRITERIA, JOBS, LATENCY = 175, 1000, 32, 0.2
PREFIX_TOKENS = 3500
ROUNDS = 3
WORDS = "the order was late and I would like to know when it will come to me please".split()


class Spent(NamedTuple):
    """Seconds of one round."""

    wall: float
    cpu: float


def targets() -> Iterator[Target]:
    """Measure everything that is promised of a judge."""
    tasks = _tasks()
    with _server() as url, tempfile.TemporaryDirectory() as scratch:
        spec = ModelSpec("openai/judge", api_base=url)
        calls = _calls(tasks, LiteLLMModel(spec))
        bare: list[Spent] = []
        ours: list[Spent] = []
        bundled_prices()  # the import and the first connections are no part of either
        hello = [{"role": "user", "content": "hello"}]
        _bare([{**call, "messages": hello} for call in calls[: 2 * JOBS]])
        for number in range(ROUNDS):
            ours.append(_timed(partial(_ours, tasks, spec, Path(scratch) / str(number))))
            bare.append(_timed(partial(_bare, calls)))
        replies = _replies(Path(scratch) / "0")  # the round that found the server's cache empty
    tokens = [reply.prompt_tokens or 0 for reply in replies]
    read = [reply.cache_read_tokens for reply in replies]
    bill = sum(1.25 * (all_ - hit) + 0.1 * hit for all_, hit in zip(tokens, read, strict=True))
    yield Target("judge: calls made", len(replies), ">=", CRITERIA, "")
    for name, place in (("wall", 0), ("cpu", 1)):
        ratio = sum(item[place] for item in ours) / sum(item[place] for item in bare)
        yield Target(f"judge: {name} / bare litellm in {JOBS} threads", ratio, "<=", 1.15)
    yield Target("judge: cache-aware input bill / in full", bill / sum(tokens), "<=", 0.40)


def _tasks() -> list[GradingTask]:
    bound = contract()
    words = random.Random(1)
    # five each are 125 too few, so as many trajectories have six
    sizes = [6 if number < CRITERIA - 5 * TRAJECTORIES else 5 for number in range(TRAJECTORIES)]
    return [
        GradingTask(
            trajectory(*_talk(words, number), id=f"episode-{number:05d}"),
            bound,
            rubric(
                *(
                    criterion(f"c{item}", MODES[item], statement=f"The user keeps rule {item}.")
                    for item in range(size)
                )
            ),
        )
        for number, size in enumerate(sizes)
    ]


def _talk(words: random.Random, number: int) -> list[str]:
    """Turns until the whole prefix has about 3,500 tokens of four characters."""
    left = 4 * PREFIX_TOKENS - 4600  # what instructions and contract take
    lines = [f"user: This is call {number}."]
    while left > 0:
        speaker = ("agent", "user")[len(lines) % 2]
        text = " ".join(words.choices(WORDS, k=60))
        lines.append(f"{speaker}: {text}")
        left -= len(text) + 30
    return lines


def _calls(tasks: Sequence[GradingTask], model: LiteLLMModel) -> list[dict[str, object]]:
    """The same calls as plain arguments of litellm."""
    names = Names.of_run(task.trajectory for task in tasks)
    schema = schema_of(CriterionReply)
    calls = []
    for task in tasks:
        case = Case(task, names, Settings(), model)
        for item in task.rubric.criteria:
            prompt = case.prompt(Question(case, (item,)))
            calls.append(model.arguments(prompt, schema, model.max_tokens))
    return calls


def _bare(calls: Sequence[dict[str, object]]) -> None:
    import litellm  # the bare library is what we compare with

    with ThreadPoolExecutor(JOBS) as pool:
        for response in pool.map(lambda call: litellm.completion(**call), calls):
            assert response.choices[0].message.content


def _ours(tasks: Sequence[GradingTask], spec: ModelSpec, path: Path) -> None:
    grader = ModelGrader(LiteLLMModel(spec), jobs=JOBS)
    with RunFolder.create_or_resume(path, {"grader": "judge"}) as folder:
        run = grade_trajectories(tasks, grader=grader, store=folder)
    assert run.calls == CRITERIA


def _replies(path: Path) -> list[Reply]:
    return [line.reply for line in RunFolder.open(path).replies()]


def _timed(work: Callable[[], None]) -> Spent:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


@contextmanager
def _server() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.openai_server", "--latency", str(LATENCY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


if __name__ == "__main__":
    for target in targets():
        print(target, flush=True)
