"""Bytes of a file, and decoding that survives what is not quite JSON."""

from __future__ import annotations

import gzip
import mmap
import re
import stat
import zlib
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from userproxybench.errors import LoadError
from userproxybench.loaders.records import NotADumpError

T = TypeVar("T")
Data = bytes | mmap.mmap | msgspec.Raw | memoryview

FOREIGN = {
    b"ARROW1": "an Arrow file",
    b"\xff\xff\xff\xff": "an Arrow stream",
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a zip archive",
    b"\x28\xb5\x2f\xfd": "a zstandard file",
    b"SQLite format 3": "an SQLite database",
}
CONVERT = (
    "Convert it to trajectory JSONL first (docs/formats.md): the messages with their roles, the "
    "user's blueprint, domain and task id are needed; tables of prompt/completion have lost the "
    "tool calls and the blueprint"
)
TOO_DEEP = "the JSON is nested too deeply to be read"
_SUSPICIOUS = re.compile(
    rb"NaN|Infinity|\\u[dD][89a-fA-F]|[eE]\+?\d{3}|[\x00-\x08\x0b\x0c\x0e-\x1f]"
)
_TOKEN = re.compile(
    rb'"(?P<string>[^"\\]*(?:\\.[^"\\]*)*)"'
    rb"|(?P<missing>NaN|-?Infinity|-?\d+(?:\.\d+)?[eE]\+?\d{3,})",
    re.DOTALL,
)
_SURROGATE = re.compile(
    rb"\\\\|(?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_CONTROL = re.compile(rb"[\x00-\x1f]")


class Decoded(NamedTuple, Generic[T]):
    """A decoded value and what had to be repaired to get it."""

    value: T
    """The value, of the type asked for."""
    repaired: str
    """What was repaired, for a note; empty for sound JSON."""


def read(path: Path, name: str) -> bytes | mmap.mmap | memoryview:
    """The bytes of a file, unpacked if gzipped and mapped otherwise.

    Raises:
        LoadError: the file cannot be read, is empty, or is of a foreign binary format.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for ever
            raise NotADumpError(name, "this is not a regular file", "Write it to a file first")
        with path.open("rb") as handle:
            head = handle.read(16)
            handle.seek(0)
            if head.startswith(b"\x1f\x8b"):
                data: bytes | mmap.mmap = gzip.decompress(handle.read())
                head = data[:16]
            elif head:
                data = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
            else:
                data = b""
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise LoadError(name, f"damaged gzip data ({error})", "Copy the file again") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise LoadError(name, f"cannot be read ({reason})", "Check the path and rights") from error
    return _text(data, head, name)


def _text(data: bytes | mmap.mmap, head: bytes, name: str) -> bytes | mmap.mmap | memoryview:
    """Refuse what is no UTF-8 text; drop a byte order mark."""
    for magic, what in FOREIGN.items():
        if head.startswith(magic):
            raise NotADumpError(name, f"this is {what}, not JSON", CONVERT)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise LoadError(name, "the text is UTF-16", "Convert it to UTF-8")
    if head.startswith(b"\xef\xbb\xbf"):
        return memoryview(data)[3:]
    if not data[:4096].strip() and not data[:].strip():
        raise LoadError(name, "the file is empty", "Give the dump itself, or leave this file out")
    if b"\x00" in head:
        raise NotADumpError(name, "binary data, not JSON", CONVERT)
    return data


def decode(data: Data, shape: type[T]) -> T:
    """Decode into `shape`, repairing what can be repaired. See `decode_noting`."""
    return decode_noting(data, shape).value


def decode_part(part: msgspec.Raw | msgspec.UnsetType, shape: type[T]) -> T | None:
    """Decode a part of a document; `None` where it is absent or null. See `decode_noting`."""
    if isinstance(part, msgspec.UnsetType) or is_null(part):
        return None
    return decode_noting(part, shape).value


def is_null(raw: msgspec.Raw) -> bool:
    """Whether a part is `null`."""
    view = memoryview(raw)
    return len(view) == 4 and bytes(view) == b"null"


def decode_noting(data: Data, shape: type[T]) -> Decoded[T]:
    """Decode into `shape`, and say what was repaired.

    NaN and infinities become null, lone surrogates U+FFFD, raw control characters their escapes,
    bytes that are not UTF-8 U+FFFD. Numbers and texts of the wrong kind are converted when that
    loses nothing.

    Raises:
        msgspec.DecodeError: the text is no JSON, or not of this shape.
    """
    try:
        return Decoded(msgspec.json.decode(data, type=shape), "")
    except msgspec.ValidationError as error:
        if "out of range" not in str(error):
            return Decoded(msgspec.json.decode(data, type=shape, strict=False), "")
        failure: msgspec.DecodeError = error
    except msgspec.DecodeError as error:
        failure = error
    except RecursionError as error:
        raise msgspec.DecodeError(TOO_DEEP) from error
    repaired = repair(bytes(memoryview(data)))
    if repaired is None:
        raise failure
    text, what = repaired
    return Decoded(msgspec.json.decode(text, type=shape, strict=False), what)


def repair(data: bytes) -> tuple[bytes, str] | None:
    """Sound JSON in place of the usual unsound kinds, or `None` when there is none in it."""
    found: dict[str, int] = {}
    try:
        data.decode()
    except UnicodeDecodeError:
        data = data.decode(errors="replace").encode()
        found["bytes that are not UTF-8 read as U+FFFD"] = 1
    if _SUSPICIOUS.search(data):
        data = _TOKEN.sub(lambda match: _mend(match, found), data)
    if not found:
        return None
    return data, "; ".join(f"{what} ({count}x)" for what, count in found.items())


def _mend(match: re.Match[bytes], found: dict[str, int]) -> bytes:
    def note(what: str) -> None:
        found[what] = found.get(what, 0) + 1

    string = match["string"]
    if string is None:
        note("NaN or infinite numbers read as missing")
        return b"null"
    if b"\\u" in string:

        def lone(surrogate: re.Match[bytes]) -> bytes:
            if surrogate["lone"] is None:
                return surrogate[0]
            note("lone surrogates read as U+FFFD")
            return b"\\ufffd"

        string = _SURROGATE.sub(lone, string)
    if _CONTROL.search(string):
        note("raw control characters kept as escapes")
        string = _CONTROL.sub(lambda control: b"\\u%04x" % control[0][0], string)
    return b'"' + string + b'"'


def place_of(error: Exception) -> str:
    """The place that a decoding error names, such as `$.messages[3].role` or `byte 512`."""
    text = str(error)
    for pattern in (r"at `([^`]+)`", r"\((byte \d+)\)"):
        if match := re.search(pattern, text):
            return match[1]
    return ""


def problem_of(error: Exception) -> str:
    """What a decoding error says, without the place."""
    text = re.sub(r"\s*-? ?at `[^`]+`|\s*\(byte \d+\)", "", str(error))
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
