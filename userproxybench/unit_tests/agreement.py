"""How far answers agree with labels that a person gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Literal

from userproxybench.accord.rules import TESTS, TestName
from userproxybench.accord.tables import TextTable
from userproxybench.models import Record
from userproxybench.unit_tests.running import UnitResult

Label = Literal["yes", "no", "n/a"]


class LabelAgreement(Record):
    """One test against its labels."""

    test: TestName
    """Which test."""
    labels: dict[str, int]
    """Turns by label."""
    applicable: int
    """Turns labelled yes or no."""
    decided: int
    """Of these, turns with an answer."""
    agreed: int
    """Of these, turns with the labelled answer."""
    false_no: int
    """Turns not labelled no that are answered no."""
    not_applicable_agreed: int
    """Turns labelled n/a that are answered n/a."""

    @property
    def decided_share(self) -> float | None:
        """Decided, of the turns labelled yes or no."""
        return self.decided / self.applicable if self.applicable else None

    @property
    def agreed_share(self) -> float | None:
        """Agreed, of those decided."""
        return self.agreed / self.decided if self.decided else None


def label_agreement(
    tested: Iterable[UnitResult], label: Callable[[UnitResult], Label | None]
) -> list[LabelAgreement]:
    """Agreement per test, over the answers that `label` knows a label for."""
    pairs: dict[TestName, Counter[tuple[str, str]]] = {test: Counter() for test in TESTS}
    for each in tested:
        given = label(each)
        if given is not None:
            pairs[each.test][given, each.outcome] += 1
    return [_agreement(test, pairs[test]) for test in TESTS if pairs[test]]


def _agreement(test: TestName, pairs: Counter[tuple[str, str]]) -> LabelAgreement:
    labels: Counter[str] = Counter()
    for (given, _), count in pairs.items():
        labels[given] += count
    applicable = labels["yes"] + labels["no"]
    open_ = pairs["yes", "ungraded"] + pairs["no", "ungraded"]
    return LabelAgreement(
        test=test,
        labels=dict(labels),
        applicable=applicable,
        decided=applicable - open_,
        agreed=pairs["yes", "yes"] + pairs["no", "no"],
        false_no=pairs["yes", "no"] + pairs["n/a", "no"],
        not_applicable_agreed=pairs["n/a", "n/a"],
    )


def agreement_table(found: Iterable[LabelAgreement]) -> TextTable:
    """One row per test."""
    header = ("Test", "yes", "no", "n/a", "decided", "agreed of decided", "false no", "n/a agreed")
    rows = tuple(
        (
            each.test,
            *(str(each.labels.get(label, 0)) for label in ("yes", "no", "n/a")),
            _share(each.decided, each.applicable),
            _share(each.agreed, each.decided),
            str(each.false_no),
            _share(each.not_applicable_agreed, each.labels.get("n/a", 0)),
        )
        for each in found
    )
    return TextTable("Agreement with the labels", header, rows)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%} ({part} of {whole})" if whole else "-"
