import pytest

from tests.accord_example import dumps, play
from userproxybench.accord.format import Preference, Rollout, Scenario
from userproxybench.accord.preference_scores import scores_by_rules
from userproxybench.accord.reading import Play

HOTEL = {"kind": "hotel", "name": "Casa", "price": 165, "attributes": {"area": "Baixa"}}


def trip(preference: Preference, *options: dict[str, object]) -> float | None:
    scenario = Scenario(id="t", domain="travel", preferences=(preference,))
    rollout = Rollout.model_validate({"scenario": "t", "completed": True, "itinerary": options})
    return scores_by_rules(Play(rollout, scenario, 0, ()))["p"]


@pytest.mark.parametrize(
    ("preference", "score"),
    [
        pytest.param({"attribute": "hotel area", "value": "Baixa"}, 1.0, id="value"),
        pytest.param(
            {"attribute": "hotel area", "value": "Alfama", "backoff": "Baixa"}, 1.0, id="backoff"
        ),
        pytest.param({"attribute": "hotel area", "value": "Alfama"}, 0.0, id="another value"),
        pytest.param({"attribute": "hotel price", "value": "at most $180"}, 1.0, id="price"),
        pytest.param({"attribute": "hotel price", "value": "under $150"}, 0.0, id="too dear"),
        pytest.param({"attribute": "hotel stars", "value": "four"}, None, id="not recorded"),
    ],
)
def test_an_itinerary_is_scored_by_its_attributes(
    preference: dict[str, str], score: float | None
) -> None:
    assert trip(Preference.model_validate({"id": "p", **preference}), HOTEL) == score


def test_purchases_are_left_to_a_model() -> None:
    assert set(scores_by_rules(play(purchase={"name": "Moor"})).values()) == {None}


def test_rules_agree_with_the_recorded_scores_of_the_example() -> None:
    travel = dumps()[1]
    pairs = [
        (given, recorded.rollout.preference_scores[name])
        for recorded in travel.plays
        if recorded.rollout.completed
        for name, given in scores_by_rules(recorded).items()
    ]
    decided = [(mine, theirs) for mine, theirs in pairs if mine is not None]
    assert len(decided) >= 0.9 * len(pairs)
    assert sum(mine == theirs for mine, theirs in decided) >= 0.95 * len(decided)
