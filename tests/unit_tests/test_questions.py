from pathlib import Path

import pytest

from userproxybench.accord.format import DOMAINS
from userproxybench.accord.rules import TESTS
from userproxybench.errors import InputError
from userproxybench.unit_tests.questions import wordings


def test_every_test_has_a_question_in_both_domains() -> None:
    texts = wordings().texts
    assert set(texts) == {(domain, test) for domain in DOMAINS for test in TESTS}


@pytest.mark.parametrize("test", TESTS)
def test_questions_name_their_outcomes(test: str) -> None:
    for domain in DOMAINS:
        text = wordings().texts[domain, test]  # type: ignore[index]  # a test name
        assert "- yes:" in text
        assert "- no:" in text
        assert ("- n/a:" in text) is (test != "test000")


def test_shop_speaks_of_products_and_travel_of_options() -> None:
    texts = wordings().texts
    assert "product" in texts["shop", "test002"]
    assert "product" not in texts["travel", "test002"]
    assert "scenario" in texts["travel", "test003"]
    assert "user's instructions" in texts["shop", "test003"]


def test_a_folder_replaces_the_questions_that_it_holds(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "test000.md").write_text("Own $words?", encoding="utf-8")
    found = wordings(tmp_path)
    assert found.texts["shop", "test000"] == "Own $words?"
    assert found.texts["travel", "test000"] == wordings().texts["travel", "test000"]
    assert found.given == ("shop/test000.md",)
    assert found.hash != wordings().hash


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no question"):
        wordings(tmp_path)


def test_an_empty_question_is_refused(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "test001.md").write_text(" \n", encoding="utf-8")
    with pytest.raises(InputError, match="is empty"):
        wordings(tmp_path)
