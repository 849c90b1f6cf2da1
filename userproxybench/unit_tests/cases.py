"""Turns under test: a candidate response, what came before it, and what the user was told."""

from __future__ import annotations

import re
from dataclasses import dataclass

from userproxybench.accord.format import Domain, Scenario
from userproxybench.accord.reading import Play
from userproxybench.accord.rules import TESTS, Exchange, TestName
from userproxybench.models import Contract, Trajectory

WITHOUT_PREFERENCES: tuple[TestName, ...] = ("test000", "test001", "test002")
"""Tests that need no structured preferences: the blueprint's text gives the values."""
_TOKEN = re.compile(r"#{2,}\s*[A-Z][A-Z_ -]*\s*#{2,}")
_TRAVEL = ("airline", "travel", "flight", "hotel", "trip")


@dataclass(frozen=True)
class UnitCase:
    """One user turn under test."""

    contract: Contract
    """What the user was told."""
    trajectory: Trajectory
    """The conversation that the turn stands in."""
    turn: int
    """Message index of the turn."""
    exchange: Exchange
    """The response, and the visible turns before it."""
    domain: Domain
    """Whose wordings are used."""
    scenario: Scenario | None = None
    """Structured preferences; `None` for dumps of other benchmarks."""

    @property
    def tests(self) -> tuple[TestName, ...]:
        """The tests that can be put to it."""
        return TESTS if self.scenario is not None else WITHOUT_PREFERENCES


@dataclass(frozen=True)
class Cases:
    """The turns under test of one conversation."""

    tested: tuple[UnitCase, ...]
    """Responses to something the assistant said."""
    openings: int
    """User turns before the assistant has spoken: no responses, so not tested."""


def cases_of_play(play: Play, contract: Contract, trajectory: Trajectory) -> Cases:
    """The turns under test of one AcCoRD rollout."""
    return _cases(trajectory, contract, play.scenario.domain, play.scenario)


def cases_of_trajectory(
    trajectory: Trajectory, contract: Contract, domain: Domain | None = None
) -> Cases:
    """The turns under test of a conversation of another benchmark."""
    return _cases(trajectory, contract, domain or wording_for(trajectory.domain), None)


def wording_for(domain: str) -> Domain:
    """Travel wordings for travel domains, shop wordings for everything else."""
    return "travel" if any(word in domain.lower() for word in _TRAVEL) else "shop"


def _cases(
    trajectory: Trajectory, contract: Contract, domain: Domain, scenario: Scenario | None
) -> Cases:
    visible = [turn for turn in trajectory.turns if turn.visible_to_user]
    tested: list[UnitCase] = []
    openings = 0
    for at, turn in enumerate(visible):
        said = turn.speaker == "user" and not turn.scripted and not turn.tool_calls
        if not said or not _TOKEN.sub("", turn.text).strip():
            continue
        before = tuple(visible[:at])
        if not any(earlier.speaker == "agent" for earlier in before):
            openings += 1
            continue
        exchange = Exchange(before, turn.text)
        tested.append(UnitCase(contract, trajectory, turn.index, exchange, domain, scenario))
    return Cases(tuple(tested), openings)
