"""How good is a grader? Its findings against labelled cases.

A finding is right when a violation sits at its turn and its mode is among the accepted ones. One
finding per violation counts; further ones on it, findings on tolerated turns, and cases whose
label is ambiguous count neither way. Protocol modes are scored apart. A rate whose denominator is
0 is `None`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from userproxybench.loaders.labelled import LabelledCase, Span, Violation
from userproxybench.models import FAMILIES, FAMILY_OF, MODES, PROTOCOL_MODES, Grade, Record
from userproxybench.stats import cohen_kappa, wilson_interval

Grader = Callable[[LabelledCase], Grade]
"""Grades one case; ungraded verdicts are allowed and are not findings."""


class Rate(Record):
    """A share with its counts and its Wilson interval at 95 %."""

    value: float | None
    """k / n; `None` when n is 0."""
    k: int
    """Numerator."""
    n: int
    """Denominator."""
    low: float | None = None
    """Lower end of the interval."""
    high: float | None = None
    """Upper end of the interval."""


class Scores(Record):
    """Error rates of one grader on one group of modes."""

    recall: Rate
    """Violations found, of those labelled."""
    precision: Rate
    """Right findings, of those that count."""


class Overall(Scores):
    """Error rates over the four families."""

    cases: int
    """Cases read."""
    scored: int
    """Cases whose label is certain enough."""
    clean_false_alarm_rate: Rate
    """Clean cases with at least one finding."""
    false_alarms_per_clean_case: float | None
    """Findings on clean cases, per clean case."""
    turn_accuracy: Rate
    """Findings of an accepted mode that sit at the right turn."""
    pairs: Rate
    """Pairs whose violating twin is caught and whose clean twin is not flagged."""
    traps: Rate
    """Named traps that were sprung; low is good."""
    outcome_kappa: float | None
    """Cohen's kappa between label and grader on "any violation?"."""
    episode_recall: Rate
    """Violating cases with at least one finding (sensitivity of f)."""
    ungraded: int
    """Verdicts without an answer."""


class Report(Record):
    """What `calibrate` prints and `--json` writes."""

    grader: str
    """Grader that was measured."""
    rubric_source: str
    """Rubric it answered."""
    files: tuple[str, ...]
    """Case files."""
    overall: Overall
    """The four families together."""
    families: dict[str, Scores]
    """Per family."""
    modes: dict[str, Scores]
    """Per mode: recall by labelled mode, precision by the mode of the finding."""
    protocol: Scores
    """The protocol modes together."""
    protocol_modes: dict[str, Scores]
    """Per protocol mode."""


@dataclass(frozen=True)
class Finding:
    """One thing a grader found at one turn."""

    turn: int
    mode: str
    quotation: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Mistake:
    """A miss, a false alarm, or a sprung trap, for `--errors`."""

    case: LabelledCase
    kind: str
    turn: int
    mode: str
    detail: str


@dataclass
class _Outcome:
    """How one case went, for one group of modes."""

    case: LabelledCase
    hits: list[tuple[Violation, Finding]] = field(default_factory=list)
    misses: list[Violation] = field(default_factory=list)
    alarms: list[Finding] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def calibrate(
    cases: Iterable[LabelledCase], grader: Grader, *, name: str, rubric_source: str
) -> tuple[Report, list[Mistake]]:
    """Grade the cases and score the grader against their labels."""
    graded = [(case, grader(case)) for case in cases]
    return score_grades(graded, name=name, rubric_source=rubric_source)


def score_grades(
    graded: Sequence[tuple[LabelledCase, Grade]], *, name: str, rubric_source: str
) -> tuple[Report, list[Mistake]]:
    """Score grades against the labels of their cases."""
    scored = [(case, grade) for case, grade in graded if not case.ambiguous]
    fidelity = [_match(case, findings_of(grade), protocol=False) for case, grade in scored]
    protocol = [_match(case, protocol_of(grade), protocol=True) for case, grade in scored]
    ungraded = sum(v.verdict == "ungraded" for _, grade in graded for v in grade.verdicts)
    report = Report(
        grader=name,
        rubric_source=rubric_source,
        files=tuple(dict.fromkeys(case.file for case, _ in graded)),
        overall=_overall(fidelity, cases=len(graded), ungraded=ungraded),
        families={family: _scores(fidelity, set(modes)) for family, modes in FAMILIES.items()},
        modes={mode: _scores(fidelity, {mode}) for mode in MODES},
        protocol=_scores(protocol, set(PROTOCOL_MODES)),
        protocol_modes={mode: _scores(protocol, {mode}) for mode in PROTOCOL_MODES},
    )
    return report, [*_mistakes(fidelity), *_mistakes(protocol)]


def findings_of(grade: Grade) -> list[Finding]:
    """The failures of a grade, one per turn and mode."""
    found = {
        (turn, verdict.mode): Finding(turn, verdict.mode, verdict.quotation, verdict.reason)
        for verdict in grade.verdicts
        if verdict.verdict == "fail" and verdict.turn is not None
        for turn in reversed((verdict.turn, *verdict.further_turns))
    }
    return [found[key] for key in sorted(found)]


def protocol_of(grade: Grade) -> list[Finding]:
    """The protocol notes of a grade, one per turn and mode."""
    notes = {(note.turn, note.mode): note for note in grade.protocol}
    return [
        Finding(turn, mode, note.quotation, note.reason)
        for (turn, mode), note in sorted(notes.items())
    ]


def _match(case: LabelledCase, findings: list[Finding], *, protocol: bool) -> _Outcome:
    """Pair findings with violations: each violation takes at most one finding."""
    outcome = _Outcome(case, findings=findings)
    mine = [v for v in case.violations if (v.family == "protocol") == protocol]
    for violation in mine:
        right = [f for f in findings if _is_right(f, violation)]
        right.sort(key=lambda finding: finding.mode != violation.mode)
        if right:
            outcome.hits.append((violation, right[0]))
        else:
            outcome.misses.append(violation)
    for finding in findings:
        explained = any(_is_right(finding, violation) for violation in case.violations)
        if not explained and not _covers(case.tolerated, finding):
            outcome.alarms.append(finding)
    return outcome


def _is_right(finding: Finding, violation: Violation) -> bool:
    accepted = (violation.mode, *violation.accept_modes)
    return finding.turn == violation.turn and finding.mode in accepted


def _covers(spans: Sequence[Span], finding: Finding) -> bool:
    return any(span.turn == finding.turn for span in spans)


def _scores(outcomes: list[_Outcome], modes: set[str]) -> Scores:
    hits = [pair for outcome in outcomes for pair in outcome.hits]
    found = sum(violation.mode in modes for violation, _ in hits)
    missed = sum(v.mode in modes for outcome in outcomes for v in outcome.misses)
    right = sum(finding.mode in modes for _, finding in hits)
    alarms = sum(f.mode in modes for outcome in outcomes for f in outcome.alarms)
    return Scores(recall=rate(found, found + missed), precision=rate(right, right + alarms))


def _overall(outcomes: list[_Outcome], *, cases: int, ungraded: int) -> Overall:
    every = _scores(outcomes, set(FAMILY_OF))
    clean = [o for o in outcomes if o.case.verdict == "clean"]
    flagged = sum(bool(o.alarms) for o in clean)
    alarms = sum(len(o.alarms) for o in clean)
    guilty = [o for o in outcomes if o.hits or o.misses]
    return Overall(
        recall=every.recall,
        precision=every.precision,
        cases=cases,
        scored=len(outcomes),
        clean_false_alarm_rate=rate(flagged, len(clean)),
        false_alarms_per_clean_case=alarms / len(clean) if clean else None,
        turn_accuracy=_turn_accuracy(outcomes),
        pairs=_pairs(outcomes),
        traps=_traps(outcomes),
        outcome_kappa=_kappa(outcomes),
        episode_recall=rate(sum(bool(o.hits or o.alarms) for o in guilty), len(guilty)),
        ungraded=ungraded,
    )


def _turn_accuracy(outcomes: list[_Outcome]) -> Rate:
    right = sum(len(outcome.hits) for outcome in outcomes)
    wrong = 0
    for outcome in outcomes:
        wanted = {mode for v in outcome.misses for mode in (v.mode, *v.accept_modes)}
        wrong += sum(finding.mode in wanted for finding in outcome.alarms)
    return rate(right, right + wrong)


def _pairs(outcomes: list[_Outcome]) -> Rate:
    by_key = {(o.case.file, o.case.id): o for o in outcomes}
    caught = total = 0
    for outcome in outcomes:
        twin = by_key.get((outcome.case.file, outcome.case.pair or ""))
        if twin is None or not (outcome.hits or outcome.misses) or twin.case.verdict != "clean":
            continue
        total += 1
        caught += bool(outcome.hits) and not twin.alarms
    return rate(caught, total)


def _traps(outcomes: list[_Outcome]) -> Rate:
    traps = sprung = 0
    for outcome in outcomes:
        for trap in outcome.case.must_not_flag:
            traps += 1
            sprung += any(_springs(finding, trap) for finding in outcome.findings)
    return rate(sprung, traps)


def _springs(finding: Finding, trap: Span) -> bool:
    return finding.turn == trap.turn and (not trap.modes or finding.mode in trap.modes)


def _kappa(outcomes: list[_Outcome]) -> float | None:
    if not outcomes:
        return None
    table = Counter((bool(o.hits or o.misses), bool(o.hits or o.alarms)) for o in outcomes)
    label = [truth for (truth, _), count in table.items() for _ in range(count)]
    answer = [said for (_, said), count in table.items() for _ in range(count)]
    return cohen_kappa(label, answer).estimate


def _mistakes(outcomes: list[_Outcome]) -> list[Mistake]:
    found: list[Mistake] = []
    for outcome in outcomes:
        case = outcome.case
        found.extend(
            Mistake(case, "missed", v.turn, v.mode, v.why or v.evidence) for v in outcome.misses
        )
        for alarm in outcome.alarms:
            trap = any(_springs(alarm, span) for span in case.must_not_flag)
            kind = "trap sprung" if trap else "false alarm"
            found.append(Mistake(case, kind, alarm.turn, alarm.mode, alarm.reason))
    return found


def rate(k: int, n: int) -> Rate:
    """Share of k in n with its Wilson interval."""
    if n == 0:
        return Rate(value=None, k=k, n=0)
    interval = wilson_interval(k, n)
    return Rate(value=k / n, k=k, n=n, low=interval.low, high=interval.high)
