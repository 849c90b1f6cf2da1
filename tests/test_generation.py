from __future__ import annotations

import functools
import json

import pytest

from tests.builders import BLUEPRINT, GUIDELINES, contract, trajectory
from userproxybench import verification
from userproxybench.blinding import Names
from userproxybench.errors import JudgeError
from userproxybench.generation import (
    RubricFailure,
    RubricTask,
    Writer,
    write_rubric,
    write_rubrics,
)
from userproxybench.llm import ScriptedModel
from userproxybench.models import Rubric
from userproxybench.models.exchange import Prompt, Reply
from userproxybench.replies import READ_CHECKS

BOUND = contract()
TASK = RubricTask(BOUND, trajectory())


def proposal(number: int, **more: str) -> dict[str, str]:
    things = (
        "order zip name account refund address payment email phone birthday budget reason".split()
    )
    other = things[(5 * number + 3) % 12]
    return {
        "statement": f"The user states its {things[number]} in {other} talk.",
        "applies_when": "",
        "mode": "volunteers_unasked_info",
        "source": "guidelines",
        "quotation": "wait until the agent asks for it",
        **more,
    }


def proposed(*items: dict[str, str]) -> str:
    return json.dumps({"criteria": items})


def reviewed(*ids: str, **failed: str) -> str:
    """A review of these ids; `c2="atomic"` lets one fail a check."""
    reviews = [
        {"criterion": name, "reason": "as read"}
        | {check: failed.get(name) != check for check in READ_CHECKS}
        for name in ids
    ]
    return json.dumps({"reviews": reviews})


def ids_of(prompt: Prompt) -> tuple[str, ...]:
    return tuple(
        line.removeprefix("| Id: ") for line in prompt.suffix.split("\n") if "| Id: " in line
    )


def write(generator: ScriptedModel, verifier: ScriptedModel, task: RubricTask = TASK) -> Rubric:
    kept: list[Reply] = []
    verify = functools.partial(
        verification.verify, verifier=verifier, names=Names(), keep=kept.append
    )
    rubric = write_rubric(task, Writer(generator, verify, Names(), kept.append))
    assert len(kept) == len(generator.prompts) + len(verifier.prompts)
    return rubric


def accepting() -> ScriptedModel:
    return ScriptedModel(lambda prompt: reviewed(*ids_of(prompt)), name="verifier")


def test_good_proposals_become_a_grounded_rubric() -> None:
    generator = ScriptedModel([proposed(*map(proposal, range(5)))], name="generator")
    rubric = write(generator, accepting())
    assert [item.id for item in rubric.criteria] == ["c1", "c2", "c3", "c4", "c5"]
    grounding = rubric.criteria[0].grounding
    assert grounding is not None
    assert grounding.resolve(BOUND) == "wait until the agent asks for it"
    assert (rubric.contract_hash, rubric.task_hash) == (BOUND.hash, BOUND.blueprint.hash)
    assert rubric.criteria[0].family == "premature_disclosure"
    assert len(generator.prompts) == 1
    assert rubric.provenance.rejected == ()


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ({"quotation": "wait till the agent asks for it"}, "span_is_verbatim"),
        ({"source": "persona"}, "span_is_verbatim"),
        ({"source": "sample"}, "span_is_verbatim"),
        ({"quotation": "Shall I cancel it?"}, "span_is_verbatim"),
        ({"quotation": "it"}, "span_is_verbatim"),
        ({"mode": "is_rude"}, "taxonomy_fit"),
        ({"statement": "The agent asks for the zip code first."}, "about_the_user"),
        ({"statement": "The user sounds natural when it gives its order."}, "within_contract"),
        ({"statement": "The user gives its zip. The user waits."}, "atomic"),
        ({"statement": proposal(0)["statement"]}, "not_redundant"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_machine_rejects_before_a_verifier_is_paid(fault: dict[str, str], check: str) -> None:
    items = [proposal(0), proposal(1), proposal(2), proposal(3), proposal(4, **fault)]
    generator = ScriptedModel([proposed(*items), proposed()], name="generator")
    verifier = accepting()
    rubric = write(generator, verifier)
    assert [item.failed for item in rubric.provenance.rejected] == [check]
    assert len(rubric.criteria) == 4
    assert all("c5" not in ids_of(prompt) for prompt in verifier.prompts)


def test_span_may_break_its_lines_otherwise() -> None:
    bound = contract(guidelines=GUIDELINES.replace(" until", "\nuntil"))
    generator = ScriptedModel([proposed(*map(proposal, range(4)))])
    rubric = write(generator, accepting(), RubricTask(bound, None))
    grounding = rubric.criteria[0].grounding
    assert grounding is not None
    assert grounding.resolve(bound) == "wait\nuntil the agent asks for it"
    assert "without a sample" in rubric.provenance.notes


def test_rejected_criteria_are_kept_with_their_check_and_replaced_once() -> None:
    def read(prompt: Prompt) -> str:
        return reviewed(*ids_of(prompt), c2="atomic", c3="achievable")

    generator = ScriptedModel(
        [proposed(*map(proposal, range(4))), proposed(proposal(5), proposal(6))], name="generator"
    )
    rubric = write(generator, ScriptedModel(read, name="verifier"))
    assert [item.id for item in rubric.criteria] == ["c1", "c4", "c5", "c6"]
    assert [item.failed for item in rubric.provenance.rejected] == ["atomic", "achievable"]
    second = generator.prompts[1]
    assert "Write between 2 and 6 replacements" in second.suffix
    assert "[atomic: as read]" in second.suffix
    assert second.prefix == generator.prompts[0].prefix


def test_task_that_still_has_too_few_says_so() -> None:
    generator = ScriptedModel([proposed(proposal(0), proposal(1)), proposed()])
    rubric = write(generator, accepting())
    assert len(rubric.criteria) == 2
    assert "only 2 criteria passed every check" in rubric.provenance.notes
    assert "no replacements came: format" in rubric.provenance.notes


def test_lost_line_in_the_second_round_is_no_rubric() -> None:
    generator = ScriptedModel([proposed(proposal(0)), JudgeError("transport", "gone")])
    with pytest.raises(JudgeError, match="transport: gone"):
        write(generator, accepting())


def test_no_more_than_eight_are_taken() -> None:
    generator = ScriptedModel([proposed(*map(proposal, range(11)))])
    rubric = write(generator, accepting())
    assert len(rubric.criteria) == 8
    assert "the first 8 were taken" in rubric.provenance.notes


def test_prompt_says_that_the_sample_is_no_authority_and_holds_no_names() -> None:
    named = trajectory("agent: Hi", "user: I am gpt-4.1-mini", proxy="gpt-4.1-mini")
    generator = ScriptedModel([proposed(*map(proposal, range(4)))])
    verify = functools.partial(
        verification.verify, verifier=accepting(), names=Names(), keep=lambda reply: None
    )
    writer = Writer(generator, verify, Names.of_run([named]), lambda reply: None)
    write_rubric(RubricTask(BOUND, named), writer)
    text = generator.prompts[0].text
    assert "no authority" in text
    assert "gpt" not in text
    assert "| You are Wren Castellano, zip code 97214." in text
    assert "self_contradiction" in text


def test_unusable_reply_is_repaired_once_and_then_fails_the_task_alone() -> None:
    other = BLUEPRINT.model_copy(update={"persona": "X"})
    bad = RubricTask(contract(task_id="bad", blueprint=other), None)

    def write_one(task: RubricTask) -> Rubric:
        replies = ["nonsense"] if task is bad else [proposed(*map(proposal, range(4)))]
        return write(ScriptedModel(replies), accepting(), task)

    results = list(write_rubrics([bad, TASK], write=write_one, jobs=1))
    failure = next(item for item in results if isinstance(item, RubricFailure))
    assert failure.reason == "format: the reply holds no JSON object"
    assert sum(isinstance(item, Rubric) for item in results) == 1


def test_verifier_must_review_every_criterion() -> None:
    generator = ScriptedModel([proposed(*map(proposal, range(4)))])
    verifier = ScriptedModel([reviewed("c1", "c2", "c3"), reviewed("c1", "c2", "c3", "c4")])
    assert len(write(generator, verifier).criteria) == 4
    assert "no review for ['c4']" in verifier.prompts[1].suffix
    lazy = ScriptedModel([reviewed("c1")])
    with pytest.raises(JudgeError, match="no review for"):
        write(ScriptedModel([proposed(*map(proposal, range(4)))]), lazy)
