"""What the loaders hand over: an episode, and the options that shape how it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from userproxybench.accord.mapping import KeyMap
from userproxybench.errors import LoadError
from userproxybench.models import Contract, IdentitySource, Trajectory


class Episode(NamedTuple):
    """One conversation with the contract its user proxy was given."""

    trajectory: Trajectory
    """The conversation."""
    contract: Contract
    """What bound the proxy; shared by all trials of a task in one input."""


@dataclass(frozen=True)
class LoadOptions:
    """Choices of the caller that a dump cannot answer."""

    proxies: tuple[tuple[str, str], ...] = ()
    """(name, glob): inputs whose name matches the glob belong to that proxy."""
    guidelines: str | None = None
    """Guidelines to use where the dump records none, or not those the proxy saw."""
    strict: bool = False
    """Whether the caller means to stop at the first bad input; readers do not look at it."""
    partial: bool = False
    """Audit a run folder whose index and files disagree, as far as it goes."""
    accord_map: KeyMap | None = None
    """Read inputs of no other family as AcCoRD dumps, their keys renamed (`--map`)."""


class ProxyIdentity(NamedTuple):
    """Who a user proxy is, as far as one input tells."""

    name: str
    """Model name, flag value, or file or folder name."""
    settings_hash: str
    """Hash over recorded model, settings and guidelines; empty where nothing is recorded."""
    source: IdentitySource
    """Where the name comes from."""


class NotADumpError(LoadError):
    """The file is no dump of conversations: passed over in a folder, an error when named."""


class Reader(Protocol):
    """One opened input of one format."""

    format: str
    """Name of the format."""

    @property
    def notes(self) -> Sequence[str]:
        """What had to be assumed about the input as a whole."""

    @property
    def proxies(self) -> Sequence[ProxyIdentity]:
        """The user proxies in the input."""

    def __len__(self) -> int:
        """Number of episodes, bad ones counted."""

    def episode(self, index: int) -> Episode:
        """Read one episode; raises `LoadError` when that one is damaged."""
