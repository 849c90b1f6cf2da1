"""Contract → the criteria that machine predicates can decide, deterministically."""

from __future__ import annotations

from collections.abc import Iterator

from userproxybench.models import (
    FAMILY_OF,
    MODE_STATEMENTS,
    MODES,
    Contract,
    Criterion,
    Grounding,
    Mode,
    Rubric,
    SourceField,
)
from userproxybench.models import checks as c
from userproxybench.rules.facts import IDENTITY, Fact, Instruction, read_facts
from userproxybench.rules.goals import TRANSFER_WORD
from userproxybench.rules.missed import must_say

UNCOVERED: tuple[Mode, ...] = ("abandons_goal", "pursues_unlisted_goal")
"""Modes that no rule decides; listed with every rule-graded UFS."""

_DISCLOSED = IDENTITY | {"birth_date", "card_digits", "location"}
_ASKABLE = IDENTITY | {"order_id", "reservation_id", "other"}


def derive(contract: Contract) -> Rubric:
    """The derived rubric of a contract: the same contract always gives the same rubric."""
    criteria: dict[str, Criterion] = {}
    for criterion in _criteria(contract):
        criteria.setdefault(criterion.id, criterion)
    return _rubric(contract, "derived", tuple(criteria.values()))


def generic(contract: Contract) -> Rubric:
    """One criterion per mode, for model graders; grounded in the codebook, not in a span."""
    return _rubric(
        contract,
        "generic",
        tuple(
            Criterion(
                id=mode,
                family=FAMILY_OF[mode],
                mode=mode,
                statement=MODE_STATEMENTS[mode],
                authored_by="codebook",
            )
            for mode in MODES
        ),
    )


def _rubric(contract: Contract, source: str, criteria: tuple[Criterion, ...]) -> Rubric:
    return Rubric(
        domain=contract.domain,
        task_id=contract.task_id,
        contract_hash=contract.hash,
        source=source,
        criteria=criteria,
    )


def _criteria(contract: Contract) -> Iterator[Criterion]:
    facts = read_facts(contract)
    if contract.blueprint.is_empty:
        return
    yield _whole("unsupported_personal_fact", c.ValuesGrounded())
    yield _whole("contradicts_blueprint", c.ValuesMatch())
    yield _whole("self_contradiction", c.SelfConsistent())
    for number, item in enumerate(facts.unknown):
        yield _from("invents_unknown_info", item, number, c.UnknownKept(unknown=item.text))
    if contract.user_tools:
        yield _whole("unexecuted_action_claim", c.ClaimsBacked())
        yield _whole("fabricated_tool_result", c.ReportsBacked())
        yield _whole("contradicts_tool_result", c.ReportsAgree())
        yield _whole("unsupported_device_state", c.StateGrounded())
        yield _whole("skips_requested_action", c.DoesWhenAsked())
    yield _whole("premature_stop", c.NoEarlyStop())
    yield from _disclosure(contract)
    for fact in facts.facts:
        if fact.kind in _ASKABLE:
            check = c.AnswersWhenAsked(fact=fact.kind, value=fact.value)
            yield _about("withholds_requested_info", fact, check)
    yield from _goals(contract)


def _disclosure(contract: Contract) -> Iterator[Criterion]:
    facts = read_facts(contract)
    if not _rules_disclosure(contract):
        return
    yield _whole("dumps_blueprint", c.NoDump())
    if contract.user_tools:
        yield _whole("preempts_diagnosis", c.NoUnaskedStep())
    for fact in facts.facts:
        if fact.kind in _DISCLOSED and fact.reveal != "with_reason":
            check = c.NoEarlyDisclosure(fact=fact.kind, value=fact.value)
            yield _about("volunteers_unasked_info", fact, check)
    marked = dict.fromkeys((*facts.held_back, *facts.conditional))
    for number, item in enumerate(marked):
        if item.source not in ("reason_for_call", "unknown_info"):
            yield _from("volunteers_unasked_info", item, number, c.HeldBack(sentence=item.text))


def _goals(contract: Contract) -> Iterator[Criterion]:
    facts = read_facts(contract)
    for number, (item, limit) in enumerate(facts.limits):
        check = c.Refuses(sentence=item.text, limit=limit)
        yield _from("accepts_forbidden_outcome", item, number, check)
    for number, item in enumerate(facts.forbidden):
        if TRANSFER_WORD.search(item.text):
            check = c.Refuses(sentence=item.text)
            yield _from("accepts_forbidden_outcome", item, 100 + number, check)
    for number, (item, condition) in enumerate(facts.success):
        if contract.user_tools:
            check_s = c.SatisfiedOnly(condition=condition)
            yield _from("accepts_insufficient_outcome", item, number, check_s)
    for number, item in enumerate(facts.instructions):
        conditional = item in facts.conditional or item in facts.held_back
        if must_say(item.text) and not conditional and item.source != "persona":
            yield _from("omits_required_request", item, number, c.Raises(sentence=item.text))


def _rules_disclosure(contract: Contract) -> bool:
    """A disclosure criterion exists only where guidelines or blueprint state such a rule."""
    lower = "\n".join((contract.guidelines, *contract.blueprint.texts().values())).lower()
    return any(
        cue in lower
        for cue in (
            "progressive",
            "wait for the agent",
            "wait until",
            "not asked",
            "draw details out",
            "all at once",
            "only provide the information",
            "only the information",
            "until asked",
            "asks for",
            "bit by bit",
            "step by step",
        )
    )


def _whole(mode: Mode, check: c.Check) -> Criterion:
    return Criterion(
        id=f"{mode}",
        family=FAMILY_OF[mode],
        mode=mode,
        statement=MODE_STATEMENTS[mode],
        check=check,
        authored_by="rules",
    )


def _from(mode: Mode, item: Instruction, number: int, check: c.Check) -> Criterion:
    text = item.text.strip()
    return Criterion(
        id=f"{mode}.{item.source}.{number}",
        family=FAMILY_OF[mode],
        mode=mode,
        statement=f"{MODE_STATEMENTS[mode]} Here: {text}",
        grounding=_grounding(item.source, item.sentence.start, text),
        check=check,
        authored_by="rules",
    )


def _about(mode: Mode, fact: Fact, check: c.Check) -> Criterion:
    kind = fact.kind.replace("_", " ")
    return Criterion(
        id=f"{mode}.{fact.source}.{fact.kind}.{fact.start}",
        family=FAMILY_OF[mode],
        mode=mode,
        statement=f"{MODE_STATEMENTS[mode]} Here: the {kind}.",
        grounding=_grounding(fact.source, fact.start, fact.value),
        check=check,
        authored_by="rules",
    )


def _grounding(source: SourceField, start: int, span: str) -> Grounding:
    return Grounding.of(source, " " * start + span, start, start + len(span))
