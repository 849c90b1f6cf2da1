import pytest

from userproxybench.rules.rivals import qualified


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You are a Silver member.", [("member", "silver")]),
        ("three bags", [("bag", "3")]),
        ("The sofa is grey.", [("sofa", "grey")]),
        ("one of them", []),
    ],
    ids=["tier", "count", "predicate", "pronoun"],
)
def test_things_have_one_of_several_values(text: str, found: list[tuple[str, str]]) -> None:
    assert [(thing.noun, thing.value) for thing in qualified(text)] == found
