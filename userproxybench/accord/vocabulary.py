"""Values that an attribute is known to take: what tells a wrong value from no value."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from userproxybench.accord.format import Domain, Preference, Scenario
from userproxybench.accord.reading import Play
from userproxybench.accord.words import content, folded

_COLORS = (
    "red green blue yellow orange purple pink brown black white grey silver gold beige navy teal "
    "turquoise burgundy maroon cream ivory olive khaki charcoal violet lilac bronze copper"
).split()
_SIZES = ("small", "medium", "large", "extra large", "extra small", "xl", "xxl", "xs")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LEXICONS: tuple[tuple[re.Pattern[str], Sequence[str]], ...] = (
    (re.compile(r"colou?r|finish|shade"), _COLORS),
    (re.compile(r"^(clothing |shirt |shoe )?size$"), _SIZES),
    (re.compile(r"\b(day|evening|weekday)\b"), _DAYS),
)
_EMPTY = frozenset({"none", "no", "yes", "n/a", "na", "unknown", "null", ""})


class Vocabulary:
    """Values per attribute and domain, from the preferences and the options of a whole dump."""

    def __init__(self, scenarios: Iterable[Scenario], plays: Iterable[Play]) -> None:
        self._values: Mapping[Domain, dict[tuple[str, ...], set[str]]] = {
            "shop": defaultdict(set),
            "travel": defaultdict(set),
        }
        for scenario in scenarios:
            for preference in scenario.preferences:
                for value in (*preference.values, *preference.backoffs):
                    self._add(scenario.domain, preference.attribute, value)
        for play in plays:
            domain, rollout = play.scenario.domain, play.rollout
            for option in (*((rollout.purchase,) if rollout.purchase else ()), *rollout.itinerary):
                for attribute, values in option.attributes.items():
                    for value in re.split(r"[,;/|]", values):
                        self._add(domain, attribute, value.strip())

    def _add(self, domain: Domain, attribute: str, value: str) -> None:
        usable = value.casefold() not in _EMPTY and len(value) > 1
        if usable and len(content(value)) <= 4:
            self._values[domain][content(attribute)].add(value)

    def others(self, preference: Preference, domain: Domain) -> set[str]:
        """Values of the same attribute that are not this preference's value or backoff."""
        about = set(content(preference.attribute))
        own = [set(content(value)) for value in (*preference.values, *preference.backoffs)]
        found: set[str] = set()
        for attribute, values in self._values[domain].items():
            if set(attribute) <= about or about <= set(attribute):
                found |= values
        for kind, lexicon in _LEXICONS:
            if kind.search(folded(preference.attribute)):
                found |= set(lexicon)
        return {value for value in found if not _overlaps(set(content(value)), own)}


def _overlaps(words: set[str], own: Iterable[set[str]]) -> bool:
    """Whether a value is a wording of one of our own: contained in it, or containing it."""
    return any(words <= mine or mine <= words for mine in own)
