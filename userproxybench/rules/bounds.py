"""How much of one text rules read. Real turns are shorter by far; a hostile one costs no hours."""

from __future__ import annotations

from operator import attrgetter

import msgspec

from userproxybench.models import BLUEPRINT_FIELDS, Contract, Trajectory

LONGEST = 16_000
"""Characters of one turn, or of one blueprint field, that rules read."""


_TEXT = attrgetter("text")
_FIELDS = attrgetter(*BLUEPRINT_FIELDS)


def bounded_trajectory(trajectory: Trajectory) -> Trajectory:
    """The same trajectory, its turns cut to what is read."""
    if max(map(len, map(_TEXT, trajectory.turns)), default=0) <= LONGEST:
        return trajectory
    turns = tuple(
        turn
        if len(turn.text) <= LONGEST
        else msgspec.structs.replace(turn, text=turn.text[:LONGEST])
        for turn in trajectory.turns
    )
    return msgspec.structs.replace(trajectory, turns=turns)


def bounded_contract(contract: Contract) -> Contract:
    """The same contract, its blueprint fields cut to what is read."""
    texts = _FIELDS(contract.blueprint)
    if max(map(len, filter(None, texts)), default=0) <= LONGEST:
        return contract
    cut = [text[:LONGEST] if text else text for text in texts]
    fields = dict(zip(map(str, BLUEPRINT_FIELDS), cut, strict=True))
    blueprint = contract.blueprint.model_copy(update=fields)
    return contract.model_copy(update={"blueprint": blueprint})
