"""Figures for a page: SVG whose every property is an attribute, because the page bars styles."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from userproxybench.analysis import Analysis, Sheet

_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_PAPER = "#ffffff"


@dataclass(frozen=True)
class Drawing:
    """One figure with the sheets that hold its numbers."""

    name: str
    """File name without its ending."""
    title: str
    """What it shows."""
    svg: Markup
    """The drawing."""
    sheets: tuple[Sheet, ...]
    """Its tables."""


TITLES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "figure1_frontier": (
        "Fidelity against user-side cost; the dashed line is the frontier",
        ("aggregate", "costs"),
    ),
    "figure2_reward_range": (
        "Reward of the same agent under each user proxy",
        ("domains", "spreads"),
    ),
    "figure5_families": (
        "Share of scored episodes in which each family fails",
        ("families", "criteria"),
    ),
    "figure3_failures": (
        "How often each family fails, and what goes with it",
        ("family_effects", "family_effect_cells"),
    ),
    "figure4_effort": (
        "Turns of the agent against fidelity and reward",
        ("effort", "disclosure_effects"),
    ),
    "figure6_selection": (
        "How often each proxy is the cheapest that is faithful enough",
        ("selection_shares",),
    ),
}
"""In reading order: title and tables of each figure."""


def drawings(done: Analysis) -> list[Drawing]:
    """Every figure that the analysis has something to show in, in reading order."""
    from userproxybench.analysis import sheets
    from userproxybench.plots import figures, rendered

    drawn = figures(done)
    made = {sheet.name: sheet for sheet in sheets(done)}
    return [
        Drawing(
            name=name,
            title=title,
            svg=inline(rendered(drawn[name], "svg"), name, title),
            sheets=tuple(made[key] for key in keys if key in made),
        )
        for name, (title, keys) in TITLES.items()
        if name in drawn
    ]


def inline(svg: bytes, name: str, title: str) -> Markup:
    """An SVG file as an element of a page: no styles, no comments, ids of its own, fewer digits."""
    root = ET.fromstring(_COMMENT.sub(b"", svg))  # comments repeat drawn text as it came
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.rpartition("}")[2] in ("metadata", "style"):
                parent.remove(child)
    for node in root.iter():
        _rewrite(node, name)
    root.attrib.pop("height", None)
    root.set("width", f"{float(root.get('width', '480pt').removesuffix('pt')) * 4 / 3:.0f}")
    root.set("role", "img")
    root.set("aria-label", title)
    root.set("stroke-linejoin", "round")
    for node in root.iter():
        node.tag = node.tag.removeprefix(_SVG)
        node.tail = None if node.tail is None or not node.tail.strip() else node.tail
    return Markup(ET.tostring(root, encoding="unicode", short_empty_elements=True))


def _rewrite(node: ET.Element, name: str) -> None:
    for declaration in node.attrib.pop("style", "").split(";"):
        key, colon, value = declaration.partition(":")
        if colon:
            node.set(key.strip(), value.strip())
    if node.get("fill") == _PAPER and node.tag == f"{_SVG}path":
        node.set("fill", "none" if node.get("stroke") is None else _PAPER)
    if _XLINK in node.attrib:
        node.set("href", node.attrib.pop(_XLINK))
    for key, value in node.attrib.items():
        if key == "id":
            node.set(key, f"{name}-{value}")
        elif "#" in value and key in ("href", "clip-path"):
            node.set(key, value.replace("#", f"#{name}-"))
        elif key in ("d", "x", "y"):
            node.set(key, _NUMBER.sub(lambda found: f"{float(found[0]):.2f}", value))
