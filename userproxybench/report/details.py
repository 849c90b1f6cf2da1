"""One episode and one contract as a page shows them. All text is inert and placed by span."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from userproxybench.models import (
    Contract,
    Criterion,
    Grade,
    SourceField,
    Trajectory,
    Turn,
    UserCost,
    Verdict,
)
from userproxybench.models.contract import BLUEPRINT_FIELDS
from userproxybench.report import findings
from userproxybench.report.findings import Finding
from userproxybench.report.inert import inert, inert_line, utf16
from userproxybench.report.material import Material

Detail = dict[str, object]
Span = tuple[int, int]


def episode_details(material: Material, ids: Iterable[str]) -> Iterator[Detail]:
    """The episodes in the order of `ids`."""
    held = {one.id: one for one in material.trajectories}
    for id_ in ids:
        trajectory = held.get(id_)
        yield {} if trajectory is None else _episode(material, trajectory)


def contract_details(material: Material, hashes: Iterable[str]) -> Iterator[Detail]:
    """The contracts in the order of `hashes`."""
    for hash_ in hashes:
        contract = material.contracts.get(hash_)
        yield {} if contract is None else _contract(material, contract)


def _episode(material: Material, trajectory: Trajectory) -> Detail:
    texts = {turn.index: turn for turn in trajectory.turns}
    readings = (material.main, *material.others)
    grades = [reading.grades.get(trajectory.id) for reading in readings]
    labels = material.labels.get(trajectory.id)
    beside = [(findings.REVIEW, one) for one in findings.of_review(trajectory)]
    if labels is not None and labels.certain:
        beside += [(findings.PEOPLE, one) for one in findings.of_labels(labels)]
    return {
        "agent": inert_line(trajectory.agent),
        "end": inert_line(trajectory.termination),
        "seed": trajectory.seed,
        "source": inert_line(f"{trajectory.source.file}, item {trajectory.source.index}"),
        "notes": [inert_line(note) for note in trajectory.notes],
        "why": inert_line(material.unscored.get(trajectory.id, "")),
        "cost": _cost(trajectory.cost),
        "turns": [_turn(turn) for turn in trajectory.turns],
        "grades": [[] if grade is None else _verdicts(grade, texts) for grade in grades],
        "protocol": _protocol(grades[0], texts),
        "beside": [_beside(name, one) for name, one in beside],
    }


def _cost(cost: UserCost) -> Detail:
    return {
        "usd": cost.usd,
        "basis": cost.basis,
        "prompt": cost.prompt_tokens,
        "completion": cost.completion_tokens,
        "calls": cost.calls,
        "priced": cost.priced_calls,
        "discarded": cost.discarded_attempts,
    }


def _turn(turn: Turn) -> Detail:
    shown: Detail = {"i": turn.index, "s": turn.speaker, "x": inert(turn.text)}
    if turn.tool_calls:
        shown["c"] = [
            [inert_line(call.name), inert(_arguments(call.arguments))] for call in turn.tool_calls
        ]
    if turn.speaker == "tool":
        shown |= {"r": turn.requestor, "n": inert_line(turn.tool), "e": int(turn.error)}
    if turn.scripted:
        shown["w"] = 1
    if not turn.visible_to_user:
        shown["h"] = 1
    if turn.speaker == "user" and turn.text and not turn.heard_by_agent:
        shown["d"] = 1
    return shown


def _arguments(arguments: Mapping[str, object]) -> str:
    return json.dumps(arguments, ensure_ascii=False, default=str) if arguments else ""


def _verdicts(grade: Grade, turns: Mapping[int, Turn]) -> list[Detail]:
    return [_verdict(verdict, turns) for verdict in grade.verdicts]


def _verdict(verdict: Verdict, turns: Mapping[int, Turn]) -> Detail:
    shown: Detail = {
        "c": inert_line(verdict.criterion_id),
        "m": verdict.mode,
        "o": verdict.verdict,
        "y": inert_line(verdict.reason),
        "g": inert_line(verdict.grader),
    }
    if verdict.turn is not None:
        shown |= {"t": verdict.turn, "q": inert(verdict.quotation)}
        span = _quoted(verdict.turn, verdict.quotation, turns)
        if span is not None:
            shown["a"] = span
    if verdict.further_turns:
        shown["f"] = list(verdict.further_turns)
    return shown


def _protocol(grade: Grade | None, turns: Mapping[int, Turn]) -> list[Detail]:
    return [
        {
            "m": note.mode,
            "t": note.turn,
            "q": inert(note.quotation),
            "y": inert_line(note.reason),
            "a": _quoted(note.turn, note.quotation, turns),
        }
        for note in (grade.protocol if grade else ())
    ]


def _beside(name: str, finding: Finding) -> Detail:
    what = ", ".join(map(inert_line, finding.what))
    return {"g": name, "t": finding.turn, "m": what, "y": inert_line(finding.reason)}


def _quoted(turn: int, quotation: str, turns: Mapping[int, Turn]) -> Span | None:
    """Where a quotation stands in the text of its turn; white space may differ."""
    text = turns[turn].text if turn in turns else ""
    words = quotation.split()
    if not words or not text:
        return None
    start = text.find(quotation)
    if start >= 0:
        return utf16(text, start), utf16(text, start + len(quotation))
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return None if found is None else (utf16(text, found.start()), utf16(text, found.end()))


def _contract(material: Material, contract: Contract) -> Detail:
    sources: Sequence[SourceField] = (*BLUEPRINT_FIELDS, "user_tools", "guidelines")
    texts = {name: contract.text_of(name) for name in sources}
    return {
        "fields": [[name, inert(text)] for name, text in texts.items() if text],
        "guidelines_source": contract.guidelines_source,
        "tools_source": contract.user_tools_source,
        "empty": int(contract.blueprint.is_empty),
        "notes": [inert_line(note) for note in contract.notes],
        "criteria": [
            {
                inert_line(key): _criterion(item, contract)
                for key, item in reading.criteria(contract.hash).items()
            }
            for reading in (material.main, *material.others)
        ],
    }


def _criterion(item: Criterion, contract: Contract) -> Detail:
    shown: Detail = {
        "s": inert_line(item.statement),
        "w": inert_line(item.applies_when),
        "b": inert_line(item.authored_by),
    }
    if item.grounding is not None:
        source = item.grounding.source
        span = item.grounding.resolve(contract)
        if span is not None:
            text = contract.text_of(source)
            start = item.grounding.start
            if text[start : start + len(span)] != span:
                start = text.index(span)
            shown |= {
                "f": source,
                "a": (utf16(text, start), utf16(text, start + len(span))),
            }
    return shown
