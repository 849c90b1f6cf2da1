"""The papers' tables as sheets."""

from __future__ import annotations

from decimal import Decimal

from userproxybench.analysis.sheet import Cell, Column, Field, Sheet, interval_fields, sheet
from userproxybench.paper.checks import Check
from userproxybench.paper.implied import Implied, ImpliedInterval, ImpliedPick
from userproxybench.paper.published import Accord, Result, UserProxyBench


def table1(paper: UserProxyBench) -> Sheet:
    """Aggregate proxy results."""
    columns = (
        Column("proxy", "Proxy"),
        Column("hosting", "Hosting"),
        Column("cost_usd", "Cost/sim", 4),
        Column("reward", "Agent reward"),
        Column("ufs", "Mean UFS"),
        Column("prompt_tokens", "Prompt tok"),
        Column("completion_tokens", "Completion tok"),
        Column("dominated", "Dominated"),
    )
    rows = tuple(
        (
            proxy.name,
            proxy.hosting,
            float(proxy.cost),
            float(proxy.reward),
            float(proxy.ufs),
            proxy.prompt_tokens,
            proxy.completion_tokens,
            proxy.dominated,
        )
        for proxy in paper.proxies
    )
    caption = "UserProxyBench, Table 1: proxies by user-side cost, means over four domains"
    return Sheet("table1", caption, columns, rows, (paper.title,))


def table2(paper: UserProxyBench) -> Sheet:
    """Per-domain reward and UFS."""
    domains = list(paper.tasks)
    columns = (
        Column("proxy", "Proxy"),
        *(
            column
            for domain in domains
            for column in (
                Column(f"{domain.lower()}_reward", f"{domain} reward"),
                Column(f"{domain.lower()}_ufs", f"{domain} UFS"),
                Column(f"{domain.lower()}_n", "n"),
            )
        ),
    )
    rows = tuple(
        (
            proxy.name,
            *(
                value
                for domain in domains
                for value in (
                    float(proxy.domains[domain].reward),
                    float(proxy.domains[domain].ufs),
                    paper.ufs_n(proxy, domain),
                )
            ),
        )
        for proxy in paper.proxies
    )
    notes = (
        "Banking n = 96: an infrastructure error on one task",
        "Retail n = 113: one task without an applicable criterion",
    )
    return Sheet("table2", "UserProxyBench, Table 2: results per domain", columns, rows, notes)


def accord_sheets(accord: Accord) -> list[Sheet]:
    """AcCoRD's Tables 2, 3, 4 and 6, as far as our source gives them."""
    return [_dataset(accord), _results(accord), _dynamics(accord), _unit_tests(accord)]


def checks_sheet(checks: list[Check]) -> Sheet:
    """Every check."""
    fields: list[Field[Check]] = [
        (Column(name, name.capitalize()), name)
        for name in ("paper", "source", "statement", "published", "recomputed", "outcome", "how")
    ]
    caption = "Published statements recomputed from published numbers"
    return sheet("checks", caption, checks, fields)


def implied_sheets(found: Implied) -> list[Sheet]:
    """What the paper's own n implies."""
    of_intervals: list[Field[ImpliedInterval]] = [
        (Column("proxy", "Proxy"), "proxy"),
        (Column("ufs", "UFS"), "ufs"),
        *interval_fields("ci", "95 %", "interval"),
        (Column("ufs_pooled", "Pooled"), "pooled"),
        (Column("n", "n"), "n"),
        (Column("dominated_share", "Dominated in"), "dominated_share"),
    ]
    of_picks: list[Field[ImpliedPick]] = [
        (Column("required_ufs", "Required UFS", 2), "required"),
        (Column("pick", "Published pick"), "proxy"),
        (Column("survives", "Survives in"), "survives"),
        (Column("runner_up", "Otherwise mostly"), "runner_up"),
        (Column("runner_up_share", "in"), "runner_up_share"),
    ]
    independent = "each cell of Table 2 drawn as a binomial of its n, proxies independent"
    correlations = [
        f"{name}: 95 % {one.interval.low:.2f} to {one.interval.high:.2f} (n = {one.n})"
        for name, one in found.correlations
        if one.interval is not None
    ]
    return [
        sheet(
            "implied_intervals",
            "Intervals that the paper's n implies for each UFS",
            found.intervals,
            of_intervals,
            ["Price-Bonett interval of a mean of four shares", independent, *correlations],
        ),
        sheet(
            "implied_picks",
            "Share of parametric resamples in which each published pick survives",
            found.picks,
            of_picks,
            [independent, "costs held fixed"],
        ),
    ]


def _dataset(accord: Accord) -> Sheet:
    names = ("hard", "soft", "unachievable", "triggered")
    columns = (
        Column("domain", "Domain"),
        Column("search_space", "Search space"),
        Column("preferences", "Preferences", 2),
        *(
            column
            for name in names
            for column in (
                Column(name, name.capitalize(), 2),
                Column(f"{name}_percent", "%", 1),
            )
        ),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.name,
            one.search_space,
            float(one.preferences),
            *(float(value) for pair in one.dynamics() for value in pair),
        )
        for one in accord.domains
    )
    caption = "AcCoRD, Table 2: preferences per scenario and dynamic (100 scenarios each)"
    return Sheet("accord_table2", caption, columns, rows, (accord.title,))


def _results(accord: Accord) -> Sheet:
    fields: list[Field[Result]] = [
        (Column("model", "Model"), "model"),
        (Column("method", "Method"), "method"),
        (Column("completion_percent", "Completion %", 1), lambda row: float(row.completion)),
        (Column("outcome", "Outcome"), lambda row: float(row.outcome)),
        (Column("perfect_percent", "Perfect %", 1), lambda row: float(row.perfect)),
        (Column("task_score", "Task score"), lambda row: float(row.task)),
        (
            Column("completion_x_outcome", "Completion x outcome"),
            lambda row: float(row.completion * row.outcome / 100),
        ),
    ]
    notes = ["GPT-4.1 ReAct: the printed task score does not follow from its parts (checks.csv)"]
    caption = "AcCoRD, Table 3: main results on AcCoRD-Shop"
    return sheet("accord_table3", caption, accord.results, fields, notes)


def _dynamics(accord: Accord) -> Sheet:
    names = ("hard", "soft", "unachievable", "triggered")

    def of(values: tuple[Decimal, ...], count: int) -> list[Cell]:
        return [float(value) for value in values] if values else [None] * count

    columns = (
        Column("model", "Model"),
        Column("method", "Method"),
        *(Column(name, name.capitalize()) for name in names),
        Column("actions_mean", "Actions", 2),
        Column("actions_median", "(median)", 0),
        Column("utterances_mean", "Utterances", 2),
        Column("utterances_median", "(median)", 0),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            row.model,
            row.method,
            *of(row.dynamics, 4),
            *of(row.actions, 2),
            *of(row.utterances, 2),
        )
        for row in accord.results
    )
    caption = "AcCoRD, Table 4: preference scores per dynamic on AcCoRD-Shop"
    return Sheet("accord_table4", caption, columns, rows, ("a dash is not in our source",))


def _unit_tests(accord: Accord) -> Sheet:
    columns = (
        Column("test", "Test"),
        *(
            Column(f"{domain.lower()}_{model}", f"{domain} {model}", 1)
            for domain in ("Shop", "Travel")
            for model in ("claude-4.5", "gpt-5.1")
        ),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (test.name, *(float(rate) for rate in test.rates)) for test in accord.unit_tests
    )
    caption = "AcCoRD, Table 6: unit test pass rates, per cent"
    return Sheet("accord_table6", caption, columns, rows, ("test005 is not in our source",))
