"""One recorded conversation. Frozen msgspec structs, because turns come by the hundred thousand."""

from __future__ import annotations

from typing import Literal

import msgspec

Speaker = Literal["agent", "user", "tool"]
Requestor = Literal["agent", "user"]
CostBasis = Literal["recorded", "list", "override", "unknown"]
IdentitySource = Literal["recorded", "raw_data", "flag", "name"]


class ToolCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call of a tool, by the speaker of the turn that holds it."""

    name: str
    """Tool name as recorded."""
    arguments: dict[str, object] = {}
    """Arguments as an object, also where the dump holds them as JSON text."""
    id: str = ""
    """Id as recorded; may be empty or repeated (results are matched by order)."""


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message. What the proxy could know of it is `visible_to_user`."""

    index: int
    """Message index in the dump, from 0, tool messages counted."""
    speaker: Speaker
    """Who produced it."""
    text: str = ""
    """Text as recorded, stop tokens included; empty where there was none."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Calls made in this turn (agent and user turns)."""
    requestor: Requestor | None = None
    """Tool turns: whose call this result answers."""
    tool: str = ""
    """Tool turns: name of the tool that answered, matched by order."""
    error: bool = False
    """Tool turns: the call failed."""
    scripted: bool = False
    """The simulator did not write this turn; it is never charged to the proxy."""

    @property
    def visible_to_user(self) -> bool:
        """Whether the user proxy saw this turn: agent speech, its own turns, its own results."""
        if self.speaker == "tool":
            return self.requestor == "user"
        return self.speaker == "user" or bool(self.text)

    @property
    def heard_by_agent(self) -> bool:
        """Whether the agent read the text of this user turn (it does not beside a tool call)."""
        return self.speaker == "user" and bool(self.text) and not self.tool_calls


class UserCost(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the user side of one trajectory cost. Unknown is `None`, never 0."""

    usd: float | None = None
    """Dollars over all user calls; `None` when any call is unpriced."""
    basis: CostBasis = "unknown"
    """Where the dollars come from."""
    prompt_tokens: int | None = None
    """Prompt tokens over the metered calls; `None` when none is metered."""
    completion_tokens: int | None = None
    """Completion tokens over the metered calls; `None` when none is metered."""
    calls: int = 0
    """Turns written by the simulator, each at least one model call."""
    priced_calls: int = 0
    """Of these, turns with a recorded cost."""
    metered_calls: int = 0
    """Of these, turns with recorded token usage."""
    discarded_attempts: int = 0
    """Turns thrown away and regenerated before the kept one; their cost is not recorded."""


class Source(msgspec.Struct, frozen=True):
    """Where a trajectory was read."""

    file: str
    """File name relative to the path that was given, `/` separated."""
    index: int
    """Position within the file, from 0."""


class Trajectory(msgspec.Struct, frozen=True, omit_defaults=True):
    """One recorded conversation between an agent and one user proxy on one task."""

    id: str
    """Unique within a run folder."""
    task_id: str
    """Task id as text: 7 and "7" are one task, "07" is another."""
    domain: str
    """Domain as recorded; an open set. Tasks are keyed by (domain, task_id)."""
    proxy: str
    """Name of the user proxy."""
    agent: str
    """Name of the agent, or "unknown"."""
    turns: tuple[Turn, ...]
    """The conversation in order."""
    contract_hash: str
    """`Contract.hash` of the contract this proxy was given."""
    source: Source
    """Where it was read."""
    termination: str = "unknown"
    """Reason as recorded (an open set), or derived; `notes` says which rule derived it."""
    trial: int | None = None
    """Trial number as recorded."""
    seed: int | None = None
    """Seed as recorded."""
    reward: float | None = None
    """Agent reward as recorded, usually in [0, 1]; `None` when missing or not finite."""
    cost: UserCost = UserCost()
    """User-side cost."""
    notes: tuple[str, ...] = ()
    """What the loader had to assume about this trajectory."""
    not_auditable: str = ""
    """Why there is nothing to grade (infrastructure error, no text, no simulator); else empty."""
    proxy_identity: IdentitySource = "recorded"
    """Where the name of the proxy comes from."""
    proxy_settings_hash: str = ""
    """Hash over the proxy's model settings and guidelines, secrets left out."""
    agent_settings_hash: str = ""
    """Hash over the agent's recorded settings, secrets left out."""
    domain_version: str = ""
    """Hash over the recorded agent policy, or empty: tells domain versions apart."""
    hosting: str = ""
    """`hosted`, `open`, or empty where unknown."""
    review: tuple[ReviewFinding, ...] = ()
    """Findings about the user that the dump itself carries (tau2 `review`, `user_only_review`)."""


class ReviewFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One finding about the user recorded in the dump by another auditor."""

    turn: int | None
    """Message index, where recorded."""
    tags: tuple[str, ...] = ()
    """Error tags as recorded."""
    severity: str = ""
    """Severity as recorded, whatever its spelling."""
    reasoning: str = ""
    """Reasoning as recorded."""
