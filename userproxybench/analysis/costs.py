"""What the user side of a simulation costs, on three bases that are never mixed unsaid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, Protocol, get_args

import numpy as np

from userproxybench.analysis.panel import Array, Mask, Panel
from userproxybench.errors import InputError

PureBasis = Literal["recorded", "list", "override"]
"""Bases that compare like with like."""
Basis = PureBasis | Literal["mixed"]
"""`mixed` takes for each proxy the first known of override, recorded and list."""
PURE: tuple[PureBasis, ...] = get_args(PureBasis)
_PREFERENCE: tuple[PureBasis, ...] = ("override", "recorded", "list")
MIN_COVERAGE = 0.9
"""Share of a proxy's episodes that must be priced for its cost to count as known."""


class TokenPrice(Protocol):
    """Dollars per token, of whatever price book."""

    @property
    def input(self) -> float:
        """Prompt token."""

    @property
    def output(self) -> float:
        """Completion token."""


PriceLookup = Callable[[str], TokenPrice | None]
"""List price by name of the proxy; `None` where the book does not know it."""


@dataclass(frozen=True, slots=True)
class Override:
    """What the user of this package says a proxy costs. Zero means free."""

    per_simulation: float | None = None
    """Dollars per simulation; goes before token prices."""
    input: float | None = None
    """Dollars per prompt token."""
    output: float | None = None
    """Dollars per completion token."""


@dataclass(frozen=True, slots=True)
class BasisCost:
    """Cost of one proxy on one basis."""

    usd: float | None
    """Mean dollars per simulation over its priced episodes; `None` below 90 % coverage."""
    priced: int
    """Episodes with a cost."""
    episodes: int
    """Episodes that took place."""

    @property
    def coverage(self) -> float | None:
        """Share of episodes with a cost; `None` without an episode."""
        return self.priced / self.episodes if self.episodes else None


@dataclass(frozen=True, slots=True)
class ProxyCost:
    """Costs and tokens of one proxy."""

    proxy: str
    """Its name."""
    bases: Mapping[Basis, BasisCost]
    """Its cost on each basis."""
    mixed_from: PureBasis | None
    """The basis that `mixed` takes for it; `None` where none is known."""
    prompt_tokens: float | None
    """Mean prompt tokens per simulation, over episodes with every call metered."""
    completion_tokens: float | None
    """Mean completion tokens per simulation, likewise."""
    metered: int
    """Episodes with every call metered."""
    partly_metered: int
    """Episodes with usage for some calls only: their tokens are a part of the whole."""
    zero_costs: int
    """Recorded costs of exactly 0 over a conversation that took place, taken as unknown."""
    discarded_attempts: int
    """User turns thrown away and regenerated; no recorded cost covers them."""


@dataclass(frozen=True)
class Costs:
    """Costs of all proxies, and of each episode on each basis."""

    proxies: tuple[ProxyCost, ...]
    """In the order of `Panel.proxies`."""
    episodes: Mapping[Basis, Array]
    """Dollars per episode, NaN where unknown."""

    def known(self, basis: Basis) -> Mask:
        """Which proxies have a known cost on this basis."""
        return np.array([cost.bases[basis].usd is not None for cost in self.proxies], dtype=bool)


def costs(
    panel: Panel,
    *,
    prices: PriceLookup | None = None,
    overrides: Mapping[str, Override] = MappingProxyType({}),
) -> Costs:
    """Costs on the bases recorded, list and override.

    A list price is tokens times the price book, and needs every call of the episode metered; it
    knows no cache discount. Raises `InputError` for an override of a proxy that does not occur.
    """
    stray = sorted(set(overrides) - set(panel.proxies))
    if stray:
        raise InputError(
            f"price override for {stray[0]!r}, but no such proxy here; proxies: "
            f"{', '.join(panel.proxies):.200}"
        )
    metered = _metered(panel)
    usd: dict[Basis, Array] = {
        "recorded": _recorded(panel),
        "list": _list(panel, metered, prices),
        "override": _override(panel, metered, overrides),
    }
    usd = {basis: np.where(panel.took_place, values, np.nan) for basis, values in usd.items()}
    rows = tuple(_proxy_cost(panel, at, usd, metered) for at in range(len(panel.proxies)))
    return Costs(rows, {**usd, "mixed": _mixed(panel, rows, usd)})


def choose_basis(found: Costs) -> PureBasis | None:
    """The pure basis that prices most proxies; of several override, then recorded, then list."""
    counts = {basis: int(found.known(basis).sum()) for basis in _PREFERENCE}
    best = max(counts.values())
    return next(basis for basis in _PREFERENCE if counts[basis] == best) if best else None


def cost_notes(proxies: Iterable[ProxyCost]) -> Iterator[str]:
    """What a reader of these costs has to know."""
    for cost in proxies:
        if cost.zero_costs:
            yield f"{cost.proxy}: {cost.zero_costs} recorded cost(s) of exactly 0 taken as unknown"
        if cost.discarded_attempts:
            yield (
                f"{cost.proxy}: {cost.discarded_attempts} user turns were discarded and "
                "regenerated; costs cover the kept turns only"
            )


def _mixed(panel: Panel, rows: tuple[ProxyCost, ...], usd: Mapping[Basis, Array]) -> Array:
    out = np.full(len(panel), np.nan)
    for at, row in enumerate(rows):
        if row.mixed_from is not None:
            mine = panel.proxy == at
            out[mine] = usd[row.mixed_from][mine]
    return out


def _metered(panel: Panel) -> Mask:
    """Episodes whose tokens cover every call; where calls are not counted, tokens are believed."""
    calls, metered = panel.numbers("user_calls"), panel.numbers("metered_calls")
    whole: Mask = np.isnan(calls) | np.isnan(metered) | (metered >= calls)
    tokens = panel.numbers("prompt_tokens") + panel.numbers("completion_tokens")
    return whole & np.isfinite(tokens) & panel.took_place


def _of_basis(panel: Panel, basis: Basis) -> Array:
    return np.where(panel.words("cost_basis") == basis, panel.numbers("cost_usd"), np.nan)


def _recorded(panel: Panel) -> Array:
    values = _of_basis(panel, "recorded")
    return np.where(values == 0, np.nan, values)


def _list(panel: Panel, metered: Mask, prices: PriceLookup | None) -> Array:
    if prices is None:
        return _of_basis(panel, "list")
    book = {name: price for name in panel.proxies if (price := prices(name)) is not None}
    rates = {name: (price.input, price.output) for name, price in book.items()}
    return _first(_of_basis(panel, "list"), _by_tokens(panel, metered, rates))


def _override(panel: Panel, metered: Mask, overrides: Mapping[str, Override]) -> Array:
    flat = np.array(
        [
            np.nan
            if (own := overrides.get(name)) is None or own.per_simulation is None
            else own.per_simulation
            for name in panel.proxies
        ]
    )
    rates = {
        name: (own.input, own.output)
        for name, own in overrides.items()
        if own.input is not None and own.output is not None
    }
    per_simulation = flat[panel.proxy] if len(panel) else flat[:0]
    given = _first(per_simulation, _by_tokens(panel, metered, rates))
    return _first(given, _of_basis(panel, "override"))


def _by_tokens(panel: Panel, metered: Mask, rates: Mapping[str, tuple[float, float]]) -> Array:
    unknown = (np.nan, np.nan)
    per_token = np.array([rates.get(name, unknown) for name in panel.proxies]).reshape(-1, 2)
    prompt, completion = panel.numbers("prompt_tokens"), panel.numbers("completion_tokens")
    each = per_token[panel.proxy]
    return np.where(metered, prompt * each[:, 0] + completion * each[:, 1], np.nan)


def _first(values: Array, otherwise: Array) -> Array:
    return np.where(np.isfinite(values), values, otherwise)


def _proxy_cost(panel: Panel, at: int, usd: Mapping[Basis, Array], metered: Mask) -> ProxyCost:
    mine = panel.proxy == at
    happened = int((mine & panel.took_place).sum())
    calls, some = panel.numbers("user_calls"), panel.numbers("metered_calls")
    whole = mine & metered
    recorded = _of_basis(panel, "recorded")
    bases = {basis: _basis_cost(values[mine], happened) for basis, values in usd.items()}
    best = next((basis for basis in _PREFERENCE if bases[basis].usd is not None), None)
    nothing = BasisCost(None, 0, happened)
    return ProxyCost(
        proxy=panel.proxies[at],
        bases={**bases, "mixed": nothing if best is None else bases[best]},
        mixed_from=best,
        prompt_tokens=_mean(panel.numbers("prompt_tokens")[whole]),
        completion_tokens=_mean(panel.numbers("completion_tokens")[whole]),
        metered=int(whole.sum()),
        partly_metered=int((mine & (some > 0) & (some < calls)).sum()),
        zero_costs=int((mine & panel.took_place & (recorded == 0)).sum()),
        discarded_attempts=int(np.nansum(panel.numbers("discarded_attempts")[mine])),
    )


def _basis_cost(values: Array, happened: int) -> BasisCost:
    known = values[np.isfinite(values)]
    enough = bool(known.size) and known.size >= MIN_COVERAGE * happened
    return BasisCost(float(known.mean()) if enough else None, int(known.size), happened)


def _mean(values: Array) -> float | None:
    return float(values.mean()) if values.size else None
