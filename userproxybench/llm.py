"""The model seam: what a language model is to us, what it may cost, and how calls run together."""

from __future__ import annotations

import queue
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

from userproxybench.errors import BudgetError, JudgeError
from userproxybench.models.exchange import Prompt, Reply

Role = Literal["generator", "verifier", "grader", "candidate"]
ResponseFormat = Literal["json_schema", "json_object", "none"]
"""How structured output is asked for: most endpoints know `json_schema`, llama-cpp-python's
server knows `json_object` with a schema, some know neither."""
JsonSchema = Mapping[str, object]

_OVERHEAD_BYTES = 1024
"""Prompt tokens that a provider may add around our text (chat template, tool wrapping)."""


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


Item = TypeVar("Item")
Result = TypeVar("Result")


class Step(NamedTuple, Generic[Item, Result]):
    """What one piece of work gave, and the work that it made possible."""

    result: Result
    """The result."""
    then: Sequence[Item] = ()
    """Items to work on next, before new seeds are taken."""


def fan_out(
    seeds: Iterable[Item],
    work: Callable[[Item], Step[Item, Result]],
    *,
    jobs: int,
    settle: Callable[[], None] | None = None,
) -> Iterator[Result]:
    """Results as they come, at most `jobs` at a time; the one place where threads are made.

    Seeds are taken one by one, so a generator of them is never held in memory. The first exception
    ends the run: nothing new is started, and it is raised here. The threads are daemons, so Ctrl-C
    is answered at once. `settle` is called before results are handed out (it puts them on disk);
    the threads go on meanwhile, and results that come close together share one call of it.
    """
    pool = _Pool(iter(seeds), work)
    threads = [threading.Thread(target=pool.run, daemon=True) for _ in range(max(1, jobs))]
    for thread in threads:
        thread.start()
    try:
        finished = 0
        while finished < len(threads):
            events = [pool.events.get()]
            if settle is not None:
                time.sleep(_GATHERED)
                events += _waiting(pool.events)
                settle()
            for event in events:
                if isinstance(event, _Done):
                    finished += 1
                elif isinstance(event, BaseException):
                    raise event
                else:
                    yield event
    finally:
        pool.stop()


_GATHERED = 0.05
"""Seconds in which results are gathered before they are settled together."""


def _waiting(events: queue.SimpleQueue[Read]) -> list[Read]:
    return [events.get() for _ in range(events.qsize())]


class _Done:
    """A thread found nothing more to do."""


class _Pool(Generic[Item, Result]):
    """Shared state of the threads of one `fan_out`."""

    def __init__(self, seeds: Iterator[Item], work: Callable[[Item], Step[Item, Result]]) -> None:
        self.events: queue.SimpleQueue[Result | BaseException | _Done] = queue.SimpleQueue()
        self._seeds = seeds
        self._work = work
        self._next: deque[Item] = deque()
        self._busy = 0
        self._stopped = False
        self._changed = threading.Condition()

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def run(self) -> None:
        try:
            while (taken := self._take()) is not None:
                step = self._work(taken[0])
                self._finish(step.then)
                self.events.put(step.result)
        except BaseException as error:  # noqa: BLE001  # raised again in the caller's thread
            self.events.put(error)
            self.stop()
        self.events.put(_Done())

    def _take(self) -> tuple[Item] | None:
        with self._changed:
            while not self._stopped:
                if self._next:
                    self._busy += 1
                    return (self._next.popleft(),)
                for seed in self._seeds:
                    self._busy += 1
                    return (seed,)
                if self._busy == 0:
                    return None
                self._changed.wait()
        return None

    def _finish(self, then: Sequence[Item]) -> None:
        with self._changed:
            self._busy -= 1
            self._next.extend(then)
            self._changed.notify_all()


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


_MAKERS: Mapping[str, str] = {
    "openai": "gpt chatgpt openai o1 o3 o4",
    "anthropic": "claude sonnet opus haiku",
    "google": "gemini gemma",
    "meta": "llama",
    "alibaba": "qwen qwq",
    "mistral": "mistral mixtral ministral magistral",
    "deepseek": "deepseek",
    "xai": "grok",
    "microsoft": "phi",
    "nvidia": "nemotron",
    "cohere": "command",
    "moonshot": "kimi",
    "zhipu": "glm",
    "amazon": "nova",
}
_FAMILIES = {word: maker for maker, words in _MAKERS.items() for word in words.split()}


def family(model: str) -> str:
    """The maker of a model by its name; empty when the name does not tell."""
    words = re.findall(r"[a-z]+\d?|\d+", model.lower().rsplit("/", 1)[-1])
    for word in words:
        for known in (word, word.rstrip("0123456789")):
            if known in _FAMILIES:
                return _FAMILIES[known]
    return ""


def role_warnings(roles: Mapping[str, str], proxies: Iterable[str] = ()) -> list[str]:
    """One line for each model family that sits on two sides of the table."""
    families = {role: family(model) for role, model in roles.items() if model}
    lines = []
    named = list(families)
    for index, role in enumerate(named):
        for other in named[index + 1 :]:
            if families[role] and families[role] == families[other]:
                lines.append(f"{role} and {other} are of one model family ({families[role]})")
    judged = sorted({proxy for proxy in proxies if family(proxy)})
    for role, maker in families.items():
        own = [proxy for proxy in judged if maker and family(proxy) == maker]
        if role == "grader" and own:
            lines.append(f"the grader is of the family of {', '.join(own)} ({maker})")
    return lines
