"""Criteria and rubrics: what one task's user is held against."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import Field, field_serializer

from userproxybench.models.checks import Check
from userproxybench.models.contract import Contract, Record, SourceField
from userproxybench.models.taxonomy import Family, Mode

RubricSource = str
"""`library`, `derived`, `generic`, `generate`, or the path of a rubric folder."""

RubricMatch = Literal["exact", "task", "stale"]
"""`exact`: same contract. `task`: same blueprint under other guidelines or tools, as when a dump
records the guidelines without tools. `stale`: the task reads differently now."""

RubricCheck = Literal[
    "span_is_verbatim",
    "span_supports_statement",
    "falsifiable",
    "within_contract",
    "about_the_user",
    "achievable",
    "taxonomy_fit",
    "atomic",
    "not_redundant",
]
"""The nine checks a written criterion must pass (UserProxyBench, appendix D; our reading)."""


_QUOTED = ("sentence", "unknown", "condition")
"""Fields of checks that stand for the criterion's own quotation when they are empty: a library
holds no text of the task."""


class Grounding(Record):
    """Where in the contract a criterion stands. The quotation is resolved, never stored."""

    source: SourceField
    """Field of the contract."""
    start: int = Field(ge=0)
    """First character of the span in that field's text."""
    end: int = Field(ge=0)
    """One past its last character."""
    sha256: str
    """SHA-256 of the span, so that it is found again when the text around it moves."""
    otherwise: tuple[Grounding, ...] = ()
    """The same rule in other wordings of that text, tried in order when the span is gone."""

    @classmethod
    def of(cls, source: SourceField, text: str, start: int, end: int) -> Grounding:
        """The grounding of `text[start:end]`."""
        return cls(source=source, start=start, end=end, sha256=span_digest(text[start:end]))

    def resolve(self, contract: Contract) -> str | None:
        """The span as the contract has it now: in place, or moved; `None` when it is gone."""
        text = contract.text_of(self.source)
        length = self.end - self.start
        if span_digest(text[self.start : self.end]) == self.sha256:
            return text[self.start : self.end]
        for start in range(len(text) - length + 1):
            if span_digest(text[start : start + length]) == self.sha256:
                return text[start : start + length]
        spans = (other.resolve(contract) for other in self.otherwise)
        return next((span for span in spans if span is not None), None)


class Criterion(Record):
    """One falsifiable statement about the user."""

    id: str
    """Unique within its rubric."""
    family: Family
    """Family of `mode`."""
    mode: Mode
    """The way of failing that it watches for."""
    statement: str
    """One sentence that a reader can falsify on a trajectory."""
    applies_when: str = ""
    """The situation in which it applies; empty: always."""
    grounding: Grounding | None = None
    """Where the contract says so; `None` only for the generic rubric."""
    check: Check | None = None
    """Machine predicate that decides it; `None` when only a reader can."""
    authored_by: str = ""
    """`rules`, a model name, or `human`."""

    def under(self, contract: Contract) -> Criterion | None:
        """The criterion as a grader takes it: its check reads the quotation where it holds none.

        `None` when the contract does not have its span.
        """
        if self.grounding is None:
            return self
        quotation = self.grounding.resolve(contract)
        if quotation is None:
            return None
        quoted = [name for name in _QUOTED if getattr(self.check, name, None) == ""]
        if self.check is None or not quoted:
            return self
        check = self.check.model_copy(update=dict.fromkeys(quoted, quotation))
        return self.model_copy(update={"check": check})

    @field_serializer("check")
    def _with_its_kind(self, check: Check | None) -> dict[str, object] | None:
        """A check without its defaults, but with its kind, which such a dump would lose."""
        if check is None:
            return None
        return {"kind": check.kind, **check.model_dump(mode="json", exclude_defaults=True)}


class RejectedCriterion(Record):
    """A criterion that did not make it, and why."""

    statement: str
    """The criterion as proposed."""
    failed: RubricCheck
    """The check it failed."""
    reason: str = ""
    """The verifier's words."""


class Provenance(Record):
    """How a rubric came to be."""

    generator: str = ""
    """Model or person that wrote it."""
    verifier: str = ""
    """Model or person that read it second."""
    prompt_hashes: dict[str, str] = Field(default_factory=dict)
    """Prompt name to digest of its text."""
    rejected: tuple[RejectedCriterion, ...] = ()
    """Criteria proposed and not kept."""
    notes: str = ""
    """Anything a later reader must know."""


class Rubric(Record):
    """All criteria for one task under one contract."""

    domain: str
    """Domain of the task."""
    task_id: str
    """Task id as text."""
    contract_hash: str
    """`Contract.hash` that it was written for."""
    task_hash: str = ""
    """`Blueprint.hash` that it was written for; empty: known by its whole contract alone."""
    source: RubricSource
    """Where it comes from."""
    criteria: tuple[Criterion, ...]
    """Its criteria; 4 to 8 when written for a task."""
    provenance: Provenance = Provenance()
    """How it came to be."""

    def match(self, contract: Contract) -> RubricMatch:
        """How it stands to a contract: see `RubricMatch`."""
        if self.contract_hash == contract.hash:
            return "exact"
        same_task = self.task_hash and self.task_hash == contract.blueprint.hash
        return "task" if same_task else "stale"

    def lost(self, contract: Contract) -> tuple[Criterion, ...]:
        """The criteria whose span that contract does not have."""
        return tuple(item for item in self.criteria if item.under(contract) is None)

    def under(self, contract: Contract) -> Rubric:
        """The rubric as a grader takes it under that contract: see `Criterion.under`."""
        bound = (item.under(contract) for item in self.criteria)
        return self.model_copy(
            update={
                "domain": contract.domain,
                "task_id": contract.task_id,
                "contract_hash": contract.hash,
                "criteria": tuple(item for item in bound if item),
            }
        )


def span_digest(span: str) -> str:
    """SHA-256 of a span, hexadecimal."""
    return hashlib.sha256(span.encode("utf-8", "surrogatepass")).hexdigest()
