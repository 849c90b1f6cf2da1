"""The one door to language models: litellm, with retries, budget and one-line errors.

litellm takes seconds to import, so it is imported at the first call, with its bundled price table
(`LITELLM_LOCAL_MODEL_COST_MAP`), so that nothing is fetched.
"""

from __future__ import annotations

import functools
import logging
import os
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import urlsplit, urlunsplit

import msgspec
import tenacity

from userproxybench.errors import InputError, JudgeError, ModelError
from userproxybench.llm import Budget, JsonSchema, ModelSpec, Price
from userproxybench.models.exchange import Prompt, Reply

if TYPE_CHECKING:
    from types import ModuleType

_LONGEST_WAIT = 300.0
"""Seconds; a `Retry-After` beyond it is cut to it."""
_USUAL_CACHE_MINIMUM = 1024
"""Tokens; what providers ask for where the price table names no other number."""
_UNBILLED = frozenset({400, 401, 403, 404, 409, 413, 422, 429, 500, 503})
"""Statuses that the server itself sent and that say that no answer was made."""
_OVERFLOW = re.compile(
    r"context.{0,12}(window|length|size|limit)|prompt is too long|too many (input )?tokens", re.I
)
_FILTERED = re.compile(r"content[_ ](filter|policy|management)|moderation|flagged", re.I)
_QUOTA = re.compile(r"insufficient_quota|credit balance", re.I)
"""Said of an empty account; Gemini says "exceeded your current quota" of a passing rate limit."""
_CREDENTIALS = re.compile(r"missing credentials|api[_ ]key (client option )?must be set", re.I)
_SECRET = re.compile(r"\b(sk|pk|key|Bearer)[-_ ][\w*-]{6,}|\b[A-Za-z0-9_-]{32,}\b")


@functools.cache
def _litellm() -> ModuleType:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm  # seconds; only when a model is called

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return litellm


def bundled_prices() -> Mapping[str, Mapping[str, object]]:
    """Litellm's table of models, as bundled with the installed version."""
    table: Mapping[str, Mapping[str, object]] = _litellm().model_cost
    return table


def bundled_version() -> str:
    """Version of litellm that the table comes with."""
    from importlib.metadata import version

    return version("litellm")


class _PassingError(Exception):
    """A failure that may heal; `wait` is the provider's wish in seconds."""

    def __init__(self, detail: str, wait: float | None = None) -> None:
        super().__init__(detail)
        self.wait = wait


class LiteLLMModel:
    """One model in one role. Safe to call from many threads."""

    def __init__(
        self, spec: ModelSpec, *, price: Price | None = None, budget: Budget | None = None
    ) -> None:
        self._spec = spec
        self._price = price
        self._budget = budget or Budget(None)
        self._answered = False
        self._tries = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(_PassingError),
            stop=tenacity.stop_after_attempt(spec.attempts),
            wait=self._pause,
            reraise=True,
        )
        self._not_before = 0.0
        if self._budget.ceiling is not None and price is None:
            raise InputError(
                f"a budget needs a price, and none is known for {spec.model!r}. "
                f'Put it under [prices."{spec.model}"] in userproxybench.toml, '
                "or leave `--budget` out"
            )

    @property
    def name(self) -> str:
        """Name as the user gave it."""
        return self._spec.model

    @property
    def window(self) -> int | None:
        """Prompt tokens that fit, where known."""
        return self._spec.window

    @property
    def max_tokens(self) -> int:
        """Completion tokens that a reply may take."""
        return self._spec.max_tokens

    @property
    def cache_minimum(self) -> int | None:
        """Shortest prefix, in tokens, that the provider caches; `None` when not known."""
        if self._price is None or self._price.cache_read is None:
            return None
        return self._price.cache_minimum or _USUAL_CACHE_MINIMUM

    @property
    def price(self) -> Price | None:
        """Dollars per token, where known."""
        return self._price

    @property
    def identity(self) -> Mapping[str, object]:
        """Everything that may change an answer."""
        spec = self._spec
        return {
            "model": spec.model,
            "api_base": _without_credentials(spec.api_base),
            "parameters": dict(spec.parameters),
            "max_tokens": spec.max_tokens,
            "response_format": spec.response_format,
        }

    def complete(
        self, prompt: Prompt, *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Reply:
        """The reply to one prompt; see `llm.LanguageModel`."""
        try:
            return self._tries(self._attempt, prompt, schema, max_tokens or self._spec.max_tokens)
        except _PassingError as error:
            raise JudgeError("transport", f"{error} ({self._spec.attempts} tries)") from error

    def _pause(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        wait = error.wait if isinstance(error, _PassingError) else None
        if wait is None:
            return tenacity.wait_random_exponential(multiplier=self._spec.backoff, max=60.0)(state)
        # Everyone waits: the other threads would only be turned away as well.
        self._not_before = max(self._not_before, time.monotonic() + wait)
        return wait

    def _attempt(self, prompt: Prompt, schema: JsonSchema | None, max_tokens: int) -> Reply:
        held = self._not_before - time.monotonic()
        if held > 0:
            time.sleep(held)
        arguments = self.arguments(prompt, schema, max_tokens)
        reserved = 0.0
        if self._price is not None:
            extra = len(msgspec.json.encode(schema)) if schema else 0
            reserved = self._price.worst_case(prompt, max_tokens, extra_bytes=extra)
        self._budget.reserve(reserved)
        billed = reserved  # what a call of unknown outcome counts as
        try:
            reply = self._reply(_litellm().completion(**arguments))
            self._answered = True
            if reply.usd is not None:
                billed = reply.usd
            return reply
        except _litellm().exceptions.openai.OpenAIError as error:
            failure = self._failure(error)
            if failure.unbilled:
                billed = 0.0
            raise failure.error from error
        finally:
            self._budget.settle(reserved, billed)

    def arguments(
        self, prompt: Prompt, schema: JsonSchema | None, max_tokens: int
    ) -> dict[str, object]:
        """What litellm is called with."""
        spec = self._spec
        arguments: dict[str, object] = {
            **spec.parameters,
            "model": spec.model,
            "messages": _messages(prompt, explicit_cache=_caches_on_request(spec.model)),
            "max_tokens": max_tokens,
            "timeout": spec.timeout,
            "max_retries": 0,
            "num_retries": 0,
            "drop_params": True,
        }
        if spec.api_base:
            arguments |= {"api_base": spec.api_base, "api_key": "none"}
        if spec.api_key_env:
            arguments["api_key"] = _key_from(spec.api_key_env)
        if schema and spec.response_format == "json_schema":
            named = {"name": schema.get("title", "reply"), "schema": schema, "strict": True}
            arguments["response_format"] = {"type": "json_schema", "json_schema": named}
        elif schema and spec.response_format == "json_object":
            arguments["response_format"] = {"type": "json_object", "schema": schema}
        return arguments

    def _reply(self, response: _Response) -> Reply:
        if not response.choices:
            raise _PassingError("a reply without choices")
        choice, usage = response.choices[0], response.usage
        details = usage.prompt_tokens_details
        metered = usage.prompt_tokens > 0  # litellm fills in zeros where nothing was reported
        reply = Reply(
            text=choice.message.content or "",
            finish_reason=choice.finish_reason or "",
            refusal=getattr(choice.message, "refusal", None) or "",
            model=response.model or "",
            prompt_tokens=usage.prompt_tokens if metered else None,
            completion_tokens=usage.completion_tokens if metered else None,
            cache_read_tokens=(details.cached_tokens or 0) if details else 0,
            cache_write_tokens=getattr(usage, "cache_creation_input_tokens", None) or 0,
        )
        if self._price is None:
            return reply
        return msgspec.structs.replace(reply, usd=self._price.cost(reply))

    def _failure(self, error: Exception) -> _Failure:
        """What one error of litellm's means for the call, and whether it was surely not billed."""
        kinds = _litellm().exceptions
        line = _one_line(str(error))
        text = f"{error} {getattr(error, 'body', '')}"  # the body has the provider's error code
        headers = getattr(getattr(error, "response", None), "headers", None)
        status = getattr(error, "status_code", None) if headers else None
        if isinstance(error, kinds.Timeout):
            return _Failure(_PassingError(f"no answer within {self._spec.timeout:g} s"))
        if self._is_fatal(error, text):
            return _Failure(
                ModelError(f"{self.name}: {line.rstrip('. ')}{self._remedy(error, text)}"), True
            )
        if isinstance(error, kinds.BadRequestError) or status == 403:
            return _Failure(self._rejected(error, text, line), True)
        wait = _retry_after(headers) if headers else None
        return _Failure(_PassingError(line, wait), status in _UNBILLED)

    def _is_fatal(self, error: Exception, text: str) -> bool:
        if _FILTERED.search(text):
            return False
        kinds = _litellm().exceptions
        return (
            getattr(error, "status_code", None) in (401, 402, 403, 404)
            or _CREDENTIALS.search(text) is not None
            or (isinstance(error, kinds.RateLimitError) and _QUOTA.search(text) is not None)
        )

    def _rejected(self, error: Exception, text: str, line: str) -> Exception:
        kinds = _litellm().exceptions
        if isinstance(error, kinds.ContextWindowExceededError) or _OVERFLOW.search(text):
            return JudgeError("overflow", line)
        if isinstance(error, kinds.ContentPolicyViolationError) or _FILTERED.search(text):
            return JudgeError("content_filter", line)
        if self._answered:
            return JudgeError("transport", f"the provider rejected the request: {line}")
        return ModelError(
            f"{self.name}: the provider rejected the first request: {line}. "
            "Check the model's name, its parameters and `response_format`"
        )

    def _remedy(self, error: Exception, text: str) -> str:
        kinds = _litellm().exceptions
        if isinstance(error, kinds.AuthenticationError) or _CREDENTIALS.search(text):
            return ". Keys come from the environment: set the provider's variable, or `api_key_env`"
        if isinstance(error, kinds.NotFoundError):
            return ". Check the model's name and `--api-base`"
        return ""


class _Failure(NamedTuple):
    """What an error of litellm's means."""

    error: Exception
    unbilled: bool = False


class _Message(Protocol):
    content: str | None


class _Choice(Protocol):
    finish_reason: str | None
    message: _Message


class _Details(Protocol):
    cached_tokens: int | None


class _Usage(Protocol):
    prompt_tokens: int
    completion_tokens: int
    prompt_tokens_details: _Details | None


class _Response(Protocol):
    """The part of litellm's response that is read."""

    choices: list[_Choice]
    model: str | None
    usage: _Usage


def _messages(prompt: Prompt, *, explicit_cache: bool) -> list[dict[str, object]]:
    system, prefix, suffix = (
        _sendable(part) for part in (prompt.system, prompt.prefix, prompt.suffix)
    )
    if explicit_cache and prompt.cache:
        kept = {"type": "ephemeral"}
        blocks = [
            {"type": "text", "text": f"{prefix}\n\n", "cache_control": kept},
            {"type": "text", "text": suffix},
        ]
        user: object = blocks
    else:
        user = f"{prefix}\n\n{suffix}" if prefix else suffix
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def _caches_on_request(model: str) -> bool:
    """Whether the provider caches a prefix only where `cache_control` says so."""
    return "claude" in model or model.startswith("anthropic/")


def _sendable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _key_from(variable: str) -> str:
    key = os.environ.get(variable)
    if not key:
        raise ModelError(f"the environment variable {variable!r}, named for the key, is not set")
    return key


def _without_credentials(address: str | None) -> str | None:
    if address is None:
        return None
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After` asks for, as a number or a date."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        wait = float(value)
    except ValueError:
        try:
            wait = parsedate_to_datetime(value).timestamp() - time.time()
        except ValueError:
            return None
    return min(max(wait, 0.0), _LONGEST_WAIT)


def _one_line(text: str, limit: int = 200) -> str:
    """An error as one printable line, without anything that looks like a key."""
    line = _SECRET.sub("[key]", " ".join(text.split()))
    line = re.sub(r"^(litellm\.)?(\w+Error: )+(\w+Exception - )?", "", line)
    printable = "".join(character for character in line if character.isprintable())
    return printable if len(printable) <= limit else printable[: limit - 1] + "…"
