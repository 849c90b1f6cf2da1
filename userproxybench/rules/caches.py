"""What rules keep of texts that they have read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_RULES = __name__.rpartition(".")[0]


class _Kept(dict[K, V]):
    """What a function gave for its latest arguments; full, it lets go of all of them."""

    __slots__ = ("_most", "_read")

    def __init__(self, read: Callable[[K], V], most: int) -> None:
        super().__init__()
        self._read = read
        self._most = most

    def __missing__(self, key: K) -> V:
        value = self._read(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value


class _KeptLonger(_Kept[K, V]):
    """Full, it sets all of them aside; of those, what is asked for again comes back."""

    __slots__ = ("_aside",)

    def __init__(self, read: Callable[[K], V], most: int) -> None:
        super().__init__(read, most)
        self._aside: dict[K, V] = {}

    def __missing__(self, key: K) -> V:
        aside = self._aside
        value = aside[key] if key in aside else self._read(key)
        if len(self) >= self._most:
            self._aside = self.copy()
            super().clear()
        self[key] = value
        return value

    def clear(self) -> None:
        """Let go of everything."""
        self._aside = {}
        super().clear()


def kept(most: int) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """Keep what a function of one argument gives, for `most` of them.

    Not `functools.lru_cache`: that takes more than twice as long to answer, and rules ask for what
    they have read three thousand times per conversation.
    """
    return lambda read: _Kept(read, most).__getitem__


def kept_longer(most: int) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """As `kept`, for what comes back: words, sentences, the contract's own text."""
    return lambda read: _KeptLonger(read, most).__getitem__


def forget(*kept_by: Callable[..., object]) -> None:
    """Let go of all that was kept, or of what some functions have kept.

    Once a dump is graded, its tables need the room.
    """
    for function in kept_by or _all_functions():
        owner = getattr(function, "__self__", None)
        clear = owner.clear if isinstance(owner, _Kept) else getattr(function, "cache_clear", None)
        if clear is not None:
            clear()


def _all_functions() -> list[Callable[..., object]]:
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(_RULES)]
    return [value for module in modules for value in vars(module).values() if callable(value)]
