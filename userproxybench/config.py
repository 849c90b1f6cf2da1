"""`userproxybench.toml`: models, endpoints and prices. Read by the command line alone.

[grader]
model = "openai/judge"
api_base = "http://127.0.0.1:8000/v1"
[grader.parameters]
temperature = 0
[prices."openai/judge"]          # dollars per million tokens
input = 0.2
output = 0.6
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

NAME = "userproxybench.toml"


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class RoleTable(_Table):
    """One role: `[generator]`, `[verifier]`, `[grader]` or `[candidate]`."""

    model: str = ""
    """Model as litellm names it."""
    api_base: str | None = None
    """Endpoint of a local or self-hosted model."""
    api_key_env: str | None = None
    """Environment variable that holds its key."""
    max_tokens: int | None = Field(default=None, gt=0)
    """Completion tokens that a reply may take."""
    response_format: Literal["json_schema", "json_object", "none"] = "json_schema"
    """How structured output is asked for."""
    window: int | None = Field(default=None, gt=0)
    """Prompt tokens that fit."""
    timeout: float = Field(default=180.0, gt=0)
    """Seconds until a call is given up."""
    attempts: int = Field(default=6, gt=0)
    """Tries per call."""
    parameters: dict[str, object] = Field(default_factory=dict)
    """Sampling and other parameters, passed on as they are."""

    @field_validator("parameters")
    @classmethod
    def _no_keys(cls, value: dict[str, object]) -> dict[str, object]:
        secret = [name for name in value if "key" in name.lower() or name.lower() == "token"]
        if secret:
            raise ValueError(f"{secret[0]!r}: keys come from the environment; use `api_key_env`")
        return value


class PriceTable(_Table):
    """One model's price: `[prices."name"]`, in dollars per million tokens."""

    input: float = Field(ge=0)
    """Prompt tokens."""
    output: float = Field(ge=0)
    """Completion tokens."""
    cache_read: float | None = Field(default=None, ge=0)
    """Prompt tokens read from the cache."""
    cache_write: float | None = Field(default=None, ge=0)
    """Prompt tokens written to it."""


class Settings(_Table):
    """The whole file."""

    generator: RoleTable = RoleTable()
    """Writes rubrics."""
    verifier: RoleTable = RoleTable()
    """Reads them a second time."""
    grader: RoleTable = RoleTable()
    """Grades trajectories."""
    candidate: RoleTable = RoleTable()
    """User model under unit test."""
    prices: dict[str, PriceTable] = Field(default_factory=dict)
    """Prices that go before the shipped ones."""


def read_settings(path: Path | None = None) -> Settings:
    """Settings from a file; without one, from `userproxybench.toml` here, or the defaults.

    Raises:
        ValueError: the file is missing or not what it should be; one line with the place.
    """
    file = path or Path(NAME)
    if path is None and not file.exists():
        return Settings()
    try:
        return Settings.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{file}: {place}: {first['msg']}") from error
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: {error}") from error
