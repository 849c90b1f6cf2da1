import pytest

from userproxybench.rules.numbers import is_label, numbers


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("four oh two three one", ["40231"]),
        ("double zero? no, 1,949", ["0", "1949"]),
        ("twenty-one and a half", ["215"]),
        ("two thousand eight hundred sixty", ["2860"]),
        ("nine-oh-five-two", ["9052"]),
        ("none at all", []),
    ],
    ids=["read out", "written", "and a half", "large", "hyphens", "none"],
)
def test_numbers_are_read_as_people_say_them(text: str, digits: list[str]) -> None:
    assert [number.digits for number in numbers(text)] == digits


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("two and a half thousand", [2500]),
        ("one point two thousand", [1200]),
        ("1.5 thousand", [1500]),
        ("at 5 hundred a month", [500]),
        ("two point five", [2.5]),
        ("a thousand and a half", [1000.5]),
        ("line 5\nthousand", [5, 1000]),
        ("bus 12, hundred people", [12, 100]),
    ],
)
def test_a_thousand_multiplies_what_stands_before_it(text: str, values: list[float]) -> None:
    assert [number.value for number in numbers(text)] == values


@pytest.mark.parametrize(
    ("text", "label"),
    [("4G", True), ("1. First", True), ("one of them", True), ("14 s", False)],
    ids=["network", "list", "pronoun", "figure"],
)
def test_a_label_is_no_figure(text: str, label: bool) -> None:
    assert is_label(text, numbers(text)[0]) == label
