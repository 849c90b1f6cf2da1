"""The model seam: what a language model is to us, what it may cost, and how calls run together."""

from userproxybench.llm.calls import (
    JsonSchema,
    Keep,
    LanguageModel,
    ModelSpec,
    ResponseFormat,
    Role,
    ScriptedModel,
    ask_twice,
)
from userproxybench.llm.families import family, role_warnings
from userproxybench.llm.fanning import Step, fan_out
from userproxybench.llm.metering import Metered
from userproxybench.llm.money import Budget, Price

__all__ = [
    "Budget",
    "JsonSchema",
    "Keep",
    "LanguageModel",
    "Metered",
    "ModelSpec",
    "Price",
    "ResponseFormat",
    "Role",
    "ScriptedModel",
    "Step",
    "ask_twice",
    "family",
    "fan_out",
    "role_warnings",
]
