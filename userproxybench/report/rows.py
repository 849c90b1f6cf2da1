"""The list of episodes: one short row each, with what it is filtered and sorted by."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from userproxybench.models import MODES, PROTOCOL_MODES, Grade, Outcome
from userproxybench.report.inert import inert, inert_line
from userproxybench.report.material import Material

if TYPE_CHECKING:
    import pandas as pd

BITS: Mapping[Outcome, int] = {"pass": 1, "fail": 2, "not_applicable": 4, "ungraded": 8}
"""How the outcomes of one mode are joined in one hexadecimal digit."""
STATUSES = ("scored", "unscorable", "ungraded")
COLUMNS = (
    "id proxy domain task trial reward fidelity status failed applicable modes protocol cost turns "
    "contract what quote said differs"
).split()
"""What a row holds, in order."""


@dataclass(frozen=True)
class Listing:
    """The list, and the names that its numbers stand for."""

    proxies: tuple[str, ...]
    """Names of the proxies."""
    domains: tuple[str, ...]
    """Names of the domains."""
    ids: tuple[str, ...]
    """Episodes in the order of the list."""
    contracts: tuple[str, ...]
    """Hashes of the contracts, as rows number them."""
    rows: tuple[tuple[object, ...], ...]
    """One row per episode (`COLUMNS`)."""


def listing(material: Material, differing: Iterable[str]) -> Listing:
    """The list of all episodes, by domain, task, proxy and trial."""
    frame = material.tables.episodes
    proxies, domains = (tuple(sorted(set(frame[name]))) for name in ("proxy", "domain"))
    held = {one.id: one for one in material.trajectories}
    contracts = tuple(dict.fromkeys(one.contract_hash for one in material.trajectories))
    apart = frozenset(differing)
    ordered = _ordered(frame)
    rows = []
    for row in ordered:
        id_ = str(row["episode_id"])
        grade = material.main.grades.get(id_)
        trajectory = held.get(id_)
        rows.append(
            (
                inert(id_),
                proxies.index(row["proxy"]),
                domains.index(row["domain"]),
                inert_line(str(row["task_id"])),
                _number(row["trial"]),
                _number(row["reward"]),
                _number(row["fidelity"]),
                STATUSES.index(row["status"]),
                _number(row["n_failed"]),
                _number(row["n_applicable"]),
                _modes(grade),
                _protocol(grade),
                _number(row["cost_usd"]),
                0 if trajectory is None else len(trajectory.turns),
                -1 if trajectory is None else contracts.index(trajectory.contract_hash),
                *_telling(grade, material.unscored.get(id_, "")),
                int(id_ in apart),
            )
        )
    return Listing(
        tuple(map(inert_line, proxies)),
        tuple(map(inert_line, domains)),
        tuple(str(row["episode_id"]) for row in ordered),
        contracts,
        tuple(rows),
    )


def _ordered(frame: pd.DataFrame) -> Sequence[Mapping[Hashable, object]]:
    """The rows by domain, task, proxy and trial; missing is `None`."""
    whole = frame.astype(object)
    records = whole.where(whole.notna(), None).to_dict("records")

    def key(row: Mapping[Hashable, object]) -> tuple[str, int, str, str, float]:
        task = str(row["task_id"])
        number = int(task) if task.isdecimal() and len(task) < 18 else -1
        trial = _number(row["trial"])
        proxy = str(row["proxy"])
        return (str(row["domain"]), number, task, proxy, -1 if trial is None else trial)

    return sorted(records, key=key)


def _number(value: object) -> int | float | None:
    """A number of a frame as JSON has it."""
    if not isinstance(value, int | float):
        return None
    return int(value) if float(value).is_integer() else value


def _modes(grade: Grade | None) -> str:
    """One hexadecimal digit per mode: which outcomes its criteria had."""
    masks = dict.fromkeys(MODES, 0)
    for verdict in () if grade is None else grade.verdicts:
        masks[verdict.mode] |= BITS[verdict.verdict]
    return "".join(f"{mask:x}" for mask in masks.values())


def _protocol(grade: Grade | None) -> int:
    """One bit per protocol mode."""
    found = set() if grade is None else {note.mode for note in grade.protocol}
    return sum(1 << at for at, mode in enumerate(PROTOCOL_MODES) if mode in found)


def _telling(grade: Grade | None, unscored: str) -> tuple[str, str, str]:
    """Failed modes, the first quotation, and all that was said, to search in."""
    failed = [one for one in (grade.verdicts if grade else ()) if one.verdict == "fail"]
    failed.sort(key=lambda one: (one.turn is None, one.turn))
    modes = ", ".join(dict.fromkeys(one.mode for one in failed))
    quote = failed[0].quotation[:160] if failed else ""
    said = [f"{one.quotation} {one.reason}"[:600] for one in failed]
    if unscored:
        return "", inert_line(unscored), ""
    return modes, inert_line(quote), inert_line(" ".join(said))
