"""Rubric files: `<folder>/<domain>/<task>.json`, one rubric each."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pydantic

from userproxybench.errors import RubricError
from userproxybench.models import Contract, Rubric
from userproxybench.models.rubric import RubricMatch
from userproxybench.store.files import replace_file

TaskKey = tuple[str, str]


class Coverage(NamedTuple):
    """How a rubric folder stands to one contract."""

    contract: Contract
    """The contract."""
    rubric: Rubric | None
    """The rubric for its task, or for a task that reads the same; `None` where there is none."""
    match: RubricMatch | None
    """How that rubric stands to the contract."""

    @property
    def stale(self) -> bool:
        """The rubric was written for another text of this task."""
        return self.match == "stale"


def data_folder(name: str) -> Path:
    """A folder shipped with the package (`rubrics`, `trajectories`), installed or in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_data" / name
    return installed if installed.is_dir() else package.parent / name


def rubric_path(folder: Path, domain: str, task_id: str) -> Path:
    """Where the rubric of a task stands; the true id is inside the file."""
    return folder / _safe(domain) / f"{_safe(task_id)}.json"


def rubric_places(folder: Path, contract: Contract) -> tuple[Path, Path]:
    """Where the rubric for a contract may stand: alone, or beside another contract's."""
    domain, task_id = contract.domain, contract.task_id
    other = f"{task_id}@{contract.hash}"
    return rubric_path(folder, domain, task_id), rubric_path(folder, domain, other)


def save_rubric(folder: Path, rubric: Rubric, *, beside_others: bool = False) -> Path:
    """Write one rubric to its place; with `beside_others` it replaces no other contract's."""
    path = rubric_path(folder, rubric.domain, rubric.task_id)
    if beside_others and path.exists() and read_rubric(path).contract_hash != rubric.contract_hash:
        path = rubric_path(folder, rubric.domain, f"{rubric.task_id}@{rubric.contract_hash}")
    text = rubric.model_dump_json(indent=2, exclude_defaults=True) + "\n"
    replace_file(path, lambda file: file.write(text.encode("utf-8")))
    return path


def read_rubric(path: Path) -> Rubric:
    """One rubric file; a line that names the field when it is not one."""
    try:
        return Rubric.model_validate_json(path.read_bytes())
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise RubricError(f"{path}: {place}: {first['msg']}") from error
    except OSError as error:
        raise RubricError(f"{path}: cannot be read ({error.strerror})") from error


def rubric_files(path: Path) -> Iterator[Path]:
    """The rubric files under a path, in order."""
    if not path.exists():
        raise RubricError(f"{path} does not exist: give a rubric file or a folder of them")
    yield from [path] if path.is_file() else sorted(path.rglob("*.json"))


def load_rubrics(path: Path) -> dict[TaskKey, Rubric]:
    """Every rubric under a path by (domain, task id)."""
    rubrics: dict[TaskKey, Rubric] = {}
    places: dict[TaskKey, Path] = {}
    for file in rubric_files(path):
        rubric = read_rubric(file)
        key = (rubric.domain, rubric.task_id)
        if key in rubrics:
            raise RubricError(f"{file}: task {key[1]!r} already has a rubric in {places[key]}")
        rubrics[key], places[key] = rubric, file
    return rubrics


def coverage(rubrics: Mapping[TaskKey, Rubric], contract: Contract) -> Coverage:
    """Whether a task has a rubric, and whether it was written for this text of the task.

    Tasks of a domain that tell the user the same share a rubric: of tau2's 114 telecom tasks,
    which differ in what is wrong with the phone, each user is told one of 15 texts.
    """
    rubric = rubrics.get((contract.domain, contract.task_id))
    if rubric is None or rubric.match(contract) == "stale":
        same = (
            item
            for (domain, _), item in rubrics.items()
            if domain == contract.domain and item.match(contract) != "stale"
        )
        rubric = next(same, rubric)
    return Coverage(contract, rubric, None if rubric is None else rubric.match(contract))


def _safe(name: str) -> str:
    kept = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._")[:80]
    if kept == name:
        return name
    return f"{kept}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
