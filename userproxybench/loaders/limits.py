"""What no episode may carry, whatever its dump holds: numbers no table can, endings that leak."""

from __future__ import annotations

import re

import msgspec

from userproxybench.models import Trajectory, UserCost

LARGEST = 2**53
"""Beyond this, floats lose integers and other readers of our JSON lose both."""
LONGEST_ENDING = 60
"""Characters of a termination reason that are kept; tau2's own words have at most 25."""
_LONGEST_REASON = 200

_SECRET = re.compile(
    r"\b(?:(?:sk|pk|rk|hf|gh[oprsu]|github_pat|xox[abprs])[-_]|(?:AK|AS)IA|AIza)[\w.\-]{6,}"
    r"|\b[\w-]{0,30}(?:key|token|secret|password|passwd|authorization)\"?'?\s{0,3}[=:]\s{0,3}"
    r"(?:bearer\s{1,3}|basic\s{1,3})?\S+"
    r"|\bbearer\s{1,3}\S+|://[^\s/@]{1,100}@",
    re.IGNORECASE,
)

_TOKEN_NOTE = "token counts out of range: read as unknown"
_NUMBER_NOTE = "trial or seed out of range: read as unknown"


def is_count(value: float | None) -> bool:
    """Whether a value can be a count: missing, or from 0 to what every table holds."""
    return value is None or 0 <= value <= LARGEST


def ending(reason: str) -> str:
    """A termination reason as recorded, short and without what looks like a secret."""
    return _inert(reason, LONGEST_ENDING)


def _inert(text: str, longest: int) -> str:
    """Secrets go before the cut, so that no half of one is left over."""
    kept = _SECRET.sub("[secret]", text[: 20 * longest])
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


def within_limits(trajectory: Trajectory) -> Trajectory:
    """The trajectory; what is beyond the limits is unknown in it, with a note."""
    changes: dict[str, object] = {}
    notes: list[str] = []
    termination = ending(trajectory.termination)
    if termination != trajectory.termination:
        changes["termination"] = termination
    if trajectory.not_auditable:
        changes["not_auditable"] = _inert(trajectory.not_auditable, _LONGEST_REASON)
    numbers = {
        name: None
        for name in ("trial", "seed")
        if not is_count(abs(getattr(trajectory, name) or 0))
    }
    if numbers:
        changes |= numbers
        notes.append(_NUMBER_NOTE)
    if not _sensible(trajectory.cost):
        changes["cost"] = UserCost(calls=sum(turn.speaker == "user" for turn in trajectory.turns))
        notes.append(_TOKEN_NOTE)
    if notes:
        changes["notes"] = (*trajectory.notes, *notes)
    return msgspec.structs.replace(trajectory, **changes) if changes else trajectory


def _sensible(cost: UserCost) -> bool:
    return all(
        is_count(value)
        for value in (
            cost.prompt_tokens,
            cost.completion_tokens,
            cost.calls,
            cost.priced_calls,
            cost.metered_calls,
            cost.discarded_attempts,
        )
    )
