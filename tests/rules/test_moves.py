from collections.abc import Callable

import pytest

from userproxybench.rules import moves
from userproxybench.rules.asks import asked_kinds, is_intake
from userproxybench.rules.assent import declines, goes_ahead, yes_words


@pytest.mark.parametrize(
    ("reads", "text", "holds"),
    [
        (moves.is_proposal, "It costs 5 dollars. Shall I go ahead?", True),
        (moves.is_proposal, "It costs 5 dollars.", False),
        (moves.is_done, "Your loan has been renewed.", True),
        (moves.is_done, "Your identity has been verified.", False),
        (moves.is_working, "One moment please, I'm checking that.", True),
        (moves.is_working, "Let me know what you need.", False),
        (moves.offers_more, "Is there anything else I can do?", True),
        (moves.offers_more, "Let me know if you'd like me to book it.", False),
        (moves.is_transfer, "Shall I transfer you to the desk?", True),
        (moves.is_transfer, "I would transfer 40 dollars to your account.", False),
        (moves.announces_transfer, "You are being transferred to the desk.", True),
        (moves.announces_transfer, "I could transfer you to the desk.", False),
        (moves.is_refusal, "I'm sorry, but that is not possible.", True),
        (moves.is_refusal, "I'm sorry to hear that.", False),
        (is_intake, "Thank you. What is your card number?", True),
        (is_intake, "It costs 5 dollars.", False),
    ],
)
def test_the_moves_of_an_agent_are_told_apart(
    reads: Callable[[str], bool], text: str, holds: bool
) -> None:
    assert reads(text) is holds


@pytest.mark.parametrize(
    ("text", "yes", "goes"),
    [
        ("Yes, please book it.", True, True),
        ("That's perfect, thank you! Bye.", True, False),
        ("Could you confirm that?", False, False),
        ("If it's under 10, go ahead.", False, False),
        ("No, thanks.", False, False),
        ("That's too much.", False, False),
        ("Na gut, machen Sie das.", True, True),
    ],
)
def test_a_yes_is_told_from_thanks_and_conditions(text: str, yes: bool, goes: bool) -> None:
    assert bool(yes_words(text)) is yes
    assert bool(goes_ahead(text)) is goes


def test_a_no_declines() -> None:
    assert declines("I'd rather not.")
    assert not declines("Fine with me.")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What is your zip code?", "zip"),
        ("Please verify your identity.", "identity"),
        ("Bitte weisen Sie sich kurz aus.", "identity"),
        ("¿Me dice su nombre, por favor?", "name"),
        ("Könnten Sie das bitte näher ausführen?", "open"),
    ],
)
def test_what_is_asked_for_is_read_generously(text: str, kind: str) -> None:
    assert kind in asked_kinds(text)
