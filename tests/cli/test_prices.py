from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from userproxybench.cli.prices import app
from userproxybench.prices import read_prices, shipped_prices


def test_snapshot_is_made_from_the_installed_table(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["refresh", "--out", str(tmp_path / "p.json"), "--json"])
    assert result.exit_code == 0, result.output
    book = read_prices(tmp_path / "p.json")
    assert json.loads(result.stdout)["models"] == len(book.models)
    assert book.source.startswith("litellm ")
    assert len(book.models) > 1000
    assert len(shipped_prices().models) > 1000


def test_own_prices_are_shown_and_unknown_ones_say_so(tmp_path: Path) -> None:
    config = tmp_path / "u.toml"
    config.write_text('[prices."mine"]\ninput = 1.5\noutput = 2\n')
    words = ["show", "mine", "nobody-knows-it", "--config", str(config)]
    shown = CliRunner().invoke(app, words).stdout
    assert "1.5" in shown
    assert "unknown" in shown
    found = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert found["models"]["nobody-knows-it"] is None
    assert found["models"]["mine"]["input"] == 1.5
