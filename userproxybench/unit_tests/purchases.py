"""Preference scores by a model: does what was bought or booked meet each preference?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from userproxybench.accord.format import Preference, Purchase, TripOption
from userproxybench.accord.reading import Play
from userproxybench.blinding import Names, fenced, quoted, show
from userproxybench.errors import JudgeError
from userproxybench.llm import LanguageModel, Step, ask_twice, fan_out
from userproxybench.llm.metering import Metered
from userproxybench.models import digest
from userproxybench.models.exchange import Prompt, Reply
from userproxybench.prompting import prompt_file, repaired
from userproxybench.replies import RETRIED, one_line, read_reply, schema_of
from userproxybench.unit_tests.asking import ScoreReply
from userproxybench.unit_tests.running import AnswerStore, StoredText


class Scored(NamedTuple):
    """Scores of one rollout."""

    scores: Mapping[str, float | None]
    """Per preference id; `None`: ungraded."""
    problems: tuple[str, ...]
    """Why some are ungraded."""


def score_plays(
    plays: Sequence[Play],
    *,
    judge: LanguageModel,
    store: AnswerStore,
    jobs: int = 8,
) -> list[Scored]:
    """Scores of each rollout, in order; what was not completed needs none and costs nothing."""
    found: dict[int, Scored] = {}
    metered = Metered(judge)

    def work(item: tuple[int, Play]) -> Step[tuple[int, Play], tuple[int, Scored]]:
        index, play = item
        return Step((index, _scored(play, metered, store)))

    for index, scored in fan_out(list(enumerate(plays)), work, jobs=jobs):
        found[index] = scored
    return [found[index] for index in range(len(plays))]


def _scored(play: Play, judge: Metered, store: AnswerStore) -> Scored:
    scores: dict[str, float | None] = dict.fromkeys(play.scenario.by_id)
    if not play.rollout.completed:
        return Scored(scores, ())
    if not play.rollout.has_choice:
        return Scored(scores, (f"{play.where}: no purchase or itinerary to score",))
    problems = []
    for preference in play.scenario.preferences:
        try:
            scores[preference.id] = _score(play, preference, judge, store)
        except JudgeError as error:
            problems.append(f"{play.where}: {preference.id}: {error}")
    return Scored(scores, tuple(problems))


def _score(play: Play, preference: Preference, judge: LanguageModel, store: AnswerStore) -> float:
    names = _names(play)
    prompt = score_prompt(play, preference)
    key = digest([dict(judge.identity), prompt.text])
    kept = store.find(key)
    if kept is not None and kept.outcome in ("0", "1"):
        return float(kept.outcome)
    if kept is not None:
        raise JudgeError(*kept.text.split(": ", 1))

    def keep(reply: Reply) -> None:
        store.add_reply(key, "grader", reply)

    def read(reply: Reply) -> ScoreReply:
        return read_reply(reply, ScoreReply, shown=prompt.prefix)

    def repair(asked: Prompt, problem: str, reply: str) -> Prompt:
        return repaired(asked, problem, reply, names)

    schema = schema_of(ScoreReply)
    try:
        answer = ask_twice(judge, prompt, read=read, repair=repair, schema=schema, keep=keep)
    except JudgeError as error:
        if error.reason not in RETRIED:
            store.add(key, StoredText("ungraded", str(error)))
        raise
    store.add(key, StoredText(str(answer.score), one_line(answer.reason, 600)))
    return float(answer.score)


def _names(play: Play) -> Names:
    """The models of a rollout, to be withheld."""
    return Names({play.rollout.agent_model, play.rollout.user_model} - {"unknown"})


def score_prompt(play: Play, preference: Preference) -> Prompt:
    """The prompt for one preference of one rollout."""
    file = prompt_file("preference_score")
    names = _names(play)
    prefix = file.fill_prefix(choice=_block(_choice(play), names))
    suffix = file.fill_suffix(criterion=_block(criterion_of(preference), names))
    return Prompt(file.system, prefix, suffix, cache=True)


def _block(text: str, names: Names) -> str:
    return fenced(quoted(show(text, names).text))


def criterion_of(preference: Preference) -> str:
    """A preference as a criterion; its backoff meets it too."""
    backoff = f" (or, where that cannot be had, {preference.backoff})" if preference.backoff else ""
    return f"{preference.attribute}: {preference.value}{backoff}"


def _choice(play: Play) -> str:
    if play.rollout.purchase is not None:
        return _purchase(play.rollout.purchase)
    return "\n\n".join(_option(option) for option in play.rollout.itinerary)


def _purchase(purchase: Purchase) -> str:
    price = "not given" if purchase.price is None else f"${purchase.price:.2f}"
    return "\n".join(
        (
            f"Product name: {purchase.name}",
            f"Product description: {purchase.description}",
            f"Product price: {price}",
            f"Product attributes: {_pairs(purchase.attributes)}",
            f"Product features description: {purchase.features}",
            f"Selected options when purchasing: {_pairs(purchase.selected_options)}",
        )
    )


def _option(option: TripOption) -> str:
    price = "not given" if option.price is None else f"${option.price:.2f}"
    return "\n".join(
        (
            f"Kind: {option.kind or 'not given'}",
            f"Name: {option.name}",
            f"Price: {price}",
            f"Attributes: {_pairs(option.attributes)}",
        )
    )


def _pairs(values: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in values.items()) or "none"
