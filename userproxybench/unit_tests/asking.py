"""One unit-test question put to a model; whatever is no answer is `ungraded` with its reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field, field_validator

from userproxybench.accord.rules import TestName
from userproxybench.blinding import Names, conversation, fenced, quoted, show
from userproxybench.errors import InputError, JudgeError
from userproxybench.llm import Keep, LanguageModel, ask_twice
from userproxybench.models import Trajectory, Turn
from userproxybench.models.exchange import Prompt, Reply
from userproxybench.prompting import PromptFile, prompt_file, repaired
from userproxybench.replies import one_line, read_reply, schema_of
from userproxybench.unit_tests.cases import UnitCase
from userproxybench.unit_tests.questions import Wordings

_LABEL = re.compile(r"^\s*(user|me|customer|response)\s*:\s*", re.IGNORECASE)


class UnitTestReply(BaseModel):
    """Answer to one question; the reason comes before the answer that follows from it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    reason: str
    """Why, in a sentence or two."""
    answer: Literal["yes", "no", "n/a"]
    """The answer."""

    @field_validator("answer", mode="before")
    @classmethod
    def _spelling(cls, value: object) -> object:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            word = re.sub(r"[\s._-]+", "", value.strip().lower())
            return {"na": "n/a", "notapplicable": "n/a"}.get(word, word)
        return value


class ScoreReply(BaseModel):
    """Whether what was bought or booked meets one criterion."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    reason: str
    """Why, in a sentence."""
    score: Literal[0, 1] = Field(description="0 or 1")
    """1: the criterion is met."""


@dataclass(frozen=True)
class Shown:
    """One case as a model sees it: names withheld, foreign text fenced."""

    case: UnitCase
    """The case."""
    response: str
    """The candidate response: the recorded turn, or another simulator's."""
    names: Names
    """Names of the whole run, to be withheld."""

    @cached_property
    def _withheld(self) -> Names:
        turns = self.case.exchange.before
        texts = [self.response, *(turn.text for turn in turns), self.case_text]
        return self.names.within(self.case.trajectory, texts)

    @property
    def case_text(self) -> str:
        """All text of the contract that the question is about."""
        contract = self.case.contract
        return "\n\n".join([*contract.blueprint.texts().values(), contract.guidelines]).strip()

    def block(self, text: str) -> str:
        """Foreign text as a fenced block."""
        return fenced(quoted(show(text, self._withheld).text))

    @cached_property
    def conversation(self) -> str:
        """The turns before the response."""
        return conversation(_cut(self.case.trajectory, self.case.exchange.before), self.names)

    def question(self, test: TestName, questions: Wordings) -> Prompt:
        """The prompt of one test."""
        file = prompt_file("unit_test")
        prefix = file.fill_prefix(
            instructions=self.block(self.case_text),
            conversation=self.conversation,
            response=self.block(self.response),
        )
        suffix = file.fill_suffix(question=questions.texts[self.case.domain, test])
        self._check(prefix, file)
        return Prompt(file.system, prefix, suffix, cache=True)

    def _check(self, text: str, file: PromptFile) -> None:
        leaks = self.names.leaks(text, self.case.trajectory, template=file.text)
        if leaks:
            raise InputError(f"a prompt would tell the judge {leaks[0]!r}; nothing was sent")


def _cut(trajectory: Trajectory, turns: tuple[Turn, ...]) -> Trajectory:
    """The conversation up to the response."""
    return msgspec.structs.replace(trajectory, turns=turns)


def candidate_prompt(case: UnitCase) -> Prompt:
    """Asks another simulator for its response; it is no judge, so no name is withheld."""
    plain = Shown(case, "", Names())
    file = prompt_file("candidate_response")
    return Prompt(
        file.system,
        file.fill_prefix(
            instructions=fenced(quoted(plain.case_text)),
            conversation=_dialogue(case.exchange.before),
        ),
        file.fill_suffix(),
    )


def _dialogue(turns: tuple[Turn, ...]) -> str:
    lines: list[str] = []
    for turn in turns:
        who = {"user": "You", "agent": "Assistant", "tool": "Your tool"}[turn.speaker]
        lines += [f"### {who}", *quoted(turn.text)]
    return fenced(lines)


def read_response(reply: Reply) -> str:
    """The message that a candidate wrote.

    Raises:
        JudgeError: it refused, was filtered or cut off, or wrote nothing.
    """
    if reply.refusal or reply.finish_reason == "refusal":
        raise JudgeError("refusal", "the candidate refused")
    if reply.finish_reason == "content_filter":
        raise JudgeError("content_filter", "the provider withheld the candidate's response")
    if reply.finish_reason in ("length", "max_tokens"):
        raise JudgeError("cut_off", "the candidate's response ended at its token limit")
    text = _LABEL.sub("", re.sub(r"<think>.*?</think>", "", reply.text, flags=re.DOTALL)).strip()
    if not text:
        raise JudgeError("format", "the candidate's response is empty")
    return text


def ask(
    shown: Shown, test: TestName, questions: Wordings, *, judge: LanguageModel, keep: Keep
) -> UnitTestReply:
    """The answer to one question, after one repair where that may help.

    Raises:
        JudgeError: there is no answer, and why.
    """
    seen = f"{shown.conversation}\n{shown.response}"

    def read(reply: Reply) -> UnitTestReply:
        answer = read_reply(reply, UnitTestReply, shown=seen)
        if test == "test000" and answer.answer == "n/a":
            raise JudgeError("format", "this question has no n/a: answer yes or no")
        return answer

    def repair(prompt: Prompt, problem: str, reply: str) -> Prompt:
        return repaired(prompt, problem, reply, shown.names)

    prompt = shown.question(test, questions)
    schema = schema_of(UnitTestReply)
    answer = ask_twice(judge, prompt, read=read, repair=repair, schema=schema, keep=keep)
    return answer.model_copy(update={"reason": one_line(answer.reason, 600)})
