"""Where instruments, people and earlier reviews differ on the same conversations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from userproxybench.models import Grade, Verdict
from userproxybench.report import findings
from userproxybench.report.findings import Finding
from userproxybench.report.material import Material, Reading
from userproxybench.stats import Agreement, cohen_kappa

Kind = Literal["only_main", "only_other", "criterion"]


@dataclass(frozen=True)
class Difference:
    """One place where two differ."""

    other: int
    """Which comparison."""
    episode_id: str
    """The episode."""
    kind: Kind
    """A finding that only one has, or one criterion answered differently."""
    turn: int | None
    """Message index."""
    what: str
    """Mode or tags."""
    main: str
    """What the main instrument says."""
    others: str
    """What the other says."""


@dataclass(frozen=True)
class Comparison:
    """The main instrument against one other."""

    name: str
    """The other."""
    both: int
    """Episodes that both judged."""
    table: Mapping[tuple[bool, bool], int]
    """Episodes by (violation for the main one, violation for the other)."""
    agreement: Agreement | None
    """Cohen's kappa on "any violation?"; `None` where the other names violations only."""
    shared: int
    """Findings at a turn that both name."""
    only_main: int
    """Findings of the main instrument alone."""
    only_other: int
    """Findings of the other alone."""
    criteria: Mapping[tuple[str, str], int]
    """Answers to the same criteria, by (main, other)."""
    differences: tuple[Difference, ...]
    """Each place where they differ."""
    note: str = ""
    """What must be known about the other."""

    @property
    def criteria_alike(self) -> int:
        """Criteria answered alike."""
        return sum(count for (one, two), count in self.criteria.items() if one == two)


@dataclass(frozen=True)
class _Pair:
    """Both views of one episode."""

    episode_id: str
    main: tuple[Finding, ...]
    other: tuple[Finding, ...]
    answers: tuple[tuple[Verdict, Verdict], ...] = ()


def comparisons(material: Material) -> list[Comparison]:
    """The main instrument against every other view of the same episodes."""
    sources: list[tuple[str, list[_Pair], bool, str]] = [
        (reading.name, list(_graders(material, reading)), True, "") for reading in material.others
    ]
    if material.labels:
        note = "uncertain labels are left out; findings at tolerated turns count neither way"
        sources.append((findings.PEOPLE, list(_people(material)), True, note))
    reviewed = list(_reviewed(material))
    if reviewed:
        note = (
            "only episodes with a recorded finding: a dump does not tell a review without findings "
            "from no review"
        )
        sources.append((findings.REVIEW, reviewed, False, note))
    return [
        _compared(at, name, pairs, complete, note)
        for at, (name, pairs, complete, note) in enumerate(sources)
    ]


def _graders(material: Material, reading: Reading) -> Iterator[_Pair]:
    hashes = {one.id: one.contract_hash for one in material.trajectories}
    for episode_id, grade in material.main.grades.items():
        other = reading.grades.get(episode_id)
        if other is None or not (_answered(grade) and _answered(other)):
            continue
        contract_hash = hashes.get(episode_id, "")
        ours, theirs = material.main.criteria(contract_hash), reading.criteria(contract_hash)
        same = {key for key, item in ours.items() if _same(item, theirs.get(key))}
        answers = {one.criterion_id: one for one in other.verdicts if one.criterion_id in same}
        yield _Pair(
            episode_id,
            findings.of_grade(grade),
            findings.of_grade(other),
            tuple(
                (one, answers[one.criterion_id])
                for one in grade.verdicts
                if one.criterion_id in answers
            ),
        )


def _same(one: object, two: object) -> bool:
    statements = [getattr(item, "statement", None) for item in (one, two)]
    return statements[0] is not None and statements[0] == statements[1]


def _answered(grade: Grade) -> bool:
    return any(verdict.verdict in ("pass", "fail") for verdict in grade.verdicts)


def _people(material: Material) -> Iterator[_Pair]:
    for episode_id, labels in material.labels.items():
        grade = material.main.grades.get(episode_id)
        if grade is not None and labels.certain and _answered(grade):
            ours = findings.untolerated(findings.of_grade(grade), labels)
            yield _Pair(episode_id, ours, findings.of_labels(labels))


def _reviewed(material: Material) -> Iterator[_Pair]:
    for trajectory in material.trajectories:
        grade = material.main.grades.get(trajectory.id)
        if grade is not None and trajectory.review and _answered(grade):
            yield _Pair(trajectory.id, findings.of_grade(grade), findings.of_review(trajectory))


def _compared(at: int, name: str, pairs: list[_Pair], complete: bool, note: str) -> Comparison:
    ours = [bool(pair.main) for pair in pairs]
    theirs = [bool(pair.other) for pair in pairs]
    only_main = sum(len(_alone(pair.main, pair.other)) for pair in pairs)
    return Comparison(
        name=name,
        both=len(pairs),
        table=Counter(zip(ours, theirs, strict=True)),
        agreement=cohen_kappa(ours, theirs) if complete else None,
        shared=sum(len(pair.main) for pair in pairs) - only_main,
        only_main=only_main,
        only_other=sum(len(_alone(pair.other, pair.main)) for pair in pairs),
        criteria=Counter((one.verdict, two.verdict) for pair in pairs for one, two in pair.answers),
        differences=tuple(one for pair in pairs for one in _differences(at, pair)),
        note=note,
    )


def _alone(mine: Iterable[Finding], theirs: Iterable[Finding]) -> list[Finding]:
    """Findings at turns where the other has none."""
    others = tuple(theirs)
    return [one for one in mine if not any(one.meets(other) for other in others)]


def _differences(at: int, pair: _Pair) -> Iterator[Difference]:
    """Criteria answered differently, then findings that only one has."""
    told = {one.criterion_id for one, two in pair.answers if one.verdict != two.verdict}
    for one, two in pair.answers:
        if one.criterion_id in told:
            turn = one.turn if one.turn is not None else two.turn
            main, other = (f"{each.verdict}: {each.reason}".rstrip(": ") for each in (one, two))
            yield Difference(at, pair.episode_id, "criterion", turn, one.mode, main, other)
    for finding in _alone(pair.main, pair.other):
        if finding.criterion not in told:
            what = ", ".join(finding.what)
            says = finding.reason or what
            yield Difference(at, pair.episode_id, "only_main", finding.turn, what, says, "")
    for finding in _alone(pair.other, pair.main):
        if finding.criterion not in told:
            what = ", ".join(finding.what)
            says = finding.reason or what
            yield Difference(at, pair.episode_id, "only_other", finding.turn, what, "", says)
