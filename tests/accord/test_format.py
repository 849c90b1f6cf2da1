import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]  # ships no types
import pytest
from pydantic import ValidationError

from tests.accord_example import FOLDER
from userproxybench.accord.format import (
    Message,
    Preference,
    Rollout,
    Scenario,
    instructions_of,
    json_schema,
)

SCHEMA = Path(__file__).parents[2] / "docs" / "accord-format.schema.json"


def test_the_published_schema_is_the_one_of_the_models() -> None:
    """To renew it: python -m tests.accord.test_format"""
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == json_schema()


@pytest.mark.parametrize("name", ["shop.json", "travel.json"])
def test_the_example_keeps_to_the_schema(name: str) -> None:
    dump = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    jsonschema.validate(dump, json_schema())


@pytest.mark.parametrize(
    ("dynamic", "reveal", "rule"),
    [
        pytest.param("triggered", None, "only_if_mentioned", id="triggered implies it"),
        pytest.param("unachievable", None, "when_asked", id="others when asked"),
        pytest.param("triggered", "upfront", "upfront", id="recorded goes before"),
    ],
)
def test_the_reveal_rule_follows_from_the_dynamic(
    dynamic: str, reveal: str | None, rule: str
) -> None:
    preference = Preference.model_validate(
        {"id": "p", "attribute": "a", "value": "v", "dynamic": dynamic, "reveal": reveal}
    )
    assert preference.rule == rule


def test_numbers_and_truth_values_are_read_as_text() -> None:
    preference = Preference.model_validate({"id": 3, "attribute": "size", "value": 42.0})
    assert (preference.id, preference.value) == ("3", "42")
    assert Preference(id="p", attribute="lock", value=True).value == "yes"


@pytest.mark.parametrize(
    ("given", "role"), [("assistant", "agent"), ("tool", "environment"), ("user", "user")]
)
def test_common_roles_are_understood(given: str, role: str) -> None:
    assert Message.model_validate({"role": given}).role == role


@pytest.mark.parametrize(
    ("recorded", "count"),
    [
        pytest.param(7, 7, id="a count"),
        pytest.param(["search[a]", {"name": "click", "arguments": "b"}], 2, id="a list"),
        pytest.param([], 0, id="none taken"),
        pytest.param(None, None, id="not recorded is not 0"),
    ],
)
def test_environment_actions_are_counted(recorded: object, count: int | None) -> None:
    rollout = Rollout.model_validate({"scenario": "s", "environment_actions": recorded})
    assert rollout.n_actions == count


def test_actions_in_messages_count_where_no_list_is_given() -> None:
    messages = [{"role": "agent", "actions": ["search[a]"]}, {"role": "agent", "content": "Hi"}]
    rollout = Rollout.model_validate({"scenario": "s", "messages": messages})
    assert (rollout.n_actions, rollout.n_utterances) == (1, 1)


@pytest.mark.parametrize("score", [2, -0.5, float("nan")])
def test_a_score_outside_0_to_1_is_refused(score: float) -> None:
    with pytest.raises(ValidationError, match="preference_scores"):
        Rollout.model_validate({"scenario": "s", "preference_scores": {"p": score}})


def test_without_instructions_the_preferences_say_what_the_user_was_told() -> None:
    scenario = Scenario(
        id="s",
        domain="shop",
        preferences=(
            Preference(id="p", attribute="color", value="teal", backoff="grey"),
            Preference(id="q", attribute="lock", value="TSA lock", dynamic="triggered"),
        ),
    )
    text = instructions_of(scenario)
    assert "color: teal (say it when asked)" in text
    assert "accept grey" in text
    assert "TSA lock (only reveal if mentioned)" in text


if __name__ == "__main__":
    SCHEMA.write_text(json.dumps(json_schema(), indent=2) + "\n", encoding="utf-8")
