"""Who made a model, by its name, and what follows for the roles it may play."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_MAKERS: Mapping[str, str] = {
    "openai": "gpt chatgpt openai o1 o3 o4",
    "anthropic": "claude sonnet opus haiku",
    "google": "gemini gemma",
    "meta": "llama",
    "alibaba": "qwen qwq",
    "mistral": "mistral mixtral ministral magistral",
    "deepseek": "deepseek",
    "xai": "grok",
    "microsoft": "phi",
    "nvidia": "nemotron",
    "cohere": "command",
    "moonshot": "kimi",
    "zhipu": "glm",
    "amazon": "nova",
}
_FAMILIES = {word: maker for maker, words in _MAKERS.items() for word in words.split()}


def family(model: str) -> str:
    """The maker of a model by its name; empty when the name does not tell."""
    words = re.findall(r"[a-z]+\d?|\d+", model.lower().rsplit("/", 1)[-1])
    for word in words:
        for known in (word, word.rstrip("0123456789")):
            if known in _FAMILIES:
                return _FAMILIES[known]
    return ""


def role_warnings(roles: Mapping[str, str], proxies: Iterable[str] = ()) -> list[str]:
    """One line for each model family that sits on two sides of the table."""
    families = {role: family(model) for role, model in roles.items() if model}
    lines = []
    named = list(families)
    for index, role in enumerate(named):
        for other in named[index + 1 :]:
            if families[role] and families[role] == families[other]:
                lines.append(f"{role} and {other} are of one model family ({families[role]})")
    judged = sorted({proxy for proxy in proxies if family(proxy)})
    for role, maker in families.items():
        own = [proxy for proxy in judged if maker and family(proxy) == maker]
        if role == "grader" and own:
            lines.append(f"the grader is of the family of {', '.join(own)} ({maker})")
    return lines
