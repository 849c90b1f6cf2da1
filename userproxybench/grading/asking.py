"""Put one question to a judge and take nothing for an answer that is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import pydantic

from userproxybench.blinding import Shown
from userproxybench.errors import JudgeError
from userproxybench.grading.cases import Question
from userproxybench.models import Criterion, Verdict
from userproxybench.models.exchange import Prompt, Reply
from userproxybench.prompting import followed_by, prompt_file, repaired
from userproxybench.replies import (
    ConfirmReply,
    CriterionReply,
    TrajectoryReply,
    one_line,
    read_answers,
    read_reply,
    ungraded,
)

Call = Callable[[Prompt, type[pydantic.BaseModel], int], Reply]
"""Sends a prompt for a kind of reply within a token limit; the reply is on disk when it returns."""

_REPAIRED = ("format", "cut_off", "unsupported_quotation")
"""Faults that a second try may heal; a refusal or a filter is an answer of its own kind."""


class Reading(NamedTuple):
    """What one reply says on the criteria that were asked."""

    verdicts: dict[str, Verdict]
    """Criteria with a verdict that holds."""
    problems: dict[str, JudgeError]
    """Criteria without one, and why."""


def ask(question: Question, call: Call) -> list[Verdict]:
    """One verdict per criterion asked; `ungraded` with a reason where there is no answer."""
    judge = question.case.judge
    try:
        _check_fits(question)
        reading = _read_twice(question, call)
    except JudgeError as error:
        return [
            ungraded(item, error.reason, error.detail, grader=judge.name)
            for item in question.criteria
        ]
    verdicts = []
    for item in question.criteria:
        verdict = reading.verdicts.get(item.id)
        if verdict is None:
            fault = reading.problems[item.id]
            verdict = ungraded(item, fault.reason, fault.detail, grader=judge.name)
        elif verdict.verdict == "fail" and question.case.settings.confirm:
            verdict = _confirmed(question, item, verdict, call)
        verdicts.append(verdict)
    return verdicts


def _check_fits(question: Question) -> None:
    """Send nothing that cannot fit, even at five bytes per token."""
    judge = question.case.judge
    if judge.window is None:
        return
    least = len(question.case.prefix.encode("utf-8", "replace")) // 5
    if least > judge.window:
        raise JudgeError(
            "overflow",
            f"the prompt has at least {least} tokens, the judge takes {judge.window}; not sent",
        )


def _read_twice(question: Question, call: Call) -> Reading:
    """The reading of the first reply, or of a repaired one where that is worth a call."""
    case = question.case
    prompt = case.prompt(question)
    limit = case.judge.max_tokens
    reply = call(prompt, _kind(question), limit)
    first = _read(question, reply)
    faults = {name: error for name, error in first.problems.items() if error.reason in _REPAIRED}
    if not faults:
        return first
    if any(error.reason == "cut_off" for error in faults.values()):
        limit *= 2
    complaint = "; ".join(dict.fromkeys(_complaint(question, faults)))
    repair = repaired(prompt, complaint, reply.text, case.names)
    second = _read(question, call(repair, _kind(question), limit))
    return Reading({**first.verdicts, **second.verdicts}, second.problems)


def _kind(question: Question) -> type[pydantic.BaseModel]:
    single = question.case.settings.mode == "per-criterion"
    return CriterionReply if single else TrajectoryReply


def _complaint(question: Question, faults: dict[str, JudgeError]) -> list[str]:
    named = question.case.settings.mode == "per-trajectory"
    return [f"{name}: {error.detail}" if named else error.detail for name, error in faults.items()]


def _read(question: Question, reply: Reply) -> Reading:
    shown = question.case.view.conversation
    ids = [item.id for item in question.criteria]
    try:
        if question.case.settings.mode == "per-criterion":
            given: Mapping[str, CriterionReply]
            given = {ids[0]: read_reply(reply, CriterionReply, shown=shown)}
            open_: Mapping[str, str] = {}
        else:
            given, open_ = read_answers(reply, ids, shown=shown)
    except JudgeError as error:
        return Reading({}, dict.fromkeys(ids, error))
    verdicts: dict[str, Verdict] = {}
    problems = {name: JudgeError("format", why) for name, why in open_.items()}
    for item in question.criteria:
        if item.id in given:
            try:
                verdicts[item.id] = _verdict(question, item, given[item.id])
            except JudgeError as error:
                problems[item.id] = error
    return Reading(verdicts, problems)


def _verdict(question: Question, item: Criterion, answer: CriterionReply) -> Verdict:
    """The verdict that an answer stands for, its quotation in the recorded words.

    Raises:
        JudgeError: a failure whose quotation is not in a user turn (`unsupported_quotation`).
    """
    turns = question.case.view.user_turns
    words = _words_of(turns.get(answer.turn) if answer.turn is not None else None, answer)
    if answer.verdict == "fail" and words is None:
        raise JudgeError("unsupported_quotation", _why_unsupported(turns, answer))
    return Verdict(
        criterion_id=item.id,
        family=item.family,
        mode=item.mode,
        verdict=answer.verdict,
        turn=answer.turn if words is not None else None,
        quotation=words or "",
        reason=one_line(answer.reason, 600),
        grader=question.case.judge.name,
    )


def _words_of(turn: Shown | None, answer: CriterionReply) -> str | None:
    return turn.locate(answer.quotation) if turn and answer.quotation else None


def _why_unsupported(turns: dict[int, Shown], answer: CriterionReply) -> str:
    if answer.turn is None or not answer.quotation:
        return "a fail needs the number of a user turn and words copied from it"
    if answer.turn not in turns:
        listed = ", ".join(map(str, list(turns)[:40]))
        return f"turn {answer.turn} is no turn of the user under judgement ({listed})"
    return f"turn {answer.turn} does not hold the words {one_line(answer.quotation, 80)!r}"


def _confirmed(question: Question, item: Criterion, verdict: Verdict, call: Call) -> Verdict:
    """The failure, if the judge upholds it when its words are quoted back; else no verdict."""
    case = question.case
    evidence = case.inert(f"turn {verdict.turn}: {verdict.quotation}\n{verdict.reason}")
    single = question._replace(criteria=(item,))
    added = prompt_file("confirm_grade").fill_suffix(evidence=evidence)
    prompt = followed_by(case.prompt(single), added)
    try:
        reply = call(prompt, ConfirmReply, case.judge.max_tokens)
        answer = read_reply(reply, ConfirmReply, shown=case.view.conversation)
    except JudgeError as error:
        detail = f"second reading: {error.detail}"
        return ungraded(item, error.reason, detail, grader=case.judge.name)
    if answer.upheld:
        return verdict
    return ungraded(
        item,
        "samples_disagree",
        f"the second reading did not uphold a fail at turn {verdict.turn}: {answer.reason}",
        grader=case.judge.name,
    )
