"""What a language model is to us, and how it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from userproxybench.errors import JudgeError
from userproxybench.models.exchange import Prompt, Reply

Role = Literal["generator", "verifier", "grader", "candidate"]
ResponseFormat = Literal["json_schema", "json_object", "none"]
"""How structured output is asked for: most endpoints know `json_schema`, llama-cpp-python's
server knows `json_object` with a schema, some know neither."""
JsonSchema = Mapping[str, object]


class LanguageModel(Protocol):
    """One model in one role."""

    @property
    def name(self) -> str:
        """Name as the user gave it."""
        ...

    @property
    def identity(self) -> Mapping[str, object]:
        """Everything that may change an answer: model, parameters, endpoint."""
        ...

    @property
    def window(self) -> int | None:
        """Prompt tokens that fit; `None` when not known."""
        ...

    @property
    def max_tokens(self) -> int:
        """Completion tokens that a reply may take."""
        ...

    @property
    def cache_minimum(self) -> int | None:
        """Shortest prefix, in tokens, that the provider caches; `None` when not known."""
        ...

    def complete(
        self, prompt: Prompt, *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Reply:
        """The reply to one prompt.

        Raises:
            ModelError: nothing further can work (authentication, unknown model).
            BudgetError: the call could cross the budget.
            JudgeError: this call did not work out (`transport`, `overflow`, `content_filter`).
        """
        ...


@dataclass(frozen=True)
class ModelSpec:
    """Which model, where, and how it is called."""

    model: str
    """Model as litellm names it: `provider/model`."""
    api_base: str | None = None
    """Endpoint, for local and self-hosted models."""
    api_key_env: str | None = None
    """Variable that holds the key; `None`: the provider's own, or none at an `api_base`."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    """Sampling and other parameters, passed on as they are."""
    max_tokens: int = 4096
    """Completion tokens that a reply may take."""
    response_format: ResponseFormat = "json_schema"
    """How structured output is asked for."""
    window: int | None = None
    """Prompt tokens that fit; `None`: as the price snapshot says, or not known."""
    timeout: float = 180.0
    """Seconds until a call without answer is given up."""
    attempts: int = 6
    """Tries per call before it is left ungraded."""
    backoff: float = 1.0
    """Seconds before the second try; doubles, and `Retry-After` goes before."""


Keep = Callable[[Reply], None]
"""Puts a raw reply on disk; it is there when this returns."""
Read = TypeVar("Read")


def ask_twice(
    model: LanguageModel,
    prompt: Prompt,
    *,
    read: Callable[[Reply], Read],
    repair: Callable[[Prompt, str, str], Prompt],
    schema: JsonSchema,
    keep: Keep,
) -> Read:
    """What `read` makes of a reply; a reply that it refuses is asked for once more.

    Raises:
        JudgeError: neither reply could be read, or the call itself came to nothing.
    """
    reply = model.complete(prompt, schema=schema)
    keep(reply)
    try:
        return read(reply)
    except JudgeError as error:
        if error.reason not in ("format", "cut_off"):
            raise
        again = repair(prompt, error.detail, reply.text)
        limit = model.max_tokens * (2 if error.reason == "cut_off" else 1)
    second = model.complete(again, schema=schema, max_tokens=limit)
    keep(second)
    return read(second)


@dataclass
class ScriptedModel:
    """A model whose replies are written beforehand; it keeps the prompts that it saw."""

    replies: Sequence[Reply | str | Exception] | Callable[[Prompt], Reply | str]
    """Replies in order (the last one repeats), or a function of the prompt."""
    name: str = "scripted"
    """Name of the model."""
    window: int | None = None
    """Prompt tokens that fit."""
    max_tokens: int = 1000
    """Completion tokens that a reply may take."""
    cache_minimum: int | None = None
    """Shortest prefix that is cached."""
    prompts: list[Prompt] = field(default_factory=list)
    """Prompts seen so far."""

    @property
    def identity(self) -> Mapping[str, object]:
        """Name alone."""
        return {"model": self.name}

    def complete(
        self, prompt: Prompt, *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Reply:
        """The next reply of the script."""
        del schema, max_tokens
        self.prompts.append(prompt)
        if callable(self.replies):
            reply: Reply | str | Exception = self.replies(prompt)
        else:
            reply = self.replies[min(len(self.prompts), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        return Reply(text=reply, finish_reason="stop") if isinstance(reply, str) else reply
