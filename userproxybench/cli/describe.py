"""`userproxybench describe`: what is in a dump, and what had to be assumed about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from userproxybench.cli.options import (
    AsJson,
    Dumps,
    Guidelines,
    Partial,
    Proxies,
    load_options,
    read_text,
)
from userproxybench.errors import LoadError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from userproxybench.loaders import Description, Discovery, LoadOptions, PassedOver
    from userproxybench.models import IdentitySource


def describe(
    dumps: Dumps,
    proxy: Proxies = None,
    guidelines: Guidelines = None,
    partial: Partial = False,
    as_json: AsJson = False,
) -> None:
    """Say what is in recorded conversations.

    Format, domains, proxies, counts, costs, and every assumption made.
    """
    from userproxybench.cli.output import finish, warn
    from userproxybench.loaders import discover, unmatched

    text = None if guidelines is None else read_text(guidelines)
    options = load_options(proxy, text, partial=partial)
    found = discover(dumps)
    problems: list[str] = []
    proxies: list[tuple[str, IdentitySource]] = []
    described = _noting(_describe_all(found, options, problems), proxies)
    if as_json:
        _print_json(described, found.passed_over, problems)
    else:
        _print_all(described, found.passed_over)
    warn(unmatched(proxies, options))
    finish(problems)


def _noting(
    described: Iterator[Description], proxies: list[tuple[str, IdentitySource]]
) -> Iterator[Description]:
    for description in described:
        proxies += [(each.name, each.identity) for each in description.proxies]
        yield description


def _describe_all(
    found: Discovery, options: LoadOptions, problems: list[str]
) -> Iterator[Description]:
    """Describe one input after the other; what cannot be read is a problem among the others."""
    from userproxybench.loaders import open_input

    for one in found.inputs:
        try:
            description = open_input(one, options).describe()
        except LoadError as error:
            problems.append(str(error))
            continue
        problems.extend(description.damaged)
        yield description


def _print_json(
    described: Iterator[Description], passed_over: tuple[PassedOver, ...], problems: list[str]
) -> None:
    from userproxybench.cli.output import emit_json

    inputs = [description.model_dump(mode="json") for description in described]
    emit_json(
        {
            "inputs": inputs,
            "passed_over": [side._asdict() for side in passed_over],
            "problems": problems,
        }
    )


def _print_all(described: Iterator[Description], passed_over: tuple[PassedOver, ...]) -> None:
    from userproxybench.cli.output import clean, paragraph

    for description in described:
        _print_one(description)
    for side in passed_over:
        paragraph(f"passed over: {clean(side.file)}: {clean(side.reason, 160)}")


def _print_one(description: Description) -> None:
    from userproxybench.cli.output import clean, paragraph

    typer.echo(clean(description.file))
    for label, text in _facts(description):
        paragraph(f"{label + ':':<14}{clean(text)}", indent="  ")
    for note in description.notes:
        paragraph(f"note: {clean(note)}", indent="  ")
    typer.echo("")


def _facts(description: Description) -> Iterator[tuple[str, str]]:
    yield "format", description.format
    yield "episodes", f"{description.episodes}, {description.auditable} auditable"
    yield "tasks", f"{description.tasks}, {description.blueprints} episodes with a blueprint"
    yield "domains", _counts(description.domains)
    yield (
        "proxies",
        "; ".join(
            f"{proxy.name} ({proxy.episodes}, name {_SOURCES[proxy.identity]}"
            + (f", settings {proxy.settings_hash[:4]}" if proxy.settings_hash else "")
            + (f", {proxy.hosting})" if proxy.hosting else ")")
            for proxy in description.proxies
        ),
    )
    yield "agents", _counts(description.agents)
    yield "trials", _counts(description.trials)
    yield "endings", _counts(description.terminations)
    yield "guidelines", _counts(description.guidelines)
    if description.user_tools:
        yield "user tools", ", ".join(description.user_tools)
    yield "cost", _cost(description)
    if description.not_auditable:
        yield "not graded", _counts(description.not_auditable)
    if description.damaged:
        yield "damaged", f"{len(description.damaged)} items"


_SOURCES = {
    "recorded": "recorded",
    "raw_data": "from raw_data",
    "flag": "from --proxy",
    "name": "from the file or folder",
}


def _counts(counts: dict[str, int], limit: int = 8) -> str:
    shown = [f"{name} {count}" for name, count in list(counts.items())[:limit]]
    more = len(counts) - limit
    return ", ".join([*shown, f"and {more} more"] if more > 0 else shown)


def _cost(description: Description) -> str:
    cost = description.cost
    text = f"known for {cost.known} of {description.episodes} episodes"
    if cost.known:
        text += f" (${cost.usd:.4f})"
    text += f"; {cost.priced_calls} of {cost.calls} user turns priced, {cost.metered_calls} metered"
    if cost.metered_calls:
        text += f" ({cost.prompt_tokens}/{cost.completion_tokens} tokens)"
    if cost.discarded_attempts:
        text += f"; {cost.discarded_attempts} discarded attempts are not in it"
    return text
