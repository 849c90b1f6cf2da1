"""Text of a reply → records. A reply that is not what was asked for is an error with a reason."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar, get_args

import pydantic
from pydantic import BaseModel, ConfigDict, Field, field_validator

from userproxybench.errors import JudgeError
from userproxybench.models import (
    Criterion,
    RejectedCriterion,
    RubricCheck,
    UngradedReason,
    Verdict,
)
from userproxybench.models.exchange import Reply

Answer = Literal["pass", "fail", "not_applicable"]
_MAX_STARTS = 400
"""Opening braces tried per reply; a reply with more before its answer is not an answer."""

_REFUSAL = re.compile(
    r"\b(I\s+(can\W?t|cannot|can not|won\Wt|will not|am (?:not able|unable))\s+"
    r"(?:help|assist|comply|do|provide|continue|fulfil|fulfill|answer|engage|evaluate|grade|judge)"
    r"|I\Wm\s+(?:sorry|not able to|unable to)|I must decline|unable to assist)",
    re.IGNORECASE,
)
_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)


class _Reply(BaseModel):
    """Base of the replies we ask for: unknown fields of a chatty model are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class CriterionReply(_Reply):
    """Answer to one criterion; the reason comes before the verdict that follows from it."""

    reason: str
    """Why, in a sentence or two."""
    turn: int | None = Field(description="number of the user turn that decides, or null")
    """Message index of the deciding user turn."""
    quotation: str | None = Field(description="words copied from that turn, or null")
    """Words that occur in that turn."""
    verdict: Answer
    """The answer."""

    @field_validator("verdict", mode="before")
    @classmethod
    def _spelling(cls, value: object) -> object:
        if isinstance(value, str):
            return re.sub(r"[\s-]+", "_", value.strip().lower())
        return value


class NamedReply(CriterionReply):
    """Answer to one of several criteria."""

    criterion: str
    """Id of the criterion."""


class TrajectoryReply(_Reply):
    """Answers to all criteria in one reply (`--mode per-trajectory`)."""

    verdicts: tuple[NamedReply, ...]
    """One per criterion."""


class ConfirmReply(_Reply):
    """Second reading of a failure, with its quotation quoted back."""

    reason: str
    """Why."""
    upheld: bool
    """Whether the quotation shows the violation."""


class ProposedCriterion(_Reply):
    """One criterion as a generator proposes it; nothing in it is believed yet."""

    statement: str
    """The criterion in one sentence."""
    applies_when: str = ""
    """When it applies."""
    mode: str
    """Mode of failure, which may not exist."""
    source: str
    """Field of the contract, which may not exist."""
    quotation: str
    """Words of that field, which may not be there."""


class CriteriaReply(_Reply):
    """A proposed rubric."""

    criteria: tuple[ProposedCriterion, ...] = Field(min_length=1)
    """Its criteria."""


class ReviewedCriterion(_Reply):
    """What a verifier found on one criterion; the span itself is checked by machine."""

    criterion: str
    """Id of the criterion."""
    reason: str
    """What is wrong, if anything is."""
    span_supports_statement: bool
    """The quotation demands what the statement says."""
    falsifiable: bool
    """A conversation can show that it is not met."""
    within_contract: bool
    """Nothing beyond the contract."""
    about_the_user: bool
    """Decided by what the user does."""
    achievable: bool
    """A user can meet it."""
    taxonomy_fit: bool
    """The mode is the right one."""
    atomic: bool
    """One demand."""
    not_redundant: bool
    """Nothing that another criterion demands."""

    @property
    def failed(self) -> RubricCheck | None:
        """The first check that does not hold."""
        return next((check for check in READ_CHECKS if not getattr(self, check)), None)


READ_CHECKS: tuple[RubricCheck, ...] = tuple(
    check for check in get_args(RubricCheck) if check != "span_is_verbatim"
)
"""The eight checks that need a reader; the ninth, `span_is_verbatim`, is a machine's."""


class ReviewReply(_Reply):
    """What a verifier found on a rubric."""

    reviews: tuple[ReviewedCriterion, ...]
    """One per criterion."""


class Review(NamedTuple):
    """A rubric after its second reading."""

    kept: tuple[Criterion, ...]
    """Criteria that passed every check."""
    rejected: tuple[RejectedCriterion, ...] = ()
    """The others, with the check each failed."""


R = TypeVar("R", bound=BaseModel)


def schema_of(kind: type[BaseModel]) -> dict[str, object]:
    """JSON Schema of a reply in the strict form of structured output: closed, all required."""
    schema = kind.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        part["additionalProperties"] = False
        part["required"] = list(part["properties"])
        part.pop("description", None)
        for field in part["properties"].values():
            field.pop("title", None)
            field.pop("default", None)
    return schema


def read_reply(reply: Reply, kind: type[R], *, shown: str = "") -> R:
    """The one record of `kind` in a reply, fenced, in prose or bare.

    An object that stands word for word in `shown` (the dialogue under judgement) is a quotation,
    never an answer.

    Raises:
        JudgeError: with the reason (`content_filter`, `refusal`, `cut_off`, `format`).
    """
    if reply.refusal or reply.finish_reason == "refusal":
        raise JudgeError("refusal", one_line(reply.refusal or reply.text or "the model refused"))
    if reply.finish_reason == "content_filter":
        raise JudgeError("content_filter", "the provider withheld the reply")
    if reply.finish_reason in ("length", "max_tokens"):
        raise JudgeError("cut_off", "the reply ended at its token limit")
    found, problem = _records(reply.text, kind, shown)
    if not found:
        raise _no_record(reply, problem)
    if any(record != found[0] for record in found[1:]):
        raise JudgeError("format", "the reply contradicts itself: it holds two different answers")
    return found[0]


def _no_record(reply: Reply, problem: str) -> JudgeError:
    if not reply.text.strip():
        return JudgeError("format", "the reply is empty")
    if "{" not in reply.text and _REFUSAL.search(reply.text[:400]):
        return JudgeError("refusal", one_line(reply.text))
    return JudgeError("format", problem or "the reply holds no JSON object")


def _records(text: str, kind: type[R], shown: str) -> tuple[list[R], str]:
    found: list[R] = []
    problem = ""
    for source, value in json_objects(_THINKING.sub("", text)):
        if source in shown:
            problem = "the reply only repeats an object of the dialogue"
            continue
        try:
            found.append(kind.model_validate(value))
        except pydantic.ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            problem = f"`{place}`: {first['msg']}" if place else str(first["msg"])
    return found, problem


def json_objects(text: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The outermost JSON objects in a text with their source; braces in prose are passed over.

    Raises:
        JudgeError: an object names one key twice, so that it says two things at once.
    """
    # not strict: small models put raw line breaks into strings, which say nothing else than \n
    decoder = json.JSONDecoder(object_pairs_hook=_unique, strict=False)
    position, tries = text.find("{"), 0
    while position >= 0 and tries < _MAX_STARTS:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, position)
        except (json.JSONDecodeError, RecursionError):
            end = position + 1
        else:
            yield text[position:end], value
        position = text.find("{", end)


def _unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    keys = Counter(key for key, _ in pairs)
    twice = [key for key, count in keys.items() if count > 1]
    if twice:
        raise JudgeError("format", f"the reply contradicts itself: key {twice[0]!r} comes twice")
    return dict(pairs)


class Answers(NamedTuple):
    """What a per-trajectory reply answers, and what it leaves open."""

    by_criterion: dict[str, NamedReply]
    """Criteria with exactly one answer."""
    problems: dict[str, str]
    """Asked criteria without one, and why."""


def read_answers(reply: Reply, asked: Iterable[str], *, shown: str = "") -> Answers:
    """Exactly one answer per criterion; missing and contradictory ones are named.

    Answers to criteria that were not asked about are passed over.
    """
    wanted = list(asked)
    given: dict[str, list[NamedReply]] = {}
    for answer in read_reply(reply, TrajectoryReply, shown=shown).verdicts:
        given.setdefault(answer.criterion, []).append(answer)
    by_criterion, problems = {}, {}
    for criterion in wanted:
        answers = given.get(criterion, [])
        if not answers:
            problems[criterion] = "no verdict"
        elif len({answer.verdict for answer in answers}) > 1:
            problems[criterion] = "contradictory verdicts"
        else:
            by_criterion[criterion] = answers[0]
    return Answers(by_criterion, problems)


def ungraded(criterion: Criterion, reason: str, detail: str, *, grader: str) -> Verdict:
    """The verdict that says that there is none."""
    return Verdict(
        criterion_id=criterion.id,
        family=criterion.family,
        mode=criterion.mode,
        verdict="ungraded",
        reason=f"{reason}: {one_line(detail)}" if detail else reason,
        grader=grader,
    )


def ungraded_reason(verdict: Verdict) -> UngradedReason | None:
    """Why there is no answer; `None` when there is one."""
    if verdict.verdict != "ungraded":
        return None
    word = verdict.reason.partition(":")[0]
    for reason in get_args(UngradedReason):
        if reason == word:
            return reason  # type: ignore[no-any-return]  # get_args is untyped
    return None


RETRIED: tuple[UngradedReason, ...] = ("transport", "budget")
"""Reasons for `ungraded` that the next run tries again, because no answer was given."""


def is_final(verdict: Verdict) -> bool:
    """Whether a stored verdict is taken as it is the next time."""
    return ungraded_reason(verdict) not in RETRIED


def combine_samples(samples: Sequence[Verdict]) -> Verdict:
    """One verdict out of repeated ones: the answer of more than half of those that answered.

    No such answer, or none that answered, is `ungraded`.
    """
    if len(samples) == 1:
        return samples[0]
    answered = [verdict for verdict in samples if verdict.verdict != "ungraded"]
    if not answered:
        return samples[0]
    outcome, votes = Counter(verdict.verdict for verdict in answered).most_common(1)[0]
    chosen = next(verdict for verdict in answered if verdict.verdict == outcome)
    if 2 * votes > len(answered):
        return chosen
    counts = Counter(verdict.verdict for verdict in answered)
    tally = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    return chosen.model_copy(
        update={
            "verdict": "ungraded",
            "reason": f"samples_disagree: {tally}",
            "turn": None,
            "quotation": "",
        }
    )


def one_line(text: str, limit: int = 160) -> str:
    """Text of a model or a provider as one printable line."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
