"""Raw replies of models on disk, in a run folder or beside written rubrics."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Self

import msgspec

from userproxybench.models.exchange import Reply
from userproxybench.store.files import AppendLog, encode, made_folder, take_lock


class ReplyLine(msgspec.Struct, omit_defaults=True):
    """One line of `replies.jsonl`."""

    key: str
    """What the reply is about."""
    role: str
    """Whose reply it is."""
    reply: Reply
    """The reply."""


def reply_line(key: str, role: str, reply: Reply) -> bytes:
    """One line of `replies.jsonl`."""
    return encode(ReplyLine(key, role, reply)) + b"\n"


class ReplyLog:
    """`replies.jsonl` in a folder of rubrics, held by one process."""

    def __init__(self, folder: Path) -> None:
        self._lock = take_lock(made_folder(folder))
        self._log = AppendLog(folder / "replies.jsonl")
        self._guard = threading.Lock()
        self.usd: float | None = 0.0
        """Dollars of the replies kept so far; `None` when one has no known price."""

    def keep(self, key: str, role: str, reply: Reply) -> None:
        """Put one reply on disk."""
        self._log.append(reply_line(key, role, reply))
        with self._guard:
            priced = self.usd is not None and reply.usd is not None
            self.usd = self.usd + reply.usd if priced else None  # type: ignore[operator]  # both set

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._log.close()
        self._lock.release()
