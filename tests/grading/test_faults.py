"""For each fault of a judge: what is recorded, what a rerun does, what UFS shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import contract, criterion, rubric, trajectory, turn
from tests.openai_server import Answer, Fault, OpenAIServer, Request, Script, verdict
from userproxybench.errors import ModelError
from userproxybench.grading import (
    GradingRun,
    GradingTask,
    MemoryStore,
    ModelGrader,
    Settings,
    estimate,
    grade_trajectories,
)
from userproxybench.litellm_model import LiteLLMModel
from userproxybench.llm import Budget, ModelSpec, Price
from userproxybench.models import Grade, Rubric, Verdict
from userproxybench.replies import ungraded_reason
from userproxybench.scoring import score
from userproxybench.store import RunFolder

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")

QUOTE = "Yes. ###STOP###"
FAIL = verdict("fail", 5, QUOTE)
TWO = rubric(
    criterion("c1"),
    criterion("c2", "volunteers_unasked_info", statement="The user waits to be asked for its zip."),
)


def judge(server: OpenAIServer, **more: object) -> LiteLLMModel:
    price = more.pop("price", None)
    budget = more.pop("budget", None)
    given: dict[str, object] = {"timeout": 0.4, "attempts": 2, "backoff": 0.01, **more}
    spec = ModelSpec("openai/judge", api_base=server.url, **given)  # type: ignore[arg-type]  # open keywords
    assert price is None or isinstance(price, Price)
    assert budget is None or isinstance(budget, Budget)
    return LiteLLMModel(spec, price=price, budget=budget)


def graded(
    server: OpenAIServer,
    store: MemoryStore | RunFolder,
    held: Rubric = TWO,
    *,
    settings: Settings | None = None,
    **more: object,
) -> GradingRun:
    """Grade the builder's trajectory through real HTTP."""
    grader = ModelGrader(judge(server, **more), settings=settings or Settings(), jobs=4)
    task = GradingTask(trajectory(), contract(), held)
    return grade_trajectories([task], grader=grader, store=store)


def only_on(mode: str, fault: Answer | Fault | str) -> Script:
    """The fault for the criterion of one mode; a pass for the other."""
    return lambda request: fault if f"failure: {mode}" in request.text else verdict("pass")


LONG = Answer('{"reason": "thinking about', "length")
FAULTS: dict[str, tuple[Answer | Fault | str, str, int]] = {
    # fault: (what the judge sends, reason recorded, calls that a rerun makes)
    "malformed": ('{"reason": "x", "verdict": }', "format", 0),
    "truncated": (LONG, "cut_off", 0),
    "truncated silently": ('{"reason": "x", "turn": 5, "quo', "format", 0),
    "refusal": ("I can't help with that request.", "refusal", 0),
    "refusal field": (Answer(None, refusal="No."), "refusal", 0),
    "content filter": (Answer(None, "content_filter"), "content_filter", 0),
    "wrong enum": (FAIL.replace("fail", "partially"), "format", 0),
    "empty": ("", "format", 0),
    "empty list": ('{"verdicts": []}', "format", 0),
    "prose": ("The user did fine, I would say pass.", "format", 0),
    "contradictory": (FAIL + "\n" + verdict("pass"), "format", 0),
    "wrong quotation": (verdict("fail", 5, "words never said"), "unsupported_quotation", 0),
    "agent quotation": (verdict("fail", 4, "Shall I cancel it?"), "unsupported_quotation", 0),
    "no quotation": (verdict("fail", 5), "unsupported_quotation", 0),
    "no turn": (verdict("fail", None, QUOTE), "unsupported_quotation", 0),
    "turn out of range": (verdict("fail", 99, QUOTE), "unsupported_quotation", 0),
    "overflow": (
        Fault(400, '{"error": {"message": "maximum context length is 8 tokens"}}'),
        "overflow",
        0,
    ),
    "timeout": (Fault(hang=1.0), "transport", 2),
    "dropped line": (Fault(drop=True), "transport", 2),
    "429 storm": (Fault(429), "transport", 2),
    "500": (Fault(500), "transport", 2),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_recorded_as_ungraded_with_its_reason(name: str, tmp_path: Path) -> None:
    sent, reason, again = FAULTS[name]
    with OpenAIServer(only_on("premature_stop", sent)) as server:
        with RunFolder.create_or_resume(tmp_path, {"grader": "judge"}) as folder:
            first, second = graded(server, folder).grades[0].verdicts
        before = len(server.requests)
        with RunFolder.create_or_resume(tmp_path, {"grader": "judge"}) as folder:
            graded(server, folder)
        assert len(server.requests) - before == again
    assert (first.verdict, ungraded_reason(first)) == ("ungraded", reason)
    assert second.verdict == "pass"
    found = score((first, second))
    assert (found.status, found.fidelity) == ("ungraded", None)


@pytest.mark.parametrize("name", ["fenced", "prose around", "healed"])
def test_what_can_be_read_or_healed_is_a_verdict(name: str) -> None:
    wrapped = {"fenced": f"```json\n{FAIL}\n```", "prose around": f"Well {{so}}:\n{FAIL}\nBye."}

    def script(request: Request) -> str:
        if name != "healed":
            return wrapped[name]
        return FAIL if "could not be used" in request.text else "not json"

    with OpenAIServer(script) as server:
        run = graded(server, MemoryStore(), rubric(criterion()))
        assert len(server.requests) == (2 if name == "healed" else 1)
    found = run.grades[0].verdicts[0]
    assert (found.verdict, found.turn, found.quotation) == ("fail", 5, QUOTE)


def test_repair_call_says_what_was_wrong_and_doubles_the_room() -> None:
    def script(request: Request) -> Answer | str:
        return FAIL if request.number else LONG

    with OpenAIServer(script) as server:
        task = GradingTask(trajectory(), contract(), rubric(criterion()))
        grader = ModelGrader(judge(server, max_tokens=100))
        run = grade_trajectories([task], grader=grader, store=MemoryStore())
        first, second = server.requests
    assert run.grades[0].verdicts[0].verdict == "fail"
    assert (first.body["max_tokens"], second.body["max_tokens"]) == (100, 200)
    assert "| the reply ended at its token limit" in second.text
    assert second.text.startswith(first.text[:3000])


def test_every_reply_is_on_disk_also_the_useless_ones(tmp_path: Path) -> None:
    script = only_on("premature_stop", "nonsense")
    folder = RunFolder.create_or_resume(tmp_path, {"grader": "judge"})
    with OpenAIServer(script) as server, folder:
        graded(server, folder)
        (spent,) = folder.spending()
    assert (spent.role, spent.calls) == ("grader", 3)
    assert spent.usd is None
    assert "nonsense" in (tmp_path / "replies.jsonl").read_text()


def test_second_run_makes_no_call(tmp_path: Path) -> None:
    with OpenAIServer(only_on("premature_stop", FAIL)) as server:
        for reused in (0, 2, 2):
            with RunFolder.create_or_resume(tmp_path, {"grader": "judge"}) as folder:
                run = graded(server, folder)
            assert [item.verdict for item in run.grades[0].verdicts] == ["fail", "pass"]
            assert (run.reused, len(server.requests)) == (reused, 2)
            assert len((tmp_path / "verdicts.jsonl").read_bytes().splitlines()) == 2


def test_same_conversation_under_another_id_is_answered_from_file(tmp_path: Path) -> None:
    twin = trajectory(id="episode-0002")
    with OpenAIServer(only_on("premature_stop", FAIL)) as server:
        with RunFolder.create_or_resume(tmp_path, {"grader": "judge"}) as folder:
            graded(server, folder)
            run = grade_trajectories(
                [GradingTask(twin, contract(), TWO)],
                grader=ModelGrader(judge(server)),
                store=folder,
            )
        assert (run.calls, run.reused) == (0, 2)
        assert {grade.trajectory_id for grade in RunFolder.open(tmp_path).grades()} == {
            "episode-0001",
            "episode-0002",
        }


CHANGED = rubric(criterion("c1", statement="The user never stops early."), TWO.criteria[1])


def test_other_instrument_or_rubric_is_another_key() -> None:
    store = MemoryStore()
    with OpenAIServer(only_on("premature_stop", FAIL)) as server:
        assert graded(server, store).calls == 2
        assert graded(server, store, parameters={"temperature": 1}).calls == 2
        assert graded(server, store, max_tokens=5).calls == 2
        assert graded(server, store, settings=Settings(samples=2)).calls == 4
        assert graded(server, store, CHANGED).calls == 1
        assert graded(server, store).calls == 0


def test_budget_leaves_the_rest_ungraded_and_the_next_run_goes_on(tmp_path: Path) -> None:
    price = Price(input=1e-6, output=1e-6)
    with OpenAIServer(only_on("premature_stop", FAIL)) as server:
        with RunFolder.create_or_resume(tmp_path, {"grader": "judge"}) as folder:
            task = GradingTask(trajectory(), contract(), TWO)
            needed = estimate(
                [task], grader=ModelGrader(judge(server)), store=folder, price=price
            ).usd_worst
            assert needed is not None
            run = graded(server, folder, price=price, budget=Budget(needed * 1.05))
        reasons = [ungraded_reason(item) for item in run.grades[0].verdicts]
        assert (run.calls, reasons) == (1, [None, "budget"])
        assert any("budget" in note for note in run.notes)
        with RunFolder.create_or_resume(tmp_path, {"grader": "judge"}) as folder:
            run = graded(server, folder)
    assert run.calls == 1
    assert {item.verdict for item in run.grades[0].verdicts} == {"fail", "pass"}


def test_endpoint_that_is_gone_ends_the_run_in_one_line() -> None:
    many = [
        GradingTask(trajectory(f"user: number {index}", id=f"e-{index}"), contract(), TWO)
        for index in range(30)
    ]
    with OpenAIServer(lambda request: Fault(drop=True)) as server:
        grader = ModelGrader(judge(server, attempts=1), jobs=4)
        with pytest.raises(ModelError, match="20 calls in a row came to nothing") as caught:
            grade_trajectories(many, grader=grader, store=MemoryStore())
    assert "\n" not in str(caught.value)
    assert len(server.requests) < 30


def test_too_long_a_conversation_is_not_sent() -> None:
    long = trajectory(turns_=(turn(0, "agent", "word " * 180_000), turn(1, "user", "ok")))
    with OpenAIServer(lambda request: verdict("pass")) as server:
        grader = ModelGrader(judge(server, window=128_000))
        run = grade_trajectories(
            [GradingTask(long, contract(), TWO)], grader=grader, store=MemoryStore()
        )
    assert not server.requests
    assert {ungraded_reason(item) for item in run.grades[0].verdicts} == {"overflow"}
    assert "not sent" in run.grades[0].verdicts[0].reason


def test_conversation_without_the_user_is_a_failure_not_a_grade() -> None:
    with OpenAIServer(lambda request: verdict("pass")) as server:
        run = grade_trajectories(
            [GradingTask(trajectory("agent: Hello"), contract(), TWO)],
            grader=ModelGrader(judge(server)),
            store=MemoryStore(),
        )
    assert (run.grades, run.failures[0].reason, len(server.requests)) == ((), "no_text", 0)


def test_one_call_warms_the_cache_before_the_rest_fan_out() -> None:
    six = rubric(*(criterion(f"c{n}", statement=f"The user keeps rule {n}.") for n in range(6)))
    with OpenAIServer(lambda request: verdict("pass"), latency=0.05) as server:
        task = GradingTask(trajectory(), contract(), six)
        grader = ModelGrader(judge(server, timeout=5.0), jobs=6)
        store = MemoryStore()
        grade_trajectories([task], grader=grader, store=store)
        assert server.most_at_once == 5
    read = sorted(reply.cache_read_tokens for reply in store.replies)
    assert read[0] == 0
    assert read[1] > 800


def test_samples_are_asked_apart_and_their_flips_are_counted() -> None:
    def script(request: Request) -> str:
        if "failure: premature_stop" not in request.text:
            return verdict("pass")
        seen = sum("failure: premature_stop" in other.text for other in server.requests)
        return verdict("pass") if seen == 2 else FAIL

    with OpenAIServer(script) as server:
        task = GradingTask(trajectory(), contract(), TWO)
        grader = ModelGrader(judge(server), settings=Settings(samples=3), jobs=1)
        run = grade_trajectories([task], grader=grader, store=MemoryStore())
    assert [item.verdict for item in run.grades[0].verdicts] == ["fail", "pass"]
    assert (run.flips.questions, run.flips.flipped) == (2, 1)
    assert any("not answered alike" in note for note in run.notes)


@pytest.mark.parametrize(("upheld", "outcome"), [(True, "fail"), (False, "ungraded")])
def test_second_reading_must_uphold_a_fail(upheld: bool, outcome: str) -> None:
    def script(request: Request) -> str:
        if "Second reading" in request.text:
            assert f"| turn 5: {QUOTE}" in request.text
            return json.dumps({"reason": "seen", "upheld": upheld})
        return FAIL

    with OpenAIServer(script) as server:
        settings = Settings(confirm=True)
        run = graded(server, MemoryStore(), rubric(criterion()), settings=settings)
    assert (run.calls, run.grades[0].verdicts[0].verdict) == (2, outcome)


def answers(*given: tuple[str, str]) -> str:
    entries = [
        json.loads(verdict(outcome, 5, QUOTE)) | {"criterion": name} for name, outcome in given
    ]
    return json.dumps({"verdicts": entries})


ALL_AT_ONCE = Settings(mode="per-trajectory")


def test_per_trajectory_mode_asks_everything_in_one_call() -> None:
    with OpenAIServer(lambda request: answers(("c1", "fail"), ("c2", "pass"))) as server:
        run = graded(server, MemoryStore(), settings=ALL_AT_ONCE)
    assert [item.verdict for item in run.grades[0].verdicts] == ["fail", "pass"]
    assert run.calls == 1


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param('{"verdicts": []}', id="empty list"),
        pytest.param(answers(("c2", "pass")), id="missing"),
        pytest.param(answers(("c2", "pass"), ("c1", "fail"), ("c1", "pass")), id="contradictory"),
    ],
)
def test_per_trajectory_reply_that_leaves_a_criterion_open_leaves_it_ungraded(reply: str) -> None:
    with OpenAIServer(lambda request: reply) as server:
        run = graded(server, MemoryStore(), settings=ALL_AT_ONCE)
    assert ungraded_reason(run.grades[0].verdicts[0]) == "format"
    assert run.calls == 2


def test_rules_answer_what_they_can_and_the_judge_the_rest() -> None:
    def rules(spoken: object, bound: object, held: Rubric) -> Grade:
        found = [
            Verdict(
                criterion_id=item.id,
                family=item.family,
                mode=item.mode,
                verdict="pass" if item.id == "c1" else "ungraded",
                reason="decided" if item.id == "c1" else "no_rule: needs a reader",
                grader="rules",
            )
            for item in held.criteria
        ]
        return Grade(
            trajectory_id="episode-0001", grader="rules", rubric_source="", verdicts=tuple(found)
        )

    with OpenAIServer(lambda request: verdict("not_applicable")) as server:
        task = GradingTask(trajectory(), contract(), TWO)
        grader = ModelGrader(judge(server), rules=rules)
        store = MemoryStore()
        said = estimate([task], grader=grader, store=store)
        run = grade_trajectories([task], grader=grader, store=store)
    verdicts = run.grades[0].verdicts
    assert [(item.verdict, item.grader) for item in verdicts] == [
        ("pass", "rules"),
        ("not_applicable", "openai/judge"),
    ]
    assert (run.by_rules, run.by_model, len(server.requests)) == (1, 1, 1)
    assert (said.calls, said.by_rules) == (1, 1)
    assert run.grades[0].grader == "rules+openai/judge"
    assert "rules answered 1 criteria (50%), the model the rest" in run.notes


def test_estimate_says_calls_tokens_and_dollars_and_sends_nothing() -> None:
    with OpenAIServer(lambda request: verdict("pass")) as server:
        price = Price(input=1e-6, output=1e-6, cache_read=1e-7, cache_write=1.25e-6)
        task = GradingTask(trajectory(), contract(), TWO)
        grader = ModelGrader(judge(server))
        said = estimate([task], grader=grader, store=MemoryStore(), price=price)
        assert not server.requests
        store = MemoryStore()
        grade_trajectories([task], grader=grader, store=store)
    real = sum(reply.prompt_tokens or 0 for reply in store.replies)
    assert said.calls == 2
    assert said.prompt_tokens == pytest.approx(real, rel=0.05)
    assert said.usd is not None
    assert said.usd_cached is not None
    assert said.usd_cached < said.usd


@pytest.mark.parametrize(("cache_read", "uncached"), [(1e-7, 1), (None, 0)])
def test_prefix_below_the_providers_minimum_is_reported(
    cache_read: float | None, uncached: int
) -> None:
    price = Price(input=1e-6, output=1e-6, cache_read=cache_read, cache_minimum=4096)
    with OpenAIServer(lambda request: verdict("pass")) as server:
        run = graded(server, MemoryStore(), price=price)
    assert run.uncached == uncached
    assert any("minimum of 4096 tokens" in note for note in run.notes) == bool(uncached)
