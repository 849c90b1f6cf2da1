"""The one place where threads are made."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Step(NamedTuple, Generic[Item, Result]):
    """What one piece of work gave, and the work that it made possible."""

    result: Result
    """The result."""
    then: Sequence[Item] = ()
    """Items to work on next, before new seeds are taken."""


def fan_out(
    seeds: Iterable[Item],
    work: Callable[[Item], Step[Item, Result]],
    *,
    jobs: int,
    settle: Callable[[], None] | None = None,
) -> Iterator[Result]:
    """Results as they come, at most `jobs` at a time; the one place where threads are made.

    Seeds are taken one by one, so a generator of them is never held in memory. The first exception
    ends the run: nothing new is started, and it is raised here. The threads are daemons, so Ctrl-C
    is answered at once. `settle` is called before results are handed out (it puts them on disk);
    the threads go on meanwhile, and results that come close together share one call of it.
    """
    pool = _Pool(iter(seeds), work)
    threads = [threading.Thread(target=pool.run, daemon=True) for _ in range(max(1, jobs))]
    for thread in threads:
        thread.start()
    try:
        finished = 0
        while finished < len(threads):
            events = [pool.events.get()]
            if settle is not None:
                time.sleep(_GATHERED)
                events += _waiting(pool.events)
                settle()
            for event in events:
                if isinstance(event, _Done):
                    finished += 1
                elif isinstance(event, BaseException):
                    raise event
                else:
                    yield event
    finally:
        pool.stop()


_GATHERED = 0.05
"""Seconds in which results are gathered before they are settled together."""


def _waiting(events: queue.SimpleQueue[Result]) -> list[Result]:
    return [events.get() for _ in range(events.qsize())]


class _Done:
    """A thread found nothing more to do."""


class _Pool(Generic[Item, Result]):
    """Shared state of the threads of one `fan_out`."""

    def __init__(self, seeds: Iterator[Item], work: Callable[[Item], Step[Item, Result]]) -> None:
        self.events: queue.SimpleQueue[Result | BaseException | _Done] = queue.SimpleQueue()
        self._seeds = seeds
        self._work = work
        self._next: deque[Item] = deque()
        self._busy = 0
        self._stopped = False
        self._changed = threading.Condition()

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def run(self) -> None:
        try:
            while (taken := self._take()) is not None:
                step = self._work(taken[0])
                self._finish(step.then)
                self.events.put(step.result)
        except BaseException as error:  # noqa: BLE001  # raised again in the caller's thread
            self.events.put(error)
            self.stop()
        self.events.put(_Done())

    def _take(self) -> tuple[Item] | None:
        with self._changed:
            while not self._stopped:
                if self._next:
                    self._busy += 1
                    return (self._next.popleft(),)
                for seed in self._seeds:
                    self._busy += 1
                    return (seed,)
                if self._busy == 0:
                    return None
                self._changed.wait()
        return None

    def _finish(self, then: Sequence[Item]) -> None:
        with self._changed:
            self._busy -= 1
            self._next.extend(then)
            self._changed.notify_all()
