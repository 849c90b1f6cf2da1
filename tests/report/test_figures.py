from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from tests.report.runs import HOSTILE, large
from userproxybench.analysis import analyse
from userproxybench.report.figures import drawings, inline

SVG = b"""<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"
 xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" height="36pt" viewBox="0 0 72 36">
<metadata/><defs><style type="text/css">*{}</style><path id="g" d="M 0.123456 1.5"/></defs>
<!-- proxy \x07 name --><g id="a" clip-path="url(#c)"><use xlink:href="#g" x="1.23456"
 style="fill: #0072b2; stroke-width: 0.8" transform="scale(0.075 -0.075)"/></g></svg>"""


def test_every_property_is_an_attribute_and_nothing_is_scripted_or_styled() -> None:
    text = inline(SVG, "figure1", "A title")
    root = ET.fromstring(text)
    assert "style" not in text
    assert "<!--" not in text
    assert "metadata" not in text
    assert root.get("role") == "img"
    assert root.get("aria-label") == "A title"
    use = next(node for node in root.iter() if node.tag == "use")
    assert (use.get("fill"), use.get("stroke-width")) == ("#0072b2", "0.8")


def test_ids_belong_to_the_figure() -> None:
    text = inline(SVG, "figure1", "A title")
    assert 'id="figure1-g"' in text
    assert 'href="#figure1-g"' in text
    assert 'clip-path="url(#figure1-c)"' in text


def test_coordinates_lose_digits_and_scales_do_not() -> None:
    text = inline(SVG, "figure1", "A title")
    assert 'd="M 0.12 1.5"' in text
    assert "scale(0.075 -0.075)" in text


def test_a_title_cannot_leave_its_attribute() -> None:
    for title in (text for text in HOSTILE if "\ud83d" not in text and "\x00" not in text):
        assert ET.fromstring(inline(SVG, "f", title)).get("role") == "img"


def test_figures_stand_beside_the_tables_of_their_numbers() -> None:
    done = analyse(large(70, turns=4).tables)
    drawn = drawings(done)
    assert [one.name for one in drawn][:2] == ["figure1_frontier", "figure2_reward_range"]
    assert all(one.sheets for one in drawn)
    assert not any(re.search(r"\sstyle=", one.svg) for one in drawn)
