import pytest

from tests.rules.talks import GREETING, charged, under
from userproxybench.models import Mode

BOUND = under(
    reason_for_call="You want to send a crate of 5.9 kilos to 18 Quarry Lane.",
    known_info="You are Petra Lind, zip code 40231. It cost 24 euros a piece; you bought three.",
)
WISH = (GREETING, "user: I want to send a crate.")


@pytest.mark.parametrize(
    ("asked", "said", "mode", "turns"),
    [
        ("Your zip code?", "40213.", "contradicts_blueprint", [3]),
        ("Your zip code?", "Four oh two three one.", "contradicts_blueprint", []),
        ("What is its height?", "Two metres sixty.", "unsupported_personal_fact", [3]),
        ("What is its weight?", "5.9 kilos.", "unsupported_personal_fact", []),
        ("How much was it?", "72 euros altogether.", "unsupported_personal_fact", []),
        ("How many people will come?", "Four of us.", "unsupported_personal_fact", [3]),
        ("How many people will come?", "Just me.", "unsupported_personal_fact", []),
    ],
    ids=[
        "zip transposed, though a difference of visible numbers",
        "zip read out",
        "height from nowhere",
        "weight of the blueprint",
        "sum of the blueprint's",
        "company from nowhere",
        "alone",
    ],
)
def test_bare_numbers_answer_from_the_blueprint(
    asked: str, said: str, mode: Mode, turns: list[int]
) -> None:
    assert charged(mode, BOUND, *WISH, f"agent: {asked}", f"user: {said}") == turns
