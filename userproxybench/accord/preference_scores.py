"""Scores of a Travel itinerary by its attributes, without a model."""

from __future__ import annotations

from collections.abc import Iterable

from userproxybench.accord.format import Preference, TripOption
from userproxybench.accord.reading import Play
from userproxybench.accord.words import asserts, content, is_number

_PRICE = frozenset({"price", "budget", "rate", "cost"})
_CEILING = ("at most", "under", "below", "up to", "no more than", "less than", "maximum")


def scores_by_rules(play: Play) -> dict[str, float | None]:
    """Score per preference of a completed Travel rollout; `None` where attributes do not tell.

    A preference is met by its value or by its backoff.
    """
    options = play.rollout.itinerary
    if play.scenario.domain != "travel" or not options:
        return dict.fromkeys(play.scenario.by_id)
    return {name: _met(preference, options) for name, preference in play.scenario.by_id.items()}


def _met(preference: Preference, options: Iterable[TripOption]) -> float | None:
    about = set(content(preference.attribute))
    every = list(options)
    kinds = {kind for option in every for kind in content(option.kind)}
    of_kind = [
        option for option in every if not (kinds & about) or set(content(option.kind)) & about
    ]
    found: list[bool] = []
    for option in of_kind:
        found += [
            _matches(value, preference)
            for name, value in option.attributes.items()
            if set(content(name)) <= about or about <= set(content(name))
        ]
        if about & _PRICE and option.price is not None and kinds & about:
            found.append(_affordable(option.price, preference))
    return float(any(found)) if found else None


def _matches(value: str, preference: Preference) -> bool:
    return asserts(value, (*preference.values, *preference.backoffs))


def _affordable(price: float, preference: Preference) -> bool:
    limits = [float(word) for word in content(preference.value) if is_number(word)]
    capped = any(cue in preference.value.casefold() for cue in _CEILING)
    return capped and len(limits) == 1 and price <= limits[0]
