"""The page in a real browser: every control, no request, no complaint, nothing hostile alive."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.report.runs import HOSTILE, example_run, large, regraded
from userproxybench import audit
from userproxybench.cli.report_inputs import read_material
from userproxybench.models import Verdict
from userproxybench.report import Material, render

if TYPE_CHECKING:
    from tests.browser import Page

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
ROW = "#list tbody tr"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Material:
    """The shipped example, graded by rules and by a second instrument."""
    folder = tmp_path_factory.mktemp("report")
    run = example_run(folder)

    def lenient(verdict: Verdict) -> Verdict:
        if verdict.mode != "accepts_forbidden_outcome" or verdict.verdict != "fail":
            return verdict
        return verdict.model_copy(update={"verdict": "pass", "turn": None, "quotation": ""})

    return read_material([run, regraded(run, folder / "other", "judge-x", lenient)])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, shown: Material) -> Path:
    """Its page."""
    target = tmp_path_factory.mktemp("page") / "report.html"
    target.write_text(render(shown), encoding="utf-8")
    return target


@pytest.fixture
def at_report(page: Page, report: Path) -> Iterator[Page]:
    """The page, opened; nothing in the console and nothing asked of a network at the end."""
    page.open(report)
    page.wait("document.querySelector('#count').textContent !== ''")
    yield page
    assert page.complaints() == []
    assert page.requests() == []


def test_the_list_shows_every_episode_and_counts_them(at_report: Page) -> None:
    assert at_report.text("#count") == "12 episodes"
    assert at_report.count(ROW) == 12


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("proxy", "brio-mini", "proxy == 'brio-mini'"),
        ("domain", "ebike_care", "domain == 'ebike_care'"),
        ("cell", "pass-pass", "success and fidelity == 1"),
        ("cell", "pass-fail", "success and fidelity == 0"),
        ("cell", "fail-pass", "not success and fidelity == 1"),
        ("cell", "fail-fail", "not success and fidelity == 0"),
        ("cell", "faithful", "fidelity == 1"),
        ("cell", "violated", "fidelity == 0"),
        ("cell", "scored", "status == 'scored'"),
        ("cell", "unscored", "status != 'scored'"),
        ("q", "battery_swap", "task_id == 'battery_swap'"),
        ("q", "no such words", "task_id == ''"),
    ],
)
def test_a_filter_narrows_the_list(
    at_report: Page, shown: Material, name: str, value: str, wanted: str
) -> None:
    at_report.choose(name, value)
    assert at_report.count(ROW) == len(shown.tables.episodes.query(wanted))


def test_a_mode_asks_for_its_failures_and_a_verdict_for_any(at_report: Page) -> None:
    at_report.choose("mode", "accepts_forbidden_outcome")
    assert at_report.run("return document.querySelector('[name=verdict]').value") == "fail"
    failed = at_report.count(ROW)
    at_report.choose("verdict", "pass")
    passed = at_report.count(ROW)
    assert failed >= 1
    assert passed >= 1
    at_report.choose("family", "groundedness")
    assert at_report.run("return document.querySelector('[name=mode]').value") == ""


def test_a_preset_shows_success_that_fidelity_denies(at_report: Page) -> None:
    at_report.click("[data-preset='cell=pass-fail']")
    assert 0 < at_report.count(ROW) < 12
    assert "list&cell=pass-fail" in at_report.driver.current_url
    at_report.click("[data-preset='']")
    assert at_report.count(ROW) == 12


def test_differing_graders_can_be_asked_for(at_report: Page) -> None:
    at_report.choose("differ", "1")
    assert 0 < at_report.count(ROW) < 12


def test_conversations_can_be_searched(at_report: Page, shown: Material) -> None:
    words = shown.trajectories[0].turns[2].text[:30]
    at_report.choose("q", words)
    assert at_report.count(ROW) == 0
    at_report.choose("deep", "1")
    at_report.wait("!document.querySelector('#count').textContent.includes('…')")
    assert at_report.count(ROW) >= 1


@pytest.mark.parametrize(
    "column", ["task", "proxy", "domain", "trial", "reward", "fidelity", "failed", "cost"]
)
def test_a_column_sorts_up_down_and_not(at_report: Page, column: str) -> None:
    head = f"th[data-sort={column}]"
    seen = []
    for _ in range(3):
        at_report.click(f"{head} button")
        seen.append(
            at_report.run(f"return document.querySelector('{head}').getAttribute('aria-sort')")
        )
    assert seen == ["ascending", "descending", "none"]


def test_an_episode_opens_from_the_list_and_closes_to_it(at_report: Page) -> None:
    at_report.choose("cell", "violated")
    at_report.choose("mode", "accepts_forbidden_outcome")
    at_report.click(f"{ROW} a")
    at_report.wait("!document.querySelector('#episode').hidden && document.querySelector('.turns')")
    assert at_report.count(".pin") >= 1
    assert at_report.count("li.user mark") >= 1
    assert at_report.count(".contract mark.bad") >= 1
    assert at_report.count("details.fold") >= 1
    ActionChains(at_report.driver).send_keys(Keys.ESCAPE).perform()
    at_report.wait("document.querySelector('#episode').hidden")
    assert "cell=violated" in at_report.driver.current_url


def test_a_deep_link_opens_an_episode_at_its_turn(page: Page, report: Path) -> None:
    page.open(report)
    first = page.run("return JSON.parse(document.querySelector('#index').textContent).rows[0][0]")
    page.open(report, f"#e={str(first).replace('#', '%23')}&t=3")
    page.wait("document.querySelector('.here')")
    assert page.run("return document.querySelector('.here').dataset.turn") == "3"
    assert page.run("return document.activeElement.className") == "at"
    assert page.complaints() == []


def test_an_unknown_episode_is_said_to_be_unknown(at_report: Page) -> None:
    at_report.run("location.hash = '#e=nobody'")
    at_report.wait("document.querySelector('#announce').textContent.includes('no such episode')")


def test_previous_and_next_follow_the_filtered_list(at_report: Page) -> None:
    at_report.choose("proxy", "aurora-70b")
    at_report.click(f"{ROW} a")
    at_report.wait("document.querySelector('.crumbs')")
    assert "1 of 4 in the list" in at_report.text(".crumbs")
    at_report.run("[...document.querySelectorAll('.crumbs a')].at(-1).click()")
    at_report.wait("document.querySelector('.crumbs').innerText.includes('2 of 4')")


def test_the_other_grader_is_shown_where_it_differs(at_report: Page) -> None:
    assert at_report.count("#apart tbody tr") >= 1
    whole = at_report.count("#apart tbody tr")
    at_report.run(
        "const it = document.querySelector('#apart-filters [name=kind]'); it.value = 'only_other';"
        "it.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    assert at_report.count("#apart tbody tr") < whole
    at_report.run(
        "const it = document.querySelector('#apart-filters [name=kind]'); it.value = '';"
        "it.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    at_report.click("#apart tbody a")
    at_report.wait("document.querySelector('.pin')")
    assert "judge-x: pass" in at_report.text("#episode")


def test_numbers_of_the_headline_lead_to_their_episodes(at_report: Page) -> None:
    at_report.run(
        "[...document.querySelectorAll('.headline a')]"
        ".find((one) => one.href.includes('pass-fail')).click()"
    )
    at_report.wait("document.querySelector('#filters').elements.cell.value === 'pass-fail'")
    shown = at_report.count(ROW)
    number = at_report.run(
        "return Number([...document.querySelectorAll('.headline a')]"
        ".find((one) => one.href.includes('pass-fail')).textContent)"
    )
    assert shown == number


def test_each_figure_has_its_table_one_click_away(at_report: Page) -> None:
    assert at_report.count("figure svg") >= 4
    assert at_report.count("figure") == at_report.count("figure:has(details table)")
    at_report.click("figure summary")
    assert at_report.run("return document.querySelector('figure details').open") is True


def test_a_table_is_downloaded_as_it_stands(at_report: Page) -> None:
    at_report.run("document.querySelector('figure a[download=\"aggregate.csv\"]').click()")
    at_report.click("[data-file='0']")
    for name, head in (("aggregate.csv", "proxy,"), ("episodes.csv", "proxy,domain,")):
        target = at_report.downloads / name
        deadline = time.monotonic() + 10
        while not target.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert target.read_text(encoding="utf-8").startswith(head)


def test_a_keyboard_reaches_list_and_episode(at_report: Page) -> None:
    at_report.run("document.querySelector('#filters input[type=search]').focus()")
    keys = ActionChains(at_report.driver)
    keys.send_keys("battery_swap").perform()
    assert at_report.count(ROW) == 3
    for _ in range(20):
        ActionChains(at_report.driver).send_keys(Keys.TAB).perform()
        if at_report.run("return document.activeElement.closest('#list tbody') !== null"):
            break
    ActionChains(at_report.driver).send_keys(Keys.ENTER).perform()
    at_report.wait("!document.querySelector('#episode').hidden")
    assert at_report.run("return document.activeElement.tagName") == "H1"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("address", ["", "#episode"], ids=["report", "episode"])
def test_axe_finds_nothing_serious(page: Page, report: Path, dark: bool, address: str) -> None:
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    try:
        page.open(report)
        page.run("for (const one of document.querySelectorAll('details')) one.open = true")
        if address:
            page.click("[data-preset='cell=violated']")
            page.click(f"{ROW} a")
            page.wait("document.querySelector('.turns')")
        assert page.violations() == []
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_phone_scrolls_in_one_direction_only(page: Page, report: Path) -> None:
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        page.open(report)
        assert page.run(f"return {WIDER}") == 0
        page.click(f"{ROW} a")
        page.wait("document.querySelector('.turns')")
        assert page.run(f"return {WIDER}") == 0
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_paper_shows_what_was_folded_and_no_controls(at_report: Page) -> None:
    at_report.run("window.dispatchEvent(new Event('beforeprint'))")
    assert at_report.count("details:not([open])") == 0
    at_report.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = "getComputedStyle(document.querySelector('#filters')).display"
        assert at_report.run(f"return {shown}") == "none"
    finally:
        at_report.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    at_report.run("window.dispatchEvent(new Event('afterprint'))")
    assert at_report.count("details:not([open])") > 0


def test_hostile_text_is_shown_and_does_nothing(page: Page, hostile_page: Path) -> None:
    page.open(hostile_page)
    assert page.count(ROW) == len(HOSTILE)
    assert page.run("return window.hurt ?? null") is None
    assert page.run(f"return {WIDER}") == 0
    assert page.count("iframe, base, img, object, embed, textarea") == 0
    where = "document.querySelector('.crumbs')?.innerText.includes('{} of 20')"
    for number in range(len(HOSTILE)):
        page.run(
            "location.hash = '#e=' + encodeURIComponent(JSON.parse("
            "document.querySelector('#index').textContent).rows[arguments[0]][0])",
            number,
        )
        page.wait(where.format(number + 1))
        page.run("for (const one of document.querySelectorAll('details')) one.open = true")
        assert page.run("return window.hurt ?? null") is None
        assert page.run(f"return {WIDER}") == 0
        assert page.count("#episode .turns [data-turn]") == 6
    assert page.complaints() == []
    assert page.requests() == []


def test_2618_episodes_open_in_3_seconds_and_filter_in_a_fifth(page: Page, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text(render(large(2618, turns=16)), encoding="utf-8")
    begun = time.monotonic()
    page.open(target)
    page.wait(f"document.querySelectorAll('{ROW}').length === 50")
    assert time.monotonic() - begun < 3
    for name, value in (("proxy", "proxy-3"), ("cell", "violated"), ("q", "task-1"), ("proxy", "")):
        spent = page.run(
            "const begun = performance.now(); const it = document.querySelector('#filters')"
            ".elements[arguments[0]]; it.value = arguments[1];"
            "it.dispatchEvent(new Event('input', {bubbles: true})); document.body.offsetHeight;"
            "return performance.now() - begun",
            name,
            value,
        )
        assert isinstance(spent, int | float)
        assert spent < 200
    page.click("#pager button:not([disabled])")
    page.wait("document.querySelector('#pager').innerText.includes('page 2')")
    assert page.complaints() == []


@pytest.mark.parametrize(
    ("pattern", "episodes"),
    [("t2v0_telecom_dual_gpt4o.json", 20), ("t1_trait_telecom_*.json", 54)],
    ids=["telecom_dual", "trait_telecom"],
)
def test_real_dumps_make_a_page_that_works(
    page: Page, shared: Path, tmp_path: Path, pattern: str, episodes: int
) -> None:
    audit(sorted((shared / "dumps").glob(pattern)), out=tmp_path / "run")
    target = tmp_path / "report.html"
    target.write_text(render(read_material([tmp_path / "run"])), encoding="utf-8")
    page.open(target)
    page.wait("document.querySelector('#count').textContent !== ''")
    assert page.text("#count").startswith(f"{episodes} episodes")
    page.choose("cell", "violated")
    page.click(f"{ROW} a")
    page.wait("document.querySelector('.turns')")
    assert page.count(".pin") >= 1
    assert page.violations() == []
    assert page.complaints() == []
    assert page.requests() == []
