"""`userproxybench accord`: AcCoRD's scores, per agent, method and user model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from userproxybench.cli.options import ApiBase, AsJson, Budget, Calls, Config, KeyMapFile, path_of
from userproxybench.errors import InputError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from userproxybench.accord.reading import Play
    from userproxybench.cli.roles import Roles
    from userproxybench.store.run_folder import RunFolder


def accord(
    dumps: Annotated[
        list[Path],
        typer.Argument(help="AcCoRD dumps, or folders of them (.gz too).", metavar="DUMP..."),
    ],
    grader: Annotated[
        str,
        typer.Option(
            metavar="recorded|rules|MODEL",
            help="Where preference scores come from: the dump, the attributes of an itinerary "
            "(travel only), or a model.",
        ),
    ] = "recorded",
    domain: Annotated[str | None, typer.Option(help="Only `shop` or only `travel`.")] = None,
    key_map: KeyMapFile = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for scores, tables and a model's answers.", parser=path_of, metavar="PATH"
        ),
    ] = None,
    budget: Budget = None,
    jobs: Calls = 8,
    api_base: ApiBase = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Score task rollouts as AcCoRD does.

    Completion, outcome and task scores, scores per preference dynamic, and what the set holds.

    Intervals are by a bootstrap over scenarios, because rollouts of one scenario go together.
    """
    import numpy as np

    from userproxybench.accord.rollouts import cell_of, rollout_score
    from userproxybench.accord.scores import score_cells
    from userproxybench.accord.statistics import dataset_statistics
    from userproxybench.accord.tables import dataset_table, dynamics_table, main_table
    from userproxybench.cli.accord_inputs import (
        SEED,
        check_domain,
        finish,
        read_inputs,
        read_map,
        save_tables,
        show_tables,
    )
    from userproxybench.cli.output import emit_json
    from userproxybench.cli.roles import read_roles

    found = read_inputs(dumps, read_map(key_map), domain=check_domain(domain), others=False)
    plays = [play for dump in found.dumps for play in dump.plays]
    roles = read_roles(config=config, budget=budget, api_base=api_base)
    with _folder(out, grader, roles, dumps) as folder:
        given, notes = _scores(plays, grader, roles, folder, jobs)
        rows = [
            (cell_of(play), rollout_score(play, scores))
            for play, scores in zip(plays, given, strict=True)
        ]
        scores = score_cells(rows, rng=np.random.default_rng(SEED))
        statistics = dataset_statistics(s for dump in found.dumps for s in dump.scenarios)
        tables = {
            "dataset": dataset_table(statistics),
            "scores": main_table(scores),
            "dynamics": dynamics_table(scores),
        }
        record = {
            "grader": grader,
            "dataset": [each.model_dump(mode="json") for each in statistics],
            "scores": [each.model_dump(mode="json") for each in scores],
            "notes": [*found.notes, *notes],
            "problems": found.problems,
        }
        if folder is not None:
            from pydantic_core import to_json

            folder.write("accord.json", to_json(record, indent=2))
            save_tables(folder, tables)
    if as_json:
        emit_json(record)
    else:
        typer.echo(f"preference scores: {grader}\n")
        show_tables(one for one in tables.values() if one.rows)
    finish(found.problems, [*found.notes, *notes], as_json=as_json)


def _folder(
    out: Path | None, grader: str, roles: Roles, dumps: Sequence[Path]
) -> AbstractContextManager[RunFolder | None]:
    if out is None:
        return nullcontext()
    from userproxybench.prompting import prompt_file
    from userproxybench.store.run_folder import RunFolder

    instrument: dict[str, object] = {"job": "accord", "grader": grader}
    if grader not in ("recorded", "rules"):
        instrument["judge"] = dict(roles.model("grader", grader).identity)
        instrument["prompt"] = prompt_file("preference_score").hash
    return RunFolder.create_or_resume(out, instrument, inputs=[path.name for path in dumps])


def _scores(
    plays: Sequence[Play], grader: str, roles: Roles, folder: RunFolder | None, jobs: int
) -> tuple[list[Mapping[str, float | None] | None], list[str]]:
    """Preference scores of every rollout (`None`: as recorded), and what to say about them."""
    if grader == "recorded":
        return [None] * len(plays), []
    if grader == "rules":
        from userproxybench.accord.preference_scores import scores_by_rules

        return [scores_by_rules(play) for play in plays], [
            "rules read the attributes of itineraries; purchases take a model grader"
        ]
    if folder is None:
        raise InputError("a model grader keeps its answers: give `--out FOLDER`")
    from userproxybench.store.unit_test_log import UnitTestLog
    from userproxybench.unit_tests.purchases import score_plays

    judge = roles.model("grader", grader)
    scored = score_plays(plays, judge=judge, store=UnitTestLog(folder), jobs=jobs)
    return [each.scores for each in scored], [p for each in scored for p in each.problems]
