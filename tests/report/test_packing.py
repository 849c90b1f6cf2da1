from __future__ import annotations

import base64
import gzip

import msgspec

from userproxybench.report.packing import BLOCK, Packed, pack


def unpacked(packed: Packed) -> list[object]:
    found: list[object] = []
    for block in packed.blocks:
        found += msgspec.json.decode(gzip.decompress(base64.b64decode(block)), type=list[object])
    return found


def test_records_come_back_in_order() -> None:
    records = [{"number": number, "text": "x" * 1000} for number in range(1000)]
    packed = pack(records)
    assert unpacked(packed) == records
    assert len(packed.blocks) == len(packed.starts) > 1


def test_a_block_says_where_it_starts_and_closes_in_time() -> None:
    packed = pack(["x" * (BLOCK // 2)] * 5)
    assert packed.starts == (0, 2, 4)


def test_nothing_packs_to_nothing() -> None:
    assert pack([]) == Packed((), ())


def test_equal_records_give_equal_bytes() -> None:
    assert pack([{"a": 1}]) == pack([{"a": 1}])
