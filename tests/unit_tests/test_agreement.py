from tests.unit_tests.test_rates import result_of
from userproxybench.unit_tests.agreement import agreement_table, label_agreement
from userproxybench.unit_tests.running import UnitResult


def test_agreement_counts_what_was_decided_and_what_was_wrong() -> None:
    labels = {"a": "yes", "b": "yes", "c": "n/a", "d": "no"}
    given = [
        result_of("yes", "a"),
        result_of("ungraded", "b"),
        result_of("no", "c"),
        result_of("no", "d"),
    ]

    def label(each: UnitResult) -> str | None:
        return labels.get(each.scenario)

    (found,) = label_agreement([*given, result_of("yes", "unlabelled")], label)  # type: ignore[arg-type]  # literals
    assert (found.applicable, found.decided, found.agreed, found.false_no) == (3, 2, 2, 1)
    assert (found.decided_share, found.agreed_share) == (2 / 3, 1.0)
    assert agreement_table([found]).rows[0][4] == "66.7% (2 of 3)"


def test_no_labels_no_agreement() -> None:
    assert label_agreement([result_of("yes")], lambda each: None) == []
