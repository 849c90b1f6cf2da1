"""A made-up study with known truth: proxies on tasks, with verdicts, costs and effort."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from userproxybench.analysis.panel import Panel
from userproxybench.models import FAMILY_OF, Mode, Outcome
from userproxybench.scoring import score_outcomes
from userproxybench.tables import (
    EpisodeRow,
    Tables,
    VerdictRow,
    checked,
    episodes_frame,
    read_table,
    verdicts_frame,
)

WATCHED: tuple[Mode, ...] = (
    "unsupported_personal_fact",
    "volunteers_unasked_info",
    "premature_stop",
    "withholds_requested_info",
    "dumps_blueprint",
    "skips_requested_action",
)


@dataclass(frozen=True)
class Truth:
    """What is true of one proxy."""

    ufs: float
    cost: float | None
    reward: float = 0.7


@dataclass(frozen=True)
class Design:
    """Who is run on what."""

    proxies: Mapping[str, Truth]
    tasks: Mapping[str, int] = field(default_factory=lambda: {"shop": 20, "phones": 30})
    trials: int = 1
    seed: int = 0


def study(design: Design) -> Tables:
    """Checked tables of a study with independent episodes."""
    rng = np.random.default_rng(design.seed)
    episodes: list[EpisodeRow] = []
    verdicts: list[VerdictRow] = []
    for proxy, truth in design.proxies.items():
        for domain, count in design.tasks.items():
            for task in range(count):
                for trial in range(design.trials):
                    key = (proxy, domain, str(task), trial)
                    answers = _answers(rng, faithful=rng.random() < truth.ufs)
                    episodes.append(_episode(key, truth, answers, rng))
                    verdicts.extend(_verdicts("/".join(map(str, key)), answers))
    return checked(episodes_frame(episodes), verdicts_frame(verdicts))


def _answers(rng: np.random.Generator, *, faithful: bool) -> list[tuple[Mode, Outcome]]:
    outcomes: list[Outcome] = [
        "pass" if value < 0.7 else "not_applicable" for value in rng.random(6)
    ]
    outcomes[0] = "pass"
    if not faithful:
        outcomes[int(rng.choice(6, p=[0.1, 0.5, 0.15, 0.1, 0.1, 0.05]))] = "fail"
    return list(zip(WATCHED, outcomes, strict=True))


def _episode(
    key: tuple[str, str, str, int],
    truth: Truth,
    answers: Sequence[tuple[Mode, Outcome]],
    rng: np.random.Generator,
) -> EpisodeRow:
    proxy, domain, task, trial = key
    scored = score_outcomes((FAMILY_OF[mode], outcome) for mode, outcome in answers)
    success = bool(rng.random() < truth.reward)
    prompt = int(rng.integers(20_000, 60_000))
    disclosed = scored.families["premature_disclosure"] == "failed"
    return EpisodeRow(
        proxy=proxy,
        domain=domain,
        task_id=task,
        trial=trial,
        reward=float(success),
        success=success,
        fidelity=scored.fidelity,
        status=scored.status,
        n_applicable=scored.n_applicable,
        n_failed=scored.n_failed,
        groundedness=scored.families["groundedness"],
        premature_disclosure=scored.families["premature_disclosure"],
        goal_deviation=scored.families["goal_deviation"],
        missed_information=scored.families["missed_information"],
        cost_usd=None if truth.cost is None else truth.cost * prompt / 40_000,
        cost_basis="unknown" if truth.cost is None else "recorded",
        prompt_tokens=prompt,
        completion_tokens=int(rng.integers(300, 900)),
        agent_turns=int(rng.integers(6, 14)) - disclosed,
        agent_tool_calls=int(rng.integers(4, 12)) - disclosed,
        agent_questions=int(rng.integers(3, 9)),
        user_turns=int(rng.integers(6, 14)),
        termination="user_stop",
        missed_gold_writes=int(rng.random() < 0.1) if domain == "phones" else None,
        episode_id="/".join(map(str, key)),
        agent="agent",
        agent_settings_hash="a1",
        task_hash=f"{domain}-{task}",
        domain_version="v1",
        hosting="hosted",
        proxy_settings_hash="p1",
        agent_messages=20,
        agent_asking_turns=3,
        user_calls=10,
        priced_calls=0 if truth.cost is None else 10,
        metered_calls=10,
        discarded_attempts=0,
    )


def _verdicts(episode: str, answers: Sequence[tuple[Mode, Outcome]]) -> list[VerdictRow]:
    return [
        VerdictRow(
            episode_id=episode,
            criterion_id=f"c{at}",
            family=FAMILY_OF[mode],
            mode=mode,
            verdict=outcome,
            turn=3 if outcome == "fail" else None,
            quotation="words" if outcome == "fail" else "",
            reason="",
            grader="rules",
            rubric_source="derived",
        )
        for at, (mode, outcome) in enumerate(answers)
    ]


def own(episodes: str, verdicts: str = "") -> Tables:
    """Checked tables from CSV text."""
    frames = [
        read_table(io.BytesIO(text.encode()), "own.csv") if text else None
        for text in (episodes, verdicts)
    ]
    assert frames[0] is not None
    return checked(frames[0], frames[1])


def panel(episodes: str, verdicts: str = "") -> Panel:
    """A panel from CSV text."""
    return Panel.of(own(episodes, verdicts))
