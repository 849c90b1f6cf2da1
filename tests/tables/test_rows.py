"""A row says what its trajectory, contract and grade say, and counts as documented."""

import time

import pytest

from userproxybench.models import (
    FAMILY_OF,
    Blueprint,
    Contract,
    GoldWrite,
    Grade,
    GradingFailure,
    Mode,
    Outcome,
    Source,
    ToolCall,
    Trajectory,
    Turn,
    UserCost,
    Verdict,
)
from userproxybench.tables import (
    EPISODE_DTYPES,
    VERDICT_DTYPES,
    EpisodeRow,
    VerdictRow,
    count_questions,
    episode_row,
    episodes_frame,
    missed_gold_writes,
    verdict_rows,
)

TURNS = (
    Turn(0, "agent", "Hi! How can I help you today?", scripted=True),
    Turn(1, "user", "My line is dead."),
    Turn(2, "agent", "What is your number? And your name??"),
    Turn(3, "user", "Jo, 555."),
    Turn(4, "agent", "", (ToolCall("find_line"), ToolCall("read_line"))),
    Turn(5, "tool", "{}", requestor="agent"),
    Turn(6, "agent", "Please switch the flight mode off.", (ToolCall("note"),)),
    Turn(7, "user", "", (ToolCall("toggle_flight_mode", {"on": False}),)),
    Turn(8, "tool", "ok", requestor="user"),
    Turn(9, "user", "Done."),
)
CONTRACT = Contract(
    domain="phones",
    task_id="7",
    blueprint=Blueprint(instructions="Your line is dead."),
    gold_user_writes=(
        GoldWrite(name="toggle_flight_mode", arguments={"on": False}),
        GoldWrite(name="reboot"),
    ),
)


def trajectory(**changes: object) -> Trajectory:
    given: dict[str, object] = {
        "id": "e1",
        "task_id": "7",
        "domain": "phones",
        "proxy": "p",
        "agent": "a",
        "turns": TURNS,
        "contract_hash": "h",
        "source": Source("f.json", 0),
        "reward": 1.0,
        **changes,
    }
    return Trajectory(**given)  # type: ignore[arg-type]  # msgspec checks nothing here


def grade(*answers: tuple[Mode, Outcome]) -> Grade:
    verdicts = [
        Verdict(criterion_id=f"c{n}", family=FAMILY_OF[mode], mode=mode, verdict=outcome)
        for n, (mode, outcome) in enumerate(answers)
    ]
    return Grade(
        trajectory_id="e1", grader="rules", rubric_source="derived", verdicts=tuple(verdicts)
    )


FAITHFUL = grade(("premature_stop", "pass"), ("self_contradiction", "not_applicable"))


def test_a_row_counts_what_the_agent_did_and_leaves_scripted_turns_out() -> None:
    row = episode_row(trajectory(), CONTRACT, FAITHFUL)
    assert row.agent_turns == 2  # turns 2 and 6; turn 0 is scripted, turn 4 does not speak
    assert row.agent_messages == 3
    assert row.agent_tool_calls == 3
    assert row.agent_questions == 2  # "?" and "??" of turn 2
    assert row.agent_asking_turns == 1
    assert row.user_turns == 4


def test_a_row_carries_the_score() -> None:
    row = episode_row(trajectory(), CONTRACT, FAITHFUL)
    assert (row.fidelity, row.status, row.n_applicable, row.n_failed) == (1, "scored", 1, 0)
    assert (row.goal_deviation, row.groundedness) == ("passed", "not_applicable")


@pytest.mark.parametrize(
    ("reward", "success"),
    [
        pytest.param(1.0, True, id="one"),
        pytest.param(1 - 9e-7, True, id="within the margin"),
        pytest.param(1 - 2e-6, False, id="outside the margin"),
        pytest.param(None, None, id="no reward is no failure"),
    ],
)
def test_success_is_a_full_reward(reward: float | None, success: bool | None) -> None:
    assert episode_row(trajectory(reward=reward), CONTRACT, FAITHFUL).success is success


def test_a_grader_that_failed_leaves_the_episode_open() -> None:
    failure = GradingFailure(trajectory_id="e1", grader="m", reason="transport")
    row = episode_row(trajectory(), CONTRACT, failure)
    assert (row.fidelity, row.status, row.groundedness) == (None, "ungraded", None)
    assert verdict_rows(failure) == []


def test_nothing_to_grade_is_unscorable_and_probes_nothing() -> None:
    row = episode_row(trajectory(not_auditable="infrastructure error"), CONTRACT, FAITHFUL)
    assert (row.fidelity, row.status, row.missed_gold_writes) == (None, "unscorable", None)


def test_unknown_costs_stay_missing_through_the_frame() -> None:
    row = episode_row(trajectory(cost=UserCost(calls=4)), CONTRACT, FAITHFUL)
    frame = episodes_frame([row])
    assert frame["cost_usd"].isna().all()
    assert frame["prompt_tokens"].isna().all()
    assert frame["user_calls"].tolist() == [4]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("", 0, id="empty"),
        pytest.param("Your name?", 1, id="one"),
        pytest.param("Really?! Sure??? Ok?", 3, id="runs count once"),
        pytest.param("See https://a.b/c?d=1&e=2", 0, id="inside an address"),
        pytest.param("**Your zip?**", 1, id="inside markup"),
        pytest.param(
            "\u304a\u540d\u524d\u306f\uff1f\u90f5\u4fbf\u756a\u53f7\u306f\uff1f", 2, id="full width"
        ),
        pytest.param("Please give me your id.", 0, id="a request without a mark"),
        pytest.param("\u00bfTu nombre?", 1, id="Spanish pair"),
    ],
)
def test_questions_are_counted_by_their_marks(text: str, count: int) -> None:
    assert count_questions(text) == count


def call(name: str, **arguments: object) -> tuple[Turn, ...]:
    return (Turn(0, "user", "", (ToolCall(name, arguments),)),)


@pytest.mark.parametrize(
    ("turns", "write", "missed"),
    [
        pytest.param((), GoldWrite(name="w"), 1, id="never called"),
        pytest.param(call("w"), GoldWrite(name="w"), 0, id="called"),
        pytest.param(call("v"), GoldWrite(name="w"), 1, id="another tool"),
        pytest.param(call("w", a=1), GoldWrite(name="w", arguments={"a": 1}), 0, id="same"),
        pytest.param(call("w", a=2), GoldWrite(name="w", arguments={"a": 1}), 1, id="differs"),
        pytest.param(
            call("w", a=2), GoldWrite(name="w", arguments={"a": 1}, compare=()), 0, id="name alone"
        ),
        pytest.param(
            call("w", a=1, b=9),
            GoldWrite(name="w", arguments={"a": 1, "b": 2}, compare=("a",)),
            0,
            id="only the named argument",
        ),
        pytest.param(
            call("w", a=1),
            GoldWrite(name="w", arguments={"a": 1, "b": 2}),
            0,
            id="keys of the call made, not of the reference",
        ),
        pytest.param(
            call("w", c=None), GoldWrite(name="w", arguments={}), 1, id="null is not absent"
        ),
        pytest.param(
            (Turn(0, "agent", "", (ToolCall("w"),)),), GoldWrite(name="w"), 1, id="by the agent"
        ),
        pytest.param(
            (Turn(0, "user", "", (ToolCall("w"),), scripted=True),),
            GoldWrite(name="w"),
            1,
            id="by the script",
        ),
    ],
)
def test_a_gold_write_is_matched_on_requestor_name_and_arguments(
    turns: tuple[Turn, ...], write: GoldWrite, missed: int
) -> None:
    assert missed_gold_writes(turns, (write,)) == missed


def test_the_probe_is_missing_where_a_task_has_no_gold_write() -> None:
    bare = CONTRACT.model_copy(update={"gold_user_writes": ()})
    assert episode_row(trajectory(), bare, FAITHFUL).missed_gold_writes is None
    assert episode_row(trajectory(), None, FAITHFUL).missed_gold_writes is None
    assert episode_row(trajectory(), CONTRACT, FAITHFUL).missed_gold_writes == 1


def test_rows_and_frames_have_the_same_columns() -> None:
    assert EpisodeRow._fields == tuple(EPISODE_DTYPES)
    assert VerdictRow._fields == tuple(VERDICT_DTYPES)


def test_three_thousand_episodes_tabulate_in_well_under_a_second() -> None:
    start = time.perf_counter()
    rows = [episode_row(trajectory(), CONTRACT, FAITHFUL) for _ in range(3000)]
    frame = episodes_frame(rows)
    assert time.perf_counter() - start < 1.0
    assert len(frame) == 3000
