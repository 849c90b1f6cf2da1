"""`userproxybench describe`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from tests.loaders.dumps import run, say, simulation, write
from userproxybench.cli.describe import describe


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    app.command()(describe)
    return app


def invoke(app: typer.Typer, *arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_json_lists_inputs_side_files_and_problems(app: typer.Typer, tmp_path: Path) -> None:
    write(tmp_path, run(simulation()), "a.json")
    write(tmp_path, run(), "b.json")
    write(tmp_path, {"x": 1}, "c.json")
    result = invoke(app, tmp_path, "--json")
    printed = json.loads(result.stdout)
    (one,) = printed["inputs"]
    assert (one["file"], one["episodes"], one["domains"]) == ("a.json", 1, {"lending_library": 1})
    assert [side["file"] for side in printed["passed_over"]] == ["c.json"]
    assert len(printed["problems"]) == 1
    assert result.exit_code == 2
    assert result.stderr.startswith("error: b.json: ")


def test_the_page_names_format_proxy_cost_and_assumptions(app: typer.Typer, tmp_path: Path) -> None:
    result = invoke(app, write(tmp_path, run(simulation())), "--proxy", "mine=*")
    assert result.exit_code == 0
    for words in ("tau2 v0 results", "mine", "from --proxy", "known for 1 of 1", "note:"):
        assert words in result.stdout


def test_hostile_text_reaches_the_terminal_inert(app: typer.Typer, tmp_path: Path) -> None:
    info = {"environment_info": {"domain_name": "d\x1b[31m\nx"}}
    dump = run(simulation([say("user", "Hi.")]), info=info)
    assert "\x1b" not in invoke(app, write(tmp_path, dump)).stdout
