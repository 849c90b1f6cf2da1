"""`userproxybench unit-test`: AcCoRD's test000 to test005 on every user turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from userproxybench.cli.options import (
    AccordDomain,
    ApiBase,
    AsJson,
    Budget,
    Calls,
    Config,
    KeyMapFile,
    path_of,
)
from userproxybench.errors import InputError, LoadError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from userproxybench.accord.format import Domain
    from userproxybench.cli.accord_inputs import Inputs
    from userproxybench.cli.roles import Roles
    from userproxybench.loaders.unit_labels import TurnLabels
    from userproxybench.store.run_folder import RunFolder
    from userproxybench.unit_tests.agreement import Label, LabelAgreement
    from userproxybench.unit_tests.cases import UnitCase
    from userproxybench.unit_tests.rates import PassRate
    from userproxybench.unit_tests.running import AnswerStore, Bench, RunResult, UnitResult

    Labels = Mapping[tuple[str, str, int, int], TurnLabels]


def unit_test(
    dumps: Annotated[
        list[Path],
        typer.Argument(
            help="AcCoRD dumps, or dumps of other benchmarks (test000 to test002 apply there).",
            metavar="DUMP...",
        ),
    ],
    grader: Annotated[
        str, typer.Option(metavar="rules|MODEL|rules+MODEL", help="Who answers.")
    ] = "rules",
    candidate: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help="Test this model's responses to the same prefixes instead."
        ),
    ] = None,
    domain: AccordDomain = None,
    prompts: Annotated[
        Path | None, typer.Option(help="Folder with your own shop/test000.md, travel/…")
    ] = None,
    key_map: KeyMapFile = None,
    labels: Annotated[
        Path | None, typer.Option(help="JSONL of hand labels to compare the answers with.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for answers, tables and figure (with a model).",
            parser=path_of,
            metavar="PATH",
        ),
    ] = None,
    budget: Budget = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would cost; stop.")
    ] = False,
    jobs: Calls = 8,
    api_base: ApiBase = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Put AcCoRD's six unit tests to every user turn.

    Each is answered by yes, no, or n/a.

    Rules answer what structured preferences decide (test001, test003, test004, test005) without a
    model; what takes a reader is `ungraded` and never counts as a pass or a fail.
    """
    from userproxybench.cli.accord_inputs import check_domain, finish, read_inputs, read_map
    from userproxybench.cli.audit import default_folder
    from userproxybench.cli.roles import read_roles

    wording = check_domain(domain)
    known = _read_labels(labels)
    found = read_inputs(dumps, read_map(key_map), domain=wording, others=True)
    roles = read_roles(config=config, budget=budget, api_base=api_base)
    bench = _bench(grader, candidate, prompts, roles, found, jobs)
    cases = _cases(found, wording)
    if out is None and (bench.judge or bench.candidate):
        out = default_folder(dumps, ("unit-test", grader, candidate or "", str(prompts)))
    if dry_run:
        _say_plan(bench, cases, roles, grader, candidate, as_json=as_json)
        return
    if not cases and not found.problems:
        raise InputError(
            f"{dumps[0].name}: there is no user turn to test. Expected rollouts in which the user "
            "answers the assistant"
        )
    with _folder(out, bench, dumps) as folder:
        report = _run(bench, cases, folder, known)
        report.notes[:0] = found.notes
        if folder is not None:
            report.save(folder)
    report.show(as_json=as_json)
    finish(found.problems, report.notes, as_json=as_json)


@dataclass
class _Report:
    """What a run says."""

    grader: str
    result: RunResult
    rates: list[PassRate]
    agreement: list[LabelAgreement]
    notes: list[str]

    def record(self) -> dict[str, object]:
        """As JSON."""
        return {
            "grader": self.grader,
            "rates": [rate.model_dump(mode="json") | {"n": rate.n} for rate in self.rates],
            "agreement": [
                each.model_dump(mode="json")
                | {"decided_share": each.decided_share, "agreed_share": each.agreed_share}
                for each in self.agreement
            ],
            "calls": self.result.calls,
            "reused": self.result.reused,
            "notes": self.notes,
        }

    def show(self, *, as_json: bool) -> None:
        """Print it."""
        from userproxybench.cli.accord_inputs import show_tables
        from userproxybench.cli.output import clean, emit_json
        from userproxybench.unit_tests.agreement import agreement_table
        from userproxybench.unit_tests.rates import counts_table, rates_table

        if as_json:
            answers = [each.model_dump(mode="json") for each in self.result.tested]
            emit_json(self.record() | {"answers": answers})
            return
        typer.echo(f"grader: {clean(self.grader)}\n")
        tables = [rates_table(self.rates), counts_table(self.rates)]
        if self.agreement:
            tables.append(agreement_table(self.agreement))
        show_tables(tables)

    def save(self, folder: RunFolder) -> None:
        """Write answers, tables and figure."""
        from pydantic_core import to_json

        from userproxybench.cli.accord_inputs import save_tables
        from userproxybench.plots import FORMATS, rendered
        from userproxybench.plots.unit_tests import unit_test_rates
        from userproxybench.unit_tests.rates import counts_table, rates_table

        lines = b"".join(each.model_dump_json().encode() + b"\n" for each in self.result.tested)
        folder.write("answers.jsonl", lines)
        folder.write("unit_tests.json", to_json(self.record(), indent=2))
        save_tables(
            folder,
            {"unit_tests": rates_table(self.rates), "unit_test_counts": counts_table(self.rates)},
        )
        figure = unit_test_rates(self.rates)
        for kind in FORMATS:
            folder.write(f"figures/unit_tests.{kind}", rendered(figure, kind))


def _bench(
    grader: str,
    candidate: str | None,
    prompts: Path | None,
    roles: Roles,
    found: Inputs,
    jobs: int,
) -> Bench:
    from userproxybench.accord.rules import RuleGrader
    from userproxybench.accord.vocabulary import Vocabulary
    from userproxybench.unit_tests.questions import wordings
    from userproxybench.unit_tests.running import Bench

    by_rules = grader == "rules" or grader.startswith("rules+")
    model = grader.removeprefix("rules").removeprefix("+") if by_rules else grader
    rules = {dump.name: RuleGrader(Vocabulary(dump.scenarios, dump.plays)) for dump in found.dumps}
    return Bench(
        questions=wordings(prompts),
        rules=rules if by_rules else None,
        judge=roles.model("grader", model) if model else None,
        candidate=roles.model("candidate", candidate) if candidate else None,
        jobs=jobs,
    )


def _cases(found: Inputs, wording: Domain | None) -> list[UnitCase]:
    """Every turn under test; what cannot be read becomes a problem, openings a note."""
    from userproxybench.loaders.accord import contract_of, trajectory_of
    from userproxybench.unit_tests.cases import cases_of_play, cases_of_trajectory

    cases: list[UnitCase] = []
    openings = 0
    for dump in found.dumps:
        contracts = {scenario: contract_of(scenario) for scenario in dump.scenarios}
        for play in dump.plays:
            contract = contracts.get(play.scenario) or contract_of(play.scenario)
            of_play = cases_of_play(play, contract, trajectory_of(play, contract, dump.name))
            cases += of_play.tested
            openings += of_play.openings
    for other in found.others:
        for episode in other.episodes():
            if isinstance(episode, LoadError):
                found.problems.append(str(episode))
                continue
            of_episode = cases_of_trajectory(episode.trajectory, episode.contract, wording)
            cases += of_episode.tested
            openings += of_episode.openings
        found.notes.append(
            f"{other.file}: no structured preferences: test000 to test002 alone, by a model"
        )
    if openings:
        found.notes.append(f"{openings} user turns open a conversation and answer nothing")
    return cases


def _folder(
    out: Path | None, bench: Bench, dumps: Sequence[Path]
) -> AbstractContextManager[RunFolder | None]:
    if out is None:
        return nullcontext()
    from userproxybench.store.run_folder import RunFolder

    instrument = {"job": "unit-test", **bench.instrument}
    return RunFolder.create_or_resume(out, instrument, inputs=[path.name for path in dumps])


def _run(
    bench: Bench, cases: Sequence[UnitCase], folder: RunFolder | None, labels: Labels
) -> _Report:
    import numpy as np

    from userproxybench.cli.accord_inputs import SEED
    from userproxybench.cli.progress import progress
    from userproxybench.store.unit_test_log import UnitTestLog
    from userproxybench.unit_tests.rates import pass_rates
    from userproxybench.unit_tests.running import MemoryStore, run_tests

    store: AnswerStore = UnitTestLog(folder) if folder is not None else MemoryStore()
    with progress("tested") as tell:
        result = run_tests(cases, bench=bench, store=store, on_progress=tell)
    rates = pass_rates(result.tested, rng=np.random.default_rng(SEED))
    agreement = _agreement(result.tested, labels)
    notes = list(result.notes)
    if bench.judge is None:
        notes.append("rules leave test000 and test002 to a model grader: ungraded")
    return _Report(bench.name, result, rates, agreement, notes)


def _read_labels(path: Path | None) -> Labels:
    if path is None:
        return {}
    from userproxybench.loaders.unit_labels import read_labels

    return read_labels(path)


def _agreement(tested: Sequence[UnitResult], labels: Labels) -> list[LabelAgreement]:
    from userproxybench.unit_tests.agreement import label_agreement

    def label(each: UnitResult) -> Label | None:
        if each.rollout is None:
            return None
        found = labels.get((each.scenario, each.user_model, each.rollout, each.turn))
        return found.of(each.test) if found else None

    return label_agreement(tested, label)


def _say_plan(
    bench: Bench,
    cases: Sequence[UnitCase],
    roles: Roles,
    grader: str,
    candidate: str | None,
    *,
    as_json: bool,
) -> None:
    from userproxybench.cli.output import emit_json, paragraph
    from userproxybench.unit_tests.planning import plan
    from userproxybench.unit_tests.running import MemoryStore

    made = plan(
        cases,
        bench=bench,
        store=MemoryStore(),
        price=roles.book.price(grader.removeprefix("rules+")),
        candidate_price=roles.book.price(candidate) if candidate else None,
    )
    if as_json:
        emit_json(made._asdict())
        return
    dollars = "unknown, no price" if made.usd is None else f"${made.usd:.4f}"
    paragraph(
        f"{len(cases)} turns: {made.calls} calls of the judge, {made.candidate_calls} of the "
        f"candidate, {made.without_model} answers without a model; about {made.prompt_tokens} "
        f"prompt and {made.completion_tokens} completion tokens; cost {dollars}"
    )
