"""List prices: a dated snapshot shipped with the package, and what people put over it.

The snapshot is made from the table that litellm bundles (`snapshot_of(bundled_prices())`), so no
price is fetched at run time, and one release computes the same dollars everywhere.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

import msgspec

from userproxybench.errors import InputError
from userproxybench.llm import Price

SNAPSHOT = Path(__file__).parent / "data" / "prices.json"


class ListPrice(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Dollars per million tokens of one model, as its provider lists them."""

    input: float
    """Prompt tokens."""
    output: float
    """Completion tokens; the dearer price where reasoning tokens have their own."""
    cache_read: float | None = None
    """Prompt tokens read from the provider's cache."""
    cache_write: float | None = None
    """Prompt tokens written to it."""
    window: int | None = None
    """Prompt tokens that fit."""
    cache_minimum: int | None = None
    """Shortest prefix that is cached, in tokens."""
    long_tokens: int | None = None
    """Prompts longer than this have the prices in `long`."""
    long: ListPrice | None = None
    """Prices of long prompts."""

    @property
    def price(self) -> Price:
        """The same in dollars per token."""
        return Price(
            input=self.input / 1e6,
            output=self.output / 1e6,
            cache_read=None if self.cache_read is None else self.cache_read / 1e6,
            cache_write=None if self.cache_write is None else self.cache_write / 1e6,
            cache_minimum=self.cache_minimum,
            long_tokens=self.long_tokens,
            long=None if self.long is None else self.long.price,
        )


class PriceBook(msgspec.Struct, frozen=True):
    """Prices by model name, with the day and the place they were read."""

    date: str
    """Day of the snapshot, ISO 8601."""
    source: str
    """Where the prices come from."""
    models: dict[str, ListPrice]
    """Models by the name that litellm knows them by."""

    def find(self, model: str) -> ListPrice | None:
        """The entry of a model, with or without its provider; never a similar name's."""
        name = model.lower()
        for candidate in (model, name, name.rsplit("/", 1)[-1]):
            if candidate in self.models:
                return self.models[candidate]
        return None

    def price(self, model: str) -> Price | None:
        """Dollars per token; `None` when the book does not know the model."""
        found = self.find(model)
        return found.price if found else None

    def overridden(self, prices: Mapping[str, ListPrice]) -> PriceBook:
        """This book with some prices replaced."""
        return msgspec.structs.replace(self, models={**self.models, **prices})


@functools.cache
def shipped_prices() -> PriceBook:
    """The snapshot in the package."""
    return read_prices(SNAPSHOT)


def read_prices(path: Path) -> PriceBook:
    """A price book from a file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=PriceBook)
    except (msgspec.DecodeError, OSError) as error:
        raise InputError(f"{path}: is no price book ({error})") from error


def write_prices(book: PriceBook, path: Path) -> None:
    """Put a price book into a file, one model a line."""
    entries = ",\n".join(
        f"{msgspec.json.encode(name).decode()}: {msgspec.json.encode(price).decode()}"
        for name, price in sorted(book.models.items())
    )
    date, source = msgspec.json.encode(book.date), msgspec.json.encode(book.source)
    head = f'{{"date": {date.decode()},\n"source": {source.decode()},\n"models": {{\n'
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{head}{entries}\n}}}}\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from error


def snapshot_of(table: Mapping[str, Mapping[str, object]], *, date: str, source: str) -> PriceBook:
    """A price book out of litellm's table: text models with a price above zero.

    A price of zero stands for "not billed by token" or "not known", so it is left out.
    """
    models = {}
    for name, entry in table.items():
        listed = _listed(entry)
        if listed is not None and entry.get("mode") in ("chat", "completion", "responses"):
            models[name] = listed
    return PriceBook(date=date, source=source, models=models)


def _listed(entry: Mapping[str, object]) -> ListPrice | None:
    base = _tier(entry, "")
    if base is None:
        return None
    marks = sorted(
        int(key.removeprefix("input_cost_per_token_above_").removesuffix("k_tokens"))
        for key in entry
        if key.startswith("input_cost_per_token_above_") and key.endswith("k_tokens")
    )
    return msgspec.structs.replace(
        base,
        window=_whole(entry.get("max_input_tokens")),
        cache_minimum=_whole(entry.get("prompt_cache_min_tokens")),
        long_tokens=marks[0] * 1000 if marks else None,
        long=_tier(entry, f"_above_{marks[0]}k_tokens") if marks else None,
    )


def _tier(entry: Mapping[str, object], suffix: str) -> ListPrice | None:
    paid, written = (
        _per_million(entry.get(f"{side}_cost_per_token{suffix}"))
        or _per_million(entry.get(f"{side}_cost_per_token"))
        for side in ("input", "output")
    )
    if paid is None or written is None:
        return None
    reasoning = _per_million(entry.get("output_cost_per_reasoning_token")) or 0.0
    return ListPrice(
        input=paid,
        output=max(written, reasoning),
        cache_read=_per_million(entry.get(f"cache_read_input_token_cost{suffix}")),
        cache_write=_per_million(entry.get(f"cache_creation_input_token_cost{suffix}")),
    )


def _per_million(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or value <= 0:
        return None
    return float(f"{value * 1e6:.6g}")


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
