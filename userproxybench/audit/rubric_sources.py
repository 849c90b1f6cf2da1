"""Where the rubric of a task comes from, by the name of the source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from userproxybench import rules
from userproxybench.errors import InputError
from userproxybench.models import Contract, Rubric
from userproxybench.store import coverage, data_folder, load_rubrics

RubricOf = Callable[[Contract], Rubric | None]
"""The rubric of a task, or `None` where there is none that fits."""

GENERATE = "generate"
"""The source in which models write the rubrics."""


def rubric_source(name: str, *, by_rules: bool) -> RubricOf:
    """`derived`, `generic`, `library`, or a rubric folder.

    Raises:
        InputError: rules cannot answer criteria from that source.
    """
    if name == "derived":
        return rules.derive
    if by_rules and name in ("generic", GENERATE):
        raise InputError(
            f"`rubrics`: {name!r} criteria are for model graders. Add `--grader MODEL`, or use "
            "'derived', 'library' or a rubric folder"
        )
    if name == "generic":
        return rules.generic
    known = load_rubrics(data_folder("rubrics") if name == "library" else Path(name))

    def written(contract: Contract) -> Rubric | None:
        found = coverage(known, contract)
        if found.rubric is None or found.match == "stale":
            return None
        return found.rubric.under(contract).model_copy(update={"source": name})

    return written
