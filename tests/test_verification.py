from __future__ import annotations

import json

import pytest

from tests.builders import contract, criterion, rubric
from userproxybench.blinding import Names
from userproxybench.llm import ScriptedModel
from userproxybench.models import Grounding, RubricCheck
from userproxybench.replies import READ_CHECKS
from userproxybench.verification import verified, verify

BOUND = contract()
LOST = criterion("c9", grounding=Grounding.of("persona", "not in this contract", 0, 20))


def review(name: str, failed: str = "") -> dict[str, object]:
    checks: dict[str, object] = {check: check != failed for check in READ_CHECKS}
    return {"criterion": name, "reason": f"{failed} is missing", **checks}


@pytest.mark.parametrize("check", READ_CHECKS)
def test_each_check_can_reject(check: RubricCheck) -> None:
    model = ScriptedModel([json.dumps({"reviews": [review("c1"), review("c2", check)]})])
    found = verify(
        BOUND,
        [criterion("c1"), criterion("c2")],
        verifier=model,
        names=Names(),
        keep=lambda reply: None,
    )
    assert [item.id for item in found.kept] == ["c1"]
    assert [(item.failed, item.reason) for item in found.rejected] == [
        (check, f"{check} is missing")
    ]


def test_criterion_without_its_span_is_not_sent() -> None:
    model = ScriptedModel(["never asked"])
    found = verify(BOUND, [LOST], verifier=model, names=Names(), keep=lambda reply: None)
    assert (found.kept, model.prompts) == ((), [])
    assert found.rejected[0].failed == "span_is_verbatim"


def test_all_criteria_of_a_task_are_one_call_with_their_quotations() -> None:
    model = ScriptedModel([json.dumps({"reviews": [review("c1"), review("c2")]})])
    verify(
        BOUND,
        [criterion("c1"), criterion("c2")],
        verifier=model,
        names=Names(),
        keep=lambda reply: None,
    )
    (prompt,) = model.prompts
    assert prompt.suffix.count("Wait for the agent to confirm the cancellation.") == 2
    assert "Check every one of these 2 criteria" in prompt.suffix


def test_second_reading_is_signed() -> None:
    model = ScriptedModel([json.dumps({"reviews": [review("c1"), review("c2", "atomic")]})])
    held = rubric(criterion("c1"), criterion("c2"))
    found = verify(BOUND, held.criteria, verifier=model, names=Names(), keep=lambda reply: None)
    result = verified(held, found, "some-model")
    assert result.provenance.verifier == "some-model"
    assert "verify" in result.provenance.prompt_hashes
    assert len(result.criteria) == 1
    assert result.provenance.rejected == found.rejected
