"""Models by name, for callers from Python; the command line makes its own from its settings."""

from __future__ import annotations

from dataclasses import dataclass

from userproxybench import rules
from userproxybench.audit.writing import Authors
from userproxybench.errors import InputError
from userproxybench.grading import ModelGrader, Settings
from userproxybench.litellm_model import LiteLLMModel
from userproxybench.llm import Budget, LanguageModel, ModelSpec
from userproxybench.prices import shipped_prices

RULES_AND = "rules+"
"""Prefix of a grader in which rules answer what they can and a model the rest."""


@dataclass(frozen=True)
class Judges:
    """The models of one audit, and what they may spend."""

    grader: ModelGrader
    """Answers the criteria."""
    authors: Authors | None = None
    """Write the rubrics, where `generate` asks for it."""


def judges_named(
    grader: str,
    *,
    generator: str | None = None,
    verifier: str | None = None,
    budget: float | None = None,
    jobs: int = 8,
) -> Judges:
    """Models as litellm names them, under one budget; keys come from the environment.

    Raises:
        InputError: no model is named, or a budget is given and a price is not known.
    """
    purse = Budget(budget)
    authors = None
    if generator and verifier:
        authors = Authors(_model(generator, purse), _model(verifier, purse))
    judge = _model(grader.removeprefix(RULES_AND), purse)
    return Judges(model_grader(judge, with_rules=grader.startswith(RULES_AND), jobs=jobs), authors)


def model_grader(
    judge: LanguageModel, *, with_rules: bool, jobs: int, settings: Settings | None = None
) -> ModelGrader:
    """A judge put to work, alone or behind the rules."""
    return ModelGrader(
        judge,
        settings=settings or Settings(),
        rules=rules.grade if with_rules else None,
        jobs=jobs,
    )


def _model(name: str, purse: Budget) -> LiteLLMModel:
    if not name:
        raise InputError("`grader`: no model is named. Use 'rules', MODEL or 'rules+MODEL'")
    known = shipped_prices().find(name)
    spec = ModelSpec(model=name, window=known.window if known else None)
    return LiteLLMModel(spec, price=known.price if known else None, budget=purse)
