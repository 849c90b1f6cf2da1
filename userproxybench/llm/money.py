"""What a call costs, what it could cost, and a ceiling that is never crossed."""

from __future__ import annotations

import threading
from typing import NamedTuple

from userproxybench.errors import BudgetError, InputError
from userproxybench.models.exchange import Prompt, Reply

_OVERHEAD_BYTES = 1024
"""Prompt tokens that a provider may add around our text (chat template, tool wrapping)."""


class Price(NamedTuple):
    """Dollars per token."""

    input: float
    """Prompt token."""
    output: float
    """Completion token."""
    cache_read: float | None = None
    """Prompt token read from the provider's cache; `None`: as `input`."""
    cache_write: float | None = None
    """Prompt token written to the cache; `None`: as `input`."""
    cache_minimum: int | None = None
    """Prefixes shorter than this many tokens are not cached."""
    long_tokens: int | None = None
    """Prompts longer than this are billed at `long` prices."""
    long: Price | None = None
    """Prices of long prompts."""

    def cost(self, reply: Reply) -> float | None:
        """Dollars for one reply; `None` when it reports no usage."""
        if reply.prompt_tokens is None or reply.completion_tokens is None:
            return None
        return self.of(
            reply.prompt_tokens,
            reply.completion_tokens,
            cache_read=reply.cache_read_tokens,
            cache_write=reply.cache_write_tokens,
        )

    def of(
        self, prompt: int, completion: int, *, cache_read: int = 0, cache_write: int = 0
    ) -> float:
        """Dollars for these tokens; the cached ones are part of `prompt`."""
        if self.long is not None and self.long_tokens is not None and prompt > self.long_tokens:
            return self.long.of(prompt, completion, cache_read=cache_read, cache_write=cache_write)
        plain = max(0, prompt - cache_read - cache_write)
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        return (
            plain * self.input + cache_read * read + cache_write * write + completion * self.output
        )

    def worst_case(self, prompt: Prompt, max_tokens: int, *, extra_bytes: int = 0) -> float:
        """An upper bound on the dollars of a call: a token is at least one byte."""
        held = len(prompt.text.encode("utf-8", "surrogatepass")) + extra_bytes + _OVERHEAD_BYTES
        dearest = max(self.input, self.cache_read or 0.0, self.cache_write or 0.0)
        bound = held * dearest + max_tokens * self.output
        if self.long is None:
            return bound
        return max(bound, self.long.worst_case(prompt, max_tokens, extra_bytes=extra_bytes))


class Budget:
    """A ceiling in dollars that is never crossed: the worst case is reserved before each call."""

    def __init__(self, ceiling: float | None) -> None:
        if ceiling is not None and not ceiling >= 0:
            raise InputError(f"`budget` is {ceiling!r}: give dollars, 0 or more")
        self.ceiling = ceiling
        self.spent = 0.0
        """Dollars of finished calls; a call of unknown outcome counts at its worst case."""
        self._reserved: list[float] = []
        self._changed = threading.Condition()

    def reserve(self, usd: float) -> None:
        """Hold `usd`; waits for calls in flight to settle when that may make room.

        Raises:
            BudgetError: it does not fit even when nothing else is in flight.
        """
        if self.ceiling is None:
            return
        with self._changed:
            while self.spent + sum(self._reserved) + usd > self.ceiling:
                if not self._reserved:
                    raise BudgetError(
                        f"the budget of ${self.ceiling:.4f} is used up: ${self.spent:.4f} spent, "
                        f"and the next call could cost ${usd:.4f}"
                    )
                self._changed.wait()
            self._reserved.append(usd)

    def settle(self, reserved: float, actual: float) -> None:
        """Give a reservation back and book what the call cost."""
        with self._changed:
            self.spent += actual
            if self.ceiling is not None:
                self._reserved.remove(reserved)
            self._changed.notify_all()
