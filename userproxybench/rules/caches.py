"""What rules keep of texts that they have read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from itertools import count
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_RULES = __name__.rpartition(".")[0]


class _Kept(dict[K, V]):
    """What a function gave for its latest arguments."""

    __slots__ = ("_most", "_read")

    def __init__(self, read: Callable[[K], V], most: int) -> None:
        super().__init__()
        self._read = read
        self._most = most
        _ALL.append(self)

    def __missing__(self, key: K) -> V:
        value = self[key] = self._read(key)
        return value

    def tidy(self) -> None:
        """Begin anew where there is more than is to be kept."""
        if len(self) > self._most:
            self.clear()


class _KeptLonger(_Kept[K, V]):
    """Too full, it sets everything aside; of that, what is asked for again comes back."""

    __slots__ = ("_aside",)

    def __init__(self, read: Callable[[K], V], most: int) -> None:
        super().__init__(read, most)
        self._aside: dict[K, V] = {}

    def __missing__(self, key: K) -> V:
        aside = self._aside
        value = self[key] = aside[key] if key in aside else self._read(key)
        return value

    def tidy(self) -> None:
        """Set everything aside where there is more than is to be kept."""
        if len(self) > self._most:
            self._aside = self.copy()
            super().clear()

    def clear(self) -> None:
        """Let go of everything."""
        self._aside = {}
        super().clear()


_ALL: list[_Kept[Any, Any]] = []
_EVERY = 16
_graded = count(1)


def tidy() -> None:
    """Keep no more than was asked for. Called once per conversation, it looks now and then."""
    if not next(_graded) % _EVERY:
        for each in _ALL:
            each.tidy()


def kept(most: int) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """Keep what a function of one argument gives, for about `most` of them.

    Not `functools.lru_cache`: that takes more than twice as long to answer, and rules ask for what
    they have read three thousand times per conversation.
    """
    return lambda read: _Kept(read, most).__getitem__


def kept_longer(most: int) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """As `kept`, for what comes back: words, sentences, the contract's own text."""
    return lambda read: _KeptLonger(read, most).__getitem__


def kept_by_identity(most: int) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """As `kept`, for what takes long to compare: two arguments are the same where they are one."""

    def keep(read: Callable[[K], V]) -> Callable[[K], V]:
        def read_one(same: _Same[K]) -> V:
            return read(same.one)

        of = kept(most)(read_one)
        return lambda argument: of(_Same(argument))

    return keep


class _Same(Generic[K]):
    """Equal where the object is one. It holds that object, so that no other takes its identity."""

    __slots__ = ("one",)

    def __init__(self, one: K) -> None:
        self.one = one

    def __hash__(self) -> int:
        return id(self.one)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.one is self.one


def forget(*kept_by: Callable[..., object]) -> None:
    """Let go of all that was kept, or of what some functions have kept.

    Once a dump is graded, its tables need the room.
    """
    for function in kept_by:
        function.__self__.clear()  # type: ignore[attr-defined]
    if not kept_by:
        for each in _ALL:
            each.clear()
        for function in _cached():
            function.cache_clear()


def _cached() -> list[Any]:
    """Functions of more than one argument, which `functools` keeps."""
    found = []
    for name, module in list(sys.modules.items()):
        if name.startswith(_RULES):
            found += [each for each in vars(module).values() if hasattr(each, "cache_clear")]
    return found
