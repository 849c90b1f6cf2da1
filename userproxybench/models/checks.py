"""Machine predicates that decide a criterion. Data only; `rules` holds their evaluators."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from userproxybench.models.contract import Record


class NoEarlyDisclosure(Record):
    """The value is not asserted before the agent asked for its kind (or said it first)."""

    kind: Literal["no_early_disclosure"] = "no_early_disclosure"
    fact: str
    """Kind of information (`name`, `phone`, `reservation_id`, `fallback`, …)."""
    values: tuple[str, ...]
    """The value, in each way it may be written."""


Check = Annotated[NoEarlyDisclosure, Field(discriminator="kind")]
