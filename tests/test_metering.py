import pytest

from userproxybench.errors import BudgetError, JudgeError, ModelError
from userproxybench.llm import Metered, ScriptedModel
from userproxybench.models.exchange import Prompt

PROMPT = Prompt("s", "p", "q")


def test_replies_are_counted() -> None:
    metered = Metered(ScriptedModel(replies=["x"]))
    metered.complete(PROMPT)
    assert (metered.calls, metered.name) == (1, "scripted")


def test_after_the_budget_nothing_is_asked() -> None:
    model = ScriptedModel(replies=[BudgetError("used up")])
    metered = Metered(model)
    for _ in range(3):
        with pytest.raises(JudgeError, match="budget: used up"):
            metered.complete(PROMPT)
    assert len(model.prompts) == 1


def test_twenty_misses_in_a_row_are_enough() -> None:
    metered = Metered(ScriptedModel(replies=[JudgeError("transport", "gone")]))
    for _ in range(19):
        with pytest.raises(JudgeError):
            metered.complete(PROMPT)
    with pytest.raises(ModelError, match="20 calls in a row"):
        metered.complete(PROMPT)
