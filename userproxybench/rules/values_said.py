"""What the user states of itself: grounded, different from the blueprint's, or invented."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from userproxybench.models.checks import UnknownKept, ValuesGrounded, ValuesMatch
from userproxybench.rules.agreed import agreed
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.answers_said import holdings, mishaps, times, universals
from userproxybench.rules.counts_said import other_counts
from userproxybench.rules.days_said import other_days, other_times
from userproxybench.rules.facts import Instruction
from userproxybench.rules.finding import Finder, Finding, Reading
from userproxybench.rules.identifiers_said import proper_answers, rival, stated_values
from userproxybench.rules.ledger import Ledger, Reply
from userproxybench.rules.life_said import life_events
from userproxybench.rules.listings import AGENT_SPEAK, invented_listing
from userproxybench.rules.novel_answers import novel_answers
from userproxybench.rules.numbers import numbers
from userproxybench.rules.numbers_said import bare_numbers
from userproxybench.rules.past_said import past_dealings
from userproxybench.rules.read_back import read_back
from userproxybench.rules.reasons_said import made_up_reasons
from userproxybench.rules.text import BUT, has_stems, is_uncertain, sentence_at, sentences, stems
from userproxybench.rules.unknown_said import unknown_answered, unknown_confirmed
from userproxybench.rules.unknown_told import unknown_times, unknown_whether
from userproxybench.rules.values import values

_FINDERS: tuple[Finder, ...] = (
    stated_values,
    proper_answers,
    bare_numbers,
    other_days,
    other_times,
    mishaps,
    universals,
    holdings,
    times,
    novel_answers,
    made_up_reasons,
    life_events,
    agreed,
    unknown_answered,
    unknown_confirmed,
    unknown_times,
    unknown_whether,
    other_counts,
    read_back,
    past_dealings,
)


class Issue(NamedTuple):
    """Words that nothing supports, and how to read them."""

    reading: Reading
    """`unknown`: marked as unknown; `differs`: the blueprint has another; else `unsupported`."""
    hit: Hit
    """Where and why."""
    unknown: Instruction | None = None
    """`unknown`: the sentence that marks it."""


def values_grounded(ledger: Ledger, _: ValuesGrounded) -> Answer:
    """Evaluate `ValuesGrounded`."""
    hits = [issue.hit for issue in issues(ledger) if issue.reading == "unsupported"]
    return answer(hits, arose=_states_values(ledger))


def values_match(ledger: Ledger, _: ValuesMatch) -> Answer:
    """Evaluate `ValuesMatch`."""
    hits = [issue.hit for issue in issues(ledger) if issue.reading == "differs"]
    return answer(hits, arose=_states_values(ledger))


def unknown_kept(ledger: Ledger, check: UnknownKept) -> Answer:
    """Evaluate `UnknownKept`: applies once the agent's words touch what is unknown."""
    hits = [
        issue.hit
        for issue in issues(ledger)
        if issue.unknown is not None and issue.unknown.text == check.unknown
    ]
    topic = stems(check.unknown)
    arose = any(has_stems(reply.agent, topic) for reply in ledger.replies)
    return answer(hits, arose=arose)


def issues(ledger: Ledger) -> list[Issue]:
    """All that is unsupported in a trajectory, each at its first statement, one reading a turn."""
    if ledger.value_issues is None:
        seen: set[str] = set()
        ledger.value_issues = []
        looks = [look for look in _FINDERS if ledger.said & look.own and ledger.heard & look.heard]
        for reply in ledger.replies:
            charged: Reading | None = None
            for finding in _findings(ledger, reply, looks):
                if finding.key in seen:
                    continue
                seen.add(finding.key)
                if AGENT_SPEAK.found(reply.text):  # another fault, and no fact about the user
                    continue
                issue = _issue(ledger, reply, finding)
                if charged in (None, issue.reading):
                    ledger.value_issues.append(issue)
                    charged = issue.reading
    return ledger.value_issues


def _findings(ledger: Ledger, reply: Reply, looks: list[Finder]) -> Iterator[Finding]:
    if invented_listing(ledger, reply) is not None:
        return
    said, heard = reply.said, reply.heard
    for find, own, others in looks:
        if said & own and heard & others:
            yield from find(ledger, reply)


def _states_values(ledger: Ledger) -> bool:
    return any(values(reply.text) or numbers(reply.text) for reply in ledger.replies)


def _issue(ledger: Ledger, reply: Reply, finding: Finding) -> Issue:
    shown = finding.shown
    hit = Hit(reply.index, shown, finding.reason or f"nothing the user may know gives {shown!r}")
    item = finding.unknown or _marked_unknown(ledger, reply, finding)
    if item is not None:
        reason = f"the blueprint says of this: {item.text.strip()!r}"
        return Issue("unknown", hit._replace(reason=reason), item)
    if finding.reading is not None:
        return Issue(finding.reading, hit)
    other = rival(ledger, shown)
    if other is not None:
        return Issue("differs", hit._replace(reason=f"the blueprint gives {other.value!r}"))
    return Issue("unsupported", hit)


def _marked_unknown(ledger: Ledger, reply: Reply, finding: Finding) -> Instruction | None:
    """The blueprint sentence that marks as unknown what a value was given for."""
    sentence = sentence_at(reply.turn.text, finding.start)
    asked = " ".join(s.text for s in sentences(reply.agent) if s.is_question) or reply.agent
    topic = stems(sentence.text) | stems(asked)
    for item in ledger.facts.unknown:
        named = stems(item.text) - stems(finding.shown)
        if not named or len(named & topic) < min(2, len(named)):
            continue
        if not _owns_up(reply, finding.shown, named):
            return item
    return None


def _owns_up(reply: Reply, shown: str, named: frozenset[str]) -> bool:
    """Whether a reply says beside a value that it does not know the thing marked as unknown."""
    parts = chain.from_iterable(BUT.split(said.text) for said in sentences(reply.text))
    others = (part for part in parts if shown not in part)
    return any(is_uncertain(text) and named & stems(text) for text in others)
