"""One rollout as the scores need it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from userproxybench.accord.format import Domain, Dynamic
from userproxybench.accord.reading import Play


class PreferenceScore(NamedTuple):
    """What one preference of one rollout got."""

    dynamic: Dynamic | None
    """Its dynamic, where known."""
    score: float | None
    """In [0, 1]; `None`: not scored."""


class RolloutScore(NamedTuple):
    """One rollout as the scores need it."""

    scenario: str
    """Scenario id: rollouts of one scenario are one cluster."""
    completed: bool | None
    """Whether the task was completed; `None`: not known."""
    preferences: tuple[PreferenceScore, ...]
    """One per preference of the scenario."""
    actions: int | None = None
    """Environment actions; `None`: not recorded."""
    utterances: int | None = None
    """Messages of the agent to the user."""

    @property
    def outcome(self) -> float | None:
        """Mean preference score of a completed rollout; `None` unless every one is scored."""
        values = [each.score for each in self.preferences if each.score is not None]
        if not self.completed or not values or len(values) < len(self.preferences):
            return None
        return sum(values) / len(values)

    @property
    def task(self) -> float | None:
        """Outcome, 0 where the task was not completed; `None` where that is not known."""
        return 0.0 if self.completed is False else self.outcome


class Cell(NamedTuple):
    """What the scores are broken down by."""

    domain: Domain
    """shop or travel."""
    agent_model: str
    """Model of the agent."""
    method: str
    """How it is prompted."""
    user_model: str
    """Model of the user simulator."""


def rollout_score(play: Play, scores: Mapping[str, float | None] | None = None) -> RolloutScore:
    """One rollout with its recorded scores, or with those given per preference id."""
    rollout = play.rollout
    given = rollout.preference_scores if scores is None else scores
    return RolloutScore(
        scenario=play.scenario.id,
        completed=rollout.completed,
        preferences=tuple(
            PreferenceScore(preference.dynamic, given.get(preference.id))
            for preference in play.scenario.preferences
        ),
        actions=rollout.n_actions,
        utterances=rollout.n_utterances,
    )


def cell_of(play: Play) -> Cell:
    """The cell that a rollout counts in."""
    rollout = play.rollout
    return Cell(play.scenario.domain, rollout.agent_model, rollout.method, rollout.user_model)
