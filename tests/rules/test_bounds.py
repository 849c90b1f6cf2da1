"""A hostile turn costs no more than the longest real one."""

from tests import builders
from userproxybench import rules
from userproxybench.models import Blueprint
from userproxybench.rules.bounds import LONGEST, bounded_contract, bounded_trajectory


def test_long_turns_and_fields_are_cut_and_short_ones_are_the_same_object() -> None:
    short = builders.trajectory("user: hello")
    long = builders.trajectory("user: " + "a" * (LONGEST + 5))
    assert bounded_trajectory(short) is short
    assert len(bounded_trajectory(long).turns[0].text) == LONGEST
    contract = builders.contract(blueprint=Blueprint(known_info="b" * (LONGEST + 5)))
    cut = bounded_contract(contract)
    assert len(cut.blueprint.known_info or "") == LONGEST


def test_a_violation_within_the_bound_is_still_found() -> None:
    known = Blueprint(known_info="You are Odile Brantsen, zip code 51234.")
    contract = builders.contract(blueprint=known)
    long = "user: 51432. " + "well " * LONGEST
    talk = builders.trajectory("agent: Your zip code, please?", long, under=contract)
    found = rules.grade(talk, contract, rules.derive(contract))
    assert [v.turn for v in found.verdicts if v.verdict == "fail"][:1] == [1]
