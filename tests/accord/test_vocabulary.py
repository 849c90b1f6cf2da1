from tests.accord_example import SCENARIO, play
from userproxybench.accord.vocabulary import Vocabulary

COLOR = SCENARIO.preferences[0]


def test_values_of_the_same_attribute_are_known_from_options() -> None:
    bought = play(purchase={"name": "Moor", "attributes": {"color": "plum, steel", "lid": "oak"}})
    others = Vocabulary([SCENARIO], [bought]).others(COLOR, "shop")
    assert "plum" in others
    assert {"steel", "oak"} & others == set()


def test_common_colors_need_no_dump() -> None:
    others = Vocabulary([], []).others(COLOR, "shop")
    assert "green" in others
    assert "copper" not in others


def test_domains_are_kept_apart() -> None:
    bought = play(purchase={"attributes": {"color": "plum"}})
    assert "plum" not in Vocabulary([], [bought]).others(COLOR, "travel")
