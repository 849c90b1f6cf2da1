from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest

from tests.builders import contract, trajectory
from tests.report.runs import HOSTILE, large, material
from tests.report.test_rows import graded, verdict
from userproxybench.report import Material, render


@pytest.fixture(scope="module")
def small() -> Material:
    return large(14, turns=4)


def test_the_same_material_gives_the_same_bytes(small: Material) -> None:
    assert render(small) == render(small)


def test_the_policy_allows_one_style_and_one_script_and_no_address(small: Material) -> None:
    page = render(small)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    allowed = set(re.findall(r"sha256-[\w+/=]+", policy))
    inside = re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", page, re.DOTALL)
    digests = {
        "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in inside
    }
    assert len(inside) == 2
    assert allowed == digests
    assert "default-src &#39;none&#39;" in policy
    assert "unsafe" not in policy


def test_nothing_is_loaded_and_no_style_is_inline(small: Material) -> None:
    page = render(small)
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)
    assert not re.search(r"<[^>]*\s(?:style|on\w+)=", page)


def test_hostile_text_is_never_markup(hostile_page: Path) -> None:
    page = hostile_page.read_text(encoding="utf-8")
    scripts = re.findall(r"<script[^>]*>", page)
    assert all(re.fullmatch(r'<script(?: type="[\w/]+" id="\w+")?>', tag) for tag in scripts)
    assert scripts.count("<script>") == 1
    for tag in ("<img", "<iframe", "<base", "<textarea"):
        assert tag not in page
    assert "49" not in re.findall(r"<title>(.*?)</title>", page)[0]


def test_375_episodes_weigh_at_most_3_mb() -> None:
    assert len(render(large(375)).encode("utf-8")) <= 3_000_000


def test_a_turn_of_a_megabyte_does_not_make_a_page_of_megabytes() -> None:
    under = contract()
    said = trajectory("agent: Hello", "user: " + "word " * 210_000, under=under)
    page = render(material([said], [under], [graded(verdict("fail", turn=1, quotation="word"))]))
    assert len(page.encode("utf-8")) < 1_000_000


def test_a_run_in_which_nothing_was_scored_still_has_a_page() -> None:
    under = contract()
    page = render(
        material([trajectory(under=under)], [under], [], unscored={"episode-0001": "no rubric"})
    )
    assert "None could be scored" in page
    assert "unscorable: no rubric" in page


def test_bounds_are_shown_where_answers_are_missing() -> None:
    bounds = [contract(task_id=str(at)) for at in range(2)]
    grades = [
        graded(verdict(outcome, turn=None)).model_copy(update={"trajectory_id": str(at)})
        for at, outcome in enumerate(("pass", "ungraded"))
    ]
    said = [trajectory(under=one, id=one.task_id) for one in bounds]
    page = render(material(said, bounds, grades))
    assert "UFS lies between 0.50 (all taken as failures) and 1.00" in page


def test_hostile_names_are_on_the_page_in_words(hostile_page: Path) -> None:
    page = hostile_page.read_text(encoding="utf-8")
    assert "&lt;script&gt;window.hurt = 1&lt;/script&gt;" in page
    assert "\u202e" not in page
    assert len(HOSTILE) == 20
