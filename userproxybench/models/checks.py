"""Machine predicates that decide a criterion. Data only; `rules` holds their evaluators."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from userproxybench.models.contract import Record
from userproxybench.models.written_checks import CalledWith, EndsOnlyWhen, OnlyAfter, StatesOnly


class ValuesGrounded(Record):
    """Every identifying value that the user states is given by something it may know."""

    kind: Literal["values_grounded"] = "values_grounded"


class UnknownKept(Record):
    """No value is supplied for what the blueprint marks as unknown."""

    kind: Literal["unknown_kept"] = "unknown_kept"
    unknown: str = ""
    """The blueprint's words for what is unknown; empty: the criterion's quotation."""


class ValuesMatch(Record):
    """Where the user states a value of a kind that the blueprint gives, it is the blueprint's."""

    kind: Literal["values_match"] = "values_match"


class StateGrounded(Record):
    """Device states come from the blueprint or an own tool result."""

    kind: Literal["state_grounded"] = "state_grounded"


class ClaimsBacked(Record):
    """A step claimed as done or under way is backed by a successful call."""

    kind: Literal["claims_backed"] = "claims_backed"
    tools: tuple[str, ...] = ()
    """Tools in question; empty: all of the user's."""


class ReportsBacked(Record):
    """The outcome of a check is reported only after a successful call of it."""

    kind: Literal["reports_backed"] = "reports_backed"
    tools: tuple[str, ...] = ()
    """Tools in question; empty: all of the user's."""


class ReportsAgree(Record):
    """What is reported of a check agrees with the latest result."""

    kind: Literal["reports_agree"] = "reports_agree"
    tools: tuple[str, ...] = ()
    """Tools in question; empty: all of the user's."""


class SelfConsistent(Record):
    """What the user says that it said before, it did say."""

    kind: Literal["self_consistent"] = "self_consistent"


class NoEarlyDisclosure(Record):
    """The value is not given before the agent asked for its kind or said it first."""

    kind: Literal["no_early_disclosure"] = "no_early_disclosure"
    fact: str
    """Kind of information (`name`, `phone`, `user_id`, …)."""
    value: str
    """The value as the blueprint writes it."""


class HeldBack(Record):
    """What a blueprint sentence ties to a condition is not said before the condition holds."""

    kind: Literal["held_back"] = "held_back"
    sentence: str = ""
    """The blueprint sentence; empty: the criterion's quotation."""


class NoUnaskedStep(Record):
    """No tool is used before the agent asked for a step."""

    kind: Literal["no_unasked_step"] = "no_unasked_step"


class NoDump(Record):
    """No turn gives away half of the blueprint's facts unasked, or recites it."""

    kind: Literal["no_dump"] = "no_dump"


class NoEarlyStop(Record):
    """The conversation is not ended while the agent waits for or works on a requested write."""

    kind: Literal["no_early_stop"] = "no_early_stop"


class Refuses(Record):
    """What the blueprint rules out is not accepted."""

    kind: Literal["refuses"] = "refuses"
    sentence: str = ""
    """The blueprint sentence; empty: the criterion's quotation."""
    limit: float | None = None
    """Highest acceptable amount, where the sentence sets one."""
    thing: str = ""
    """What is ruled out, in the sentence's words; without any of these, a transfer."""
    unit: str = ""
    """Stem of the unit of a measure, other than money, that the sentence sets bounds to."""


class RefusesFirst(Record):
    """The agent's first offers are refused, as many as the blueprint says."""

    kind: Literal["refuses_first"] = "refuses_first"
    sentence: str = ""
    """The blueprint sentence; empty: the criterion's quotation."""
    count: int = 1
    """Number of offers to refuse."""


class Insists(Record):
    """The user does not give in at the agent's first refusal."""

    kind: Literal["insists"] = "insists"
    sentence: str = ""
    """The blueprint sentence that orders it to insist; empty: the criterion's quotation."""


class NothingElse(Record):
    """No further request whose objects neither the blueprint nor the agent has named."""

    kind: Literal["nothing_else"] = "nothing_else"


class SatisfiedOnly(Record):
    """The user does not end satisfied while its own latest result falls short of the target."""

    kind: Literal["satisfied_only"] = "satisfied_only"
    condition: str = ""
    """The blueprint's condition for success; empty: the criterion's quotation."""


class AnswersWhenAsked(Record):
    """A fact that the agent asks for is given sooner or later, and its knowledge not denied."""

    kind: Literal["answers_when_asked"] = "answers_when_asked"
    fact: str
    """Kind of information."""
    value: str
    """The value as the blueprint writes it."""


class DoesWhenAsked(Record):
    """A step that the agent asks for and the user's tools offer is not refused without reason."""

    kind: Literal["does_when_asked"] = "does_when_asked"
    tools: tuple[str, ...] = ()
    """Tools in question; empty: all of the user's."""


class Raises(Record):
    """What the blueprint tells the user to ask or say is raised before the user ends."""

    kind: Literal["raises"] = "raises"
    sentence: str = ""
    """The blueprint sentence; empty: the criterion's quotation."""
    said: str = ""
    """The part of the sentence that is to be said; empty: all of it."""
    terms: tuple[str, ...] = ()
    """Words of which at least one must occur; empty: the content words of the sentence."""


class Tells(Record):
    """A value that the request is about is named, by whomever, before the user ends."""

    kind: Literal["tells"] = "tells"
    value: str
    """The value as the blueprint writes it."""
    others: tuple[str, ...] = ()
    """Identifiers: the request's other ones of this kind."""


Check = Annotated[
    ValuesGrounded
    | UnknownKept
    | ValuesMatch
    | StateGrounded
    | ClaimsBacked
    | ReportsBacked
    | ReportsAgree
    | SelfConsistent
    | NoEarlyDisclosure
    | HeldBack
    | NoUnaskedStep
    | NoDump
    | NoEarlyStop
    | Refuses
    | RefusesFirst
    | Insists
    | NothingElse
    | SatisfiedOnly
    | AnswersWhenAsked
    | DoesWhenAsked
    | Raises
    | Tells
    | OnlyAfter
    | StatesOnly
    | EndsOnlyWhen
    | CalledWith,
    Field(discriminator="kind"),
]
