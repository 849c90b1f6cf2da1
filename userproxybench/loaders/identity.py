"""Who the user proxy and the agent are, without ever keeping a secret of their settings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import PurePosixPath

from userproxybench.loaders.records import LoadOptions, ProxyIdentity
from userproxybench.models import digest

UNNAMED = {"", "dummy", "none", "null", "unknown", "test", "mock"}
"""Model names that name no model."""

_SECRET = re.compile(
    r"key|token(?!s$|_)|secret|passw|auth|credential|header|cookie|url|base|host|endpoint|proxy|"
    r"org|project|deployment|region|user$|cert|timeout|retr|rpm|tpm|cache|logger|callback|metadata",
    re.IGNORECASE,
)
_HOSTED = re.compile(
    r"gpt-(?!oss)|chatgpt|(^|[/:])o[134](-|$)|claude|gemini-|grok|command-[ra]|nova-|mistral-large",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"gemma|qwen|llama|gpt-oss|mixtral|mistral-(7b|nemo|small)|deepseek|phi-?\d|glm-|kimi|olmo|"
    r"ollama|hosted_vllm|(^|/)vllm",
    re.IGNORECASE,
)


def is_model(name: object) -> bool:
    """Whether a recorded model name names a model at all."""
    return isinstance(name, str) and name.strip().lower() not in UNNAMED


def without_path(model: str) -> str:
    """A model served from a local folder, without the folder: paths hold user names."""
    return re.split(r"[/\\]", model)[-1] if re.match(r"/|~|\.|[A-Za-z]:\\", model) else model


def safe_settings(settings: object) -> object:
    """Settings without any entry that may hold a secret, an address or mere plumbing."""
    if isinstance(settings, dict):
        return {
            str(key): safe_settings(value)
            for key, value in settings.items()
            if not _SECRET.search(str(key))
        }
    if isinstance(settings, list):
        return [safe_settings(value) for value in settings]
    return settings


def settings_hash(model: str, settings: object, *, implementation: str = "", text: str = "") -> str:
    """Hash over one side's configuration. Only this hash leaves the loader."""
    return digest(
        {
            "model": model,
            "implementation": implementation,
            "settings": safe_settings(settings),
            "guidelines": " ".join(text.split()),
        }
    )


def same_model(recorded: str, witness: str) -> bool:
    """Whether two names can be one model: provider prefix and date suffix do not count."""
    short, long = sorted((_bare(recorded), _bare(witness)), key=len)
    return long.startswith(short) or long.endswith(short)


def _bare(model: str) -> str:
    return re.sub(r"[^a-z0-9]", "", model.rsplit("/", 1)[-1].lower())


def hosting(model: str) -> str:
    """`open` for open-weight models, `hosted` for others, empty where the name does not tell."""
    if _OPEN.search(model):
        return "open"
    return "hosted" if _HOSTED.search(model) else ""


def flagged(name: str, options: LoadOptions) -> str | None:
    """The proxy that `--proxy NAME=GLOB` gives to an input; the last match wins."""
    found = None
    for proxy, pattern in options.proxies:
        parts = (name, PurePosixPath(name).name, PurePosixPath(name).parent.as_posix())
        if any(fnmatch(part, pattern) for part in parts):
            found = proxy
    return found


def stem(name: str) -> str:
    """A file or folder name without its extensions, to call a proxy by."""
    return re.sub(r"(\.(json|jsonl|ndjson|gz))+$", "", PurePosixPath(name).name) or name


def name_proxies(identities: Iterable[ProxyIdentity]) -> dict[ProxyIdentity, str]:
    """One display name per identity over all inputs.

    A recorded model that occurs with several settings or guidelines gets a suffix `@` and the
    start of its settings hash; names given by flag, file or folder stay as they are.
    """
    known = set(identities)
    configurations = defaultdict(set)
    for identity in known:
        if identity.source in ("recorded", "raw_data"):
            configurations[identity.name].add(identity.settings_hash)
    return {
        identity: (
            f"{identity.name}@{identity.settings_hash[:4] or '0000'}"
            if identity.source in ("recorded", "raw_data")
            and len(configurations[identity.name]) > 1
            else identity.name
        )
        for identity in known
    }
