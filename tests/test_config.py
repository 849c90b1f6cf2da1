from __future__ import annotations

from pathlib import Path

import pytest

from userproxybench.cli.roles import read_roles
from userproxybench.config import Settings, read_settings
from userproxybench.errors import InputError

GOOD = """
[grader]
model = "openai/judge"
api_base = "http://127.0.0.1:1/v1"
api_key_env = "OWN"
max_tokens = 99
window = 5000
response_format = "json_object"
[grader.parameters]
temperature = 0
[prices."openai/judge"]
input = 0.5
output = 1.5
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "userproxybench.toml"
    path.write_text(GOOD)
    return path


def test_everything_in_the_file_reaches_the_model(file: Path) -> None:
    model = read_roles(config=file, budget=1.0).model("grader")
    assert (model.name, model.max_tokens, model.window) == ("openai/judge", 99, 5000)
    assert model.identity["parameters"] == {"temperature": 0}
    assert model.price is not None
    assert model.price.input == pytest.approx(0.5e-6)


def test_flags_go_before_the_file(file: Path) -> None:
    roles = read_roles(config=file, api_base="http://127.0.0.1:2/v1")
    model = roles.model("grader", "openai/other")
    assert model.name == "openai/other"
    assert model.identity["api_base"] == "http://127.0.0.1:2/v1"


def test_price_snapshot_gives_window_and_price_of_known_models() -> None:
    model = read_roles().model("grader", "openai/gpt-4o")
    assert model.window == 128_000
    assert model.price is not None


def test_all_roles_share_one_budget(file: Path) -> None:
    roles = read_roles(config=file, budget=3.0)
    assert roles.budget.ceiling == 3.0
    with pytest.raises(InputError, match="needs a price"):
        roles.model("verifier", "openai/nobody-knows-it")


def test_role_without_a_model_says_where_to_name_one() -> None:
    with pytest.raises(InputError, match="Give `--verifier MODEL`, or put `model`"):
        read_roles().model("verifier")


def test_without_a_file_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_settings() == Settings()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[grader]\nmodle = "x"', r"grader\.modle: Extra inputs"),
        ("[grader]\nmax_tokens = 0", r"grader\.max_tokens"),
        (
            '[grader.parameters]\napi_key = "sk-123"',
            r"grader\.parameters: .*keys come from the env",
        ),
        ('[grader]\nresponse_format = "xml"', r"grader\.response_format"),
        ('[prices."a"]\ninput = -1\noutput = 1', r"prices\.a\.input"),
        ("no toml", "Expected"),
    ],
    ids=["unknown key", "no room", "secret", "format", "negative price", "syntax"],
)
def test_bad_file_is_one_line_with_the_place(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "u.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=problem) as caught:
        read_roles(config=path)
    assert "\n" not in str(caught.value)
    assert "sk-123" not in str(caught.value)


def test_missing_file_and_negative_budget_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_roles(config=tmp_path / "nope.toml")
    with pytest.raises(InputError, match="`--budget` is -1"):
        read_roles(budget=-1)
