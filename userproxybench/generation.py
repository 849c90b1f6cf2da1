"""Write a rubric for one task: propose, check by machine, have it verified, repair once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from userproxybench.blinding import Names, contract_blocks, conversation, fenced, quoted, show
from userproxybench.errors import JudgeError
from userproxybench.linting import FEWEST, MOST, faults_of
from userproxybench.llm import Keep, LanguageModel, Step, ask_twice, fan_out
from userproxybench.models import (
    BLUEPRINT_FIELDS,
    FAMILY_OF,
    MODES,
    Contract,
    Criterion,
    Grounding,
    Mode,
    Provenance,
    RejectedCriterion,
    Rubric,
    SourceField,
    Trajectory,
)
from userproxybench.models.exchange import Prompt
from userproxybench.prompting import followed_by, modes_of_failure, prompt_file, repaired
from userproxybench.replies import (
    RETRIED,
    CriteriaReply,
    ProposedCriterion,
    Review,
    read_reply,
    schema_of,
)

Verify = Callable[[Contract, Sequence[Criterion], Sequence[Criterion]], Review]
"""Second reading of new criteria beside those already kept: (contract, new, kept)."""
SOURCES: tuple[SourceField, ...] = (*BLUEPRINT_FIELDS, "guidelines", "user_tools")
PROMPTS = ("generate", "repair_generation", "repair_reply")


class RubricTask(NamedTuple):
    """One task to write a rubric for."""

    contract: Contract
    """What its user is told."""
    sample: Trajectory | None
    """A conversation that shows situations, never what is right; of no audited proxy."""


class RubricFailure(NamedTuple):
    """A task whose rubric could not be written."""

    contract: Contract
    """The task."""
    reason: str
    """Why not, in one line."""


class Proposal(NamedTuple):
    """Proposed criteria after the machine has checked them."""

    criteria: tuple[Criterion, ...]
    """Criteria without a fault that a machine can find."""
    rejected: tuple[RejectedCriterion, ...]
    """The others; no verifier is paid for them."""


def write_rubrics(
    tasks: Iterable[RubricTask],
    *,
    write: Callable[[RubricTask], Rubric],
    jobs: int = 8,
) -> Iterator[Rubric | RubricFailure]:
    """Rubrics as they are finished; a task that fails says why and stops no other."""

    def work(task: RubricTask) -> Step[RubricTask, Rubric | RubricFailure]:
        try:
            return Step(write(task))
        except JudgeError as error:
            return Step(RubricFailure(task.contract, str(error)))

    return fan_out(tasks, work, jobs=jobs)


@dataclass(frozen=True)
class Writer:
    """Who writes rubrics, who reads them a second time, and what neither may see."""

    generator: LanguageModel
    """Writes the criteria."""
    verify: Verify
    """Reads them."""
    names: Names
    """Names to withhold."""
    keep: Keep
    """Puts the generator's raw replies on disk."""


def write_rubric(task: RubricTask, writer: Writer) -> Rubric:
    """A verified rubric for one task.

    Raises:
        JudgeError: the generator or the verifier gave no usable reply.
    """
    contract = task.contract
    prompt = _prompt(task, writer.names)
    first = _propose(prompt, contract, writer)
    review = writer.verify(contract, first.criteria, ())
    kept, rejected = list(review.kept), [*first.rejected, *review.rejected]
    notes = _notes(task)
    if len(kept) < MOST and (rejected or len(kept) < FEWEST):
        again = followed_by(prompt, _second_round(kept, rejected, writer.names))
        try:
            more = _replacements(again, contract, writer, kept, len(kept) + len(rejected) + 1)
        except JudgeError as error:
            if error.reason in RETRIED:
                raise
            notes.append(f"no replacements came: {error}")
        else:
            kept += more.kept
            rejected += more.rejected
    return Rubric(
        domain=contract.domain,
        task_id=contract.task_id,
        contract_hash=contract.hash,
        task_hash=contract.blueprint.hash,
        source="generate",
        criteria=tuple(kept[:MOST]),
        provenance=Provenance(
            generator=writer.generator.name,
            prompt_hashes={name: prompt_file(name).hash for name in PROMPTS},
            rejected=tuple(rejected),
            notes="; ".join([*_count_notes(len(kept)), *notes]),
        ),
    )


def _replacements(
    prompt: Prompt,
    contract: Contract,
    writer: Writer,
    kept: Sequence[Criterion],
    first_number: int,
) -> Review:
    """What a second round brings, read a second time like the first."""
    proposal = _propose(prompt, contract, writer, kept=kept, first_number=first_number)
    review = writer.verify(contract, proposal.criteria, kept)
    return Review(review.kept, (*proposal.rejected, *review.rejected))


def _prompt(task: RubricTask, names: Names) -> Prompt:
    file = prompt_file("generate")
    blocks = contract_blocks(task.contract, names)
    sample = conversation(task.sample, names) if task.sample else fenced(["(none)"])
    return Prompt(
        system=file.fill_system(modes=modes_of_failure()),
        prefix=file.fill_prefix(**blocks._asdict(), sample=sample),
        suffix=file.fill_suffix(),
        cache=True,
    )


def _propose(
    prompt: Prompt,
    contract: Contract,
    writer: Writer,
    *,
    kept: Sequence[Criterion] = (),
    first_number: int = 1,
) -> Proposal:
    proposed = ask_twice(
        writer.generator,
        prompt,
        read=lambda reply: read_reply(reply, CriteriaReply, shown=prompt.prefix),
        repair=lambda prompt, problem, reply: repaired(prompt, problem, reply, writer.names),
        schema=schema_of(CriteriaReply),
        keep=writer.keep,
    )
    criteria: list[Criterion] = []
    rejected: list[RejectedCriterion] = []
    for number, item in enumerate(proposed.criteria, start=first_number):
        found = _checked(item, f"c{number}", contract, [*kept, *criteria], writer.generator.name)
        if isinstance(found, Criterion):
            criteria.append(found)
        else:
            rejected.append(found)
    return Proposal(tuple(criteria), tuple(rejected))


def _checked(
    item: ProposedCriterion,
    name: str,
    contract: Contract,
    before: Sequence[Criterion],
    author: str,
) -> Criterion | RejectedCriterion:
    """The criterion, if a machine finds no fault with it."""
    statement = " ".join(item.statement.split())
    mode = next((mode for mode in MODES if mode == item.mode.strip()), None)
    if mode is None:
        return RejectedCriterion(
            statement=statement, failed="taxonomy_fit", reason=f"there is no mode {item.mode!r}"
        )
    grounding = _located(item, contract)
    if grounding is None:
        return RejectedCriterion(
            statement=statement,
            failed="span_is_verbatim",
            reason=f"its quotation does not occur in {item.source!r}",
        )
    criterion = _criterion(item, name, mode, grounding, author)
    for fault in faults_of(criterion, contract, before):
        return RejectedCriterion(
            statement=statement,
            failed=fault.check,
            reason=fault.problem,
        )
    return criterion


def _criterion(
    item: ProposedCriterion, name: str, mode: Mode, grounding: Grounding, author: str
) -> Criterion:
    return Criterion(
        id=name,
        family=FAMILY_OF[mode],
        mode=mode,
        statement=" ".join(item.statement.split()),
        applies_when=" ".join(item.applies_when.split()),
        grounding=grounding,
        authored_by=author,
    )


def _located(item: ProposedCriterion, contract: Contract) -> Grounding | None:
    """The quotation's place in its named source; line breaks may differ, words may not."""
    source = next((source for source in SOURCES if source == item.source.strip()), None)
    words = re.sub(r"^[|>] ", "", item.quotation, flags=re.MULTILINE).split()
    if source is None or not words:
        return None
    text = contract.text_of(source)
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return Grounding.of(source, text, *found.span()) if found else None


def _second_round(
    kept: Sequence[Criterion], rejected: Sequence[RejectedCriterion], names: Names
) -> str:
    lists = {
        "kept": [f"{item.statement} ({item.mode})" for item in kept],
        "rejected": [f"{item.statement} [{item.failed}: {item.reason}]" for item in rejected],
    }
    blocks = {
        name: fenced([line for text in lines for line in quoted(show(text, names).text)] or ["-"])
        for name, lines in lists.items()
    }
    least, most = max(1, FEWEST - len(kept)), MOST - len(kept)
    return prompt_file("repair_generation").fill_suffix(**blocks, least=str(least), most=str(most))


def _count_notes(kept: int) -> list[str]:
    if kept < FEWEST:
        return [f"only {kept} criteria passed every check; a task should have {FEWEST}"]
    return [f"{kept} criteria passed; the first {MOST} were taken"] if kept > MOST else []


def _notes(task: RubricTask) -> list[str]:
    notes = []
    if task.sample is None:
        notes.append("written without a sample conversation")
    if task.contract.guidelines_source == "assumed":
        notes.append("the guidelines were assumed, not recorded")
    return notes
