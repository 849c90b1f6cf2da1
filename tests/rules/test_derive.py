"""What becomes of a contract: one criterion for each thing that it says."""

from __future__ import annotations

from tests.rules.talks import charged, under
from userproxybench.rules import derive

RULED = "Only mention your brother's boat if the agent asks who else is sailing."


def test_an_instruction_that_stands_there_twice_is_one_criterion() -> None:
    once = under(reason_for_call="You want to move your berth.", task_instructions=RULED)
    twice = under(
        reason_for_call="You want to move your berth.", task_instructions=f"{RULED} {RULED}"
    )
    assert [c.id for c in derive(twice).criteria] == [c.id for c in derive(once).criteria]


def test_two_instructions_of_a_kind_are_two_criteria() -> None:
    other = "Only mention your sister's permit if the agent asks who holds one."
    both = under(
        reason_for_call="You want to move your berth.", task_instructions=f"{RULED} {other}"
    )
    held = [c for c in derive(both).criteria if c.mode == "volunteers_unasked_info"]
    assert len(held) == 2


def test_an_instruction_said_twice_is_charged_once() -> None:
    twice = under(
        reason_for_call="You want to move your berth.", task_instructions=f"{RULED} {RULED}"
    )
    lines = ("agent: Harbour office, hello.", "user: My brother's boat sails with us, by the way.")
    assert charged("volunteers_unasked_info", twice, *lines) == [1]
