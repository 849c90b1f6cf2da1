"""The model path goes through real litellm and real HTTP to a server of our own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.accord_example import cases, graders, label_of
from tests.builders import contract, trajectory
from tests.openai_server import Answer, Fault, OpenAIServer, Request
from userproxybench.accord.rules import TESTS
from userproxybench.blinding import Names
from userproxybench.errors import ModelError
from userproxybench.litellm_model import LiteLLMModel
from userproxybench.llm import Budget, LanguageModel, ModelSpec, Price, ScriptedModel
from userproxybench.models.exchange import Prompt, Reply
from userproxybench.store.run_folder import RunFolder
from userproxybench.store.unit_test_log import UnitTestLog
from userproxybench.unit_tests.asking import Shown
from userproxybench.unit_tests.cases import UnitCase, cases_of_trajectory
from userproxybench.unit_tests.questions import wordings
from userproxybench.unit_tests.running import Bench, MemoryStore, run_tests

# litellm keeps no hold of a client that two threads made at the same moment.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")

QUESTIONS = wordings()
OUTCOMES = [
    (test, outcome)
    for test in TESTS
    for outcome in ("yes", "no", "n/a")
    if (test, outcome) != ("test000", "n/a")
]


def reply(answer: str) -> str:
    return json.dumps({"reason": "as labelled", "answer": answer})


def model(url: str, name: str = "openai/judge", **more: object) -> LiteLLMModel:
    budget, price = more.get("budget"), more.get("price")
    assert budget is None or isinstance(budget, Budget)
    assert price is None or isinstance(price, Price)
    spec = ModelSpec(name, api_base=url, timeout=5.0, attempts=2, backoff=0.01)
    return LiteLLMModel(spec, price=price, budget=budget)


@pytest.fixture(scope="module")
def labelled() -> Mapping[str, str]:
    """The labelled answer to every question of the example, by the exact end of its prompt."""
    names = Names.of_run(case.trajectory for case in cases())
    found = {}
    for case in cases():
        shown = Shown(case, case.exchange.response, names)
        for test in TESTS:
            prompt = shown.question(test, QUESTIONS)
            found[_squeezed(prompt.prefix + prompt.suffix)] = label_of(case).of(test)
    return found


def outcomes(judge: LanguageModel, tested: Sequence[UnitCase]) -> Counter[tuple[str, str, str]]:
    """(test, label, answer) of a run by a model that knows the labels."""
    bench = Bench(questions=QUESTIONS, judge=judge, jobs=8)
    result = run_tests(tested, bench=bench, store=MemoryStore())
    labels = [label_of(case).of(test) for case in tested for test in TESTS]
    pairs = zip(result.tested, labels, strict=True)
    return Counter((each.test, label, each.outcome) for each, label in pairs)


@pytest.fixture(scope="module")
def served(labelled: Mapping[str, str]) -> Counter[tuple[str, str, str]]:
    """Over HTTP: the rare outcomes, and every eighth turn of the rest."""
    rare = [c for c in cases() if "no" in (label_of(c).test000, label_of(c).test002)]
    chosen = [*rare, *(case for case in cases()[::8] if case not in rare)]
    with OpenAIServer(lambda request: reply(_label(request, labelled))) as server:
        return outcomes(model(server.url), chosen)


@pytest.fixture(scope="module")
def scripted(labelled: Mapping[str, str]) -> Counter[tuple[str, str, str]]:
    """The whole example, without HTTP."""

    def answer(prompt: Prompt) -> str:
        return reply(labelled[_squeezed(prompt.prefix + prompt.suffix)])

    return outcomes(ScriptedModel(replies=answer), cases())


def _label(request: Request, labelled: Mapping[str, str]) -> str:
    content = request.messages[-1]["content"]
    assert isinstance(content, str)
    return labelled[_squeezed(content)]


def _squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(("test", "outcome"), OUTCOMES)
def test_the_model_path_gives_the_labelled_outcome(
    test: str, outcome: str, served: Counter[tuple[str, str, str]]
) -> None:
    counts = {key[2]: n for key, n in served.items() if key[:2] == (test, outcome)}
    assert set(counts) == {outcome}
    assert counts[outcome] >= 3


@pytest.mark.parametrize(("test", "outcome"), OUTCOMES)
def test_every_turn_of_the_example_comes_out_as_labelled(
    test: str, outcome: str, scripted: Counter[tuple[str, str, str]]
) -> None:
    counts = {key[2]: n for key, n in scripted.items() if key[:2] == (test, outcome)}
    assert set(counts) == {outcome}
    assert counts[outcome] >= 10


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    judge = ScriptedModel(replies=[reply("yes")])
    bench = Bench(questions=QUESTIONS, judge=judge, jobs=2)
    results = []
    for _ in range(2):
        with RunFolder.create_or_resume(tmp_path / "run", bench.instrument) as folder:
            results.append(run_tests(cases()[:5], bench=bench, store=UnitTestLog(folder)))
    first, second = results
    assert first.calls == len(judge.prompts) > 0
    assert (second.calls, second.tested) == (0, first.tested)
    assert second.reused == first.calls


def test_a_candidate_is_tested_on_its_own_responses() -> None:
    candidate = ScriptedModel(replies=["I would like plum."], name="candidate-7")
    bench = Bench(questions=QUESTIONS, rules=graders(), candidate=candidate, jobs=1)
    result = run_tests(cases()[:2], bench=bench, store=MemoryStore())
    assert {each.response for each in result.tested} == {"I would like plum."}
    assert {each.user_model for each in result.tested} == {"candidate-7"}
    assert len(candidate.prompts) == 2


def test_a_candidate_that_fails_leaves_its_turn_ungraded() -> None:
    candidate = ScriptedModel(replies=[Reply(refusal="I cannot.")])
    bench = Bench(questions=QUESTIONS, rules=graders(), candidate=candidate, jobs=1)
    result = run_tests(cases()[:1], bench=bench, store=MemoryStore())
    assert {(each.outcome, each.reason.split(":")[0]) for each in result.tested} == {
        ("ungraded", "refusal")
    }


def test_rules_go_before_the_model_and_the_model_answers_the_rest() -> None:
    judge = ScriptedModel(replies=[reply("yes")])
    bench = Bench(questions=QUESTIONS, rules=graders(), judge=judge, jobs=1)
    result = run_tests(cases()[:4], bench=bench, store=MemoryStore())
    assert bench.name == "rules+scripted"
    by = Counter((each.test, each.grader) for each in result.tested)
    assert by["test000", "scripted"] == by["test002", "scripted"] == 4
    assert by["test001", "rules"] == 4


def test_a_failed_precondition_costs_no_call() -> None:
    judge = ScriptedModel(replies=[reply("yes")])
    case = cases()[0]
    assert case.scenario is not None
    bare = case.scenario.model_copy(update={"preferences": ()})
    alone = type(case)(case.contract, case.trajectory, case.turn, case.exchange, case.domain, bare)
    bench = Bench(questions=QUESTIONS, judge=judge, jobs=1)
    result = run_tests([alone], bench=bench, store=MemoryStore())
    assert [each.outcome for each in result.tested] == ["yes", *["n/a"] * 5]
    assert len(judge.prompts) == 1


def test_another_benchmark_is_put_the_first_three_tests() -> None:
    judge = ScriptedModel(replies=[reply("yes")])
    found = cases_of_trajectory(trajectory("agent: Your name?", "user: Wren."), contract())
    bench = Bench(questions=QUESTIONS, judge=judge, jobs=1)
    result = run_tests(found.tested, bench=bench, store=MemoryStore())
    assert [each.test for each in result.tested] == ["test000", "test001", "test002"]


def test_a_used_up_budget_leaves_the_rest_ungraded_and_for_the_next_run() -> None:
    price = Price(input=1e-6, output=1e-6)
    with OpenAIServer(lambda request: Answer(reply("yes"))) as server:
        budget = Budget(0.02)
        judge = model(server.url, budget=budget, price=price)
        store = MemoryStore()
        bench = Bench(questions=QUESTIONS, judge=judge, jobs=1)
        result = run_tests(cases()[:8], bench=bench, store=store)
    assert budget.spent <= 0.02
    outcomes = Counter(each.outcome for each in result.tested)
    assert outcomes["yes"] >= 1
    assert outcomes["ungraded"] >= 1
    assert len(store.kept) == outcomes["yes"]
    assert any("stopped asking" in note for note in result.notes)


def test_a_dead_endpoint_ends_the_run_in_one_line() -> None:
    with OpenAIServer(lambda request: Fault(503)) as server:
        bench = Bench(questions=QUESTIONS, judge=model(server.url), jobs=2)
        with pytest.raises(ModelError, match="20 calls in a row came to nothing"):
            run_tests(cases()[:20], bench=bench, store=MemoryStore())


def test_a_malformed_answer_is_ungraded_and_kept_as_that() -> None:
    judge = ScriptedModel(replies=["no idea"])
    store = MemoryStore()
    bench = Bench(questions=QUESTIONS, judge=judge, jobs=1)
    result = run_tests(cases()[:1], bench=bench, store=store)
    assert {each.outcome for each in result.tested if each.grader == "scripted"} == {"ungraded"}
    assert {kept.outcome for kept in store.kept.values()} == {"ungraded"}
