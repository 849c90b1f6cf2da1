"""Every published statement that follows from other published numbers, recomputed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import numpy as np

from userproxybench.paper.published import Proxy, Published, UserProxyBench
from userproxybench.paper.spans import Outcome, Span, judge, mean, share, total
from userproxybench.stats import dominated, pick


@dataclass(frozen=True, slots=True)
class Check:
    """One statement."""

    paper: Literal["UserProxyBench", "AcCoRD"]
    """Which paper."""
    source: str
    """Where it is printed."""
    statement: str
    """What it says."""
    published: str
    """As printed."""
    recomputed: str
    """What it comes to; empty where it needs trajectories."""
    outcome: Outcome
    """Whether the two agree."""
    how: str
    """From what, and what else there is to say."""


def checks(numbers: Published) -> list[Check]:
    """All checks, in the order of the papers."""
    paper = numbers.userproxybench
    return [
        *_totals(paper),
        *_cells(paper),
        *_means(paper),
        *_frontier(paper),
        *_rewards(paper),
        *_costs(paper),
        *_text(paper),
        *_needs_trajectories(paper),
        *_accord(numbers),
    ]


def shares(paper: UserProxyBench, proxy: Proxy, what: Literal["ufs", "reward"]) -> list[Span]:
    """The printed cells of a proxy as k/n where one k fits, else as printed."""
    spans = []
    for domain, cell in proxy.domains.items():
        n = paper.ufs_n(proxy, domain) if what == "ufs" else paper.reward_n(proxy, domain)
        printed = cell.ufs if what == "ufs" else cell.reward
        exact = share(printed, n)
        spans.append(Span.printed(printed) if exact is None else Span.exact(exact))
    return spans


def _totals(paper: UserProxyBench) -> Iterator[Check]:
    tasks, proxies = sum(paper.tasks.values()), len(paper.proxies)
    cells = [cell for proxy in paper.proxies for cell in proxy.domains.values()]
    errors = sum(cell.failed_to_run for cell in cells)
    unscorable = sum(cell.unscorable for cell in cells)
    scored = sum(paper.ufs_n(proxy, d) for proxy in paper.proxies for d in proxy.domains)
    criteria = sum(paper.criteria.values())
    rows: list[tuple[str, str, str, Span, str]] = [
        ("section 2", "tasks in all", "total_tasks", Span.exact(tasks), "sum over domains"),
        (
            "section 3.2",
            "trajectories in all",
            "total_trajectories",
            Span.exact(tasks * proxies),
            "tasks x proxies",
        ),
        (
            "section 3.2",
            "infrastructure errors",
            "infrastructure_errors",
            Span.exact(errors),
            "cells with n = 96 in Table 2",
        ),
        (
            "section 3.2",
            "unscorable trajectories",
            "unscorable",
            Span.exact(unscorable),
            "cells with n = 113 in Table 2",
        ),
        (
            "section 3.2",
            "scored trajectories",
            "scored_trajectories",
            Span.exact(scored),
            "sum of n over Table 2",
        ),
        (
            "section 3.4",
            "tasks completed by all proxies",
            "common_tasks",
            Span.exact(tasks - 1),
            "all tasks less the one with infrastructure errors",
        ),
        ("section 2", "criteria", "total_criteria", Span.exact(criteria), "sum over domains"),
        (
            "section 2",
            "criteria per task",
            "criteria_per_task",
            Span.exact(Fraction(criteria, tasks)),
            "criteria / tasks",
        ),
        ("Figure 3", "proxy-domain cells", "cells", Span.exact(len(cells)), "proxies x domains"),
    ]
    for source, statement, key, value, how in rows:
        yield _number(paper.stated[key], value, source, statement, how)


def _cells(paper: UserProxyBench) -> Iterator[Check]:
    for what in ("ufs", "reward"):
        lacking = []
        for proxy in paper.proxies:
            for domain, cell in proxy.domains.items():
                of_ufs = what == "ufs"
                n = paper.ufs_n(proxy, domain) if of_ufs else paper.reward_n(proxy, domain)
                if share(cell.ufs if of_ufs else cell.reward, n) is None:
                    lacking.append(f"{proxy.name} {domain}")
        cells = sum(len(proxy.domains) for proxy in paper.proxies)
        fitting = cells - len(lacking)
        yield Check(
            "UserProxyBench",
            "Table 2",
            f"each {'UFS' if what == 'ufs' else 'reward'} is a share k/n of its n",
            f"{cells} cells",
            f"{fitting} cells",
            "match" if not lacking else "differs",
            "one whole k prints like the cell"
            + (f"; not: {', '.join(lacking)}" if lacking else ""),
        )


def _means(paper: UserProxyBench) -> Iterator[Check]:
    for proxy in paper.proxies:
        printed: tuple[tuple[Literal["ufs", "reward"], str, Decimal], ...] = (
            ("ufs", "mean UFS", proxy.ufs),
            ("reward", "agent reward", proxy.reward),
        )
        for what, words, number in printed:
            yield _number(
                number,
                mean(shares(paper, proxy, what)),
                "Table 1",
                f"{proxy.name}: {words}",
                "unweighted mean over Table 2, cells taken as k/n",
            )


def _frontier(paper: UserProxyBench) -> Iterator[Check]:
    costs = np.array([float(proxy.cost) for proxy in paper.proxies])
    values = np.array([float(proxy.ufs) for proxy in paper.proxies])
    marks = dominated(costs, values)
    found = [proxy.name for proxy, mark in zip(paper.proxies, marks, strict=True) if mark]
    named = [proxy.name for proxy in paper.proxies if proxy.dominated]
    yield _words("Table 1", "dominated proxies", ", ".join(named), ", ".join(found), "cost and UFS")
    yield _number(
        paper.stated["dominated"],
        Span.exact(len(found)),
        "section 3.1",
        "number of dominated proxies",
        "cost and UFS of Table 1",
    )
    for chosen in paper.picks:
        at = pick(costs, values, float(chosen.required))
        yield _words(
            "section 3.1",
            f"cheapest proxy with UFS of at least {chosen.required}",
            chosen.proxy,
            "none" if at is None else paper.proxies[at].name,
            "cost and UFS of Table 1",
        )
    order = sorted(range(len(values)), key=lambda at: -values[at])
    ranks = {paper.proxies[at].name: rank for rank, at in enumerate(order, start=1)}
    for name, key in (("Qwen3.6-35B", "rank_qwen"), ("Gemma-26B", "rank_gemma_26b")):
        yield _number(
            paper.stated[key],
            Span.exact(ranks[name]),
            "section 3.3",
            f"{name}: rank by UFS",
            "Table 1",
        )
    in_order = all(a >= b for a, b in pairwise(costs.tolist()))
    yield _words("Table 1", "sorted by cost", "yes", "yes" if in_order else "no", "Table 1")


def _rewards(paper: UserProxyBench) -> Iterator[Check]:
    macro = [Span.printed(proxy.reward) for proxy in paper.proxies]
    low, high = min(macro, key=_value), max(macro, key=_value)
    stated = paper.stated
    yield _number(stated["lowest_reward"], low, "section 3.2", "lowest reward", "Table 1")
    yield _number(stated["highest_reward"], high, "section 3.2", "highest reward", "Table 1")
    points = (high - low) * Span.exact(100)
    yield _number(stated["reward_points"], points, "abstract", "range of reward, points", "Table 1")
    for domain in ("Telecom", "Airline", "Retail"):
        cells = [Span.printed(proxy.domains[domain].reward) for proxy in paper.proxies]
        yield _number(
            stated[f"spread_{domain.lower()}"],
            max(cells, key=_value) - min(cells, key=_value),
            "section 3.2",
            f"spread of reward on {domain}",
            "highest less lowest in Table 2",
        )
    a, b = (paper.proxy(name).domains["Telecom"].reward for name in ("Sonnet-4-6", "GPT-4.1-mini"))
    yield _words(
        "section 3.3",
        "Sonnet-4-6 and GPT-4.1-mini share a Telecom reward",
        str(a),
        str(b),
        "Table 2",
    )


def _costs(paper: UserProxyBench) -> Iterator[Check]:
    gemma, gemini = paper.proxy("Gemma-31B"), paper.proxy("Gemini-3.5-Flash")
    stated = paper.stated
    cheap, dear = Span.printed(gemma.cost), Span.printed(gemini.cost)
    yield _number(stated["cost_ratio"], dear / cheap, "section 3.1", "cost ratio", "Table 1")
    gain = (Span.printed(gemini.ufs) - Span.printed(gemma.ufs)) * Span.exact(100)
    yield _number(stated["ufs_gain_points"], gain, "section 3.1", "gain in UFS, points", "Table 1")
    simulations = int(stated["epoch_prompts"] * stated["epoch_rollouts"])
    kilo = Span.exact(Fraction(simulations, 1000))
    for proxy, cost, key in ((gemma, cheap, "gemma_31b"), (gemini, dear, "gemini")):
        yield _number(
            stated[f"epoch_{key}_kusd"],
            cost * kilo,
            "section 3.1",
            f"{proxy.name}: thousand dollars per epoch",
            f"cost x {simulations:,} simulations",
        )


def _text(paper: UserProxyBench) -> Iterator[Check]:
    stated = paper.stated
    for kind, key in (("open", "open_weight"), ("hosted", "hosted")):
        count = sum(proxy.hosting == kind for proxy in paper.proxies)
        yield _number(stated[key], Span.exact(count), "section 2", f"{kind} models", "Table 1")
    exercised = stated["modes"] - stated["modes_without_criteria"]
    yield _number(
        stated["modes_exercised"],
        Span.exact(int(exercised)),
        "appendix C",
        "modes exercised by the criteria",
        "19 modes less the one without criteria",
    )
    for twice in paper.repeated:
        yield _number(
            twice.short, Span.printed(twice.full), twice.source, twice.statement, "the other print"
        )
    per_proxy = Fraction(int(stated["probe_trajectories"]), len(paper.proxies))
    yield _words(
        "section 4",
        "probed trajectories are a whole number of tasks for seven proxies",
        "whole",
        "whole" if per_proxy.denominator == 1 else "not whole",
        f"658 / 7 = {per_proxy}",
    )
    for key in ("probe_lowest_change", "probe_highest_change"):
        found = share(stated[key], paper.tasks["Telecom"])
        yield _words(
            "appendix D",
            "a change of Telecom UFS by the probe is a share of 114 tasks",
            str(stated[key]),
            str(stated[key]) if found is not None else "no share",
            "" if found is None else f"{found.numerator * (114 // found.denominator)}/114",
        )


def _needs_trajectories(paper: UserProxyBench) -> Iterator[Check]:
    bounds = {
        "pass_fail_of_successes": _pass_fail_bounds(paper, tuple(paper.tasks), of_successes=True),
        "telecom_pass_fail": _pass_fail_bounds(paper, ("Telecom",), of_successes=False),
    }
    for one in paper.open:
        how = ""
        if one.bounds:
            low, high = bounds[one.bounds]
            how = f"Table 2 leaves {float(low):.1%} to {float(high):.1%} possible"
        yield Check(
            "UserProxyBench",
            one.source,
            one.statement,
            one.published,
            "",
            "needs trajectories",
            how,
        )


def _pass_fail_bounds(
    paper: UserProxyBench, domains: tuple[str, ...], *, of_successes: bool
) -> tuple[Fraction, Fraction]:
    """Least and greatest share of episodes that pass the reward and fail UFS, from both margins."""
    low = high = whole = Fraction(0)
    for proxy in paper.proxies:
        for domain in domains:
            n = paper.reward_n(proxy, domain)
            cell = proxy.domains[domain]
            won = round(float(cell.reward) * n)
            failed = round((1 - float(cell.ufs)) * paper.ufs_n(proxy, domain))
            low += max(0, won + failed - n)
            high += min(won, failed)
            whole += won if of_successes else n
    return low / whole, high / whole


def _accord(numbers: Published) -> Iterator[Check]:
    accord = numbers.accord
    for domain in accord.domains:
        counts = [Span.printed(average) for average, _ in domain.dynamics()]
        where = f"{domain.name}: "
        yield _accord_number(
            domain.preferences, total(counts), "Table 2", where + "preferences per scenario", "sum"
        )
        whole = Span.printed(domain.preferences)
        names = ("hard", "soft", "unachievable", "triggered")
        for name, (average, percent) in zip(names, domain.dynamics(), strict=True):
            part = Span.printed(average) / whole * Span.exact(100)
            yield _accord_number(percent, part, "Table 2", f"{where}{name}, per cent", "its share")
    rollouts = accord.scenarios * accord.rollouts
    for row in accord.results:
        completion = Span.printed(row.completion) / Span.exact(100)
        made = completion * Span.printed(row.outcome)
        exact = share(row.completion / 100, rollouts)
        how = f"completion x outcome, range {float(made.low):.4f}-{float(made.high):.4f}"
        if exact is not None:
            strict = Span.exact(exact) * Span.printed(row.outcome)
            how += (
                f"; with {exact.numerator * (rollouts // exact.denominator)} of {rollouts} "
                f"rollouts {float(strict.low):.4f}-{float(strict.high):.4f}"
            )
        yield _accord_number(
            row.task, made, "Table 3", f"{row.model} {row.method}: task score", how
        )


def _value(span: Span) -> Fraction:
    return span.value


def _number(published: Decimal, value: Span, source: str, statement: str, how: str) -> Check:
    outcome = judge(published, value)
    shown = f"{float(value.value):.6g}"
    return Check("UserProxyBench", source, statement, str(published), shown, outcome, how)


def _accord_number(published: Decimal, value: Span, source: str, statement: str, how: str) -> Check:
    outcome = judge(published, value)
    shown = f"{float(value.value):.6g}"
    return Check("AcCoRD", source, statement, str(published), shown, outcome, how)


def _words(source: str, statement: str, published: str, recomputed: str, how: str) -> Check:
    same: Outcome = "match" if published == recomputed else "differs"
    return Check("UserProxyBench", source, statement, published, recomputed, same, how)
