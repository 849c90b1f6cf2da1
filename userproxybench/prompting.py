"""Prompt files: one per model call, filled strictly and in a single pass.

A file has three parts, `<!-- system -->`, `<!-- prefix -->` and `<!-- suffix -->`. It is split
before it is filled, and what is filled in is never scanned again: `$name` or a part mark inside a
trajectory stays text.
"""

from __future__ import annotations

import functools
import re
import string
from importlib import resources
from pathlib import Path
from typing import Literal, NamedTuple

from userproxybench.blinding import Names, fenced, quoted, show
from userproxybench.errors import InputError
from userproxybench.models import FAMILIES, MODE_STATEMENTS, digest
from userproxybench.models.exchange import Prompt

Part = Literal["system", "prefix", "suffix"]
PARTS: tuple[Part, ...] = ("system", "prefix", "suffix")
_MARK = re.compile(r"^<!-- (system|prefix|suffix) -->\n", re.MULTILINE)


class PromptFile(NamedTuple):
    """One prompt, not yet filled."""

    name: str
    """File name without its ending."""
    system: str
    """Instructions; its placeholders take our own lists, never foreign text."""
    prefix: str
    """Template of what the call is about; the same for many calls."""
    suffix: str
    """Template of what is asked."""

    @property
    def hash(self) -> str:
        """Digest of the text."""
        return digest([self.system, self.prefix, self.suffix])

    @property
    def text(self) -> str:
        """The whole unfilled text."""
        return "\n".join((self.system, self.prefix, self.suffix))

    def fill_system(self, **values: str) -> str:
        """The instructions with exactly these values."""
        return _fill(self.name, "system", self.system, values)

    def fill_prefix(self, **values: str) -> str:
        """The prefix with exactly these values."""
        return _fill(self.name, "prefix", self.prefix, values)

    def fill_suffix(self, **values: str) -> str:
        """The suffix with exactly these values."""
        return _fill(self.name, "suffix", self.suffix, values)


@functools.cache
def prompt_file(name: str, folder: Path | None = None) -> PromptFile:
    """A prompt of the package, or a user's own text of it in `folder`."""
    source = resources.files("userproxybench") / "prompts" if folder is None else folder
    try:
        text = (source / f"{name}.md").read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"there is no prompt file {name!r} in {folder or 'the package'}"
        ) from error
    pieces = _MARK.split(text)
    parts = dict(zip(pieces[1::2], (piece.strip("\n") for piece in pieces[2::2]), strict=True))
    if "suffix" not in parts or pieces[0].strip() or len(pieces) != 2 * len(parts) + 1:
        raise InputError(f"prompt {name!r} needs its parts marked, each once, <!-- suffix --> too")
    return PromptFile(name, parts.get("system", ""), parts.get("prefix", ""), parts["suffix"])


def prompt_text(name: str, folder: Path | None = None) -> str | None:
    """A plain text that a prompt is filled with, or a user's own in `folder`; `None`: no file."""
    source = resources.files("userproxybench") / "prompts" if folder is None else folder
    try:
        text = (source / f"{name}.md").read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name}.md in {folder}: cannot be read as text ({error})") from error
    if not text:
        raise InputError(f"{name}.md in {folder or 'the package'} is empty")
    return text


def repaired(prompt: Prompt, problem: str, reply: str, names: Names) -> Prompt:
    """The same call once more, with what was wrong with its first reply."""
    values = {"problem": problem, "reply": reply[:2000] or "(empty)"}
    blocks = {name: fenced(quoted(show(text, names).text)) for name, text in values.items()}
    return followed_by(prompt, prompt_file("repair_reply").fill_suffix(**blocks))


def followed_by(prompt: Prompt, suffix: str) -> Prompt:
    """The same call with one more part."""
    return Prompt(prompt.system, prompt.prefix, f"{prompt.suffix}\n\n{suffix}", prompt.cache)


def modes_of_failure() -> str:
    """The codebook's families and modes, as writers and checkers of rubrics read them."""
    lines = []
    for family, modes in FAMILIES.items():
        lines.append(f"{family}:")
        lines += [f"- {mode}: faithful is: {MODE_STATEMENTS[mode]}" for mode in modes]
    return "\n".join(lines)


def _fill(name: str, part: Part, template: str, values: dict[str, str]) -> str:
    wanted = _identifiers(template)
    if wanted != set(values):
        raise InputError(
            f"prompt {name!r}, {part}: placeholders {sorted(wanted)}, but values for "
            f"{sorted(values)} were given"
        )
    return string.Template(template).substitute(values)


@functools.lru_cache(maxsize=64)
def _identifiers(template: str) -> frozenset[str]:
    return frozenset(string.Template(template).get_identifiers())
