import pytest

from tests.builders import BLUEPRINT, contract, rubric
from userproxybench.models import Blueprint, Contract
from userproxybench.store import coverage

OTHER_TEXT = Blueprint(task_instructions="Insist on a refund.")


@pytest.mark.parametrize(
    ("under", "match"),
    [
        (contract(), "exact"),
        (contract(guidelines="Play the user."), "task"),
        (contract(task_id="cancel-again"), "exact"),
        (contract(task_id="cancel-again", guidelines="Play the user."), "task"),
        (contract(blueprint=OTHER_TEXT), "stale"),
        (contract(task_id="cancel-again", blueprint=OTHER_TEXT), None),
        (contract(domain="travel"), None),
    ],
    ids=[
        "same contract",
        "other guidelines",
        "another task that reads the same",
        "another task that reads the same under other guidelines",
        "task reads differently now",
        "another task",
        "same text in another domain",
    ],
)
def test_coverage_goes_by_what_the_user_was_told(under: Contract, match: str | None) -> None:
    written = rubric(task_hash=BLUEPRINT.hash)
    found = coverage({(written.domain, written.task_id): written}, under)
    assert found.match == match
    assert found.stale == (match == "stale")
    assert found.rubric == (written if match else None)
