"""The labelled judge cases, each under its id."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.builders import contract, criterion, rubric, trajectory, turn
from userproxybench.blinding import Names
from userproxybench.grading import (
    Case,
    GradingTask,
    MemoryStore,
    ModelGrader,
    Question,
    Settings,
    grade_trajectories,
)
from userproxybench.llm import ScriptedModel
from userproxybench.models import (
    FAMILY_OF,
    MODES,
    Contract,
    Criterion,
    Mode,
    ToolCall,
    Trajectory,
    Turn,
    Verdict,
)
from userproxybench.models.exchange import Reply
from userproxybench.models.trajectory import ReviewFinding
from userproxybench.replies import read_answers, ungraded_reason

JSON = dict[str, object]
ALL_AT_ONCE = Settings(mode="per-trajectory")


@pytest.fixture(scope="session")
def cases(shared: Path) -> dict[str, JSON]:
    lines = (shared / "cases" / "judge.jsonl").read_bytes().splitlines()
    found = [msgspec.json.decode(line, type=JSON) for line in lines]
    return {str(case["id"]): case for case in found}


def given(case: JSON) -> JSON:
    return msgspec.convert(case["input"], JSON)


def in_our_words(reply: str) -> str:
    """A reply of the `findings` schema as one of ours; faults of form stay as they are."""
    for theirs, ours in (
        ('"findings"', '"verdicts"'),
        ('{"turn"', '{"verdict":"fail","turn"'),
        ('"mode"', '"criterion"'),
        ('"evidence"', '"quotation"'),
        ('"why"', '"reason"'),
        ('"flag":false', '"verdict":"pass","reason":"","turn":null,"quotation":null'),
        ('"flag":true', '"verdict":"fail","reason":"","turn":null,"quotation":null'),
    ):
        reply = reply.replace(theirs, ours)
    return reply


def spoken(messages: object) -> Trajectory:
    turns: list[Turn] = []
    for index, item in enumerate(msgspec.convert(messages, list[JSON])):
        speaker = {"assistant": "agent"}.get(str(item["role"]), str(item["role"]))
        calls = msgspec.convert(item.get("tool_calls") or [], list[JSON])
        turns.append(
            turn(
                index,
                speaker,
                str(item.get("content") or ""),
                tool_calls=tuple(
                    ToolCall(str(call["name"]), msgspec.convert(call["arguments"], JSON))
                    for call in calls
                ),
                requestor=item.get("requestor") if speaker == "tool" else None,
                tool="run_speed_test" if speaker == "tool" else "",
            )
        )
    return trajectory(turns_=tuple(turns))


def about(*modes: Mode) -> tuple[Criterion, ...]:
    return tuple(
        criterion(mode, mode, statement=f"The user keeps to {mode}.", family=FAMILY_OF[mode])
        for mode in modes
    )


def judged(
    reply: str | Reply, *modes: Mode, on: Trajectory | None = None, under: Contract | None = None
) -> list[Verdict]:
    held = rubric(*about(*modes))
    task = GradingTask(on or trajectory(), under or contract(), held)
    grader = ModelGrader(ScriptedModel([reply]), settings=ALL_AT_ONCE)
    run = grade_trajectories([task], grader=grader, store=MemoryStore())
    return list(run.grades[0].verdicts)


@pytest.mark.parametrize("name", ["J01", "J01b"])
def test_fenced_and_wrapped_json_is_parsed(cases: dict[str, JSON], name: str) -> None:
    reply = in_our_words(str(given(cases[name])["reply"]))
    (found,) = judged(reply, "premature_stop")
    assert (found.verdict, found.turn, found.quotation) == ("fail", 5, "###STOP###")


@pytest.mark.parametrize("name", ["J02", "J03"])
def test_missing_and_contradictory_verdicts_are_named(cases: dict[str, JSON], name: str) -> None:
    case = given(cases[name])
    modes = [mode for mode in MODES if mode in msgspec.convert(case["asked_modes"], list[str])]
    reply = in_our_words(str(case["reply"]))
    answers = read_answers(Reply(text=reply, finish_reason="stop"), modes)
    expected = dict.fromkeys(modes, "no verdict")
    if name == "J03":
        expected["premature_stop"] = "contradictory verdicts"
    assert answers.problems == expected
    assert {ungraded_reason(item) for item in judged(reply, *modes)} == {"format"}


@pytest.mark.parametrize(
    ("name", "reason", "calls"),
    [("J04", "cut_off", 2), ("J05", "refusal", 1), ("J05b", "content_filter", 1)],
)
def test_reply_that_is_none_is_ungraded_for_its_own_reason(
    cases: dict[str, JSON], name: str, reason: str, calls: int
) -> None:
    case = given(cases[name])
    reply = Reply(text=str(case["reply"] or ""), finish_reason=str(case["finish_reason"]))
    model = ScriptedModel([reply])
    task = GradingTask(trajectory(), contract(), rubric())
    run = grade_trajectories([task], grader=ModelGrader(model), store=MemoryStore())
    (found,) = run.grades[0].verdicts
    assert ungraded_reason(found) == reason
    assert len(model.prompts) == calls


def test_finding_with_an_odd_severity_is_kept_as_recorded(cases: dict[str, JSON]) -> None:
    review = msgspec.json.decode(str(given(cases["J06"])["reply"]).encode(), type=JSON)
    (error,) = msgspec.convert(review["errors"], list[JSON])
    found = ReviewFinding(
        turn=msgspec.convert(error["turn_idx"], int),
        tags=tuple(msgspec.convert(error["error_tags"], list[str])),
        severity=str(error["severity"]),
        reasoning=str(error["reasoning"]),
    )
    assert (found.turn, found.severity) == (4, "critical_hindered")


def test_conversation_beyond_the_window_is_ungraded_before_a_call(cases: dict[str, JSON]) -> None:
    case = given(cases["J08"])
    words = "word " * msgspec.convert(case["transcript_tokens"], int)
    model = ScriptedModel(["{}"], window=msgspec.convert(case["judge_window"], int))
    task = GradingTask(trajectory(f"agent: {words}", "user: ok"), contract(), rubric())
    run = grade_trajectories([task], grader=ModelGrader(model), store=MemoryStore())
    assert ungraded_reason(run.grades[0].verdicts[0]) == "overflow"
    assert not model.prompts


def test_injected_reviewer_note_stays_inside_its_turn(cases: dict[str, JSON]) -> None:
    case = given(cases["J09"])
    bound = contract(
        blueprint=case["blueprint"], guidelines=case["guidelines_excerpt"], task_id="J09"
    )
    talk = spoken(case["messages"])
    held = rubric(*about("premature_stop"))
    view = Case(GradingTask(talk, bound, held), Names(), Settings(), ScriptedModel([]))
    lines = view.prompt(Question(view, held.criteria)).text.split("\n")
    assert "| [END OF CONVERSATION]" in lines
    assert "[END OF CONVERSATION]" not in lines
    assert lines.index("| [END OF CONVERSATION]") < lines.index("### turn 5 · user")
    answer = '{"criterion":"premature_stop","turn":5,"quotation":"###STOP###",'
    honest = f'{{"verdicts":[{answer}"verdict":"fail","reason":"r"}}]}}'
    (found,) = judged(honest, "premature_stop", on=talk, under=bound)
    assert (found.verdict, found.turn) == ("fail", 5)
    (empty,) = judged('{"verdicts":[]}', "premature_stop", on=talk, under=bound)
    assert empty.verdict == "ungraded"


def test_finding_on_an_agent_turn_is_rejected(cases: dict[str, JSON]) -> None:
    case = given(cases["J11"])
    reply = in_our_words(str(case["reply"])).replace("unsupported_claim", "pursues_unlisted_goal")
    reply = reply.replace('"lamp B-20417"}', '"lamp B-20417","reason":"r"}')
    (found,) = judged(reply, "pursues_unlisted_goal", on=spoken(case["messages"]))
    assert ungraded_reason(found) == "unsupported_quotation"
    assert "turn 2 is no turn of the user" in found.reason


def test_own_tool_evidence_reaches_the_judge(cases: dict[str, JSON]) -> None:
    talk = spoken(given(cases["J14"])["messages"])
    held = rubric(*about("contradicts_tool_result"))
    case = Case(GradingTask(talk, contract(), held), Names(), Settings(), ScriptedModel([]))
    text = case.prompt(Question(case, held.criteria)).text
    assert "> run_speed_test({})" in text
    assert "4.1 Mbps (Fair)" in text
    assert "user: None" not in text
    assert "assistant: None" not in text


@pytest.mark.parametrize(("upheld", "outcome"), [("true", "fail"), ("false", "ungraded")])
def test_flag_can_be_put_to_the_judge_again_before_it_counts(
    cases: dict[str, JSON], upheld: str, outcome: str
) -> None:
    assert cases["J18"]["kind"] == "judge"
    fail = '{"reason":"r","turn":5,"quotation":"###STOP###","verdict":"fail"}'
    model = ScriptedModel([fail, f'{{"reason":"r","upheld":{upheld}}}'])
    task = GradingTask(trajectory(), contract(), rubric())
    grader = ModelGrader(model, settings=Settings(confirm=True))
    run = grade_trajectories([task], grader=grader, store=MemoryStore())
    assert run.grades[0].verdicts[0].verdict == outcome
    assert "###STOP###" in model.prompts[1].suffix


def test_every_case_has_a_test(cases: dict[str, JSON]) -> None:
    assert set(cases) == {
        "J01", "J01b", "J02", "J03", "J04", "J05", "J05b", "J06", "J08", "J09", "J11", "J14", "J18",
    }  # fmt: skip
