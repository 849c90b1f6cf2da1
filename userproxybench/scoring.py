"""Verdicts → the score of one episode. Arithmetic only.

A pass and a fail are applicable; `not_applicable` and `ungraded` are not, and an `ungraded` is
never taken for either. The same rule scores the whole rubric, one family, and each variant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from userproxybench.models import FAMILIES, Family, Outcome, Verdict

Status = Literal["scored", "unscorable", "ungraded"]
"""`unscorable`: nothing applied. `ungraded`: no failure seen, but not everything was answered."""
FamilyOutcome = Literal["failed", "passed", "not_applicable"]
Variant = Literal[
    "without_groundedness",
    "without_premature_disclosure",
    "without_goal_deviation",
    "without_missed_information",
    "disclosure_only",
]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
"""Readings of UFS that keep only some families; `without_premature_disclosure` is the paper's."""

VARIANT_FAMILIES: Mapping[Variant, frozenset[Family]] = MappingProxyType(
    {
        "without_groundedness": frozenset(FAMILIES) - {"groundedness"},
        "without_premature_disclosure": frozenset(FAMILIES) - {"premature_disclosure"},
        "without_goal_deviation": frozenset(FAMILIES) - {"goal_deviation"},
        "without_missed_information": frozenset(FAMILIES) - {"missed_information"},
        "disclosure_only": frozenset({"premature_disclosure"}),
    }
)
"""The families that each variant keeps."""


class Tally(NamedTuple):
    """How many criteria ended how; those that did not apply are left out."""

    passed: int = 0
    failed: int = 0
    ungraded: int = 0

    def __add__(self, other: object) -> Tally:
        """Sum of two tallies, member by member."""
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(
            self.passed + other.passed,
            self.failed + other.failed,
            self.ungraded + other.ungraded,
        )


@dataclass(frozen=True, slots=True)
class EpisodeScore:
    """What the verdicts on one episode come to."""

    fidelity: int | None
    """f_i: 1 all applicable criteria pass, 0 one fails, `None` undefined (see `status`)."""
    status: Status
    """Whether `fidelity` is defined, and if not, why."""
    n_applicable: int
    """Criteria that passed or failed."""
    n_failed: int
    """Criteria that failed."""
    n_ungraded: int
    """Criteria without an answer."""
    families: Mapping[Family, FamilyOutcome | None]
    """Outcome per family; `None` where an ungraded criterion leaves it open."""
    tallies: Mapping[Family, Tally]
    """How many criteria of each family ended how."""

    @property
    def variants(self) -> dict[Variant, int | None]:
        """f_i with only the families of each variant counted."""
        return variants(self.tallies)

    @property
    def fraction(self) -> float | None:
        """Share of applicable criteria that pass; `None` when none applies or one is ungraded."""
        return fraction(_total(self.tallies.values()))

    @property
    def bounds(self) -> tuple[int, int] | None:
        """f_i with every ungraded criterion taken as fail, as pass; `None` when unscorable."""
        if self.status == "unscorable":
            return None
        return (0, 1) if self.fidelity is None else (self.fidelity, self.fidelity)


_OUTCOME = itemgetter("family", "verdict")


def score(verdicts: Iterable[Verdict]) -> EpisodeScore:
    """The score of one episode from all its verdicts, one per criterion."""
    return score_outcomes(map(_OUTCOME, map(vars, verdicts)))


def score_outcomes(outcomes: Iterable[tuple[Family, Outcome]]) -> EpisodeScore:
    """`score` on bare (family, outcome) pairs."""
    tallies = _tallies(outcomes)
    total = _total(tallies.values())
    return EpisodeScore(
        fidelity=fidelity(total),
        status=status(total),
        n_applicable=total.passed + total.failed,
        n_failed=total.failed,
        n_ungraded=total.ungraded,
        families={family: family_outcome(tally) for family, tally in tallies.items()},
        tallies=tallies,
    )


def unscored(why: Literal["unscorable", "ungraded"]) -> EpisodeScore:
    """The score of an episode without verdicts.

    `ungraded` when the grader failed on it as a whole, `unscorable` when there was nothing to
    grade (the conversation never took place, or no criterion was written).
    """
    outcome: FamilyOutcome | None = "not_applicable" if why == "unscorable" else None
    return EpisodeScore(
        fidelity=None,
        status=why,
        n_applicable=0,
        n_failed=0,
        n_ungraded=0,
        families=dict.fromkeys(FAMILIES, outcome),
        tallies=dict.fromkeys(FAMILIES, Tally()),
    )


def fidelity(tally: Tally) -> int | None:
    """f_i of a set of criteria: 0 on any fail, 1 on passes alone, `None` otherwise."""
    if tally.failed:
        return 0
    return 1 if tally.passed and not tally.ungraded else None


def status(tally: Tally) -> Status:
    """Whether `fidelity` is defined, and if not, whether for want of criteria or of answers."""
    if fidelity(tally) is not None:
        return "scored"
    return "ungraded" if tally.ungraded else "unscorable"


def family_outcome(tally: Tally) -> FamilyOutcome | None:
    """Outcome of one family; `None` where an ungraded criterion leaves it open."""
    value = fidelity(tally)
    if value is not None:
        return "passed" if value else "failed"
    return None if tally.ungraded else "not_applicable"


def variants(tallies: Mapping[Family, Tally]) -> dict[Variant, int | None]:
    """f_i under each variant, from the tally of each family."""
    return {
        name: fidelity(_total(tallies[family] for family in kept))
        for name, kept in VARIANT_FAMILIES.items()
    }


def fraction(tally: Tally) -> float | None:
    """Share of applicable criteria that pass; `None` when none applies or one is ungraded."""
    applicable = tally.passed + tally.failed
    return tally.passed / applicable if applicable and not tally.ungraded else None


def mean(values: Sequence[int | None]) -> float | None:
    """UFS: mean over the defined values; `None` when there is none."""
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def _total(tallies: Iterable[Tally]) -> Tally:
    return Tally(*map(sum, zip(*tallies, strict=True)))


def _tallies(outcomes: Iterable[tuple[Family, Outcome]]) -> dict[Family, Tally]:
    count = Counter(outcomes).get
    return {
        family: Tally(
            count((family, "pass"), 0), count((family, "fail"), 0), count((family, "ungraded"), 0)
        )
        for family in FAMILIES
    }
