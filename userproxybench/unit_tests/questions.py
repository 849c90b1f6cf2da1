"""The questions of the unit tests: prompt files, shop and travel wordings apart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from userproxybench.accord.format import DOMAINS, Domain
from userproxybench.accord.rules import TESTS, TestName
from userproxybench.errors import InputError
from userproxybench.models import digest
from userproxybench.prompting import prompt_text


class Wordings(NamedTuple):
    """The text of every test in both domains."""

    texts: Mapping[tuple[Domain, TestName], str]
    """Question by domain and test."""
    given: tuple[str, ...]
    """Names of those that came from the user's folder."""

    @property
    def hash(self) -> str:
        """Digest of all texts."""
        return digest([self.texts[domain, test] for domain in DOMAINS for test in TESTS])


def wordings(folder: Path | None = None) -> Wordings:
    """The shipped questions; those that `folder` holds (`shop/test000.md`, …) go before.

    Raises:
        InputError: the folder holds none of them, or one is empty.
    """
    texts: dict[tuple[Domain, TestName], str] = {}
    given: list[str] = []
    for domain in DOMAINS:
        for test in TESTS:
            own = prompt_text(f"{domain}/{test}", folder) if folder is not None else None
            if own is not None:
                given.append(f"{domain}/{test}.md")
            shipped = prompt_text(f"unit_tests/{domain}/{test}") or ""
            texts[domain, test] = shipped if own is None else own
    if folder is not None and not given:
        raise InputError(
            f"{folder} holds no question of a unit test. Expected files such as shop/test000.md "
            "and travel/test005.md"
        )
    return Wordings(texts, tuple(given))
