import pytest

from userproxybench.accord.words import asserts, content, core, denies, said, sentences, stem


@pytest.mark.parametrize(
    ("text", "value", "attribute"),
    [
        pytest.param("Navy blue, please.", "navy blue", "", id="plain"),
        pytest.param("I can pay up to $60.", "at most $60", "", id="limit in other words"),
        pytest.param("Sixty dollars at most.", "at most $60", "", id="number as a word"),
        pytest.param("$1,200 is my limit", "up to $1200.00", "", id="thousands and cents"),
        pytest.param("One kilogram.", "1 kg", "", id="unit in full"),
        pytest.param("a non-stop flight", "nonstop", "", id="compound apart"),
        pytest.param("Grey would do.", "gray", "", id="other spelling"),
        pytest.param("A colour like café crème", "cafe creme", "", id="accents"),
        pytest.param("Ceramic.", "ceramic pot", "pot", id="attribute understood"),
        pytest.param("the shell should be hard", "hard shell", "", id="other order"),
        pytest.param("From 10 to 17 January", "10 to 17 January", "", id="dates"),
        pytest.param("No more than $80.", "no more than $80", "", id="no more than is no denial"),
        pytest.param("No problem, navy is fine", "navy", "", id="no problem is no denial"),
        pytest.param("I wouldn't mind silver", "silver", "", id="not minding is no denial"),
        pytest.param("It isn't blue, but teal", "teal", "", id="denial ends with its clause"),
    ],
)
def test_a_value_is_found_however_it_is_said(text: str, value: str, attribute: str) -> None:
    assert asserts(text, [value], attribute)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("Not navy.", "navy", id="not"),
        pytest.param("I don't like Norwind.", "Norwind", id="contraction"),
        pytest.param("Black instead of brass.", "brass", id="instead of"),
        pytest.param("Silver isn't for me.", "silver", id="denied after it"),
        pytest.param("anything but grey", "grey", id="anything but"),
    ],
)
def test_a_denied_value_is_not_said(text: str, value: str) -> None:
    assert denies(text, [value])
    assert not asserts(text, [value])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("Mustard sauce.", "mustard yellow", id="half of it"),
        pytest.param("42 euros", "43", id="other number"),
        pytest.param("Hard. The shell is soft.", "hard shell", id="across sentences"),
        pytest.param("", "navy", id="nothing said"),
    ],
)
def test_a_value_that_is_not_there_is_not_found(text: str, value: str) -> None:
    assert said(text, [value]) == []


def test_a_value_all_of_filler_keeps_its_words() -> None:
    assert content("under") == ("under",)


def test_what_is_left_when_the_attribute_is_understood() -> None:
    assert core("hard shell", "shell") == ("hard",)
    assert core("headrest", "headrest") == ("headrest",)


def test_a_decimal_point_ends_no_sentence() -> None:
    assert sentences("It costs $79.50 now. Shall I?") == ["It costs $79.50 now.", "Shall I?"]


@pytest.mark.parametrize(
    ("word", "normal"),
    [("boxes", "box"), ("berries", "berry"), ("glass", "glass"), ("twelve", "12"), ("$90", "90")],
)
def test_words_have_one_normal_form(word: str, normal: str) -> None:
    assert stem(word) == normal
