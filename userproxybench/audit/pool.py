"""Work on slices in several processes. They are forked, so opened inputs are shared, not copied."""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar, cast

T = TypeVar("T")
R = TypeVar("R")


class _Worker:
    """What a forked process works with: set once, when it is born."""

    work: Callable[..., object] | None = None


def run(work: Callable[[T], R], parts: Sequence[T], jobs: int) -> Iterator[R]:
    """Yield `work(part)` for each part, in order.

    One process does it where one is asked for, where there is one part, and on systems that
    cannot fork.
    """
    processes = min(jobs, len(parts))
    if processes < 2 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(work, parts)
        return
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(processes, context, initializer=_begin(work))
    try:
        yield from cast("Iterator[R]", pool.map(_do, parts))
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _begin(work: Callable[[T], object]) -> Callable[[], None]:
    def begin() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
        _Worker.work = work

    return begin


def _do(part: object) -> object:
    assert _Worker.work is not None
    with undisturbed():
        return _Worker.work(part)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold off the cyclic garbage collector: parts leave no cycles, and rows live on to the end."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
