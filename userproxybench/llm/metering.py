"""A model whose calls are counted, and that stops asking when there is no point."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from userproxybench.errors import BudgetError, JudgeError, ModelError
from userproxybench.llm.calls import JsonSchema, LanguageModel
from userproxybench.models.exchange import Prompt, Reply

_GIVE_UP = 20
"""Calls in a row that came to nothing before the run stops: the endpoint is gone."""


class Metered:
    """Passes calls on; a used-up budget and a dead endpoint end the run in good order."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._guard = threading.Lock()
        self._missed = 0
        self.calls = 0
        """Replies received."""
        self.exhausted = ""
        """Why nothing more is asked; empty while the budget lasts."""

    @property
    def name(self) -> str:
        """Name as the user gave it."""
        return self._model.name

    @property
    def identity(self) -> Mapping[str, object]:
        """Everything that may change an answer."""
        return self._model.identity

    @property
    def window(self) -> int | None:
        """Prompt tokens that fit."""
        return self._model.window

    @property
    def max_tokens(self) -> int:
        """Completion tokens that a reply may take."""
        return self._model.max_tokens

    @property
    def cache_minimum(self) -> int | None:
        """Shortest prefix, in tokens, that the provider caches."""
        return self._model.cache_minimum

    def complete(
        self, prompt: Prompt, *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Reply:
        """The reply; see `llm.LanguageModel`. Beyond the budget, `JudgeError` with that reason."""
        if self.exhausted:
            raise JudgeError("budget", self.exhausted)
        try:
            reply = self._model.complete(prompt, schema=schema, max_tokens=max_tokens)
        except BudgetError as error:
            self.exhausted = str(error)
            raise JudgeError("budget", str(error)) from error
        except JudgeError as error:
            if error.reason == "transport":
                self._miss(error)
            raise
        with self._guard:
            self.calls += 1
            self._missed = 0
        return reply

    def _miss(self, error: JudgeError) -> None:
        with self._guard:
            self._missed += 1
            gone = self._missed >= _GIVE_UP
        if gone:
            raise ModelError(
                f"{self.name}: {_GIVE_UP} calls in a row came to nothing ({error.detail}). "
                "Every answer so far is kept; run the same command again"
            ) from error
