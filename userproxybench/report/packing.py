"""Records packed for a page: compressed in blocks that a browser opens when one is looked at."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

BLOCK = 300_000
"""Bytes of JSON after which a block is closed."""


@dataclass(frozen=True)
class Packed:
    """A list of records in blocks."""

    blocks: tuple[str, ...]
    """Base64 of a gzipped JSON array each."""
    starts: tuple[int, ...]
    """Number of the first record in each block."""


def pack(records: Iterable[object]) -> Packed:
    """Pack records in order; equal records give equal bytes."""
    blocks: list[str] = []
    starts: list[int] = []
    waiting: list[bytes] = []
    size = 0
    for number, record in enumerate(records):
        if not waiting:
            starts.append(number)
        encoded = msgspec.json.encode(record)
        waiting.append(encoded)
        size += len(encoded)
        if size >= BLOCK:
            blocks.append(_block(waiting))
            waiting, size = [], 0
    if waiting:
        blocks.append(_block(waiting))
    return Packed(tuple(blocks), tuple(starts))


def _block(encoded: list[bytes]) -> str:
    whole = b"[" + b",".join(encoded) + b"]"
    return base64.b64encode(gzip.compress(whole, 9, mtime=0)).decode("ascii")
