"""Audit recorded conversations: load → rubric → grade → score → tabulate, in one call.

`userproxybench.audit(paths)` is everything that the command `userproxybench audit` does, less the
printing. This module imports nothing heavy; the work is in `running`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from userproxybench.analysis.summary import Summary
    from userproxybench.audit.judges import Judges
    from userproxybench.models import Mode

__all__ = ["Audit", "audit"]


@dataclass(frozen=True, repr=False)
class Audit:
    """What one audit found. Missing values are missing, never 0."""

    episodes: pd.DataFrame
    """One row per trajectory (columns: `tables.EPISODE_DTYPES`)."""
    verdicts: pd.DataFrame
    """One row per criterion and trajectory (columns: `tables.VERDICT_DTYPES`)."""
    summary: Summary
    """The content of `summary.json`."""
    protocol: pd.DataFrame
    """One row per protocol fault: episode_id, mode, turn, quotation, reason."""
    problems: tuple[str, ...] = ()
    """One line for each input, or item of one, that could not be read."""
    passed_over: tuple[str, ...] = ()
    """Files in the given folders that are no dumps."""
    notes: tuple[str, ...] = ()
    """What had to be assumed, with how often."""
    unjudged: Mapping[str, int] = field(default_factory=dict)
    """Why episodes have no score, and how many."""
    uncovered: tuple[Mode, ...] = ()
    """Modes that this instrument never looks at."""
    reused: int = 0
    """Episodes whose verdicts were already in the run folder."""
    out: Path | None = None
    """The run folder, where one was written."""
    warnings: tuple[str, ...] = ()
    """What was asked for and had no effect."""

    def __repr__(self) -> str:
        """A few lines: counts and scores; the frames and `summary` have the rest."""
        counts, proxies = self.summary.counts, self.summary.proxies
        scores = "".join(
            f"\n  {each.proxy[:60]}: UFS {'unknown' if each.ufs is None else f'{each.ufs:.2f}'} "
            f"({each.scored} of {each.episodes} episodes scored)"
            for each in proxies[:8]
        )
        more = f"\n  and {len(proxies) - 8} more proxies" if len(proxies) > 8 else ""
        return (
            f"Audit({self.summary.grader} on {self.summary.rubric_source} rubrics, "
            f"{counts.episodes} episodes, {counts.verdicts} verdicts, "
            f"{len(self.problems)} problems){scores}{more}"
        )


def audit(  # noqa: PLR0913  # keyword-only, one per flag of the command
    paths: str | Path | Sequence[str | Path],
    *,
    out: str | Path | None = None,
    rubrics: str | None = None,
    grader: str | Judges = "rules",
    generator: str | None = None,
    verifier: str | None = None,
    budget: float | None = None,
    jobs: int | None = None,
    proxies: Mapping[str, str] | Sequence[tuple[str, str]] = (),
    guidelines: str | None = None,
    strict: bool = False,
    partial: bool = False,
    calibration: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Audit dumps and folders of dumps.

    Args:
        paths: Files or folders; folders are read recursively, `.gz` is read.
        out: Run folder to write; one that the same instrument made is continued.
        rubrics: `derived` (the default of rules), `library` (of models), `generic`, `generate`, or
            the path of a rubric folder.
        grader: `rules` needs no key; `MODEL` as litellm names it; `rules+MODEL`; or made models.
        generator: Model that writes rubrics, for `generate`.
        verifier: Model that reads them a second time.
        budget: Ceiling in dollars for all models together.
        jobs: Processes of rules (default 1), or calls of a model in flight (default 8).
        proxies: Proxy names for inputs that do not name theirs: name → glob over file names.
        guidelines: Text of the simulator guidelines, for dumps that do not record it.
        strict: Stop at the first input that cannot be read; otherwise it is one line of `problems`.
        partial: Audit a run folder whose index and files disagree, as far as it goes.
        calibration: What `calibrate --json` printed for this grader and rubric source; adds a
            corrected UFS to the summary.
        progress: Called with (done, in all).

    Raises:
        InputError: nothing could be read, or with `strict` something could not.
        ModelError: the model cannot be reached or refuses us; what is on file stays there.
    """
    from userproxybench.audit.running import Request, run_model, run_rules
    from userproxybench.loaders import LoadOptions

    given = [paths] if isinstance(paths, str | Path) else list(paths)
    request = Request(
        paths=tuple(Path(path) for path in given),
        out=None if out is None else Path(out),
        rubrics=rubrics,
        jobs=jobs,
        options=LoadOptions(
            proxies=tuple(proxies.items() if isinstance(proxies, Mapping) else proxies),
            guidelines=guidelines,
            strict=strict,
            partial=partial,
        ),
        progress=progress,
        calibration=None if calibration is None else Path(calibration),
    )
    if grader == "rules":
        return run_rules(request)
    if isinstance(grader, str):
        from userproxybench.audit.judges import judges_named

        grader = judges_named(
            grader, generator=generator, verifier=verifier, budget=budget, jobs=jobs or 8
        )
    return run_model(request, grader)
