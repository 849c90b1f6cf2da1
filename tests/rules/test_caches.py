from tests.rules.talks import GREETING, charged, under
from userproxybench.rules.caches import forget
from userproxybench.rules.passages import passages

BOUND = under(reason_for_call="You want to borrow a projector.", known_info="You are Ida Marsh.")


def test_what_was_read_is_let_go_and_read_again_alike() -> None:
    talk = (GREETING, "user: Hi, Ida Marsh here. I'd like to borrow a projector.")
    before = charged("volunteers_unasked_info", BOUND, *talk)
    assert passages.cache_info().currsize > 0
    forget()
    assert passages.cache_info().currsize == 0
    assert charged("volunteers_unasked_info", BOUND, *talk) == before == [1]
