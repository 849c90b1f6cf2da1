"""What a run of the unit tests will cost, said before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from userproxybench.blinding import Names
from userproxybench.llm import Price
from userproxybench.models import digest
from userproxybench.models.exchange import Prompt
from userproxybench.unit_tests.asking import Shown, candidate_prompt
from userproxybench.unit_tests.cases import UnitCase
from userproxybench.unit_tests.running import AnswerStore, Bench, without_model

_BYTES_PER_TOKEN = 4
_COMPLETION_TOKENS = 80


class Plan(NamedTuple):
    """Calls, tokens and dollars of a run that has not been made. Token counts are approximate."""

    calls: int
    """Calls of the judge, without repairs."""
    candidate_calls: int
    """Calls of the candidate."""
    on_file: int
    """Answers and responses found on file."""
    without_model: int
    """Answers that need no model."""
    prompt_tokens: int
    """Prompt tokens over all calls, at four bytes a token."""
    completion_tokens: int
    """Completion tokens, at 80 a reply."""
    usd: float | None
    """Dollars; `None` without a known price."""


def plan(
    cases: Sequence[UnitCase],
    *,
    bench: Bench,
    store: AnswerStore,
    price: Price | None = None,
    candidate_price: Price | None = None,
) -> Plan:
    """What `run_tests` would do; a response still to be asked for counts as long as recorded."""
    names = Names.of_run(case.trajectory for case in cases)
    judged: list[Prompt] = []
    written: list[Prompt] = []
    on_file = settled = 0
    for case in cases:
        response = case.exchange.response
        if bench.candidate is not None:
            prompt = candidate_prompt(case)
            kept = store.find(digest([dict(bench.candidate.identity), prompt.text]))
            on_file += kept is not None
            response = kept.text if kept else response
            written += [] if kept else [prompt]
        for test in case.tests:
            if without_model(bench, case, test, response).answer.outcome != "ungraded":
                settled += 1
                continue
            if bench.judge is None:
                continue
            prompt = Shown(case, response, names).question(test, bench.questions)
            if store.find(digest([dict(bench.judge.identity), prompt.text])):
                on_file += 1
            else:
                judged.append(prompt)
    return Plan(
        calls=len(judged),
        candidate_calls=len(written),
        on_file=on_file,
        without_model=settled,
        prompt_tokens=sum(map(_tokens, [*judged, *written])),
        completion_tokens=_COMPLETION_TOKENS * (len(judged) + len(written)),
        usd=_dollars(judged, price, written, candidate_price),
    )


def _dollars(
    judged: Sequence[Prompt], price: Price | None, written: Sequence[Prompt], other: Price | None
) -> float | None:
    total = 0.0
    for prompts, each in ((judged, price), (written, other)):
        if prompts and each is None:
            return None
        total += sum(each.of(_tokens(p), _COMPLETION_TOKENS) for p in prompts if each is not None)
    return total


def _tokens(prompt: Prompt) -> int:
    return len(prompt.text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN
