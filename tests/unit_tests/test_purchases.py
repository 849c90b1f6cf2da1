from tests.accord_example import SCENARIO, dumps, play
from userproxybench.llm import ScriptedModel
from userproxybench.models.exchange import Reply
from userproxybench.unit_tests.purchases import criterion_of, score_plays, score_prompt
from userproxybench.unit_tests.running import MemoryStore

BOUGHT = {
    "name": "Moor",
    "description": "A kettle.",
    "price": 55,
    "attributes": {"color": "steel"},
    "features": "Whistles.",
    "selected_options": {"color": "steel"},
}


def answer(score: int) -> str:
    return f'{{"reason": "r", "score": {score}}}'


def test_each_preference_of_a_completed_rollout_is_scored_once() -> None:
    judge = ScriptedModel(replies=[answer(1), answer(0), answer(1)])
    store = MemoryStore()
    (first,) = score_plays([play(purchase=BOUGHT)], judge=judge, store=store, jobs=1)
    assert first.scores == {"color": 1.0, "size": 0.0, "whistle": 1.0}
    (again,) = score_plays([play(purchase=BOUGHT)], judge=judge, store=store, jobs=1)
    assert again == first
    assert len(judge.prompts) == 3


def test_the_prompt_holds_the_fields_of_the_purchase_and_the_rule_of_similarity() -> None:
    prompt = score_prompt(play(purchase=BOUGHT), SCENARIO.preferences[0])
    for label in ("name: Moor", "description: A", "price: $55.00", "features description: Whis"):
        assert f"Product {label}" in prompt.prefix
    assert "Selected options when purchasing: color: steel" in prompt.prefix
    assert "similar enough" in prompt.system


def test_a_backoff_meets_the_criterion_too() -> None:
    assert criterion_of(SCENARIO.preferences[0]) == (
        "color: copper (or, where that cannot be had, steel)"
    )


def test_an_itinerary_is_shown_option_by_option() -> None:
    trip = next(each for each in dumps()[1].plays if each.rollout.completed)
    prompt = score_prompt(trip, trip.scenario.preferences[0])
    assert all(option.name in prompt.prefix for option in trip.rollout.itinerary)


def test_what_was_not_completed_costs_nothing_and_no_purchase_is_said() -> None:
    judge = ScriptedModel(replies=[answer(1)])
    given = [play(completed=False), play()]
    failed, bare = score_plays(given, judge=judge, store=MemoryStore(), jobs=1)
    assert judge.prompts == []
    assert set(failed.scores.values()) == {None}
    assert "no purchase or itinerary" in bare.problems[0]


def test_a_refusal_is_ungraded_and_never_a_zero() -> None:
    judge = ScriptedModel(replies=[Reply(refusal="no"), answer(1)])
    store = MemoryStore()
    (found,) = score_plays([play(purchase=BOUGHT)], judge=judge, store=store, jobs=1)
    assert found.scores["color"] is None
    assert "refusal" in found.problems[0]
    (again,) = score_plays([play(purchase=BOUGHT)], judge=judge, store=store, jobs=1)
    assert again.scores["color"] is None
