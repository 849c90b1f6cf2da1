"""Graded runs for tests of the page: small, hostile, large, and graded twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from tests.builders import contract, criterion
from userproxybench import audit
from userproxybench.analysis import analyse, summarise
from userproxybench.models import (
    Contract,
    Grade,
    Grounding,
    ProtocolNote,
    ReviewFinding,
    Rubric,
    Source,
    ToolCall,
    Trajectory,
    Turn,
    UserCost,
    Verdict,
)
from userproxybench.models.exchange import StoredVerdict
from userproxybench.models.taxonomy import FAMILY_OF, MODES
from userproxybench.report import LabelledTurn, Labels, Material, Reading
from userproxybench.store import RunFolder, data_folder, read_rubric, rubric_files, save_rubric
from userproxybench.tables import (
    Tables,
    csv_text,
    episode_row,
    episodes_frame,
    verdict_rows,
    verdicts_frame,
)

HOSTILE = (
    "<script>window.hurt = 1</script>",
    "</script><script>window.hurt = 2</script>",
    "<img src=x onerror='window.hurt = 3'>",
    '"><svg onload=window.hurt=4>',
    "{{ 7 * 7 }}{% raw %}{{ config }}",
    "${window.hurt = 5}`",
    "javascript:window.hurt=6",
    "<!-- --><style>* { display: none }</style>",
    "]]><iframe srcdoc='<script>parent.hurt=7</script>'>",
    "&lt;b&gt;&#x3C;script&#x3E;window.hurt=8&#x3C;/script&#x3E;",
    "\u202egnp.exe\u202c reversed \u2066 isolates \u2069",
    "null \x00 bell \x07 escape \x1b[31mred",
    "lone surrogate \ud83d alone",
    "zero\u200bwidth \ufeff \U000e0041\U000e0042 tags",
    "line\u2028separator\u2029paragraph\r\nreturn",
    "e\u0301" + "\u0300" * 400 + " stacked marks",
    "unbroken" * 400,
    '=HYPERLINK("https://example.invalid"), +1, -1, @x',
    "'; alert(1); // \\u003cscript\\u003e \\",
    "</textarea></title></style></noscript><base href='https://example.invalid/'>",
)
"""Twenty strings that a page must show and nothing more."""


def example_run(folder: Path) -> Path:
    """The shipped example, audited by rules."""
    out = folder / "example"
    audit(data_folder("trajectories") / "example", out=out)
    return out


def regraded(
    run: Path, out: Path, grader: str, change: Callable[[Verdict], Verdict | None]
) -> Path:
    """The same run by another instrument, its verdicts changed; `None` leaves one out."""
    old = RunFolder.open(run)
    contracts = old.contracts()
    instrument = {"grader": grader, "rubrics": "derived"}
    rows, answers = [], []
    with RunFolder.create_or_resume(out, instrument, inputs=old.config.inputs) as new:
        new.write_trajectories(old.trajectories(), contracts.values())
        grades = {grade.trajectory_id: grade for grade in old.grades()}
        for file in rubric_files(run / "rubrics"):
            save_rubric(out / "rubrics", read_rubric(file), beside_others=True)
        for trajectory in old.trajectories():
            grade = grades[trajectory.id]
            made = tuple(
                changed.model_copy(update={"grader": grader})
                for verdict in grade.verdicts
                if (changed := change(verdict)) is not None
            )
            new.append_verdicts(
                StoredVerdict(
                    key=f"{trajectory.id}/{one.criterion_id}",
                    trajectory_id=trajectory.id,
                    verdict=one,
                )
                for one in made
            )
            fresh = grade.model_copy(update={"verdicts": made, "grader": grader})
            rows.append(episode_row(trajectory, contracts[trajectory.contract_hash], fresh))
            answers += verdict_rows(fresh)
        tables = Tables(episodes_frame(rows), verdicts_frame(answers))
        summary = summarise(tables, version="0.1.0", grader=grader, rubric_source="derived")
        new.write("episodes.csv", csv_text(tables.episodes))
        new.write("verdicts.csv", csv_text(tables.verdicts))
        new.write("summary.json", summary.model_dump_json())
    return out


def material(  # noqa: PLR0913  # keyword-only beyond the four records
    trajectories: Iterable[Trajectory],
    contracts: Iterable[Contract],
    grades: Iterable[Grade],
    rubrics: Iterable[Rubric] = (),
    *,
    others: tuple[Reading, ...] = (),
    labels: dict[str, Labels] | None = None,
    unscored: dict[str, str] | None = None,
) -> Material:
    """Material out of records alone."""
    held = list(trajectories)
    bound = {one.hash: one for one in contracts}
    answers = {one.trajectory_id: one for one in grades}
    rows = [episode_row(one, bound.get(one.contract_hash), answers.get(one.id)) for one in held]
    tables = Tables(
        episodes_frame(rows),
        verdicts_frame(row for one in held for row in verdict_rows(answers.get(one.id))),
    )
    first = next(iter(answers.values()), None)
    grader = first.grader if first else "rules"
    source = first.rubric_source if first else "derived"
    return Material(
        version="0.1.0",
        inputs=("dump.json",),
        tables=tables,
        summary=summarise(tables, version="0.1.0", grader=grader, rubric_source=source),
        analysis=analyse(tables),
        main=Reading(grader, source, answers, {one.contract_hash: one for one in rubrics}),
        trajectories=held,
        contracts=bound,
        others=others,
        labels=labels or {},
        unscored=unscored or {},
    )


def hostile() -> Material:
    """Twenty episodes whose every free text is hostile, one string an episode."""
    pairs = [_hostile(number, text) for number, text in enumerate(HOSTILE)]
    grades = [_hostile_grade(one) for one, _ in pairs]
    rubrics = [
        Rubric(
            domain=under.domain,
            task_id=under.task_id,
            contract_hash=under.hash,
            source="derived",
            criteria=(
                criterion(
                    under.task_id,
                    statement=under.task_id,
                    applies_when=under.task_id,
                    grounding=_grounded(under),
                ),
            ),
        )
        for _, under in pairs
    ]
    labels = {
        one.id: Labels(certain=True, violations=(LabelledTurn(1, (), HOSTILE[at]),))
        for at, (one, _) in enumerate(pairs)
    }
    other = Reading(HOSTILE[0], HOSTILE[1], {one.trajectory_id: one for one in grades})
    return material(
        [one for one, _ in pairs],
        [under for _, under in pairs],
        grades,
        rubrics,
        others=(other,),
        labels=labels,
        unscored={pairs[0][0].id: HOSTILE[0]},
    )


def _grounded(under: Contract) -> Grounding:
    text = under.text_of("task_instructions")
    return Grounding.of("task_instructions", text, 0, len(text))


def _hostile(number: int, text: str) -> tuple[Trajectory, Contract]:
    safe = text.encode("utf-8", "replace").decode()
    under = Contract.model_validate(
        {
            "domain": safe,
            "task_id": safe,
            "blueprint": dict.fromkeys(
                (
                    "persona",
                    "reason_for_call",
                    "known_info",
                    "unknown_info",
                    "task_instructions",
                ),
                safe,
            ),
            "guidelines": safe,
            "guidelines_source": "recorded",
            "user_tools": [{"name": safe, "description": safe}],
            "user_tools_source": "recorded",
            "notes": [safe],
        }
    )
    turns = (
        Turn(0, "agent", text),
        Turn(1, "user", text, (ToolCall(text, {text: text}),)),
        Turn(2, "tool", text, requestor="user", tool=text, error=True),
        Turn(3, "agent", "", (ToolCall(text, {text: text}),)),
        Turn(4, "tool", text, requestor="agent", tool=text),
        Turn(5, "user", text),
    )
    said = Trajectory(
        id=f"{number} {safe}",
        task_id=safe,
        domain=under.domain,
        proxy=safe,
        agent=safe,
        turns=turns,
        contract_hash=under.hash,
        source=Source(text, number),
        termination=safe,
        reward=1.0,
        cost=UserCost(usd=0.01, basis="recorded", calls=2, priced_calls=2),
        notes=(text,),
        review=(ReviewFinding(1, (text,), text, text),),
    )
    return said, under


def _hostile_grade(said: Trajectory) -> Grade:
    text = said.task_id
    return Grade.model_construct(
        trajectory_id=said.id,
        grader="rules",
        rubric_source="derived",
        verdicts=(
            Verdict(
                criterion_id=text,
                family="goal_deviation",
                mode="premature_stop",
                verdict="fail",
                turn=5,
                quotation=text,
                reason=text,
                grader=text,
            ),
        ),
        protocol=(ProtocolNote(mode="role_confusion", turn=5, quotation=text, reason=text),),
    )


def large(episodes: int, turns: int = 24) -> Material:
    """Invented episodes by seven proxies, long enough to weigh what real ones weigh."""
    tasks = -(-episodes // 7)
    bounds = [contract(task_id=f"task-{at}") for at in range(tasks)]
    rng = np.random.default_rng(7)
    words = [f"{stem}{end}" for stem in _STEMS for end in ("", "s", "ed", "ing", "er", "ly", "al")]
    said, grades = [], []
    for number in range(episodes):
        under = bounds[number // 7]
        lines = tuple(
            Turn(
                at,
                "user" if at % 2 else "agent",
                " ".join(rng.choice(words, size=int(rng.integers(8, 60)))),
            )
            for at in range(turns)
        )
        one = Trajectory(
            id=f"episode-{number:05d}",
            task_id=under.task_id,
            domain=under.domain,
            proxy=f"proxy-{number % 7}",
            agent="agent",
            turns=lines,
            contract_hash=under.hash,
            source=Source("dump.json", number),
            reward=float(rng.integers(0, 2)),
            cost=UserCost(usd=0.01 + 0.001 * (number % 7), basis="recorded", calls=turns // 2),
        )
        said.append(one)
        grades.append(_drawn_grade(one, rng))
    rubrics = [
        Rubric(
            domain=under.domain,
            task_id=under.task_id,
            contract_hash=under.hash,
            source="derived",
            criteria=tuple(criterion(mode, mode) for mode in MODES),
        )
        for under in bounds
    ]
    return material(said, bounds, grades, rubrics)


_STEMS = "plan phone order ticket signal refund travel account ship return seat card".split()


def _drawn_grade(one: Trajectory, rng: np.random.Generator) -> Grade:
    turn = one.turns[1 + 2 * int(rng.integers(0, len(one.turns) // 2))]
    return Grade(
        trajectory_id=one.id,
        grader="rules",
        rubric_source="derived",
        verdicts=tuple(
            Verdict(
                criterion_id=mode,
                family=FAMILY_OF[mode],
                mode=mode,
                verdict="fail" if draw < 0.02 else "pass" if draw < 0.6 else "not_applicable",
                turn=turn.index,
                quotation=turn.text[:40],
                reason="drawn at random",
                grader="rules",
            )
            for mode, draw in zip(MODES, rng.random(len(MODES)), strict=True)
        ),
    )
