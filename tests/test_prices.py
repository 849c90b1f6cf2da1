"""List prices: found by their own name alone, and never a guess."""

from __future__ import annotations

from pathlib import Path

import pytest

from userproxybench.errors import InputError
from userproxybench.prices import (
    ListPrice,
    PriceBook,
    read_prices,
    shipped_prices,
    snapshot_of,
    write_prices,
)

BOOK = PriceBook("2026-08-01", "a table", {"mini": ListPrice(input=1.0, output=4.0)})


@pytest.mark.parametrize("name", ["mini", "MINI", "openai/mini"])
def test_a_model_is_found_with_or_without_its_provider(name: str) -> None:
    assert BOOK.find(name) == BOOK.models["mini"]


@pytest.mark.parametrize("name", ["mini-2", "min", "", "openai/mini-2"])
def test_a_similar_name_has_no_price(name: str) -> None:
    assert BOOK.price(name) is None


def test_tokens_at_list_price_are_dollars() -> None:
    price = BOOK.price("openai/mini")
    assert price is not None
    # 3000 x $1 / 1e6 + 500 x $4 / 1e6 = $0.005
    assert price.of(3000, 500) == pytest.approx(0.005)


def test_a_book_survives_its_file(tmp_path: Path) -> None:
    write_prices(BOOK, tmp_path / "prices.json")
    assert read_prices(tmp_path / "prices.json") == BOOK


def test_a_file_that_is_no_book_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "prices.json").write_text("{")
    with pytest.raises(InputError, match=r"prices\.json: is no price book"):
        read_prices(tmp_path / "prices.json")


def test_own_prices_go_before_the_book() -> None:
    own = BOOK.overridden({"mini": ListPrice(input=2.0, output=2.0)})
    assert own.models["mini"].input == 2.0
    assert BOOK.models["mini"].input == 1.0


def test_a_price_of_zero_is_no_price_and_images_are_no_models() -> None:
    priced = {"mode": "chat", "input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}
    table = {
        "a": priced,
        "free": {**priced, "input_cost_per_token": 0},
        "image": {**priced, "mode": "image_generation"},
        "long": {**priced, "input_cost_per_token_above_200k_tokens": 3e-6},
    }
    book = snapshot_of(table, date="2026-08-01", source="a table")
    assert set(book.models) == {"a", "long"}
    assert book.models["a"].price.output == pytest.approx(2e-6)
    assert book.models["long"].long_tokens == 200_000
    assert book.models["long"].long is not None
    assert book.models["long"].long.input == 3.0


def test_the_shipped_book_has_a_day_and_no_free_model() -> None:
    book = shipped_prices()
    assert len(book.date) == 10
    assert len(book.models) > 100
    assert all(price.input > 0 and price.output > 0 for price in book.models.values())
