"""Batches become one set of rows: proxies named over all inputs, every episode once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path

from userproxybench.audit.batch import Batch, ProtocolRow
from userproxybench.loaders import ProxyIdentity, name_proxies
from userproxybench.tables import EpisodeRow, no_verdicts


@dataclass
class Collected:
    """All rows of one audit, and what is to be said beside them."""

    episodes: list[EpisodeRow] = field(default_factory=list)
    verdicts: tuple[list[object], ...] = field(default_factory=no_verdicts)
    """One list per column, as in `Batch`."""
    protocol: list[ProtocolRow] = field(default_factory=list)
    unjudged: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    passed_over: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    said: list[str] = field(default_factory=list)
    spent: float | None = 0.0
    reused: int = 0
    changed: list[str] = field(default_factory=list)
    _identities: list[ProxyIdentity] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def add(self, batch: Batch) -> None:
        """Take over a batch; an episode that is there already counts once."""
        again = {row.episode_id for row in batch.episodes} & self._seen
        fresh = [row.episode_id not in again for row in batch.episodes]
        self.episodes += [row for row, new in zip(batch.episodes, fresh, strict=True) if new]
        self._identities += [
            identity for identity, new in zip(batch.identities, fresh, strict=True) if new
        ]
        kept = [episode_id not in again for episode_id in batch.verdicts[0]]
        for column, answers in zip(self.verdicts, batch.verdicts, strict=True):
            column.extend(compress(answers, kept))
        self.protocol += [row for row in batch.protocol if row.episode_id not in again]
        self.unjudged.update(
            why for why, new in zip(batch.unjudged, fresh, strict=True) if new and why
        )
        self.notes += batch.notes
        self.problems += batch.problems
        self.reused += batch.reused
        self.changed += batch.changed
        self._seen.update(row.episode_id for row in batch.episodes)
        if again:
            self.notes["episode given twice (same id), counted once"] += len(again)

    def all_problems(self, out: Path | None) -> list[str]:
        """One line for each problem; episodes that changed under their id share one."""
        if not self.changed:
            return self.problems
        return [
            *self.problems,
            f"{out}: {len(self.changed)} episodes were audited here with other content, which was "
            f"kept ({self.changed[0]}, ...). Give another `--out` to audit them as they are now",
        ]

    def assumptions(self) -> list[str]:
        """What had to be assumed: of inputs as a whole, then of episodes, with how often."""
        each = [
            f"{note} ({count} episode{'s' if count > 1 else ''})"
            for note, count in self.notes.most_common()
        ]
        return [*self.assumed, *each]

    def taken(self) -> Iterator[list[object]]:
        """The columns of the verdicts, each let go once the next is asked for."""
        for column in self.verdicts:
            yield column
            column.clear()

    def name_proxies(self) -> None:
        """Give each proxy one name over all inputs; settings under one name are told apart."""
        names = name_proxies(self._identities)
        self.episodes = [
            row._replace(proxy=names[identity])
            for row, identity in zip(self.episodes, self._identities, strict=True)
        ]
