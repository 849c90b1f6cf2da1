"""Records → rows. No pandas here, so that three thousand episodes tabulate in a blink."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from userproxybench.models import (
    Contract,
    CostBasis,
    Family,
    GoldWrite,
    Grade,
    GradingFailure,
    Mode,
    Outcome,
    ToolCall,
    Trajectory,
    Turn,
)
from userproxybench.scoring import EpisodeScore, FamilyOutcome, Status, score, unscored

SUCCESS_MARGIN = 1e-6
"""`success` is reward at least 1 less this."""

_QUESTIONS = (
    ("?", re.compile(r"\?(?!\?)(?=\W|$)")),
    ("\uff1f", re.compile("\uff1f(?!\uff1f)")),
    ("\u061f", re.compile("\u061f(?!\u061f)")),
)
"""Question marks, full-width and Arabic ones too, and the last of a run of them."""


class EpisodeRow(NamedTuple):
    """One row of `episodes`. `None` is missing, never 0."""

    proxy: str
    """Name of the user proxy."""
    domain: str
    """Domain as recorded."""
    task_id: str
    """Task id as text."""
    trial: int | None
    """Trial number as recorded."""
    reward: float | None
    """Agent reward as recorded."""
    success: bool | None
    """Reward at least 1 less 1e-6; `None` without a reward."""
    fidelity: int | None
    """f_i: 1, 0, or undefined."""
    status: Status
    """`scored`, `unscorable`, `ungraded`."""
    n_applicable: int
    """Criteria that passed or failed."""
    n_failed: int
    """Criteria that failed."""
    groundedness: FamilyOutcome | None
    """Outcome of the family; `None` where an ungraded criterion leaves it open."""
    premature_disclosure: FamilyOutcome | None
    """As above."""
    goal_deviation: FamilyOutcome | None
    """As above."""
    missed_information: FamilyOutcome | None
    """As above."""
    cost_usd: float | None
    """User-side dollars of the episode."""
    cost_basis: CostBasis
    """Where the dollars come from."""
    prompt_tokens: int | None
    """User-side prompt tokens over the metered calls."""
    completion_tokens: int | None
    """User-side completion tokens over the metered calls."""
    agent_turns: int
    """Agent turns that speak to the user, scripted ones left out (docs/statistics.md)."""
    agent_tool_calls: int
    """Tool calls of the agent."""
    agent_questions: int
    """Question marks, runs counted once, in what the agent said to the user."""
    user_turns: int
    """Turns written by the proxy, tool turns included."""
    termination: str
    """Reason as recorded or derived."""
    missed_gold_writes: int | None
    """Gold user writes without a matching user call; `None` where the task has none."""
    episode_id: str
    """`Trajectory.id`."""
    agent: str
    """Name of the agent."""
    agent_settings_hash: str
    """Hash over the agent's settings."""
    task_hash: str
    """Hash over the blueprint alone."""
    domain_version: str
    """Hash over the agent policy."""
    hosting: str
    """`hosted`, `open`, or empty."""
    proxy_settings_hash: str
    """Hash over the proxy's settings and guidelines."""
    agent_messages: int
    """All agent turns, those that only call tools included (the other reading of `agent_turns`)."""
    agent_asking_turns: int
    """Agent turns with at least one question (the other reading of `agent_questions`)."""
    user_calls: int
    """Simulator calls behind the episode."""
    priced_calls: int
    """Of these, calls with a recorded cost."""
    metered_calls: int
    """Of these, calls with recorded token usage."""
    discarded_attempts: int
    """User turns thrown away before the kept one; their cost is not recorded."""


class VerdictRow(NamedTuple):
    """One row of `verdicts`."""

    episode_id: str
    """`Trajectory.id`."""
    criterion_id: str
    """Criterion within its rubric."""
    family: Family
    """Family of the criterion."""
    mode: Mode
    """Mode of the criterion."""
    verdict: Outcome
    """The answer."""
    turn: int | None
    """Message index of the user turn that decides it."""
    quotation: str
    """Words of that turn."""
    reason: str
    """Why."""
    grader: str
    """The instrument: `Grade.grader`."""
    rubric_source: str
    """Which rubric."""


Columns = tuple[Sequence[object], ...]
"""The values of each column, in the order of the fields of a row."""


def episode_row(
    trajectory: Trajectory, contract: Contract | None, grade: Grade | GradingFailure | None
) -> EpisodeRow:
    """The row of one trajectory.

    A `GradingFailure` makes it `ungraded`. No grade at all, or a trajectory with nothing to
    grade, makes it `unscorable`.
    """
    scored = _score(trajectory, grade)
    agent = [turn for turn in trajectory.turns if turn.speaker == "agent" and not turn.scripted]
    spoken = [turn for turn in agent if turn.text.strip()]
    questions = [count_questions(turn.text) for turn in spoken]
    cost = trajectory.cost
    return EpisodeRow(
        proxy=trajectory.proxy,
        domain=trajectory.domain,
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        reward=trajectory.reward,
        success=None if trajectory.reward is None else trajectory.reward >= 1 - SUCCESS_MARGIN,
        fidelity=scored.fidelity,
        status=scored.status,
        n_applicable=scored.n_applicable,
        n_failed=scored.n_failed,
        groundedness=scored.families["groundedness"],
        premature_disclosure=scored.families["premature_disclosure"],
        goal_deviation=scored.families["goal_deviation"],
        missed_information=scored.families["missed_information"],
        cost_usd=cost.usd,
        cost_basis=cost.basis,
        prompt_tokens=cost.prompt_tokens,
        completion_tokens=cost.completion_tokens,
        agent_turns=len(spoken),
        agent_tool_calls=sum(len(turn.tool_calls) for turn in agent),
        agent_questions=sum(questions),
        user_turns=sum(turn.speaker == "user" and not turn.scripted for turn in trajectory.turns),
        termination=trajectory.termination,
        missed_gold_writes=_missed(trajectory, contract),
        episode_id=trajectory.id,
        agent=trajectory.agent,
        agent_settings_hash=trajectory.agent_settings_hash,
        task_hash="" if contract is None else contract.blueprint.hash,
        domain_version=trajectory.domain_version,
        hosting=trajectory.hosting,
        proxy_settings_hash=trajectory.proxy_settings_hash,
        agent_messages=len(agent),
        agent_asking_turns=sum(count > 0 for count in questions),
        user_calls=cost.calls,
        priced_calls=cost.priced_calls,
        metered_calls=cost.metered_calls,
        discarded_attempts=cost.discarded_attempts,
    )


def verdict_rows(grade: Grade | GradingFailure | None) -> list[VerdictRow]:
    """The rows of one grade, in rubric order; none for a failure or a missing grade."""
    return list(map(VerdictRow._make, zip(*verdict_columns(grade), strict=True)))


_ANSWER = itemgetter("criterion_id", "family", "mode", "verdict", "turn", "quotation", "reason")


def no_verdicts() -> tuple[list[object], ...]:
    """An empty list for each column of `verdicts`."""
    return tuple([] for _ in VerdictRow._fields)


def verdict_columns(grade: Grade | GradingFailure | None) -> Columns:
    """As `verdict_rows`, one column after the other: there are hundreds of thousands of rows."""
    if not isinstance(grade, Grade) or not grade.verdicts:
        return no_verdicts()
    answers = zip(*map(_ANSWER, map(vars, grade.verdicts)), strict=True)
    whole = (grade.trajectory_id, grade.grader, grade.rubric_source)
    episode_id, grader, rubric_source = ((value,) * len(grade.verdicts) for value in whole)
    return (episode_id, *answers, grader, rubric_source)


def count_questions(text: str) -> int:
    """Questions in a text: question marks, a run counted once, those inside addresses left out.

    A request without a question mark ("Please give me your user id.") is not counted.
    """
    return sum(len(mark.findall(text)) for sign, mark in _QUESTIONS if sign in text)


def missed_gold_writes(turns: tuple[Turn, ...], gold: tuple[GoldWrite, ...]) -> int:
    """Gold user writes that no call of the user matches on name and compared arguments.

    As in tau2, one call may answer several gold writes, and the outcome of a call is not looked
    at: the probe asks what the user tried, not what the world made of it.
    """
    calls = [
        call
        for turn in turns
        if turn.speaker == "user" and not turn.scripted
        for call in turn.tool_calls
    ]
    return sum(not any(_matches(write, call) for call in calls) for write in gold)


def _matches(write: GoldWrite, call: ToolCall) -> bool:
    if write.name != call.name:
        return False
    compared = call.arguments.keys() if write.compare is None else write.compare
    return all(
        (key in call.arguments, call.arguments.get(key))
        == (key in write.arguments, write.arguments.get(key))
        for key in compared
    )


def _missed(trajectory: Trajectory, contract: Contract | None) -> int | None:
    if contract is None or not contract.gold_user_writes or trajectory.not_auditable:
        return None
    return missed_gold_writes(trajectory.turns, contract.gold_user_writes)


def _score(trajectory: Trajectory, grade: Grade | GradingFailure | None) -> EpisodeScore:
    if trajectory.not_auditable or grade is None:
        return unscored("unscorable")
    return unscored("ungraded") if isinstance(grade, GradingFailure) else score(grade.verdicts)
