import pytest

from tests.rules.talks import GREETING, ledger, under
from userproxybench.rules.tool_words import asked_tools

TOOLS = (
    "restart_router",
    "read_router_lights",
    "list_connected_devices",
    "toggle_wifi_calling",
    "check_apn_settings",
    "check_for_stop",
)
BOUND = under(TOOLS, reason_for_call="Your internet is slow.")


@pytest.mark.parametrize(
    ("asked", "tools"),
    [
        ("Restart the router.", ["restart_router"]),
        ("Could you turn the router off and on again?", ["restart_router"]),
        ("What do the lights of the router show?", ["read_router_lights"]),
        ("Now list the devices, please.", ["list_connected_devices"]),
        ("Then turn off Wi-Fi calling.", ["toggle_wifi_calling"]),
        ("I'll restart the router from here.", []),
        ("How can I help you today?", []),
        ("Please check your settings.", []),
    ],
    ids=["order", "off and on", "look", "verb and object", "joined", "own act", "hello", "plain"],
)
def test_the_tools_that_an_agent_asks_for(asked: str, tools: list[str]) -> None:
    book = ledger(BOUND, GREETING, "user: It's slow.", f"agent: {asked}", "user: All right.")
    assert asked_tools(book, book.replies[-1], ()) == tools
