"""A real browser for tests: Debian's chromium, alone, without a network."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    "--window-size=1280,1000"
).split()
REQUIRED = os.environ.get("USERPROXYBENCH_REQUIRE_BROWSER") == "1"
HOW = "apt-get install chromium chromium-driver (or name them by CHROMIUM and CHROMEDRIVER)"
HOW_AXE = "npm pack axe-core, unpack it, and name its axe.min.js by USERPROXYBENCH_AXE"


def unavailable(what: str, how: str) -> str:
    """Skip a test for want of something; fail it where browser tests are required."""
    message = f"browser tests need {what}: {how}"
    if REQUIRED:
        pytest.fail(message)
    pytest.skip(message)


def axe_source() -> str:
    """The source of axe-core."""
    path = os.environ.get("USERPROXYBENCH_AXE")
    if not path:
        unavailable("axe-core", HOW_AXE)
    return Path(str(path)).read_text(encoding="utf-8")


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """A browser with a profile of its own."""
    binary = os.environ.get("CHROMIUM") or shutil.which("chromium")
    driver = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver")
    if not binary or not driver:
        unavailable("chromium and chromedriver", HOW)
    options = Options()
    options.binary_location = str(binary)
    for flag in (*FLAGS, f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.add_experimental_option(
        "prefs",
        {
            "download.default_directory": str(profile),
            "profile.default_content_setting_values.automatic_downloads": 1,
        },
    )
    running = webdriver.Chrome(options=options, service=Service(str(driver)))
    try:
        yield Page(running, profile)
    finally:
        running.quit()


class Page:
    """What a test does with a page."""

    def __init__(self, driver: webdriver.Chrome, downloads: Path) -> None:
        self.driver = driver
        self.downloads = downloads

    def open(self, path: Path, address: str = "") -> None:
        """Open a file anew, and forget what was logged before."""
        self.driver.get("about:blank")
        self._log("browser")
        self._log("performance")
        self.driver.get(path.resolve().as_uri() + address)

    def run(self, script: str, *arguments: object) -> object:
        """What a script returns."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str, seconds: float = 10) -> None:
        """Wait until an expression holds."""
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, seconds, 0.02).until(lambda _: self.run(f"return {condition}"))

    def click(self, selector: str) -> None:
        """Click the first match."""
        self.run("document.querySelector(arguments[0]).click()", selector)

    def choose(self, name: str, value: str) -> None:
        """Set a control of the filters as a person would."""
        self.run(
            "const it = document.querySelector('#filters').elements[arguments[0]];"
            "if (it.type === 'checkbox') it.checked = Boolean(arguments[1]);"
            "else it.value = arguments[1];"
            "it.dispatchEvent(new Event('input', {bubbles: true}))",
            name,
            value,
        )

    def text(self, selector: str) -> str:
        """Text of the first match."""
        return str(self.run("return document.querySelector(arguments[0]).innerText", selector))

    def count(self, selector: str) -> int:
        """How many match."""
        found = self.run("return document.querySelectorAll(arguments[0]).length", selector)
        assert isinstance(found, int)
        return found

    def complaints(self) -> list[str]:
        """What stands in the console."""
        return [str(entry["message"]) for entry in self._log("browser")]

    def requests(self) -> list[str]:
        """What was asked of a network."""
        sent = []
        for entry in self._log("performance"):
            message = json.loads(str(entry["message"]))["message"]
            if message["method"] == "Network.requestWillBeSent":
                sent.append(message["params"]["request"]["url"])
        return [url for url in sent if not url.startswith(("file:", "data:", "blob:", "about:"))]

    def _log(self, kind: str) -> list[dict[str, object]]:
        found = self.driver.get_log(kind)  # type: ignore[no-untyped-call]  # selenium
        assert isinstance(found, list)
        return found

    def violations(self) -> list[str]:
        """What axe-core finds serious or critical."""
        self.run(axe_source())
        found = self.driver.execute_async_script(
            "const done = arguments[0];"
            "axe.run(document, {resultTypes: ['violations']}).then((all) => done(all.violations"
            ".filter((one) => ['serious', 'critical'].includes(one.impact))"
            ".map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '))))"
        )
        assert isinstance(found, list)
        return [str(one) for one in found]
