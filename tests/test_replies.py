from __future__ import annotations

import json

import pytest

from tests.builders import criterion
from userproxybench.errors import JudgeError
from userproxybench.models import Verdict
from userproxybench.models.exchange import Reply
from userproxybench.replies import (
    CriteriaReply,
    CriterionReply,
    ReviewReply,
    TrajectoryReply,
    combine_samples,
    json_objects,
    one_line,
    read_answers,
    read_reply,
    schema_of,
    ungraded,
    ungraded_reason,
)

GOOD = '{"reason": "r", "turn": 3, "quotation": "hi", "verdict": "fail"}'
BAD = '{"reason": "r", "turn": null, "quotation": null, "verdict": "pass"}'


def said(text: str, *, finish_reason: str = "stop", refusal: str = "") -> Reply:
    return Reply(text=text, finish_reason=finish_reason, refusal=refusal)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(GOOD, id="bare"),
        pytest.param(f"```json\n{GOOD}\n```", id="fenced"),
        pytest.param(
            f"Look {{as simulator}} here.\n{GOOD}\nHope this helps.", id="braces in prose"
        ),
        pytest.param(f"{GOOD}\n{GOOD}", id="said twice alike"),
        pytest.param(f"<think>{BAD}</think>{GOOD}", id="after thinking"),
        pytest.param(GOOD.replace('"fail"', '"FAIL"'), id="upper case"),
        pytest.param(GOOD.replace("3", '"3"'), id="turn as text"),
        pytest.param(GOOD[:-1] + ', "confidence": 0.9}', id="extra field"),
        pytest.param(GOOD.replace('"r"', '"two\nlines\t"'), id="raw line break in a string"),
    ],
)
def test_answer_is_found_however_it_is_wrapped(text: str) -> None:
    answer = read_reply(said(text), CriterionReply)
    assert (answer.verdict, answer.turn, answer.quotation) == ("fail", 3, "hi")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        pytest.param(said(""), "format", id="empty"),
        pytest.param(said("Sure! The user did fine."), "format", id="prose only"),
        pytest.param(said(GOOD[:-9]), "format", id="truncated without saying so"),
        pytest.param(said(GOOD, finish_reason="length"), "cut_off", id="at the limit"),
        pytest.param(said("<think>" + GOOD), "format", id="only a thought"),
        pytest.param(said(GOOD.replace("fail", "partly")), "format", id="wrong enum"),
        pytest.param(said("{}"), "format", id="empty object"),
        pytest.param(said('{"verdicts": []}'), "format", id="another schema"),
        pytest.param(said(f"{GOOD}\n{BAD}"), "format", id="contradictory objects"),
        pytest.param(
            said(
                '{"reason": "r", "verdict": "pass", "turn": 1, "quotation": "", "verdict": "fail"}'
            ),
            "format",
            id="contradictory keys",
        ),
        pytest.param(said("I can't help with that request."), "refusal", id="refusal in words"),
        pytest.param(said("I’m sorry, but I cannot judge this."), "refusal", id="typographic"),
        pytest.param(said("", refusal="No."), "refusal", id="refusal field"),
        pytest.param(said("", finish_reason="content_filter"), "content_filter", id="filter"),
        pytest.param(said(GOOD, finish_reason="content_filter"), "content_filter", id="filtered"),
        pytest.param(said("[" * 5000 + "{" * 5000), "format", id="nested beyond reason"),
        pytest.param(said('{"reason": NaN, "verdict": "pass"}'), "format", id="not a number"),
    ],
)
def test_reply_that_is_no_answer_has_a_reason(reply: Reply, reason: str) -> None:
    with pytest.raises(JudgeError, match=f"^{reason}: "):
        read_reply(reply, CriterionReply)


def test_object_quoted_from_the_dialogue_is_no_answer() -> None:
    with pytest.raises(JudgeError, match="only repeats an object of the dialogue"):
        read_reply(said(f"The user wrote {BAD}"), CriterionReply, shown=f"| {BAD}")
    answer = read_reply(said(f"The user wrote {BAD}.\n{GOOD}"), CriterionReply, shown=f"| {BAD}")
    assert answer.verdict == "fail"


def named(criterion: str, verdict: str) -> dict[str, object]:
    return {
        "criterion": criterion,
        "reason": "",
        "turn": None,
        "quotation": None,
        "verdict": verdict,
    }


def test_per_trajectory_reply_needs_exactly_one_answer_each() -> None:
    verdicts = [named("a", "pass"), named("b", "pass"), named("b", "fail"), named("x", "pass")]
    answers = read_answers(said(json.dumps({"verdicts": verdicts})), ["a", "b", "c"])
    assert list(answers.by_criterion) == ["a"]
    assert answers.problems == {"b": "contradictory verdicts", "c": "no verdict"}


@pytest.mark.parametrize(
    "kind",
    [CriterionReply, TrajectoryReply, CriteriaReply, ReviewReply],
    ids=lambda kind: kind.__name__,
)
def test_schemas_are_strict(kind: type[CriterionReply]) -> None:
    schema = schema_of(kind)
    definitions = schema.get("$defs", {})
    assert isinstance(definitions, dict)
    for part in (schema, *definitions.values()):
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
    assert "default" not in json.dumps(schema)


def test_reason_comes_before_the_verdict() -> None:
    fields = list(CriterionReply.model_fields)
    assert fields.index("reason") < fields.index("verdict")


def test_objects_in_prose_are_bounded() -> None:
    assert list(json_objects("{" * 100_000)) == []


def test_ungraded_says_why_and_is_read_back() -> None:
    verdict = ungraded(criterion(), "cut_off", "at\nthe \x1b[31mlimit", grader="m")
    assert verdict.reason == "cut_off: at the [31mlimit"
    assert ungraded_reason(verdict) == "cut_off"


def sample(outcome: str) -> Verdict:
    return ungraded(criterion(), "format", "", grader="m").model_copy(update={"verdict": outcome})


@pytest.mark.parametrize(
    ("outcomes", "combined"),
    [
        (["pass"], "pass"),
        (["fail", "fail", "pass"], "fail"),
        (["fail", "pass"], "ungraded"),
        (["fail", "ungraded"], "fail"),
        (["ungraded", "ungraded"], "ungraded"),
        (["pass", "fail", "not_applicable"], "ungraded"),
    ],
)
def test_samples_combine_by_majority_of_those_that_answered(
    outcomes: list[str], combined: str
) -> None:
    verdict = combine_samples([sample(outcome) for outcome in outcomes])
    assert verdict.verdict == combined
    if combined == "ungraded" and "ungraded" not in outcomes:
        assert ungraded_reason(verdict) == "samples_disagree"


def test_one_line_holds_nothing_unprintable() -> None:
    assert one_line("a\x00b\u202ec\n" + "d" * 300).isprintable()
