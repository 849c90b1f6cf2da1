"""Progress on stderr: a bar on a terminal, a few plain lines elsewhere, nothing for short work."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds before work off a terminal is worth a line, and between lines."""


@contextmanager
def progress(what: str, *, patience: float = PATIENCE) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that is told (done, in all)."""
    if not sys.stderr.isatty():
        yield _plain(what, patience)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _plain(what: str, patience: float) -> Callable[[int, int], None]:
    last = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= patience and done < total:
            last = time.monotonic()
            sys.stderr.write(f"{what}: {done} of {total}\n")

    return tell
