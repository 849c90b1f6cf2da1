"""Rubrics written by models for tasks that have none, kept as files so that none is paid twice."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from userproxybench import verification
from userproxybench.blinding import Names
from userproxybench.generation import (
    RubricFailure,
    RubricTask,
    Writer,
    write_rubric,
    write_rubrics,
)
from userproxybench.llm import LanguageModel
from userproxybench.models import Contract, Criterion, Rubric
from userproxybench.models.exchange import Reply
from userproxybench.prompting import prompt_file
from userproxybench.replies import Review
from userproxybench.store import read_rubric, rubric_places, save_rubric

KeepReply = Callable[[str, str, Reply], None]
"""Puts a raw reply on disk: (key, role, reply)."""


@dataclass(frozen=True)
class Authors:
    """The two models that make a rubric."""

    generator: LanguageModel
    """Writes it."""
    verifier: LanguageModel
    """Reads it a second time."""
    names: Names = field(default_factory=Names)
    """Names that neither may see."""

    @property
    def instrument(self) -> dict[str, object]:
        """Everything about them that may move a verdict."""
        names = {"generate", "repair_generation", *verification.PROMPTS}
        return {
            "generator": dict(self.generator.identity),
            "verifier": dict(self.verifier.identity),
            "rubric_prompts": {name: prompt_file(name).hash for name in sorted(names)},
        }


class Written(NamedTuple):
    """What came of writing rubrics."""

    rubrics: tuple[Rubric, ...]
    """One for each task that has one now."""
    failures: tuple[RubricFailure, ...]
    """Tasks that have none, and why."""
    reused: int
    """Rubrics that were on file."""


def write_missing(
    tasks: Sequence[RubricTask],
    *,
    authors: Authors,
    folder: Path,
    keep: KeepReply,
    jobs: int = 8,
    on_progress: Callable[[int], None] | None = None,
) -> Written:
    """A rubric for every task: from `folder` where these authors wrote it, else newly written.

    Each is saved before it counts. Tasks whose users are told the same share one.
    """
    distinct = {(task.contract.domain, task.contract.hash): task for task in reversed(tasks)}
    pairs = [
        (task, _on_file(task.contract, authors, folder)) for task in reversed(distinct.values())
    ]
    found = [rubric for _, rubric in pairs if rubric is not None]
    missing = [task for task, rubric in pairs if rubric is None]

    def write(task: RubricTask) -> Rubric:
        key = task.contract.hash
        second = functools.partial(_read_second, authors=authors, keep=functools.partial(keep, key))
        writer = Writer(
            generator=authors.generator,
            verify=second,
            names=authors.names,
            keep=functools.partial(keep, key, "generator"),
        )
        rubric = _signed(write_rubric(task, writer), authors)
        save_rubric(folder, rubric, beside_others=True)
        return rubric

    failures = []
    written = []
    for count, result in enumerate(write_rubrics(missing, write=write, jobs=jobs), start=1):
        if isinstance(result, RubricFailure):
            failures.append(result)
        else:
            written.append(result)
        if on_progress is not None:
            on_progress(count)
    return Written((*found, *written), tuple(failures), len(found))


def _read_second(
    contract: Contract,
    criteria: Sequence[Criterion],
    kept: Sequence[Criterion],
    *,
    authors: Authors,
    keep: Callable[[str, Reply], None],
) -> Review:
    return verification.verify(
        contract,
        criteria,
        kept,
        verifier=authors.verifier,
        names=authors.names,
        keep=functools.partial(keep, "verifier"),
    )


def _signed(rubric: Rubric, authors: Authors) -> Rubric:
    hashes = {name: prompt_file(name).hash for name in verification.PROMPTS}
    provenance = rubric.provenance.model_copy(
        update={
            "verifier": authors.verifier.name,
            "prompt_hashes": {**rubric.provenance.prompt_hashes, **hashes},
        }
    )
    return rubric.model_copy(update={"provenance": provenance})


def _on_file(contract: Contract, authors: Authors, folder: Path) -> Rubric | None:
    for path in rubric_places(folder, contract):
        rubric = read_rubric(path) if path.exists() else None
        if rubric is not None and rubric.contract_hash == contract.hash:
            by = rubric.provenance
            same = (by.generator, by.verifier) == (authors.generator.name, authors.verifier.name)
            current = all(prompt_file(name).hash == at for name, at in by.prompt_hashes.items())
            return rubric if same and current else None
    return None
