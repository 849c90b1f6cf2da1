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
from userproxybench.rules.bounds import bounded_contract
from userproxybench.rules.cues import Cue
from userproxybench.rules.denied_said import TOLD, tells_figure
from userproxybench.rules.facts import IDENTITY, Fact, Facts, read_facts
from userproxybench.rules.limits import MONEY, floor
from userproxybench.rules.measures import bounds
from userproxybench.rules.orders import (
    TRANSFER_WORD,
    Instruction,
    ceiling,
    first_offers,
    forbidden_things,
    is_insistence,
    is_willingness,
    rules_disclosure,
    to_raise,
)
from userproxybench.rules.text import any_of

UNCOVERED: tuple[Mode, ...] = ("abandons_goal", "pursues_unlisted_goal")
"""Modes of which rules see no more than the plainest form; listed with every rule-graded UFS."""

_DISCLOSED = IDENTITY | {"birth_date", "card_digits", "payment_method", "location"}
_ASKABLE = IDENTITY | {"order_id", "reservation_id", "other", "date"}
_NAMED = frozenset({"order_id", "reservation_id", "date", "other"})
"""Values of the reason for call that a request cannot do without."""


def derive(contract: Contract) -> Rubric:
    """The derived rubric of a contract: the same contract always gives the same rubric.

    An instruction or a fact that stands there twice, word for word, makes one criterion, so that
    it does not count twice.
    """
    criteria: dict[str, Criterion] = {}
    asked: set[tuple[Mode, c.Check | None]] = set()
    for criterion in _criteria(bounded_contract(contract)):
        question = (criterion.mode, criterion.check)
        if question not in asked:
            asked.add(question)
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
    yield _whole("fabricated_tool_result", c.ReportsBacked())
    yield _whole("unsupported_device_state", c.StateGrounded())
    if contract.user_tools:
        yield _whole("unexecuted_action_claim", c.ClaimsBacked())
        yield _whole("contradicts_tool_result", c.ReportsAgree())
        yield _whole("skips_requested_action", c.DoesWhenAsked())
    yield _whole("premature_stop", c.NoEarlyStop())
    yield from _disclosure(contract, facts)
    for fact in facts.facts:
        if fact.kind in _ASKABLE:
            check = c.AnswersWhenAsked(fact=fact.kind, value=fact.value)
            yield _about("withholds_requested_info", fact, check)
    for number, item in enumerate(facts.instructions):
        if tells_figure(item):
            told = c.AnswersWhenAsked(fact=TOLD, value=item.text)
            yield _from("withholds_requested_info", item, number, told)
    yield from _goals(facts)


def _disclosure(contract: Contract, facts: Facts) -> Iterator[Criterion]:
    ruled = rules_disclosure((contract.guidelines, *contract.blueprint.texts().values()))
    for_later = (
        item
        for item in facts.instructions
        if ceiling(item.text) is not None or (ruled and is_willingness(item.text))
    )
    marked = dict.fromkeys((*facts.held_back, *facts.conditional, *for_later))
    for number, item in enumerate(marked):
        if item.source not in ("persona", "reason_for_call", "unknown_info"):
            yield _from("volunteers_unasked_info", item, number, c.HeldBack(sentence=item.text))
    if not ruled:
        return
    yield _whole("dumps_blueprint", c.NoDump())
    if contract.user_tools:
        yield _whole("preempts_diagnosis", c.NoUnaskedStep())
    for fact in facts.facts:
        if fact.kind in _DISCLOSED and fact.reveal != "with_reason":
            check = c.NoEarlyDisclosure(fact=fact.kind, value=fact.value)
            yield _about("volunteers_unasked_info", fact, check)


def _goals(facts: Facts) -> Iterator[Criterion]:
    yield _whole("pursues_unlisted_goal", c.NothingElse())
    for number, (item, limit) in enumerate(facts.limits):
        check = c.Refuses(sentence=item.text, limit=limit)
        yield _from("accepts_forbidden_outcome", item, number, check)
    for number, item in enumerate(facts.instructions):
        if item.source not in ("persona", "unknown_info"):
            yield from _ruled_out(facts, item, number)
    for number, (item, condition) in enumerate(facts.success):
        met = c.SatisfiedOnly(condition=condition)
        yield _from("accepts_insufficient_outcome", item, number, met)
    for number, item in enumerate(facts.instructions):
        for place, said in enumerate(to_raise(item)):
            to_say = c.Raises(sentence=item.text, said=said)
            yield _from("omits_required_request", item, number + _APART * place, to_say)
        if is_insistence(item.text):
            yield _from("abandons_goal", item, number, c.Insists(sentence=item.text))
    named = [f for f in facts.facts if f.kind in _NAMED and f.reveal == "with_reason"]
    for fact in named:
        others = tuple(
            f.value for f in named if _shape(f) == _shape(fact) and f.value != fact.value
        )
        if fact.kind == "date" or others:
            check_t = c.Tells(value=fact.value, others=() if fact.kind == "date" else others)
            yield _about("omits_required_request", fact, check_t)


def _shape(fact: Fact) -> tuple[bool, int]:
    """What tells series apart: `B-4471` and `B-5520` are identifiers of one."""
    return fact.kind == "date", len(fact.value)


def _ruled_out(facts: Facts, item: Instruction, number: int) -> Iterator[Criterion]:
    """Criteria for what one blueprint sentence rules out."""
    if item in facts.forbidden and TRANSFER_WORD.search(item.text):
        transfer = c.Refuses(sentence=item.text)
        yield _from("accepts_forbidden_outcome", item, 100 + number, transfer)
    wanted = bounds(item.text) if _ACCEPTS.found(item.text) else None
    if wanted is not None:
        within = c.Refuses(sentence=item.text, unit=wanted.unit)
        yield _from("accepts_forbidden_outcome", item, 200 + number, within)
    if floor(item.text) is not None:
        enough = c.Refuses(sentence=item.text, unit=MONEY)
        yield _from("accepts_insufficient_outcome", item, 200 + number, enough)
    count = first_offers(item.text)
    if count:
        offers = c.RefusesFirst(sentence=item.text, count=count)
        yield _from("accepts_insufficient_outcome", item, 100 + number, offers)
    for place, (thing, too_little) in enumerate(forbidden_things(item.text)):
        mode: Mode = "accepts_insufficient_outcome" if too_little else "accepts_forbidden_outcome"
        check = c.Refuses(sentence=item.text, thing=thing)
        yield _from(mode, item, 1000 * (place + 1) + number, check)


_ACCEPTS = Cue(any_of("accept / take / agree to / settle for / want / must / needs?(?: to)?"))


_APART = 1000
"""Between the numbers of criteria of one sentence."""


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
