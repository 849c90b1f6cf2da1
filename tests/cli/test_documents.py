"""What README.md and docs/ show is what the command line does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup
from typer.testing import CliRunner

from userproxybench.cli import app
from userproxybench.cli.commands import register

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def command() -> TyperGroup:
    fresh = typer.Typer()
    register(fresh)
    group = typer.main.get_command(fresh)
    assert isinstance(group, TyperGroup)
    return group


def shown_commands() -> list[tuple[str, str]]:
    return [
        (page.name, line.strip().removeprefix("$ "))
        for page in PAGES
        for block in FENCED.findall(page.read_text(encoding="utf-8"))
        for line in block.splitlines()
        if line.strip().removeprefix("$ ").startswith("userproxybench ")
    ]


def test_there_are_commands_to_check() -> None:
    assert len(shown_commands()) > 10


@pytest.mark.parametrize(("page", "line"), shown_commands())
def test_a_command_shown_exists_with_its_flags(command: TyperGroup, page: str, line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    found = command.commands[words.pop(0)]
    if isinstance(found, TyperGroup):
        found = found.commands[words.pop(0)]
    flags = {option for parameter in found.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= flags


def test_the_page_in_the_readme_is_what_an_audit_of_the_example_prints(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```text\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    if not app.registered_commands:
        register(app)
    words = ["audit", str(ROOT / "trajectories" / "example"), "--out", str(tmp_path / "run")]
    printed = CliRunner().invoke(app, words, env={"COLUMNS": "80"}).stdout
    for part in block.strip().split("\n\n"):
        assert part in printed


def test_pages_link_to_pages_that_exist() -> None:
    broken = [
        (page.name, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []
