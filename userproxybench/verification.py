"""Read a proposed rubric a second time: one model call for all criteria of a task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from userproxybench.blinding import Names, contract_blocks, fenced, quoted, show
from userproxybench.errors import JudgeError
from userproxybench.linting import faults_of
from userproxybench.llm import Keep, LanguageModel, ask_twice
from userproxybench.models import Contract, Criterion, RejectedCriterion, Rubric
from userproxybench.models.exchange import Prompt, Reply
from userproxybench.prompting import modes_of_failure, prompt_file, repaired
from userproxybench.replies import Review, ReviewReply, read_reply, schema_of

PROMPTS = ("verify", "repair_reply")


def verify(
    contract: Contract,
    criteria: Sequence[Criterion],
    kept: Sequence[Criterion] = (),
    *,
    verifier: LanguageModel,
    names: Names,
    keep: Keep,
) -> Review:
    """Which of `criteria` pass all nine checks, beside those `kept` before.

    The first check, that the span is verbatim, is a machine's; a criterion that fails it is not
    sent. Without any criterion to read there is no call.

    Raises:
        JudgeError: the verifier gave no usable reply.
    """
    sound, rejected = _by_machine(contract, criteria)
    if not sound:
        return Review((), tuple(rejected))
    listed = [*kept, *sound]
    ids = [item.id for item in listed]
    prompt = _prompt(contract, listed, names)
    reviews = ask_twice(
        verifier,
        prompt,
        read=lambda reply: _reviews(reply, ids),
        repair=lambda prompt, problem, reply: repaired(prompt, problem, reply, names),
        schema=schema_of(ReviewReply),
        keep=keep,
    )
    by_id = {review.criterion: review for review in reviews.reviews}
    passed = []
    for item in sound:
        review = by_id[item.id]
        if review.failed is None:
            passed.append(item)
        else:
            rejected.append(
                RejectedCriterion(
                    statement=item.statement, failed=review.failed, reason=review.reason
                )
            )
    return Review(tuple(passed), tuple(rejected))


def verified(rubric: Rubric, review: Review, verifier: str) -> Rubric:
    """A rubric after its second reading."""
    provenance = rubric.provenance.model_copy(
        update={
            "verifier": verifier,
            "prompt_hashes": {
                **rubric.provenance.prompt_hashes,
                **{name: prompt_file(name).hash for name in PROMPTS},
            },
            "rejected": (*rubric.provenance.rejected, *review.rejected),
        }
    )
    return rubric.model_copy(update={"criteria": review.kept, "provenance": provenance})


def _by_machine(
    contract: Contract, criteria: Sequence[Criterion]
) -> tuple[list[Criterion], list[RejectedCriterion]]:
    sound, rejected = [], []
    for item in criteria:
        faults = [fault for fault in faults_of(item, contract) if fault.check == "span_is_verbatim"]
        if faults:
            rejected.append(
                RejectedCriterion(
                    statement=item.statement, failed="span_is_verbatim", reason=faults[0].problem
                )
            )
        else:
            sound.append(item)
    return sound, rejected


def _reviews(reply: Reply, ids: Sequence[str]) -> ReviewReply:
    """Exactly one review per criterion, or none at all."""
    found = read_reply(reply, ReviewReply)
    counts = Counter(review.criterion for review in found.reviews)
    missing = [name for name in ids if counts[name] == 0]
    twice = [name for name in ids if counts[name] > 1]
    if missing or twice:
        raise JudgeError("format", f"no review for {missing}, more than one for {twice}")
    return found


def _prompt(contract: Contract, criteria: Sequence[Criterion], names: Names) -> Prompt:
    file = prompt_file("verify")
    lines = [line for item in criteria for line in _lines(item, contract)]
    inert = [line for text in lines for line in quoted(show(text, names).text)]
    return Prompt(
        system=file.fill_system(modes=modes_of_failure()),
        prefix=file.fill_prefix(**contract_blocks(contract, names)._asdict()),
        suffix=file.fill_suffix(criteria=fenced(inert), count=str(len(criteria))),
    )


def _lines(item: Criterion, contract: Contract) -> list[str]:
    span = item.grounding.resolve(contract) if item.grounding else None
    source = item.grounding.source if item.grounding else ""
    return [
        f"Id: {item.id}",
        f"Statement: {item.statement}",
        *([f"Applies when: {item.applies_when}"] if item.applies_when else []),
        f"Mode of failure: {item.mode}",
        f"Stands on ({source}): {span}",
    ]
