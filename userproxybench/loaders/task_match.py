"""Find the task of a simulation that does not name it, by what it was scored against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from userproxybench.loaders.buffers import decode_part
from userproxybench.loaders.contracts import Task, task_key
from userproxybench.loaders.shapes import RewardInfo, Simulation


class ReferenceAction(msgspec.Struct):
    """A reference action, as a reward repeats it."""

    requestor: str | None = None
    name: str = ""
    arguments: dict[str, object] | None = None


class Check(msgspec.Struct):
    """One check of a reward, of any kind."""

    action: ReferenceAction | None = None
    nl_assertion: str | None = None
    info: str | None = None


def name_tasks(simulations: Iterable[Simulation], tasks: Mapping[str, Task]) -> list[str]:
    """Fill in missing task ids in place; returns the assumptions made.

    A simulation without `task_id` holds it in `id` (where that names a task), or repeats the
    reference actions and assertions of exactly one task in its reward.
    """
    nameless = [simulation for simulation in simulations if simulation.task_id is None]
    if not nameless:
        return []
    keys: dict[bytes, list[str]] = {}
    for id_, task in tasks.items():
        keys.setdefault(_of_task(task), []).append(id_)
    by_id = by_reward = lost = 0
    for simulation in nameless:
        if task_key(simulation.id) in tasks:
            simulation.task_id = simulation.id
            by_id += 1
        elif len(found := keys.get(_of_reward(simulation.reward_info), [])) == 1:
            simulation.task_id = found[0]
            by_reward += 1
        else:
            lost += 1
    return [
        f"no task_id: {count} tasks {how}"
        for count, how in (
            (by_id, "named by the simulation's id"),
            (by_reward, "found by the reference actions and assertions in the reward"),
            (lost, "not found"),
        )
        if count and tasks
    ]


def _of_task(task: Task) -> bytes:
    criteria = task.evaluation_criteria
    if criteria is None:
        return b""
    actions = [(one.requestor, one.name, one.arguments or {}) for one in criteria.actions or []]
    return _key(actions, criteria.nl_assertions or [], criteria.communicate_info or [])


def _of_reward(reward: RewardInfo | None) -> bytes:
    if reward is None:
        return b"none"
    try:
        actions, assertions, infos = (
            decode_part(part, list[Check]) or []
            for part in (reward.action_checks, reward.nl_assertions, reward.communicate_checks)
        )
    except msgspec.DecodeError:
        return b"none"
    return _key(
        [
            (check.action.requestor, check.action.name, check.action.arguments or {})
            for check in actions
            if check.action is not None
        ],
        [check.nl_assertion or "" for check in assertions],
        [check.info or "" for check in infos],
    )


def _key(
    actions: list[tuple[str | None, str, dict[str, object]]],
    assertions: list[str],
    infos: list[str],
) -> bytes:
    if not (actions or assertions or infos):
        return b""
    return msgspec.json.encode([actions, assertions, infos], order="deterministic")
