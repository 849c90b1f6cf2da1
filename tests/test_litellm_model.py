"""Every call goes through real litellm and real HTTP to a server of our own."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import formatdate

import pytest

from tests.openai_server import Answer, Fault, OpenAIServer, Request, Script, verdict
from userproxybench.errors import BudgetError, InputError, JudgeError, ModelError
from userproxybench.litellm_model import LiteLLMModel
from userproxybench.llm import Budget, ModelSpec, Price
from userproxybench.models.exchange import Prompt, Reply

# litellm keeps no hold of a client that two threads made at the same moment.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")

PROMPT = Prompt("Judge.", "conversation " * 100, "criterion")
PRICE = Price(input=1e-6, output=4e-6, cache_read=1e-7)


def model(server: OpenAIServer, **more: object) -> LiteLLMModel:
    """A model at the loopback server that does not wait long."""
    budget = more.pop("budget", None)
    price = more.pop("price", None)
    given: dict[str, object] = {"timeout": 5.0, "attempts": 3, "backoff": 0.01, **more}
    spec = ModelSpec("openai/judge", api_base=server.url, **given)  # type: ignore[arg-type]  # open keywords
    assert budget is None or isinstance(budget, Budget)
    assert price is None or isinstance(price, Price)
    return LiteLLMModel(spec, price=price, budget=budget)


def in_turn(*given: Answer | Fault | str) -> Script:
    """Answers in order; the last one repeats."""
    return lambda request: given[min(request.number, len(given) - 1)]


def test_reply_carries_text_usage_and_cost() -> None:
    with OpenAIServer(in_turn(verdict("pass"))) as server:
        reply = model(server, price=PRICE).complete(PROMPT)
    assert reply.text == verdict("pass")
    assert reply.finish_reason == "stop"
    assert (reply.prompt_tokens or 0) > 300
    assert reply.usd == pytest.approx(
        (reply.prompt_tokens or 0) * 1e-6 + (reply.completion_tokens or 0) * 4e-6
    )


def test_second_call_on_the_same_prefix_reads_the_cache() -> None:
    with OpenAIServer(in_turn("x")) as server:
        asked = model(server, price=PRICE)
        first, second = asked.complete(PROMPT), asked.complete(PROMPT)
    assert first.cache_read_tokens == 0
    assert second.cache_read_tokens > 250
    assert first.usd is not None
    assert second.usd is not None
    assert second.usd < first.usd / 2


def test_reply_without_usage_has_unknown_tokens_and_cost() -> None:
    with OpenAIServer(in_turn(Answer("x", usage=False))) as server:
        reply = model(server, price=PRICE).complete(PROMPT)
    assert (reply.prompt_tokens, reply.completion_tokens, reply.usd) == (None, None, None)


def test_schema_parameters_and_limit_reach_the_endpoint() -> None:
    with OpenAIServer(in_turn("x")) as server:
        asked = model(server, parameters={"temperature": 0, "seed": 7}, max_tokens=77)
        asked.complete(PROMPT, schema={"title": "Grade", "type": "object"})
    body = server.requests[0].body
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0, 7, 77)
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "Grade",
            "schema": {"title": "Grade", "type": "object"},
            "strict": True,
        },
    }


def test_json_object_endpoints_get_their_schema_beside_the_type() -> None:
    with OpenAIServer(in_turn("x")) as server:
        model(server, response_format="json_object").complete(PROMPT, schema={"type": "object"})
    wanted = server.requests[0].body["response_format"]
    assert wanted == {"type": "json_object", "schema": {"type": "object"}}


def test_own_endpoint_never_gets_the_providers_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the-providers-secret")
    monkeypatch.setenv("OWN_KEY", "mine")
    with OpenAIServer(in_turn("x")) as server:
        model(server).complete(PROMPT)
        model(server, api_key_env="OWN_KEY").complete(PROMPT)
    assert [request.authorization for request in server.requests] == ["Bearer none", "Bearer mine"]


def test_missing_key_variable_ends_the_run() -> None:
    with OpenAIServer(in_turn("x")) as server, pytest.raises(ModelError, match="'NOT_SET'"):
        model(server, api_key_env="NOT_SET").complete(PROMPT)
    assert not server.requests


@pytest.mark.parametrize(
    "wish",
    [
        pytest.param(lambda: "1", id="seconds"),
        pytest.param(lambda: formatdate(time.time() + 2, usegmt=True), id="date"),
    ],
)
def test_retry_after_is_honoured(wish: Callable[[], str]) -> None:
    moments: list[float] = []

    def script(request: Request) -> Answer | Fault:
        moments.append(time.monotonic())
        if request.number:
            return Answer("x")
        return Fault(429, '{"error": {"message": "slow"}}', (("Retry-After", wish()),))

    with OpenAIServer(script) as server:
        assert model(server).complete(PROMPT).text == "x"
    assert moments[1] - moments[0] >= 0.9


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Fault(429), id="rate limit"),
        pytest.param(Fault(500), id="500"),
        pytest.param(Fault(502, "<html>"), id="502"),
        pytest.param(Fault(503), id="503"),
        pytest.param(Fault(drop=True), id="dropped line"),
        pytest.param(Fault(200, "no json"), id="garbage body"),
        pytest.param(Fault(200, '{"choices": []}'), id="no choices"),
        pytest.param(Fault(200, "{}"), id="empty object"),
    ],
)
def test_passing_fault_is_retried_and_then_heals(fault: Fault) -> None:
    with OpenAIServer(in_turn(fault, fault, "x")) as server:
        assert model(server).complete(PROMPT).text == "x"
    assert len(server.requests) == 3


@pytest.mark.parametrize("fault", [Fault(429), Fault(500), Fault(drop=True)], ids=str)
def test_lasting_fault_ends_as_transport_after_bounded_tries(fault: Fault) -> None:
    with OpenAIServer(in_turn(fault)) as server:
        with pytest.raises(JudgeError, match=r"transport: .*3 tries"):
            model(server).complete(PROMPT)
        assert len(server.requests) == 3


def test_hang_ends_at_the_timeout() -> None:
    with OpenAIServer(in_turn(Fault(hang=3.0))) as server:
        start = time.monotonic()
        with pytest.raises(JudgeError, match=r"transport: no answer within 0\.3 s"):
            model(server, timeout=0.3, attempts=2).complete(PROMPT)
    assert time.monotonic() - start < 2.5


FATAL = {
    "401": Fault(401, '{"error": {"message": "Incorrect API key provided: sk-abcdef123456"}}'),
    "403": Fault(403, '{"error": {"message": "no access"}}'),
    "404": Fault(404, '{"error": {"message": "The model does not exist"}}'),
    "402": Fault(402, '{"error": {"message": "pay first"}}'),
    "quota": Fault(429, '{"error": {"message": "quota", "code": "insufficient_quota"}}'),
    "400 first": Fault(400, '{"error": {"message": "unknown parameter"}}'),
}


@pytest.mark.parametrize("name", FATAL)
def test_error_that_cannot_heal_ends_the_run_at_once_in_one_line(name: str) -> None:
    with OpenAIServer(in_turn(FATAL[name])) as server:
        with pytest.raises(ModelError, match=r"^openai/judge: ") as caught:
            model(server).complete(PROMPT)
        assert len(server.requests) == 1
    assert "\n" not in str(caught.value)
    assert "abcdef" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            '{"error": {"message": "This model\'s maximum context length is 8192 tokens"}}',
            "overflow",
        ),
        ('{"error": {"message": "Requested tokens exceed context window of 8"}}', "overflow"),
        ('{"error": {"message": "x", "code": "content_filter"}}', "content_filter"),
    ],
    ids=["openai overflow", "llama.cpp overflow", "filter"],
)
def test_rejected_item_ends_with_its_reason_and_without_retry(body: str, reason: str) -> None:
    with OpenAIServer(in_turn(Fault(400, body))) as server:
        with pytest.raises(JudgeError, match=f"^{reason}: "):
            model(server).complete(PROMPT)
        assert len(server.requests) == 1


def test_later_bad_request_costs_one_item_not_the_run() -> None:
    with OpenAIServer(in_turn("x", Fault(400, '{"error": {"message": "odd"}}'))) as server:
        asked = model(server)
        asked.complete(PROMPT)
        with pytest.raises(JudgeError, match="transport: the provider rejected"):
            asked.complete(PROMPT)


def test_budget_without_a_price_stops_before_the_first_call() -> None:
    with OpenAIServer(in_turn("x")) as server, pytest.raises(InputError, match="needs a price"):
        model(server, budget=Budget(1.0))
    assert not server.requests


def test_budget_books_the_real_cost_and_frees_the_rest() -> None:
    budget = Budget(1.0)
    with OpenAIServer(in_turn("x")) as server:
        reply = model(server, price=PRICE, budget=budget).complete(PROMPT)
    assert budget.spent == pytest.approx(reply.usd)


def test_rejected_calls_are_free_and_lost_ones_count_at_their_worst() -> None:
    budget = Budget(1.0)
    with OpenAIServer(in_turn(Fault(429), Fault(drop=True), "x")) as server:
        reply = model(server, price=PRICE, budget=budget, max_tokens=100).complete(PROMPT)
    worst = PRICE.worst_case(PROMPT, 100)
    assert budget.spent == pytest.approx(worst + (reply.usd or 0))


def test_call_that_could_cross_the_budget_is_not_sent() -> None:
    budget = Budget(PRICE.worst_case(PROMPT, 100) * 0.99)
    with OpenAIServer(in_turn("x")) as server:
        with pytest.raises(BudgetError, match="is used up"):
            model(server, price=PRICE, budget=budget, max_tokens=100).complete(PROMPT)
        assert not server.requests


def test_refusals_and_filters_arrive_as_data() -> None:
    script = in_turn(Answer(None, refusal="No."), Answer(None, "content_filter"))
    with OpenAIServer(script) as server:
        asked = model(server)
        refused, filtered = asked.complete(PROMPT), asked.complete(PROMPT)
    assert refused.refusal == "No."
    assert (filtered.text, filtered.finish_reason) == ("", "content_filter")


def test_identity_names_what_moves_answers_and_no_credentials() -> None:
    spec = ModelSpec(
        "openai/judge", api_base="http://me:secret@127.0.0.1:1/v1", parameters={"seed": 1}
    )
    identity = LiteLLMModel(spec).identity
    assert identity["api_base"] == "http://127.0.0.1:1/v1"
    assert identity["parameters"] == {"seed": 1}


def test_lone_surrogates_are_sendable() -> None:
    with OpenAIServer(in_turn("x")) as server:
        assert isinstance(model(server).complete(Prompt("s", "p \udc80", "q")), Reply)
    assert "\\udc80" in server.requests[0].text
