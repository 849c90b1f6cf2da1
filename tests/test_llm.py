from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.openai_server import Answer, OpenAIServer, Request
from userproxybench.errors import BudgetError, InputError, JudgeError
from userproxybench.litellm_model import LiteLLMModel
from userproxybench.llm import (
    Budget,
    ModelSpec,
    Price,
    ScriptedModel,
    Step,
    ask_twice,
    family,
    fan_out,
    role_warnings,
)
from userproxybench.models.exchange import Prompt, Reply

# litellm keeps no hold of a client that two threads made at the same moment.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")

PRICES = st.builds(
    Price,
    input=st.floats(0, 1e-3),
    output=st.floats(0, 1e-3),
    cache_read=st.none() | st.floats(0, 1e-3),
    cache_write=st.none() | st.floats(0, 2e-3),
    long_tokens=st.none() | st.integers(1, 500),
    long=st.none() | st.builds(Price, input=st.floats(0, 2e-3), output=st.floats(0, 2e-3)),
)


@settings(max_examples=200, deadline=None)
@given(
    price=PRICES,
    ceiling=st.floats(0, 0.5),
    jobs=st.integers(1, 8),
    max_tokens=st.integers(1, 400),
    sizes=st.lists(st.integers(0, 400), min_size=1, max_size=12),
    data=st.data(),
)
def test_budget_is_never_crossed(  # one strategy each
    price: Price, ceiling: float, jobs: int, max_tokens: int, sizes: list[int], data: st.DataObject
) -> None:
    budget = Budget(ceiling)
    shares = data.draw(st.lists(st.floats(0, 1), min_size=len(sizes), max_size=len(sizes)))
    lost = data.draw(st.lists(st.booleans(), min_size=len(sizes), max_size=len(sizes)))
    billed: list[float] = []

    def call(number: int) -> Step[int, None]:
        prompt = Prompt("", "x" * sizes[number], "é")
        worst = price.worst_case(prompt, max_tokens)
        try:
            budget.reserve(worst)
        except BudgetError:
            return Step(None)
        tokens = int(shares[number] * len(prompt.text.encode()))
        actual = worst if lost[number] else price.of(tokens, int(shares[number] * max_tokens))
        billed.append(actual)
        budget.settle(worst, actual)
        return Step(None)

    list(fan_out(range(len(sizes)), call, jobs=jobs))
    assert sum(billed) <= ceiling * (1 + 1e-9)
    assert budget.spent == pytest.approx(sum(billed))


@pytest.mark.parametrize("ceiling", [0.0, 0.002, 0.01, 0.05])
def test_budget_holds_over_http_with_many_threads(ceiling: float) -> None:
    price = Price(input=2e-6, output=1e-5)

    def script(request: Request) -> Answer:
        return Answer("x" * 40, completion_tokens=50 + request.number % 50)

    with OpenAIServer(script) as server:
        spec = ModelSpec("openai/judge", api_base=server.url, max_tokens=100)
        model = LiteLLMModel(spec, price=price, budget=Budget(ceiling))

        def call(number: int) -> Step[int, Reply | None]:
            try:
                return Step(model.complete(Prompt("s", f"p{number}", "q")))
            except BudgetError:
                return Step(None)

        replies = [reply for reply in fan_out(range(40), call, jobs=8) if reply]
    assert sum(reply.usd or 0 for reply in replies) <= ceiling
    assert len(replies) == len(server.requests)


def test_worst_case_bounds_any_tokenizer() -> None:
    prompt = Prompt("sys", "日本語 ‮ text", "q")
    price = Price(input=1.0, output=0.0)
    assert price.worst_case(prompt, 10) >= len(prompt.text.encode())


def test_long_prompts_have_their_own_price() -> None:
    price = Price(input=1.0, output=2.0, long_tokens=10, long=Price(input=3.0, output=5.0))
    assert price.of(10, 1) == 12.0
    assert price.of(11, 1) == 38.0


def test_reserving_waits_for_calls_in_flight() -> None:
    budget = Budget(1.0)
    budget.reserve(0.8)
    threading.Timer(0.1, budget.settle, (0.8, 0.1)).start()
    start = time.monotonic()
    budget.reserve(0.8)
    assert time.monotonic() - start >= 0.08


def test_fan_out_works_on_what_work_made_possible() -> None:
    def work(item: int) -> Step[int, int]:
        return Step(item, [item * 10, item * 10 + 1] if item < 5 else [])

    assert sorted(fan_out([1, 2], work, jobs=4)) == [1, 2, 10, 11, 20, 21]


def test_fan_out_never_runs_more_than_jobs_at_once() -> None:
    running = most = 0
    guard = threading.Lock()

    def work(item: int) -> Step[int, int]:
        nonlocal running, most
        with guard:
            running += 1
            most = max(most, running)
        time.sleep(0.005)
        with guard:
            running -= 1
        return Step(item)

    assert len(list(fan_out(range(60), work, jobs=5))) == 60
    assert most <= 5


def test_fan_out_takes_seeds_one_by_one() -> None:
    taken = 0

    def seeds() -> Iterator[int]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield number

    def work(item: int) -> Step[int, int]:
        time.sleep(0.001)
        return Step(item)

    results = fan_out(seeds(), work, jobs=2)
    next(results)
    assert taken < 50
    assert len(list(results)) == 999


def test_fan_out_raises_the_first_error_and_starts_nothing_more() -> None:
    started: list[int] = []

    def work(item: int) -> Step[int, int]:
        started.append(item)
        if item == 3:
            raise ValueError("broken")
        time.sleep(0.002)
        return Step(item)

    with pytest.raises(ValueError, match="broken"):
        list(fan_out(range(500), work, jobs=2))
    time.sleep(0.05)
    assert len(started) < 20


def test_results_are_settled_before_they_are_handed_out() -> None:
    done: set[int] = set()
    safe: set[int] = set()

    def work(item: int) -> Step[int, int]:
        done.add(item)
        return Step(item)

    for result in fan_out(range(50), work, jobs=4, settle=lambda: safe.update(done.copy())):
        assert result in safe


def test_ask_twice_repairs_once() -> None:
    model = ScriptedModel(["bad", "good"])

    def read(reply: Reply) -> str:
        if reply.text == "bad":
            raise JudgeError("format", "not good")
        return reply.text

    kept: list[Reply] = []
    result = ask_twice(
        model,
        Prompt("s", "p", "q"),
        read=read,
        repair=lambda prompt, problem, reply: Prompt("s", "p", f"{problem} {reply}"),
        schema={},
        keep=kept.append,
    )
    assert result == "good"
    assert model.prompts[1].suffix == "not good bad"
    assert len(kept) == 2


def test_refusals_are_not_asked_again() -> None:
    model = ScriptedModel(["no"])

    def read(reply: Reply) -> str:
        raise JudgeError("refusal", reply.text)

    with pytest.raises(JudgeError, match="refusal"):
        ask_twice(
            model,
            Prompt("s", "p", "q"),
            read=read,
            repair=lambda prompt, problem, reply: prompt,
            schema={},
            keep=lambda reply: None,
        )
    assert len(model.prompts) == 1


@pytest.mark.parametrize(
    ("name", "maker"),
    [
        ("openai/gpt-5.5", "openai"),
        ("o3-mini", "openai"),
        ("anthropic/claude-opus-4-8", "anthropic"),
        ("bedrock/us.anthropic.claude-sonnet-4", "anthropic"),
        ("gemini/gemini-3.5-flash", "google"),
        ("google/gemma-3-27b-it", "google"),
        ("Qwen3.6-35B-A3B", "alibaba"),
        ("hosted_vllm/meta-llama/Llama-3.3-70B", "meta"),
        ("my-own-model", ""),
    ],
)
def test_family_is_read_from_the_name(name: str, maker: str) -> None:
    assert family(name) == maker


def test_same_family_in_two_roles_is_a_warning() -> None:
    roles = {"generator": "claude-opus-4-8", "verifier": "gpt-5.6", "grader": "claude-opus-4-8"}
    lines = role_warnings(roles, ["gpt-4.1-mini", "claude-sonnet-4-6", "tudor"])
    assert lines == [
        "generator and grader are of one model family (anthropic)",
        "the grader is of the family of claude-sonnet-4-6 (anthropic)",
    ]


@pytest.mark.parametrize("ceiling", [-1.0, float("nan")], ids=["negative", "nan"])
def test_a_budget_that_is_no_ceiling_is_refused(ceiling: float) -> None:
    with pytest.raises(InputError, match="0 or more"):
        Budget(ceiling)


@pytest.mark.parametrize("ceiling", [None, 0.0, 2.5])
def test_a_budget_may_be_open_or_nothing(ceiling: float | None) -> None:
    assert Budget(ceiling).ceiling == ceiling
