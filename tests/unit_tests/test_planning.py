from tests.accord_example import cases, graders
from userproxybench.llm import Price, ScriptedModel
from userproxybench.unit_tests.planning import plan
from userproxybench.unit_tests.questions import wordings
from userproxybench.unit_tests.running import Bench, MemoryStore, run_tests

QUESTIONS = wordings()
YES = '{"reason": "r", "answer": "yes"}'


def test_a_plan_counts_the_calls_that_a_run_makes() -> None:
    judge = ScriptedModel(replies=[YES])
    bench = Bench(questions=QUESTIONS, rules=graders(), judge=judge, jobs=1)
    store = MemoryStore()
    made = plan(cases()[:6], bench=bench, store=store, price=Price(1e-6, 1e-6))
    run = run_tests(cases()[:6], bench=bench, store=store)
    assert made.calls == run.calls
    assert made.usd is not None
    assert made.usd > 0
    again = plan(cases()[:6], bench=bench, store=store)
    assert (again.calls, again.on_file) == (0, made.calls)


def test_a_candidate_without_a_price_leaves_the_dollars_unknown() -> None:
    candidate = ScriptedModel(replies=["Hi"])
    bench = Bench(questions=QUESTIONS, rules=graders(), candidate=candidate)
    made = plan(cases()[:3], bench=bench, store=MemoryStore())
    assert (made.candidate_calls, made.calls, made.usd) == (3, 0, None)


def test_rules_alone_cost_nothing() -> None:
    made = plan(cases()[:3], bench=Bench(questions=QUESTIONS, rules=graders()), store=MemoryStore())
    assert (made.calls, made.prompt_tokens, made.usd) == (0, 0, 0.0)
