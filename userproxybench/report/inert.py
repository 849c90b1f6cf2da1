"""Text of dumps made inert, one character for one, so that spans keep their place.

What a reader cannot see (controls, bidirectional overrides, tags, lone surrogates) becomes
visible. Markup needs no treatment here: text reaches the page by autoescaping, or as data.
"""

from __future__ import annotations

import re
import unicodedata

KEPT = frozenset("\n\t\u200c\u200d")
"""Controls that texts need: line ends, tabs, and the joiners of scripts and emoji."""
_RISKY = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ue000-\uf8ff\ufeff\ufff9-\uffff\U000e0000-\U0010ffff]"
)


def inert(text: str) -> str:
    """The text as it may be shown, of the same length."""
    return _RISKY.sub(lambda found: _visible(found[0]), text)


def inert_line(text: str) -> str:
    """A name on one line."""
    return " ".join(inert(text).split())


def utf16(text: str, at: int) -> int:
    """Where character `at` stands for a browser, which counts UTF-16 units."""
    return len(text[:at].encode("utf-16-le", "surrogatepass")) // 2


def _visible(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\N{SYMBOL FOR DELETE}"
    return char if unicodedata.category(char) == "Mn" else "\N{REPLACEMENT CHARACTER}"
