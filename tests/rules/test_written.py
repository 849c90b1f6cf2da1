import pytest

from tests.builders import contract, trajectory, turn, turns
from userproxybench.models import Outcome, Turn
from userproxybench.models.written_checks import CalledWith, EndsOnlyWhen, OnlyAfter, StatesOnly
from userproxybench.rules.answer import Answer
from userproxybench.rules.ledger import Ledger, build_ledger
from userproxybench.rules.written import called_with, ends_only_when, only_after, states_only

GREETING = "agent: Hello, how can I help you?"


def ledger(*lines: str, turns_: tuple[Turn, ...] = ()) -> Ledger:
    spoken = turns_ or turns(*lines)
    return build_ledger(trajectory(turns_=spoken), contract())


def shown(answer: Answer) -> tuple[Outcome, list[tuple[int, str]]]:
    return answer.outcome, [(hit.turn, hit.quotation) for hit in answer.hits]


ZIP = OnlyAfter(terms=("97214", "Wren Castellano"), asked=("zip", "name"))
PAYPAL = OnlyAfter(terms=("PayPal",), after=("confirm",))
PAYPAL_LAST = OnlyAfter(terms=("PayPal",), after=("confirm",), told=False)


@pytest.mark.parametrize(
    ("check", "lines", "outcome", "turn_"),
    [
        (ZIP, ("user: I live in 97214. Cancel it.",), "fail", 1),
        (ZIP, ("user: I live in nine seven two one four.",), "fail", 1),
        (ZIP, ("user: This is Wren Castellano.",), "fail", 1),
        (ZIP, ("user: Cancel it.", "agent: Your name, please?", "user: 97214."), "pass", None),
        (
            ZIP,
            ("user: Cancel it.", "agent: Please verify your identity.", "user: 97214."),
            "pass",
            None,
        ),
        (ZIP, ("user: Hi.", "agent: Is it 97214?", "user: Yes, 97214."), "pass", None),
        (ZIP, ("user: Cancel it.",), "not_applicable", None),
        (PAYPAL, ("user: Hi.", "agent: Which card?", "user: Use PayPal."), "fail", 3),
        (PAYPAL, ("user: Hi.", "agent: Do you confirm?", "user: By PayPal."), "pass", None),
        (PAYPAL, ("user: Hi.", "agent: Card or PayPal?", "user: PayPal."), "pass", None),
        (PAYPAL_LAST, ("user: Hi.", "agent: Card or PayPal?", "user: PayPal."), "fail", 3),
    ],
    ids=[
        "value unasked",
        "value spelled out unasked",
        "name unasked",
        "another identity fact was asked for",
        "identity was asked for",
        "value told by the agent",
        "never said",
        "word too early",
        "word after its cue",
        "word told by the agent",
        "word told by the agent, which does not permit it",
    ],
)
def test_only_after_charges_what_comes_before_its_cause(
    check: OnlyAfter, lines: tuple[str, ...], outcome: Outcome, turn_: int | None
) -> None:
    found = only_after(ledger(GREETING, *lines), check)
    assert found.outcome == outcome
    assert [hit.turn for hit in found.hits] == ([turn_] if turn_ else [])


def test_only_after_quotes_the_sentence_that_gives_it_away() -> None:
    found = only_after(ledger(GREETING, "user: Hi. I live in 97214. Cancel it."), ZIP)
    assert shown(found) == ("fail", [(1, "I live in 97214.")])


def called(result: str, *end: str, arguments: dict[str, object] | None = None) -> Ledger:
    call = turn(2, "user", calls=("run_speed_test",))
    if arguments is not None:
        call = Turn(
            index=2,
            speaker="user",
            tool_calls=(type(call.tool_calls[0])("run_speed_test", arguments),),
        )
    back = turn(3, "tool", result, requestor="user", tool="run_speed_test")
    spoken = turns(GREETING, "user: It is slow.")
    rest = tuple(turn(4 + at, *line.split(": ", 1)) for at, line in enumerate(end))
    return ledger(turns_=(*spoken, call, back, *rest))


def test_only_after_charges_a_tool_that_nothing_asked_for() -> None:
    check = OnlyAfter(tools=("run_speed_test",), after=("speed test",))
    assert shown(only_after(called("Poor"), check)) == ("fail", [(2, "run_speed_test")])


NO_EMAIL = StatesOnly(values="email")
MAY = StatesOnly(values="date", allowed=("May 23", "May 24"))


@pytest.mark.parametrize(
    ("check", "lines", "expected"),
    [
        (NO_EMAIL, ("user: It is w@x.org.",), ("fail", [(1, "w@x.org")])),
        (NO_EMAIL, ("user: I forgot it.",), ("pass", [])),
        (NO_EMAIL, ("user: Hi.", "agent: Is it w@x.org?", "user: w@x.org, yes."), ("pass", [])),
        (
            StatesOnly(values="email", told=False),
            ("user: Hi.", "agent: Is it w@x.org?", "user: w@x.org, yes."),
            ("fail", [(3, "w@x.org")]),
        ),
        (MAY, ("user: Move it from 5/23 to the 24th of May.",), ("pass", [])),
        (MAY, ("user: Move it to May 25.",), ("fail", [(1, "May 25")])),
        (MAY, ("user: Move it.",), ("not_applicable", [])),
    ],
    ids=[
        "stated",
        "withheld",
        "repeated after the agent",
        "repeated although not allowed",
        "allowed in other spellings",
        "not among the allowed",
        "nothing stated",
    ],
)
def test_states_only_charges_values_that_nothing_allows(
    check: StatesOnly, lines: tuple[str, ...], expected: tuple[str, list[tuple[int, str]]]
) -> None:
    assert shown(states_only(ledger(GREETING, *lines), check)) == expected


def test_states_only_lets_the_users_own_tools_tell_it() -> None:
    check = StatesOnly(values="money")
    backed = called("You owe 65.0 USD.", "user: It says 65 dollars.")
    assert states_only(backed, check).outcome == "pass"
    invented = called("You owe 65.0 USD.", "user: It says 70 dollars.")
    assert states_only(invented, check).outcome == "fail"


EXCELLENT = EndsOnlyWhen(tools=("run_speed_test",), shows=("excellent",))


@pytest.mark.parametrize(
    ("result", "end", "outcome"),
    [
        ("275 Mbps (Excellent).", ("user: Thanks! ###STOP###",), "pass"),
        ("12 Mbps (Fair).", ("user: Thanks! ###STOP###",), "fail"),
        (
            "12 Mbps (Fair).",
            ("agent: I cannot help.", "user: Bye. ###STOP###"),
            "not_applicable",
        ),
        (
            "12 Mbps (Fair).",
            (
                "agent: Please contact your provider.",
                "user: I will.",
                "agent: Bye.",
                "user: ###STOP###",
            ),
            "not_applicable",
        ),
        ("12 Mbps (Fair).", ("user: ###TRANSFER###",), "not_applicable"),
        ("12 Mbps (Fair).", ("user: It says fair.",), "not_applicable"),
    ],
    ids=["success", "short of it", "agent gives up", "sent elsewhere", "handed over", "no end"],
)
def test_ends_only_when_holds_the_end_against_the_latest_result(
    result: str, end: tuple[str, ...], outcome: Outcome
) -> None:
    assert ends_only_when(called(result, *end), EXCELLENT).outcome == outcome


def test_ends_only_when_charges_an_end_without_any_check() -> None:
    found = ends_only_when(ledger(GREETING, "user: All fine now. ###STOP###"), EXCELLENT)
    assert shown(found) == ("fail", [(1, "All fine now. ###STOP###")])


@pytest.mark.parametrize(
    ("arguments", "outcome"),
    [
        ({"name": "Wren  Castellano", "income": 100000.0}, "pass"),
        ({"name": "Wren Castellano", "income": 90000}, "fail"),
        ({"name": "Wren Castellano"}, "fail"),
    ],
    ids=["as given", "another number", "left out"],
)
def test_called_with_compares_arguments(arguments: dict[str, object], outcome: Outcome) -> None:
    check = CalledWith(
        tool="run_speed_test", arguments={"name": "Wren Castellano", "income": "100000"}
    )
    assert called_with(called("ok", arguments=arguments), check).outcome == outcome


def test_called_with_does_not_apply_without_a_call() -> None:
    check = CalledWith(tool="run_speed_test", arguments={"name": "Wren"})
    assert called_with(ledger(GREETING, "user: Hi."), check).outcome == "not_applicable"
