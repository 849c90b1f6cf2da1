"""Sheets print the same numbers three ways, and text cannot break out."""

import pytest

from userproxybench.analysis.sheet import Column, Sheet, shown

SHEET = Sheet(
    "t_1",
    "Costs & such",
    (Column("proxy", "Proxy"), Column("usd", "USD", 2), Column("n", "n"), Column("ok", "Ok")),
    (("a|b_<c>", 0.126, 1234, True), ("d", None, None, None)),
    ("note | one",),
)


def test_csv_keeps_digits_and_leaves_missing_empty() -> None:
    assert SHEET.csv() == "proxy,usd,n,ok\na|b_<c>,0.126,1234,true\nd,,,\n"


def test_markdown_rounds_aligns_and_escapes() -> None:
    text = SHEET.markdown()
    assert "| a\\|b_&lt;c> | 0.13 | 1,234 | yes |" in text
    assert "| --- | ---: | ---: | --- |" in text
    assert "| d | – | – | – |" in text


def test_latex_escapes() -> None:
    text = SHEET.latex()
    assert r"a|b\_<c> & 0.13 & 1,234 & yes \\" in text
    assert r"\caption{Costs \& such. note | one.}" in text


def test_records_have_keys() -> None:
    assert SHEET.records()[1] == {"proxy": "d", "usd": None, "n": None, "ok": None}


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        pytest.param(0.00001, 3, "1e-05", id="a small number is not rounded to nothing"),
        pytest.param(0.0, 3, "0.000", id="zero"),
        pytest.param(-0.5, 1, "-0.5", id="negative"),
        pytest.param("x", 3, "x", id="text"),
    ],
)
def test_cells_for_people(value: float | str, digits: int, text: str) -> None:
    assert shown(value, digits) == text


def test_a_ragged_sheet_is_refused() -> None:
    with pytest.raises(ValueError, match="2 cells in a row of 1"):
        Sheet("s", "", (Column("a", "A"),), ((1, 2),))
