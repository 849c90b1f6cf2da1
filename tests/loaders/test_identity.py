"""Names of models, and what of their settings is hashed."""

from __future__ import annotations

import pytest

from userproxybench.loaders.identity import hosting, safe_settings, same_model, without_path


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-4o", "hosted"),
        ("openai/o3-mini", "hosted"),
        ("claude-opus-4-6", "hosted"),
        ("gemini/gemini-2.5-flash", "hosted"),
        ("openai/gpt-oss-120b", "open"),
        ("gemini/gemma-3-27b-it", "open"),
        ("ollama_chat/qwen2.5:7b", "open"),
        ("some-new-model", ""),
    ],
)
def test_hosting_is_told_by_name_where_it_is_evident(model: str, expected: str) -> None:
    assert hosting(model) == expected


@pytest.mark.parametrize(
    ("recorded", "witness", "same"),
    [
        ("openai/gpt-4o", "gpt-4o-2024-08-06", True),
        ("gpt-4.1-2025-04-14", "gpt-4.1-2025-04-14", True),
        ("gpt-4o", "claude-opus-4-6", False),
    ],
    ids=["dated", "equal", "other"],
)
def test_prefix_and_date_do_not_make_another_model(recorded: str, witness: str, same: bool) -> None:
    assert same_model(recorded, witness) is same


def test_settings_lose_everything_that_may_be_a_secret() -> None:
    kept = {"temperature": 0.5, "max_tokens": 9, "thinking": {"budget_tokens": 3}}
    secrets = {"api_key": "x", "extra_headers": {"a": "x"}, "api_base": "x", "auth_token": "x"}
    assert safe_settings({**kept, **secrets}) == kept
    assert safe_settings([{"aws_secret_access_key": "x", "top_p": 1}]) == [{"top_p": 1}]


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("/home/someone/models/m-7b", "m-7b"),
        ("./models/m-7b", "m-7b"),
        ("openai/gpt-4o", "openai/gpt-4o"),
    ],
)
def test_a_local_path_is_cut_to_the_model(model: str, expected: str) -> None:
    assert without_path(model) == expected
