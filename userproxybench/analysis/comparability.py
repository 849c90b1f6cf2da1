"""May these proxies be compared? Only where nothing but the proxy differs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from userproxybench.analysis.panel import Panel
from userproxybench.errors import InputError

FIELDS: tuple[tuple[str, str], ...] = (
    ("agent", "agent"),
    ("agent_settings_hash", "agent settings"),
    ("domain_version", "domain version"),
)
"""Columns that must not differ between proxies within a domain."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something beside the proxy that differs between proxies."""

    what: str
    """`agent`, `agent settings`, `domain version`, `task text`, `domains` or `tasks`."""
    detail: str
    """Where, and between which values, in one line."""


def obstacles(panel: Panel) -> list[Obstacle]:
    """Everything that keeps the proxies from being compared; empty when nothing does."""
    if len(panel.proxies) < 2:
        return []
    found = [obstacle for field, what in FIELDS if (obstacle := _fields(panel, field, what))]
    if not found and (hidden := _unrecorded_agent(panel)):
        found.append(hidden)
    texts = _task_texts(panel)
    reach = _reach(panel)
    return found + [obstacle for obstacle in (texts, reach) if obstacle]


def require_comparable(panel: Panel, *, allow_different: bool) -> list[str]:
    """Raise `InputError` unless the proxies can be compared; with the override, say what differs.

    Proxies without any task in common cannot be compared even so.
    """
    found = obstacles(panel)
    hard = insurmountable(found)
    if hard:
        raise InputError(f"the proxies cannot be compared: {hard.what} {_short(hard.detail)}")
    if found and not allow_different:
        shown = "; ".join(f"{obstacle.what} {_short(obstacle.detail)}" for obstacle in found)
        raise InputError(
            f"the proxies cannot be compared ({shown}). "
            "Narrow it down with --agent or --only, or override with --allow-different"
        )
    return [f"compared all the same: {one.what} {_short(one.detail)}" for one in found]


def insurmountable(found: Sequence[Obstacle]) -> Obstacle | None:
    """The obstacle that no override gets over: no task in common."""
    return next((obstacle for obstacle in found if obstacle.what == "tasks"), None)


def scored_proxies(panel: Panel) -> tuple[Panel, list[str]]:
    """The proxies that have a UFS, and the names of the others, which would cut down the rest."""
    scored = np.bincount(panel.proxy[panel.status == "scored"], minlength=len(panel.proxies)) > 0
    names = [name for name, has in zip(panel.proxies, scored, strict=True) if not has]
    return (panel.only(scored[panel.proxy]), names) if names else (panel, [])


def unknowns(panel: Panel) -> list[str]:
    """What could not be checked because nothing was recorded."""
    notes = []
    if len(panel.proxies) > 1 and not any(panel.words("agent").tolist()):
        notes.append("the tables name no agent: that it was the same for all proxies is assumed")
    settings = panel.words("proxy_settings_hash")
    for at, name in enumerate(panel.proxies):
        kinds = len(set(settings[panel.proxy == at].tolist()))
        if kinds > 1:
            notes.append(f"{name} was run under {kinds} settings, taken together here")
    return notes


def _unrecorded_agent(panel: Panel) -> Obstacle | None:
    """Dumps that do not name their agent; tables that people bring may leave it out."""
    hidden = panel.words("agent") == "unknown"
    if not hidden.any():
        return None
    names = sorted({panel.proxies[at] for at in panel.proxy[hidden].tolist()})
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return Obstacle(
        "agent", f"not recorded for {', '.join(names[:4])}{more}, so it may not be the same"
    )


def _fields(panel: Panel, field: str, what: str) -> Obstacle | None:
    """In each domain all proxies must show the same set of values."""
    values = panel.words(field)
    for code, domain in enumerate(panel.domains):
        here = panel.domain == code
        seen = {
            panel.proxies[at]: frozenset(values[here & (panel.proxy == at)].tolist())
            for at in np.unique(panel.proxy[here])
        }
        if len(set(seen.values())) > 1:
            return Obstacle(what, f"differs in {domain}: {_sets(seen)}")
    return None


def _task_texts(panel: Panel) -> Obstacle | None:
    texts: dict[int, set[str]] = defaultdict(set)
    for task, value in zip(panel.task.tolist(), panel.words("task_hash").tolist(), strict=True):
        texts[task].add(value)
    differing = [panel.tasks[task] for task, values in sorted(texts.items()) if len(values) > 1]
    if not differing:
        return None
    shown = ", ".join(f"{domain} {task}" for domain, task in differing[:3])
    more = f" and {len(differing) - 3} more" if len(differing) > 3 else ""
    return Obstacle("task text", f"differs on {len(differing)} tasks: {shown}{more}")


def _reach(panel: Panel) -> Obstacle | None:
    there = np.zeros((len(panel.tasks), len(panel.proxies)), dtype=bool)
    there[panel.task, panel.proxy] = True
    if there.size and not np.all(there, axis=1).any():
        return Obstacle("tasks", "differ: none was run by all of " + ", ".join(panel.proxies))
    for code, domain in enumerate(panel.domains):
        absent = ~np.any(there[panel.domain_of_task == code], axis=0)
        if absent.any():
            names = [name for name, gone in zip(panel.proxies, absent, strict=True) if gone]
            return Obstacle("domains", f"differ: {domain} was not run by {', '.join(names)}")
    return None


def _short(detail: str, limit: int = 160) -> str:
    return detail if len(detail) <= limit else detail[: limit - 1] + "…"


def _sets(seen: dict[str, frozenset[str]]) -> str:
    def words(values: Sequence[str]) -> str:
        return " + ".join(value or "not recorded" for value in sorted(values))

    shown = [f"{proxy} with {words(tuple(values))}" for proxy, values in sorted(seen.items())]
    return ", ".join(shown[:4]) + (" and others" if len(shown) > 4 else "")
