"""The shipped AcCoRD example, its labels, and a small scenario to build on."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from userproxybench.accord.format import Preference, Rollout, Scenario
from userproxybench.accord.reading import Dump, Play
from userproxybench.accord.rules import Exchange, RuleGrader
from userproxybench.accord.vocabulary import Vocabulary
from userproxybench.loaders.accord import contract_of, read_accord, trajectory_of
from userproxybench.loaders.unit_labels import TurnLabels, read_labels
from userproxybench.models import Turn
from userproxybench.unit_tests.cases import UnitCase, cases_of_play

FOLDER = Path(__file__).parents[1] / "trajectories" / "accord"
LABELS = FOLDER / "labels.jsonl"

SCENARIO = Scenario(
    id="kettle",
    domain="shop",
    instructions="You want a kettle. Asked for the color, say copper; steel if copper is gone.",
    preferences=(
        Preference(
            id="color",
            attribute="color",
            value="copper",
            backoff="steel",
            dynamic="unachievable",
        ),
        Preference(
            id="size", attribute="capacity", value="2 liters", dynamic="hard_underspecified"
        ),
        Preference(id="whistle", attribute="extra", value="whistle", dynamic="triggered"),
    ),
)
RULES = RuleGrader(Vocabulary([SCENARIO], []))


def exchange(*lines: str) -> Exchange:
    """`exchange("user: Hi", "agent: Which color?", "user: Copper.")`: the last is the response."""
    turns = []
    for index, line in enumerate(lines):
        speaker, _, text = line.partition(": ")
        turns.append(Turn(index, speaker, text))  # type: ignore[arg-type]  # written in the tests
    return Exchange(tuple(turns[:-1]), turns[-1].text)


def play(scores: dict[str, float | None] | None = None, **more: object) -> Play:
    """A rollout of the kettle scenario."""
    given = {
        "scenario": SCENARIO.id,
        "preference_scores": {"color": 1, "size": 1, "whistle": 0} if scores is None else scores,
        "completed": True,
        "rollout": 0,
        **more,
    }
    return Play(Rollout.model_validate(given), SCENARIO, 0, ())


@cache
def dumps() -> tuple[Dump, ...]:
    """Both files of the example."""
    return tuple(read_accord(FOLDER / name, name) for name in ("shop.json", "travel.json"))


@cache
def labels() -> dict[tuple[str, str, int, int], TurnLabels]:
    """Labels by turn."""
    return read_labels(LABELS)


@cache
def cases() -> tuple[UnitCase, ...]:
    """Every turn under test of the example."""
    found: list[UnitCase] = []
    for dump in dumps():
        for each in dump.plays:
            contract = contract_of(each.scenario)
            trajectory = trajectory_of(each, contract, dump.name)
            found += cases_of_play(each, contract, trajectory).tested
    return tuple(found)


@cache
def graders() -> dict[str, RuleGrader]:
    """Rules per file of the example."""
    return {dump.name: RuleGrader(Vocabulary(dump.scenarios, dump.plays)) for dump in dumps()}


def label_of(case: UnitCase) -> TurnLabels:
    """The labels of one turn."""
    trajectory = case.trajectory
    assert trajectory.trial is not None
    return labels()[trajectory.task_id, trajectory.proxy, trajectory.trial, case.turn]
