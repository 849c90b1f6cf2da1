"""The score of one episode follows from its verdicts by hand."""

import time

import pytest

from userproxybench import scoring
from userproxybench.models import FAMILY_OF, MODES, Family, Outcome, Verdict

SHORT: dict[str, Family] = {
    "g": "groundedness",
    "d": "premature_disclosure",
    "o": "goal_deviation",
    "m": "missed_information",
}
WORD: dict[str, Outcome] = {"+": "pass", "-": "fail", "n": "not_applicable", "?": "ungraded"}


def outcomes(**by_family: str) -> list[tuple[Family, Outcome]]:
    return [(SHORT[key], WORD[mark]) for key, marks in by_family.items() for mark in marks]


@pytest.mark.parametrize(
    ("given", "fidelity", "status", "applicable", "failed"),
    [
        pytest.param({}, None, "unscorable", 0, 0, id="no criterion"),
        pytest.param({"g": "nn"}, None, "unscorable", 0, 0, id="nothing applies"),
        pytest.param({"g": "+n"}, 1, "scored", 1, 0, id="one pass"),
        pytest.param({"g": "++", "d": "-"}, 0, "scored", 3, 1, id="one fail among passes"),
        pytest.param({"g": "--"}, 0, "scored", 2, 2, id="all fail"),
        pytest.param({"g": "-?"}, 0, "scored", 1, 1, id="a fail decides despite an ungraded"),
        pytest.param({"g": "+?"}, None, "ungraded", 1, 0, id="a pass does not beside an ungraded"),
        pytest.param({"g": "?"}, None, "ungraded", 0, 0, id="only ungraded"),
        pytest.param({"g": "?n"}, None, "ungraded", 0, 0, id="ungraded and not applicable"),
    ],
)
def test_fidelity_and_status_follow_the_rule(
    given: dict[str, str], fidelity: int | None, status: str, applicable: int, failed: int
) -> None:
    got = scoring.score_outcomes(outcomes(**given))
    assert (got.fidelity, got.status, got.n_applicable, got.n_failed) == (
        fidelity,
        status,
        applicable,
        failed,
    )


@pytest.mark.parametrize(
    ("given", "bounds"),
    [
        pytest.param({"g": "+"}, (1, 1), id="faithful"),
        pytest.param({"g": "-?"}, (0, 0), id="failed"),
        pytest.param({"g": "+?"}, (0, 1), id="open"),
        pytest.param({"g": "n"}, None, id="unscorable has none"),
    ],
)
def test_bounds_span_every_answer_the_ungraded_could_have(
    given: dict[str, str], bounds: tuple[int, int] | None
) -> None:
    assert scoring.score_outcomes(outcomes(**given)).bounds == bounds


def test_each_family_has_its_own_outcome() -> None:
    got = scoring.score_outcomes(outcomes(g="+n", d="+-", o="n", m="+?"))
    assert got.families == {
        "groundedness": "passed",
        "premature_disclosure": "failed",
        "goal_deviation": "not_applicable",
        "missed_information": None,
    }


def test_variants_drop_or_keep_families() -> None:
    got = scoring.score_outcomes(outcomes(g="+", d="-", m="?"))
    assert got.variants == {
        "without_groundedness": 0,
        "without_premature_disclosure": None,
        "without_goal_deviation": 0,
        "without_missed_information": 0,
        "disclosure_only": 0,
    }
    assert scoring.score_outcomes(outcomes(d="+")).variants["without_premature_disclosure"] is None


@pytest.mark.parametrize(
    ("given", "fraction"),
    [
        pytest.param({"g": "+++", "d": "-n"}, 0.75, id="three of four"),
        pytest.param({"g": "n"}, None, id="none applies"),
        pytest.param({"g": "+?"}, None, id="one ungraded"),
    ],
)
def test_fraction_counts_applicable_criteria(given: dict[str, str], fraction: float | None) -> None:
    assert scoring.score_outcomes(outcomes(**given)).fraction == fraction


def test_an_episode_without_verdicts_is_open_or_left_out_but_never_faithful() -> None:
    failed, empty = scoring.unscored("ungraded"), scoring.unscored("unscorable")
    assert (failed.fidelity, failed.bounds) == (None, (0, 1))
    assert (empty.fidelity, empty.bounds) == (None, None)
    assert set(failed.families.values()) == {None}


def test_verdict_records_score_like_bare_outcomes() -> None:
    mode = MODES[0]
    verdict = Verdict(criterion_id="c1", family=FAMILY_OF[mode], mode=mode, verdict="pass")
    assert scoring.score([verdict]) == scoring.score_outcomes([(FAMILY_OF[mode], "pass")])


def test_mean_leaves_undefined_episodes_out_of_n() -> None:
    assert scoring.mean([1, 0, None, 1]) == pytest.approx(2 / 3)
    assert scoring.mean([None]) is None
    assert scoring.mean([]) is None


def test_three_thousand_episodes_score_in_well_under_a_second() -> None:
    given = outcomes(g="++n", d="+-", o="+", m="n")
    start = time.perf_counter()
    for _ in range(3000):
        scoring.score_outcomes(given)
    assert time.perf_counter() - start < 0.5
