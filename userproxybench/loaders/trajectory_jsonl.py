"""Our own format: one line, one trajectory with its contract. Anyone can convert to it.

Written with `Encoder`, read with `Decoder`; `docs/formats.md` has the fields. A line that a
person wrote may leave out what can be filled in: ids, turn indices, source, hashes.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw
from pydantic import ValidationError

from userproxybench.errors import LoadError
from userproxybench.loaders.buffers import Data, decode
from userproxybench.loaders.contracts import task_key
from userproxybench.loaders.identity import flagged
from userproxybench.loaders.records import Episode, LoadOptions, ProxyIdentity
from userproxybench.loaders.shapes import LoadErrorFor, Shape
from userproxybench.models import Contract, Source, Trajectory

_IDENTITIES = ("recorded", "raw_data", "flag", "name")


class Line(msgspec.Struct):
    """One line, its halves undecoded."""

    trajectory: Raw
    contract: Raw


class Encoder:
    """Writes episodes as lines; a contract that comes again is not encoded again."""

    def __init__(self) -> None:
        self._contracts: dict[int, tuple[Contract, Raw]] = {}

    def encode(self, episode: Episode) -> bytes:
        """One line, without its line break."""
        contract = episode.contract
        kept = self._contracts.get(id(contract))
        if kept is None:
            kept = (contract, Raw(contract.model_dump_json().encode()))
            self._contracts[id(contract)] = kept
        return msgspec.json.encode(Line(_encoded(episode.trajectory), kept[1]))


def _encoded(trajectory: Trajectory) -> Raw:
    return Raw(msgspec.json.encode(trajectory))


class Decoder:
    """Reads lines; lines with the same contract share one `Contract`."""

    def __init__(self) -> None:
        self._contracts: dict[bytes, Contract] = {}

    def decode(self, data: Data, source: Source | None = None) -> Episode:
        """One episode.

        Raises:
            msgspec.DecodeError: no JSON, or a field of the wrong kind.
            ValidationError: the contract breaks its rules.
        """
        line = decode(data, Line)
        text = bytes(line.contract)
        contract = self._contracts.get(text)
        if contract is None:
            contract = self._contracts[text] = _contract(line)
        return Episode(_trajectory(line.trajectory, contract, source), contract)


def _contract(line: Line) -> Contract:
    try:
        return Contract.model_validate_json(bytes(line.contract))
    except ValidationError:
        fields = decode(line.contract, dict[str, object])
        told = decode(line.trajectory, dict[str, object])
        for key in ("domain", "task_id"):
            fields[key] = task_key(fields.get(key, told.get(key)))
        return Contract.model_validate(fields, strict=False)


def _trajectory(raw: Raw, contract: Contract, source: Source | None) -> Trajectory:
    try:
        trajectory = msgspec.json.decode(raw, type=Trajectory)
    except msgspec.DecodeError:
        trajectory = _filled(decode(raw, dict[str, object]), contract, source)
    if trajectory.contract_hash == contract.hash:
        return trajectory
    note = "the recorded contract hash is not that of the contract beside it: recomputed"
    return msgspec.structs.replace(
        trajectory, contract_hash=contract.hash, notes=(*trajectory.notes, note)
    )


def _filled(fields: dict[str, object], contract: Contract, source: Source | None) -> Trajectory:
    """A trajectory from a line that leaves out what can be filled in."""
    source = source or Source("", 0)
    turns = fields.get("turns")
    if isinstance(turns, list):
        for index, turn in enumerate(turns):
            if isinstance(turn, dict):
                turn.setdefault("index", index)
    defaults: dict[str, object] = {
        "id": f"{source.file}#{source.index}",
        "agent": "unknown",
        "proxy": "unknown",
        "domain": contract.domain,
        "task_id": contract.task_id,
        "contract_hash": contract.hash,
        "source": {"file": source.file, "index": source.index},
    }
    filled = {**defaults, **{key: value for key, value in fields.items() if value is not None}}
    filled["task_id"] = task_key(filled["task_id"])
    return msgspec.convert(filled, Trajectory, strict=False)


class Head(msgspec.Struct):
    """What is read ahead of each line."""

    trajectory: HeadOfTrajectory


class HeadOfTrajectory(msgspec.Struct):
    """Key and proxy of a trajectory."""

    id: object = None
    proxy: str = "unknown"
    proxy_settings_hash: str = ""
    proxy_identity: str = "recorded"


class TrajectoryReader:
    """A file of our own lines."""

    format = "trajectory JSONL"

    def __init__(self, shape: Shape, options: LoadOptions) -> None:
        self.name = shape.name
        self.notes: list[str] = list(shape.notes)
        self._lines: Sequence[Raw | memoryview] = shape.documents()
        self._decoder = Decoder()
        self._flag = flagged(shape.name, options)
        self._kept: list[int] = []
        self._ids: dict[int, str] = {}
        self.proxies: tuple[ProxyIdentity, ...] = ()
        self._survey()

    def _survey(self) -> None:
        seen: dict[str, list[int]] = {}
        proxies: dict[ProxyIdentity, None] = {}
        dropped = 0
        for index, line in enumerate(self._lines):
            try:
                head = decode(line, Head).trajectory
            except msgspec.DecodeError:
                self._kept.append(index)
                continue
            earlier = seen.setdefault(task_key(head.id) or f"{self.name}#{index}", [])
            if any(bytes(line) == bytes(self._lines[other]) for other in earlier):
                dropped += 1
                continue
            earlier.append(index)
            if len(earlier) > 1:
                self._ids[index] = f"{task_key(head.id)}~{len(earlier)}"
            self._kept.append(index)
            source = head.proxy_identity if head.proxy_identity in _IDENTITIES else "recorded"
            identity = ProxyIdentity(head.proxy, head.proxy_settings_hash, source)  # type: ignore[arg-type]  # checked above
            proxies[self._flagged(identity)] = None
        self.proxies = tuple(proxies)
        if dropped:
            self.notes.append(f"{dropped} identical repetitions dropped")

    def _flagged(self, identity: ProxyIdentity) -> ProxyIdentity:
        if self._flag is None:
            return identity
        return ProxyIdentity(self._flag, identity.settings_hash, "flag")

    def __len__(self) -> int:
        return len(self._kept)

    def episode(self, index: int) -> Episode:
        """Read one line."""
        at = self._kept[index]
        try:
            episode = self._decoder.decode(self._lines[at], Source(self.name, at))
        except (msgspec.DecodeError, RecursionError) as error:
            raise LoadErrorFor.item(self.name, f"line {at + 1}", error) from error
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise LoadError(
                self.name,
                f"the contract breaks its rules ({where}: {first['msg']})",
                "See docs/formats.md for its fields",
                place=f"line {at + 1}",
            ) from error
        trajectory = episode.trajectory
        if at in self._ids:
            note = f"trajectory id {trajectory.id!r} occurs with different content"
            trajectory = msgspec.structs.replace(
                trajectory, id=self._ids[at], notes=(*trajectory.notes, note)
            )
        if self._flag is not None:
            trajectory = msgspec.structs.replace(
                trajectory, proxy=self._flag, proxy_identity="flag"
            )
        return Episode(trajectory, episode.contract)
