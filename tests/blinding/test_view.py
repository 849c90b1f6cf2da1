from __future__ import annotations

from tests.builders import contract, trajectory, turn, user_tool
from userproxybench.blinding import Names, view
from userproxybench.models import ToolCall

BOUND = contract(user_tools=(user_tool("run_speed_test", description="measures the line"),))
SPEED_TEST = trajectory(
    turns_=(
        turn(0, "agent", "Run a speed test."),
        turn(1, "user", tool_calls=(ToolCall("run_speed_test", {"mode": "full"}),)),
        turn(
            2, "tool", "Speed Test Result: 4.1 Mbps (Fair)", requestor="user", tool="run_speed_test"
        ),
        turn(3, "user", "It says 41."),
        turn(4, "agent", calls=("get_customer",)),
        turn(5, "tool", "SECRET BALANCE 17", requestor="agent", tool="get_customer"),
        turn(6, "agent", "Thanks.", calls=("log_ticket",)),
        turn(7, "user", "Hello?", scripted=True),
        turn(8, "user"),
    ),
    under=BOUND,
)


def test_own_tool_evidence_is_in_the_prompt_and_the_agents_is_not() -> None:
    text = view(SPEED_TEST, BOUND, Names()).conversation
    assert '> run_speed_test({"mode": "full"})' in text
    assert "| Speed Test Result: 4.1 Mbps (Fair)" in text
    assert "None" not in text
    assert "SECRET BALANCE" not in text
    assert "get_customer" not in text
    assert "log_ticket" not in text
    assert "### turns 4-5 · the agent works with its own tools (hidden from the user)" in text


def test_turns_that_are_not_the_users_own_cannot_be_quoted() -> None:
    shown = view(SPEED_TEST, BOUND, Names())
    assert list(shown.user_turns) == [1, 3, 8]
    assert shown.user_turns[1].locate("run_speed_test") == "run_speed_test"
    assert "### turn 7 · user (scripted by the benchmark, not by the user)" in shown.conversation
    assert "### turn 8 · user (empty)" in shown.conversation


def test_contract_is_shown_without_gold_writes() -> None:
    bound = BOUND.model_copy(update={"gold_user_writes": ({"name": "toggle_roaming"},)})
    shown = view(trajectory(under=bound), bound, Names())
    assert "toggle_roaming" not in "".join(map(str, shown))
    assert "#### known_info\n| You are Wren Castellano, zip code 97214." in shown.blueprint
    assert "> run_speed_test: measures the line" in shown.user_tools


def test_own_file_and_id_are_withheld_where_they_occur() -> None:
    spoken = trajectory("agent: Hi", "user: see episode-0001 in runs/dump_one.json please")
    shown = view(spoken, contract(), Names.of_run([spoken]))
    assert "episode-0001" not in shown.conversation
    assert "dump_one" not in shown.conversation
    assert shown.redactions == 1


def test_models_of_the_whole_run_are_withheld_not_only_the_own_one() -> None:
    other = trajectory(proxy="vendor/Zephyr-9-large")
    spoken = trajectory("agent: Hi", "user: I am zephyr 9 large")
    shown = view(spoken, contract(), Names.of_run([spoken, other]))
    assert "zephyr" not in shown.conversation.lower()


def test_plain_words_as_proxy_names_do_not_spoil_the_dialogue() -> None:
    spoken = trajectory("agent: I am a human agent", "user: ok", proxy="human", agent="unknown")
    assert "I am a human agent" in view(spoken, contract(), Names.of_run([spoken])).conversation


def test_leak_scan_finds_what_rendering_would_let_through() -> None:
    spoken = trajectory(proxy="gpt-4.1-mini")
    names = Names.of_run([spoken])
    assert names.leaks("proxy: GPT-4.1-mini", spoken) == ["gpt-4.1-mini"]
    assert names.leaks("in runs/dump_one.json", spoken) == ["runs/dump_one.json"]
    assert names.leaks("nothing here", spoken) == []
    assert names.leaks("gpt-4.1-mini", spoken, template="the word gpt-4.1-mini") == []
