"""Names that would tell a judge whom it judges: of models, of files, of ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from userproxybench.models import Trajectory

_MAKERS = ("openai", "chatgpt", "anthropic", "deepseek", "mistral ai", "google deepmind")
_FAMILY_WORDS = frozenset(
    {"gpt", "chatgpt", "claude", "sonnet", "opus", "haiku", "gemini", "gemma", "llama", "mistral"}
    | {"mixtral", "qwen", "qwq", "deepseek", "grok", "nemotron"}
)
_PLAIN_WORDS = frozenset(
    {"agent", "assistant", "customer", "default", "human", "person", "simulator", "unknown"}
    | {"user-simulator", "user_simulator"}
)
_FAMILIES = (
    *("gpt", "claude", "gemini", "gemma", "llama", "mistral", "mixtral"),
    *("qwen", "qwq", "deepseek", "grok"),
)
_KINDS = r"(?:sonnet|opus|haiku|pro|flash|large|small|mini|turbo|lite|nano)"
_VERSIONED = (
    rf"(?:{'|'.join(_FAMILIES)})"
    rf"[\s-]?(?:v?\d\w*(?:\.\w+)*|{_KINDS})(?:-\w+(?:\.\w+)*)*(?:\s{_KINDS}(?!\w))*"
)


class Names:
    """Names that would tell a judge whom it judges."""

    def __init__(self, listed: Iterable[str] = ()) -> None:
        named = set(listed)
        words = {word for name in named for word in re.findall(r"[a-z]+", name)}
        self.listed = frozenset(named | set(_MAKERS) | (words & _FAMILY_WORDS))

    @classmethod
    def of_run(cls, trajectories: Iterable[Trajectory]) -> Names:
        """The model names of a whole run: the same for each trajectory in it."""
        pairs = ((trajectory.proxy, trajectory.agent) for trajectory in trajectories)
        models = {name for pair in pairs for name in pair}
        return cls(alias for model in models for alias in _aliases(model))

    def within(self, trajectory: Trajectory, texts: Sequence[str]) -> Names:
        """These names, and those of the trajectory's own ids and files that occur in `texts`."""
        lowered = "\n".join(texts).lower()
        present = [name for name in _ids(trajectory) if name in lowered]
        return Names(self.listed.union(present)) if present else self

    @cached_property
    def pattern(self) -> str:
        """Regular expression for any of the names, whatever joins their parts."""
        longest_first = sorted(self.listed, key=lambda name: (-len(name), name))
        ways = "|".join(filter(None, map(_spelled, longest_first)))
        return rf"(?<![^\W_])(?:{ways}|{_VERSIONED})(?![^\W_])"

    @cached_property
    def scan(self) -> re.Pattern[str]:
        """`pattern`, compiled."""
        return re.compile(self.pattern, re.IGNORECASE)

    @cached_property
    def _stems(self) -> tuple[str, ...]:
        """Literal pieces, one of which occurs wherever a name does."""
        first = {
            re.split(r"[\s_./:-]+", name.strip(" _./:-"), maxsplit=1)[0] for name in self.listed
        }
        return tuple(sorted({*first, *_FAMILIES} - {""}))

    def may_occur(self, text: str) -> bool:
        """A quick no for most texts: whether the scan is worth its time."""
        lowered = text.lower()
        for stem in self._stems:  # noqa: SIM110  # twice as fast as `any`, on every turn of a run
            if stem in lowered:
                return True
        return False

    def leaks(self, text: str, trajectory: Trajectory, *, template: str = "") -> list[str]:
        """Names that occur in a prompt and are not words of the unfilled prompt itself."""
        names = self.within(trajectory, [text])
        if not names.may_occur(text):
            return []
        scan = names.scan
        found = {match.group().lower() for match in scan.finditer(text)}
        return sorted(name for name in found if name not in template.lower())


def _ids(trajectory: Trajectory) -> set[str]:
    file = trajectory.source.file
    base = file.rsplit("/", 1)[-1]
    ids = (trajectory.id, trajectory.task_id, file, base, base.split(".", 1)[0])
    return {name.lower() for name in ids if len(name) >= 6 and not name.isalpha()}


def _aliases(model: str) -> set[str]:
    """A model name with and without provider, tag and date."""
    name = model.strip().lower()
    base = name.rsplit("/", 1)[-1]
    undated = re.sub(r"[-@:](\d{4}-?\d{2}-?\d{2}|\d{4}|latest|preview)$", "", base)
    return {alias for alias in (name, base, undated) if _tells(alias)}


def _tells(name: str) -> bool:
    """Whether a name can give a model away: long, or letters with a digit, and no plain word."""
    if name in _PLAIN_WORDS:
        return False
    mixed = re.search("[a-z]", name) is not None and re.search(r"\d", name) is not None
    return mixed or len(name) >= 6 or name in _FAMILY_WORDS


def _spelled(name: str) -> str:
    return r"[\s_./:-]?".join(re.escape(part) for part in re.split(r"[\s_./:-]+", name) if part)
