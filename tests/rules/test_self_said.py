import pytest

from tests.rules.talks import GREETING, charged, under

BOUND = under(reason_for_call="You want to check in one bag.", known_info="Grey suits you.")
ONE = (GREETING, "user: I want to check in one bag.")


@pytest.mark.parametrize(
    ("lines", "turns"),
    [
        (("agent: One bag, correct?", "user: No, I told you two bags."), [3]),
        (("agent: Two bags, correct?", "user: No, I said one bag."), []),
        (("agent: One bag, correct?", "user: I never mentioned a bag."), [3]),
        (
            (
                "agent: Mill or Harbour?",
                "user: Mill.",
                "agent: Which one?",
                "user: Harbour, as I said.",
            ),
            [5],
        ),
        (
            (
                "agent: Did you get a card?",
                "user: No, there was no card.",
                "agent: To be sure: was a card left?",
                "user: Yes, there was a card.",
            ),
            [5],
        ),
        (
            (
                "agent: Did you get a card?",
                "user: No, there was no card.",
                "agent: Shall I send a card again?",
                "user: Yes, please.",
            ),
            [],
        ),
        (("agent: One bag?", "user: As I said, I'd be glad of quick help."), []),
    ],
    ids=[
        "another number",
        "its own number",
        "disowned",
        "another choice",
        "turned round",
        "another question",
        "other words",
    ],
)
def test_what_was_said_stays_said(lines: tuple[str, ...], turns: list[int]) -> None:
    assert charged("self_contradiction", BOUND, *ONE, *lines) == turns
