"""What passes between us and a model, and what is kept of it."""

from __future__ import annotations

import msgspec
from pydantic import Field

from userproxybench.models.contract import Record
from userproxybench.models.verdict import Verdict


class Prompt(msgspec.Struct, frozen=True):
    """One call in three blocks; the first two are the same for every call on one subject."""

    system: str
    """Instructions; never holds text from a dump."""
    prefix: str
    """What the call is about (contract, trajectory); cached by providers."""
    suffix: str
    """What is asked this time."""
    cache: bool = False
    """Ask the provider to keep `system` and `prefix`: more calls on them follow."""

    @property
    def text(self) -> str:
        """The exact text that the model reads."""
        return "\n\n".join((self.system, self.prefix, self.suffix))


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a model sent back, whatever it is worth."""

    text: str = ""
    """Text of the reply; empty where there was none."""
    finish_reason: str = ""
    """Why the model stopped, as the provider says (`stop`, `length`, `content_filter`, …)."""
    refusal: str = ""
    """Words of a refusal, where the provider marks it as one."""
    model: str = ""
    """Model that answered, as the provider names it."""
    prompt_tokens: int | None = None
    """Prompt tokens, cached ones included; `None` when not reported."""
    completion_tokens: int | None = None
    """Completion tokens; `None` when not reported."""
    cache_read_tokens: int = 0
    """Prompt tokens that came from the provider's cache."""
    cache_write_tokens: int = 0
    """Prompt tokens that were written to the provider's cache."""
    usd: float | None = None
    """Dollars for this call; `None` without a known price or usage."""


class StoredVerdict(Record):
    """One line of `verdicts.jsonl`."""

    key: str
    """Digest over everything that made the verdict; the same key is never paid for twice."""
    trajectory_id: str
    """`Trajectory.id`."""
    verdict: Verdict
    """The answer."""
    sample: int = Field(default=0, ge=0)
    """Repetition of the same question, from 0."""
