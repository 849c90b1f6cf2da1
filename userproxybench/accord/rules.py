"""AcCoRD's unit tests by rules: value matching on the conversation that both sides can see.

test001, test003, test004 and test005 are decided where structured preferences decide them;
test000 and test002 take a reader and are `ungraded`. A doubt is `ungraded`, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from userproxybench.accord.format import Preference, Scenario
from userproxybench.accord.questions import Asked, asked
from userproxybench.accord.signals import (
    affirms,
    declines,
    evades,
    insists,
    is_flexible,
    names,
    praises_it,
    reveals_backoff,
    says_unavailable,
    surfaces,
    wants_it,
)
from userproxybench.accord.vocabulary import Vocabulary
from userproxybench.accord.words import asserts, content, is_number, words
from userproxybench.models import Turn

TestName = Literal["test000", "test001", "test002", "test003", "test004", "test005"]
TESTS: tuple[TestName, ...] = get_args(TestName)
TEST_TITLES: Mapping[TestName, str] = {
    "test000": "Response relevance",
    "test001": "Preference value consistency",
    "test002": "Contradiction acknowledgment",
    "test003": "Backoff acceptance",
    "test004": "Premature backoff disclosure",
    "test005": "Triggered preference revelation",
}
UnitOutcome = Literal["yes", "no", "n/a", "ungraded"]


_CEILING = ("under", "below", "at most", "up to", "less than", "no more than")


class Answer(NamedTuple):
    """The answer to one test on one candidate response."""

    outcome: UnitOutcome
    """`yes` passes, `no` fails, `n/a` does not apply, `ungraded`: there is no answer."""
    reason: str
    """Why, in a line that a person accepts."""


class Exchange(NamedTuple):
    """One candidate response and what came before it."""

    before: tuple[Turn, ...]
    """Turns that the user saw; at least one is the agent's."""
    response: str
    """The candidate response."""

    @property
    def last(self) -> str:
        """The assistant's last message."""
        return self.spoken("agent")[-1]

    def spoken(self, speaker: Literal["agent", "user"]) -> list[str]:
        """Earlier messages of one side."""
        return [turn.text for turn in self.before if turn.speaker == speaker]


def precondition(test: TestName, scenario: Scenario) -> Answer | None:
    """`n/a` where the scenario itself rules a test out, so that no model need be asked."""
    preferences = scenario.preferences
    if test in ("test001", "test002") and not preferences:
        return Answer("n/a", "the scenario has no preferences")
    if test in ("test003", "test004") and not any(p.backoff for p in preferences):
        return Answer("n/a", "no preference of the scenario has a backoff")
    if test == "test005" and not any(p.rule == "only_if_mentioned" for p in preferences):
        return Answer("n/a", "no preference of the scenario is to be revealed only if mentioned")
    return None


class RuleGrader:
    """Answers by rules; the vocabulary of the dump tells a wrong value from none."""

    name = "rules"

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._tests: Mapping[TestName, Callable[[Scenario, Exchange], Answer]] = {
            "test001": self._consistency,
            "test003": _acceptance,
            "test004": _disclosure,
            "test005": _revelation,
        }

    def answer(self, test: TestName, scenario: Scenario, exchange: Exchange) -> Answer:
        """The answer to one test."""
        ruled_out = precondition(test, scenario)
        if ruled_out:
            return ruled_out
        if test not in self._tests:
            return Answer("ungraded", "no_rule: takes a model grader")
        return self._tests[test](scenario, exchange)

    def _consistency(self, scenario: Scenario, exchange: Exchange) -> Answer:
        question = asked(exchange.last, scenario.preferences)
        if not question.for_value:
            return Answer("n/a", "the assistant did not ask for a preference value")
        response = exchange.response
        stated = _stated(scenario, question, response)
        wrong = self._conflict(scenario, question, stated, response)
        if wrong:
            return Answer("no", wrong)
        if stated:
            return Answer("yes", f"says {', '.join(p.value for p in stated)} as instructed")
        if not question.preferences:
            return Answer("n/a", "the assistant asked for nothing that the instructions specify")
        if evades(response) or "?" in response or len(words(response)) > 12:
            return Answer("n/a", "the response does not take up the request")
        return Answer("ungraded", "no_rule: the answer is neither the value nor a known other one")

    def _conflict(
        self, scenario: Scenario, question: Asked, stated: Sequence[Preference], response: str
    ) -> str:
        """Why the response contradicts what was asked for; empty where it does not."""
        for preference in question.yes_no:
            refused = "denies" in names(response, preference) or declines(response)
            if refused and "asserts" not in names(response, preference):
                return f"the assistant asked about {preference.value!r}, and the response declines"
        open_ones = [p for p in question.preferences if p not in stated]
        for preference in question.preferences:
            others = self._vocabulary.others(preference, scenario.domain)
            own = (*preference.values, *preference.backoffs)
            if preference in open_ones:
                others |= {o for o in question.offered if not _is_own(o, scenario)}
            for other in sorted(others):
                mine = asserts(other, own) or _is_own(other, scenario)
                if not mine and asserts(response, [other], preference.attribute):
                    return f"{preference.attribute}: says {other!r}, told {preference.value!r}"
        return _wrong_number(open_ones, stated, response)


def _is_own(phrase: str, scenario: Scenario) -> bool:
    """Whether a phrase is a value of any preference of the scenario."""
    wanted = set(content(phrase))
    return any(
        wanted <= set(content(value))
        for preference in scenario.preferences
        for value in (*preference.values, *preference.backoffs)
    )


def _stated(scenario: Scenario, question: Asked, response: str) -> list[Preference]:
    """Preferences whose value or backoff the response says, or confirms with a yes."""
    found = []
    for preference in scenario.preferences:
        is_asked = preference in question.preferences
        if question.preferences and not is_asked and not _tells(preference.value):
            continue
        about = preference.attribute if is_asked else ""
        confirmed = preference in question.yes_no and (affirms(response) or wants_it(response))
        values = (*preference.values, *preference.backoffs)
        if asserts(response, values, about) or confirmed:
            found.append(preference)
    return found


def _tells(value: str) -> bool:
    """Whether a value can be known for what it is where it was not asked for."""
    return any(not is_number(word) and len(word) > 3 for word in content(value))


def _wrong_number(
    open_ones: Sequence[Preference], stated: Sequence[Preference], response: str
) -> str:
    """A number in place of the one asked for."""
    numeric = [p for p in open_ones if any(map(is_number, content(p.value)))]
    if len(numeric) != 1:
        return ""
    preference = numeric[0]
    taken = {word for p in stated for value in (*p.values, *p.backoffs) for word in content(value)}
    spoken = words(response)
    own = set(content(preference.value))
    units = own | set(content(preference.attribute)) | {"bag", "person", "people", "night", "day"}
    for at, word in enumerate(spoken):
        following = spoken[at + 1].text if at + 1 < len(spoken) else ""
        counts = word.raw != "one" or following in units
        if is_number(word.text) and counts and word.text not in own | taken:
            if _within_limit(preference.value, word.text):
                return ""
            return f"{preference.attribute}: says {word.raw!r}, told {preference.value!r}"
    return ""


def _within_limit(value: str, said: str) -> bool:
    """Whether a value is a limit that a smaller number keeps."""
    limit = [float(word) for word in content(value) if is_number(word)]
    capped = any(cue in value.casefold() for cue in _CEILING)
    try:
        return capped and len(limit) == 1 and float(said) < limit[0]
    except ValueError:
        return False


def _acceptance(scenario: Scenario, exchange: Exchange) -> Answer:
    denied = [p for p in scenario.preferences if p.backoff and _was_denied(p, exchange)]
    if not denied:
        return Answer(
            "n/a", "the assistant has not said that a value with a backoff is unavailable"
        )
    doubts = 0
    for preference in denied:
        verdict = insists(exchange.response, preference)
        if verdict:
            return Answer("no", f"keeps asking for {preference.value!r}, which is unavailable")
        named = asserts(exchange.response, preference.backoffs, preference.attribute)
        just_now = _denied_in(exchange.last, preference, exchange)
        if verdict is None or (just_now and not named and not is_flexible(exchange.response)):
            doubts += 1
    if doubts:
        return Answer("ungraded", "no_rule: neither accepts the backoff nor insists in plain words")
    return Answer("yes", f"no longer insists on {denied[0].value!r}")


def _was_denied(preference: Preference, exchange: Exchange) -> bool:
    previous = ""
    for turn in exchange.before:
        if turn.speaker == "agent" and says_unavailable(turn.text, preference, previous):
            return True
        if turn.speaker == "user":
            previous = turn.text
    return False


def _denied_in(text: str, preference: Preference, exchange: Exchange) -> bool:
    users = exchange.spoken("user")
    return says_unavailable(text, preference, users[-1] if users else "")


def _disclosure(scenario: Scenario, exchange: Exchange) -> Answer:
    question = asked(exchange.last, scenario.preferences)
    outcome: Answer | None = None
    for preference in scenario.preferences:
        if not preference.backoff:
            continue
        about = preference in question.preferences or _was_denied(preference, exchange)
        if not reveals_backoff(exchange.response, preference, attribute_asked=about):
            continue
        if not _was_denied(preference, exchange):
            return Answer(
                "no", f"says {preference.backoff!r} before {preference.value!r} was denied"
            )
        outcome = Answer(
            "yes", f"says {preference.backoff!r} after {preference.value!r} was denied"
        )
    return outcome or Answer("n/a", "the response reveals no backoff")


def _revelation(scenario: Scenario, exchange: Exchange) -> Answer:
    hidden = [p for p in scenario.preferences if p.rule == "only_if_mentioned"]
    due = [
        p
        for p in hidden
        if surfaces(exchange.last, p)
        and not any(asserts(text, p.values) for text in exchange.spoken("user"))
    ]
    if not due:
        return Answer("n/a", "no value that is to be revealed if mentioned came up just now")
    answers = [_revealed(p, exchange, scenario) for p in due]
    for outcome in ("no", "ungraded"):
        for answer in answers:
            if answer.outcome == outcome:
                return answer
    return answers[0]


def _revealed(preference: Preference, exchange: Exchange, scenario: Scenario) -> Answer:
    response = exchange.response
    stances = names(response, preference)
    if "asserts" in stances:
        only_asks = response.rstrip().endswith("?") and not wants_it(response)
        if only_asks:
            return Answer("ungraded", f"no_rule: asks about {preference.value!r}")
        return Answer("yes", f"reveals {preference.value!r}")
    direct = preference in asked(exchange.last, scenario.preferences).yes_no
    if stances or (direct and declines(response)):
        return Answer("no", f"turns {preference.value!r} down")
    if wants_it(response) or (direct and affirms(response)):
        return Answer("yes", f"wants what the assistant named: {preference.value!r}")
    if praises_it(response):
        return Answer("ungraded", f"no_rule: may mean {preference.value!r}")
    return Answer("no", f"says nothing of {preference.value!r}, which the assistant brought up")
