"""Answers to unit tests and candidates' responses on disk, in a run folder of their own."""

from __future__ import annotations

import threading

import msgspec

from userproxybench.models.exchange import Reply
from userproxybench.store.files import encode, read_lines
from userproxybench.store.run_folder import RunFolder
from userproxybench.unit_tests.running import StoredText

NAME = "unit_tests.jsonl"


class _Line(msgspec.Struct, frozen=True):
    """One line of `unit_tests.jsonl`."""

    key: str
    outcome: str
    text: str


class UnitTestLog:
    """An `AnswerStore` on a run folder: each line is on disk when `add` returns."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._guard = threading.Lock()
        self._kept: dict[str, StoredText] = {}
        decoder = msgspec.json.Decoder(_Line)
        for line in read_lines(folder.path / NAME, decoder.decode):
            self._kept[line.key] = StoredText(line.outcome, line.text)

    def find(self, key: str) -> StoredText | None:
        """What is on file under a key."""
        return self._kept.get(key)

    def add(self, key: str, stored: StoredText) -> None:
        """Put it on disk, then remember it."""
        self._folder.append_lines(NAME, encode(_Line(key, stored.outcome, stored.text)) + b"\n")
        with self._guard:
            self._kept[key] = stored

    def add_reply(self, key: str, role: str, reply: Reply) -> None:
        """Put one raw reply on disk."""
        self._folder.add_reply(key, role, reply)
