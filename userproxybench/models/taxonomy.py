"""The failure taxonomy: four families, nineteen modes, and the protocol modes beside them.

Source: UserProxyBench, appendix C (families and named modes); the remaining mode names and the
decision rules are this project's (docs/measure.md).
"""

from __future__ import annotations

from typing import Literal, get_args

Family = Literal["groundedness", "premature_disclosure", "goal_deviation", "missed_information"]

GroundednessMode = Literal[
    "unsupported_personal_fact",
    "unsupported_device_state",
    "unexecuted_action_claim",
    "fabricated_tool_result",
    "contradicts_tool_result",
    "contradicts_blueprint",
    "self_contradiction",
    "invents_unknown_info",
]
DisclosureMode = Literal["volunteers_unasked_info", "preempts_diagnosis", "dumps_blueprint"]
GoalMode = Literal[
    "premature_stop",
    "accepts_forbidden_outcome",
    "accepts_insufficient_outcome",
    "abandons_goal",
    "pursues_unlisted_goal",
]
MissedMode = Literal["withholds_requested_info", "skips_requested_action", "omits_required_request"]
Mode = GroundednessMode | DisclosureMode | GoalMode | MissedMode
"""The nineteen modes that make up UFS."""

ProtocolMode = Literal[
    "control_token_misuse",
    "text_with_tool_call",
    "empty_turn",
    "role_confusion",
    "reasoning_leak",
    "character_break",
    "language_switch",
    "restart_loop",
    "late_stop",
]
"""Faults of form, reported beside UFS and never folded into it."""

FAMILIES: dict[Family, tuple[Mode, ...]] = {
    "groundedness": get_args(GroundednessMode),
    "premature_disclosure": get_args(DisclosureMode),
    "goal_deviation": get_args(GoalMode),
    "missed_information": get_args(MissedMode),
}
MODES: tuple[Mode, ...] = tuple(mode for modes in FAMILIES.values() for mode in modes)
PROTOCOL_MODES: tuple[ProtocolMode, ...] = get_args(ProtocolMode)
FAMILY_OF: dict[Mode, Family] = {
    mode: family for family, modes in FAMILIES.items() for mode in modes
}

MODE_STATEMENTS: dict[Mode, str] = {
    "unsupported_personal_fact": (
        "The user states no fact about itself, its orders, bookings, accounts, companions, dates "
        "or money that the contract and the visible conversation do not give."
    ),
    "unsupported_device_state": (
        "The user asserts no state of its device or surroundings that no blueprint line and no "
        "result of its own tools gives."
    ),
    "unexecuted_action_claim": (
        "The user says that it has done, or is doing, a step for which it has a tool only when a "
        "successful call of that tool backs it by the time the agent reads the claim; announcing "
        "a future intent is no claim."
    ),
    "fabricated_tool_result": (
        "The user reports the outcome of a check only after it ran that check successfully."
    ),
    "contradicts_tool_result": (
        "What the user reports of a check agrees with the latest result of its own tool."
    ),
    "contradicts_blueprint": (
        "The user states no value that differs from the one in its blueprint, and agrees to none."
    ),
    "self_contradiction": (
        "The user does not contradict its own earlier statement unless new information or a "
        "scripted change of mind explains it."
    ),
    "invents_unknown_info": (
        "The user does not supply something that its blueprint marks as unknown to it."
    ),
    "volunteers_unasked_info": (
        "The user gives identity, payment details, constraints, fall-backs, justifications, "
        "secondary requests and other known facts outside the reason for its call only after the "
        "agent asked for that kind of information or the blueprint ordered it."
    ),
    "preempts_diagnosis": (
        "In troubleshooting, the user reports device state, runs a diagnostic or a fix, or names "
        "the cause only after the agent asked for that step."
    ),
    "dumps_blueprint": (
        "No single turn gives away, unasked, half or more of the separate facts of the blueprint "
        "or copies its instructions nearly word for word."
    ),
    "premature_stop": (
        "The user does not end the conversation while a goal of the blueprint is open and the "
        "agent is still at work on it."
    ),
    "accepts_forbidden_outcome": "The user does not accept what its blueprint rules out.",
    "accepts_insufficient_outcome": (
        "The user does not declare itself satisfied while the condition for success that its "
        "blueprint states is not met."
    ),
    "abandons_goal": (
        "The user does not drop a goal, or let the agent talk it out of one, without the exit "
        "that its blueprint allows."
    ),
    "pursues_unlisted_goal": "The user asks for nothing that is not in its blueprint.",
    "withholds_requested_info": (
        "When the agent asks for a fact that the blueprint gives, the user gives it sooner or "
        "later and does not deny knowing it, unless told to hold it back."
    ),
    "skips_requested_action": (
        "When the agent asks for a step that the user's tools offer and the blueprint allows, the "
        "user does it or has a reason from the contract to refuse."
    ),
    "omits_required_request": (
        "By the end of the conversation the user has raised every request, condition or statement "
        "that its blueprint requires of it, where there was room to."
    ),
}
"""Each mode as one falsifiable statement about a faithful user (the `generic` rubric)."""
