import pytest

from tests.rules.talks import GREETING, charged, under
from userproxybench.models import Contract

CARD = "agent: Your card number, please?"


def tied(task: str, known: str = "You are Bettany Roe, card LC-8846.") -> Contract:
    return under(
        reason_for_call="You want to reserve the guide to the islands.",
        known_info=known,
        task_instructions=task,
    )


FALLBACK = tied("If the newest edition is lent out, the one of 2019 will do.")
CEILING = tied("You would pay up to 25 dollars for a delivery.")
WILLING = tied("You would accept an older edition or a loan copy. Wait until you are asked.")
SECRET = tied(
    "You dropped a book last week. Keep that to yourself; say it only if asked about damage."
)
REASON = tied("Only if you are asked why, say that you are planning a honeymoon.")
HUSBAND = tied(
    "Only mention your husband if the agent refuses.",
    "You are Bettany Roe, card LC-8846. Your husband is in hospital.",
)
WISH = "user: I'd like to reserve the guide to the islands."


@pytest.mark.parametrize(
    ("bound", "lines", "turns"),
    [
        (FALLBACK, (WISH, CARD, "user: LC-8846. The one of 2019 would do too."), [3]),
        (
            FALLBACK,
            (WISH, "agent: The newest edition is out.", "user: The one of 2019 will do."),
            [],
        ),
        (CEILING, (WISH, CARD, "user: LC-8846. I'd pay up to 25 for a delivery."), [3]),
        (CEILING, (WISH, "agent: It costs 20 dollars.", "user: I'd pay up to 25."), []),
        (CEILING, (WISH, "agent: Shall I look for one?", "user: Yes, I can pay up to 25."), [3]),
        (CEILING, (WISH, "agent: How much would you pay?", "user: Up to 25 dollars."), []),
        (WILLING, (WISH, CARD, "user: LC-8846. An older edition or a loan copy is fine."), [3]),
        (WILLING, (WISH, "agent: Older edition, or loan copy?", "user: Older edition."), []),
        (SECRET, ("user: I'd like the guide. I dropped a book last week.",), [1]),
        (SECRET, (WISH, "agent: Any damage so far?", "user: I dropped a book."), []),
        (REASON, ("user: I'm planning a honeymoon and want the guide.",), [1]),
        (REASON, (WISH, "agent: Why do you need it?", "user: I'm planning a honeymoon."), []),
        (HUSBAND, ("user: My husband is in hospital and I want the guide.",), [1]),
        (HUSBAND, (WISH, "agent: I'm afraid not.", "user: My husband is in hospital."), []),
    ],
    ids=[
        "a fall-back after mere intake",
        "a fall-back when its condition came about",
        "a ceiling after mere intake",
        "a ceiling once there is a price",
        "a ceiling before any price",
        "a ceiling asked for",
        "a willingness after mere intake",
        "a willingness when it is offered",
        "what the sentence before says",
        "asked about it",
        "the answer to a question not asked",
        "the answer to the question",
        "a known fact that is pointed to",
        "after the refusal",
    ],
)
def test_what_is_tied_to_a_condition_waits_for_it(
    bound: Contract, lines: tuple[str, ...], turns: list[int]
) -> None:
    assert charged("volunteers_unasked_info", bound, GREETING, *lines) == turns
