"""Models from flags and `userproxybench.toml`: one budget and one price book for all roles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from userproxybench.config import RoleTable, Settings, read_settings
from userproxybench.errors import InputError

if TYPE_CHECKING:
    from userproxybench.litellm_model import LiteLLMModel
    from userproxybench.llm import Budget, Role
    from userproxybench.prices import PriceBook

_MAX_TOKENS = {"grader": 4096, "candidate": 2048, "generator": 16384, "verifier": 16384}
"""Room for a reply; reasoning models think within it."""


@dataclass(frozen=True)
class Roles:
    """Makes the model of each role."""

    settings: Settings
    """What the file says."""
    book: PriceBook
    """Shipped prices under the file's own."""
    budget: Budget
    """Shared by all roles."""
    api_base: str | None = None
    """Endpoint from the command line; goes before the file's."""

    def named(self, role: Role, flag: str | None) -> str:
        """Model of a role: the flag's, else the file's, else empty."""
        table: RoleTable = getattr(self.settings, role)
        return flag or table.model

    def model(self, role: Role, flag: str | None = None) -> LiteLLMModel:
        """The model of a role.

        Raises:
            InputError: none is named, or a budget is set and its price is not known.
        """
        from userproxybench.litellm_model import LiteLLMModel
        from userproxybench.llm import ModelSpec

        table: RoleTable = getattr(self.settings, role)
        name = self.named(role, flag)
        if not name:
            raise InputError(
                f"no {role} is named. Give `--{role} MODEL`, or put `model` under [{role}] in "
                "userproxybench.toml"
            )
        known = self.book.find(name)
        spec = ModelSpec(
            model=name,
            api_base=self.api_base or table.api_base,
            api_key_env=table.api_key_env,
            parameters=table.parameters,
            max_tokens=table.max_tokens or _MAX_TOKENS[role],
            response_format=table.response_format,
            window=table.window or (known.window if known else None),
            timeout=table.timeout,
            attempts=table.attempts,
        )
        return LiteLLMModel(spec, price=known.price if known else None, budget=self.budget)


def read_roles(
    *, config: Path | None = None, budget: float | None = None, api_base: str | None = None
) -> Roles:
    """Settings of a run.

    Raises:
        InputError: the file is not what it should be, or the budget is negative.
    """
    from userproxybench.llm import Budget
    from userproxybench.prices import ListPrice, shipped_prices

    if budget is not None and budget < 0:
        raise InputError(f"`--budget` is {budget}: give dollars, 0 or more")
    try:
        settings = read_settings(config)
    except ValueError as error:
        raise InputError(str(error)) from error
    own = {
        name: ListPrice(price.input, price.output, price.cache_read, price.cache_write)
        for name, price in settings.prices.items()
    }
    return Roles(settings, shipped_prices().overridden(own), Budget(budget), api_base)
