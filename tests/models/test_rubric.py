import pytest

from tests.builders import BLUEPRINT, GUIDELINES, contract, criterion, rubric
from userproxybench.models import Blueprint, Grounding, Rubric
from userproxybench.models.checks import HeldBack, NoEarlyDisclosure

RULE = "Disclose information progressively"


def grounding(quotation: str = RULE, text: str = GUIDELINES) -> Grounding:
    start = text.index(quotation)
    return Grounding.of("guidelines", text, start, start + len(quotation))


@pytest.mark.parametrize(
    "guidelines",
    [GUIDELINES, "A new first line.\n" + GUIDELINES, GUIDELINES[40:]],
    ids=["in place", "moved back", "moved to the front"],
)
def test_span_is_found_while_its_words_stand(guidelines: str) -> None:
    assert grounding().resolve(contract(guidelines=guidelines)) == RULE


def test_span_is_gone_when_its_words_changed() -> None:
    reworded = contract(guidelines=GUIDELINES.replace("progressively", "bit by bit"))
    assert grounding().resolve(reworded) is None


def test_span_is_found_in_another_wording_of_the_same_rule() -> None:
    restated = "Play the user. Give information bit by bit."
    other = grounding("Give information bit by bit.", restated)
    both = grounding().model_copy(update={"otherwise": (other,)})
    assert both.resolve(contract(guidelines=restated)) == "Give information bit by bit."
    assert both.resolve(contract()) == RULE


def written() -> Rubric:
    return rubric(task_hash=BLUEPRINT.hash)


def test_rubric_matches_its_own_contract_exactly() -> None:
    assert written().match(contract()) == "exact"


def test_rubric_matches_the_task_under_other_guidelines() -> None:
    assert written().match(contract(guidelines="Play the user.")) == "task"


def test_rubric_without_task_hash_is_stale_under_other_guidelines() -> None:
    assert rubric().match(contract(guidelines="Play the user.")) == "stale"


def test_rubric_is_stale_when_the_blueprint_changed() -> None:
    under = contract(blueprint=Blueprint(task_instructions="Insist on a refund."))
    assert written().match(under) == "stale"
    assert [criterion.id for criterion in written().lost(under)] == ["c1"]
    assert written().lost(contract()) == ()


def test_check_survives_a_dump_without_defaults() -> None:
    check = NoEarlyDisclosure(fact="zip", value="97214")
    with_check = rubric(criterion(check=check))
    text = with_check.model_dump_json(exclude_defaults=True)
    assert Rubric.model_validate_json(text) == with_check


def test_check_without_a_sentence_reads_the_criterions_quotation() -> None:
    bare = rubric(criterion(check=HeldBack()))
    bound = bare.under(contract()).criteria[0].check
    assert bound == HeldBack(sentence="Wait for the agent to confirm the cancellation.")
    kept = rubric(criterion(check=HeldBack(sentence="Wait.")))
    assert kept.under(contract()) == kept


def test_rubric_of_a_task_that_reads_the_same_takes_on_the_other_tasks_name() -> None:
    other = contract(task_id="cancel-again", guidelines="Play the user.")
    bound = written().under(other)
    assert (bound.task_id, bound.contract_hash) == ("cancel-again", other.hash)
    assert [item.id for item in bound.criteria] == ["c1"]


def test_criterion_without_its_span_is_left_out_of_grading() -> None:
    other = contract(blueprint=Blueprint(task_instructions="Insist on a refund."))
    assert rubric().under(other).criteria == ()
