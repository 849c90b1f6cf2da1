"""The page: a template filled with autoescape, under a policy that runs its own script alone."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources

import jinja2
import msgspec
from markupsafe import Markup

from userproxybench.analysis import Sheet, sheets
from userproxybench.analysis.sheet import shown
from userproxybench.models import FAMILIES, MODES, PROTOCOL_MODES
from userproxybench.report import overview
from userproxybench.report.details import contract_details, episode_details
from userproxybench.report.disagreement import Comparison, comparisons
from userproxybench.report.figures import TITLES, Drawing, drawings
from userproxybench.report.inert import inert_line
from userproxybench.report.material import Material
from userproxybench.report.packing import Packed, pack
from userproxybench.report.rows import COLUMNS, STATUSES, Listing, listing
from userproxybench.tables import csv_text

FILES = ("episodes.csv", "failures.csv")


@dataclass(frozen=True)
class Table:
    """A sheet as the template takes it."""

    name: str
    """File name without its ending."""
    caption: str
    """What it shows."""
    columns: tuple[object, ...]
    """Its columns, with `head`."""
    numeric: tuple[bool, ...]
    """Which columns hold numbers."""
    rows: tuple[tuple[str, ...], ...]
    """Its cells as text."""
    notes: tuple[str, ...]
    """Footnotes."""
    href: str
    """Its CSV as an address."""


def render(material: Material) -> str:
    """The page as HTML; the same material gives the same bytes."""
    compared = comparisons(material)
    apart = {one.episode_id for item in compared for one in item.differences}
    listed = listing(material, apart)
    packed = {
        "e": pack(episode_details(material, listed.ids)),
        "k": pack(contract_details(material, listed.contracts)),
        "f": pack(_files(material)),
    }
    drawn = drawings(material.analysis)
    title = overview.title(material)
    style, script = _asset(".css"), _asset(".js")
    return (
        _environment()
        .get_template("report.html")
        .render(
            **overview.context(material),
            title=title,
            material=material,
            policy=_policy(style, script),
            style=Markup(style),  # shipped with this package
            script=Markup(script),  # shipped with this package
            drawings=[_with_tables(one) for one in drawn],
            further=[_table(one) for one in _further(material, drawn)],
            comparisons=[_comparison(one) for one in compared],
            index=_data(_index(material, listed, packed, compared, title)),
            episodes=packed["e"],
            contracts=packed["k"],
            downloads=packed["f"],
            files=FILES,
        )
    )


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("userproxybench"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["line"] = lambda value: (
        inert_line(value) if isinstance(value, str) else value
    )
    return environment


def _asset(ending: str) -> str:
    """The shipped files of one kind, in order; a script runs in a scope of its own."""
    folder = resources.files("userproxybench") / "templates" / "report"
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(ending)),
        key=lambda file: file.name,
    )
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return f'"use strict";\n(() => {{\n{text}}})();\n' if ending == ".js" else text


def _policy(style: str, script: str) -> str:
    """Nothing is fetched, nothing runs but the script whose digest stands here."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _digest(text: str) -> str:
    found = hashlib.sha256(text.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(found).decode("ascii")


def _data(value: object) -> Markup:
    """JSON that no parser of HTML can take for markup."""
    text = msgspec.json.encode(value).decode("utf-8")
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # no character of markup is left


def _index(
    material: Material,
    listed: Listing,
    packed: dict[str, Packed],
    compared: Iterable[Comparison],
    title: str,
) -> dict[str, object]:
    places = {id_: number for number, id_ in enumerate(listed.ids)}
    items = list(compared)
    return {
        "title": title,
        "columns": COLUMNS,
        "statuses": STATUSES,
        "proxies": listed.proxies,
        "domains": listed.domains,
        "families": {family: list(modes) for family, modes in FAMILIES.items()},
        "modes": MODES,
        "protocol": PROTOCOL_MODES,
        "graders": [inert_line(one.grader) for one in (material.main, *material.others)],
        "others": [inert_line(item.name) for item in items],
        "compared": bool(items),
        "starts": {kind: each.starts for kind, each in packed.items()},
        "rows": listed.rows,
        "differences": [
            (
                one.other,
                places[one.episode_id],
                one.kind,
                one.turn,
                inert_line(one.what),
                inert_line(one.main)[:600],
                inert_line(one.others)[:600],
            )
            for item in items
            for one in item.differences
            if one.episode_id in places
        ],
    }


def _files(material: Material) -> list[str]:
    verdicts = material.tables.verdicts
    failed = verdicts[verdicts["verdict"] == "fail"]
    return [_sound(csv_text(frame)) for frame in (material.tables.episodes, failed)]


def _with_tables(drawing: Drawing) -> dict[str, object]:
    return {
        "name": drawing.name,
        "title": drawing.title,
        "svg": drawing.svg,
        "sheets": [_table(sheet) for sheet in drawing.sheets],
    }


def _further(material: Material, drawn: Iterable[Drawing]) -> list[Sheet]:
    """Tables that stand under no figure."""
    placed = {sheet.name for drawing in drawn for sheet in drawing.sheets}
    order = [key for _, keys in TITLES.values() for key in keys]
    free = [sheet for sheet in sheets(material.analysis) if sheet.name not in placed]
    return sorted(free, key=lambda sheet: sheet.name not in order)


def _table(sheet: Sheet) -> Table:
    text = base64.b64encode(_sound(sheet.csv()).encode("utf-8")).decode("ascii")
    columns = range(len(sheet.columns))
    return Table(
        name=sheet.name,
        caption=sheet.caption,
        columns=sheet.columns,
        numeric=tuple(any(_is_number(row[at]) for row in sheet.rows) for at in columns),
        rows=tuple(
            tuple(
                shown(cell, column.digits) for cell, column in zip(row, sheet.columns, strict=True)
            )
            for row in sheet.rows
        ),
        notes=sheet.notes,
        href=f"data:text/csv;charset=utf-8;base64,{text}",
    )


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _sound(text: str) -> str:
    """Text that UTF-8 can hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _comparison(item: Comparison) -> dict[str, object]:
    found = item.agreement
    kappa = ""
    if found is not None and found.observed is not None:
        kappa = f"alike in {found.observed:.0%} of episodes"
        if found.estimate is not None:
            kappa += f", Cohen's κ {found.estimate:.2f}"
        if found.interval is not None:
            kappa += f" [{found.interval.low:.2f}, {found.interval.high:.2f}]"
    return {
        "name": item.name,
        "short": inert_line(item.name.partition(" on ")[0]),
        "both": item.both,
        "table": {
            (one, two): item.table.get((one, two), 0)
            for one in (True, False)
            for two in (True, False)
        },
        "kappa": kappa,
        "shared": item.shared,
        "only_main": item.only_main,
        "only_other": item.only_other,
        "criteria": sum(item.criteria.values()),
        "criteria_alike": item.criteria_alike,
        "note": item.note,
    }
