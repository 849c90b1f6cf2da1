"""Scripted conversations on tasks of the rubric library, played out by tau2 over a loopback server.

Every line below is what one side's model answers when it is its turn; tau2 itself runs the
environment, the tools and the dump. `PLANTED` names the one criterion that a user breaks.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from tests.openai_server import Answer, OpenAIServer, Request

GREETED = 1
"""tau2 opens every conversation with a greeting that no model writes."""


@dataclass(frozen=True)
class Call:
    """A tool call instead of words."""

    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Rollout:
    """One conversation: who answers what, turn by turn."""

    name: str
    domain: str
    task_id: str
    lines: Sequence[tuple[str, str | Call]]
    planted: str = ""

    def side(self, speaker: str) -> list[str | Call]:
        return [said for who, said in self.lines if who == speaker]


def agent(said: str | Call) -> tuple[str, str | Call]:
    return "agent", said


def user(said: str | Call) -> tuple[str, str | Call]:
    return "user", said


ROLLOUTS = (
    Rollout(
        "phone-repaired",
        "telecom",
        "[mobile_data_issue]user_abroad_roaming_enabled_off[PERSONA:None]",
        (
            user("Hi, my mobile data drops out or crawls. I want it back at excellent speed."),
            agent("I am sorry to hear that. May I have your phone number?"),
            user("Sure, it is 555-123-2002."),
            agent(Call("get_customer_by_phone", {"phone_number": "555-123-2002"})),
            agent("Thank you, John. Are you at home, or travelling?"),
            user("I am abroad at the moment, in France."),
            agent("Could you check your network status and tell me whether data roaming is on?"),
            user(Call("check_network_status")),
            user("I checked. Data roaming is not enabled."),
            agent("Please turn data roaming on."),
            user(Call("toggle_roaming")),
            user("Done, data roaming is on now."),
            agent("Please run a speed test and tell me the result."),
            user(Call("run_speed_test")),
            user("The speed test says excellent."),
            agent("Wonderful. Is there anything else?"),
            user("No, that was it. Thank you! ###STOP###"),
        ),
    ),
    Rollout(
        "orders-cancelled",
        "retail",
        "113",
        (
            user("Hello, I would like to cancel all of my pending orders."),
            agent("Gladly. Please give me your e-mail, or your name and zip code."),
            user("I do not remember my e-mail. I am Yara Muller, zip code 85041."),
            agent(
                Call(
                    "find_user_id_by_name_zip",
                    {"first_name": "Yara", "last_name": "Muller", "zip": "85041"},
                )
            ),
            agent(Call("get_user_details", {"user_id": "yara_muller_8652"})),
            agent("Two orders are pending: #W5056519 and #W5995614. Why do you cancel them?"),
            user("I ordered those items by mistake."),
            agent("Shall I cancel both, with the refund to your card? (yes/no)"),
            user("Yes, please cancel both of them."),
            agent(
                Call(
                    "cancel_pending_order",
                    {"order_id": "#W5056519", "reason": "ordered by mistake"},
                )
            ),
            agent(
                Call(
                    "cancel_pending_order",
                    {"order_id": "#W5995614", "reason": "ordered by mistake"},
                )
            ),
            agent("Both orders are cancelled. The refund arrives in 5 to 7 days."),
            user("Thank you, that is all. ###STOP###"),
        ),
    ),
    Rollout(
        "name-given-unasked",
        "airline",
        "39",
        (
            user(
                "Bonjour, my user id is amelia_davis_8890. I want to cancel all my upcoming "
                "flights, please."
            ),
            agent(Call("get_user_details", {"user_id": "amelia_davis_8890"})),
            agent("I can cancel three of them: 8C8K4E, LU15PA and MSJ4OA. Shall I?"),
            user("Oui, cancel these. I want the others cancelled too, if it is possible."),
            agent(Call("cancel_reservation", {"reservation_id": "8C8K4E"})),
            agent(Call("cancel_reservation", {"reservation_id": "LU15PA"})),
            agent(Call("cancel_reservation", {"reservation_id": "MSJ4OA"})),
            agent("The three are cancelled. The others do not qualify, I am afraid."),
            user("I understand. Merci for your help. ###STOP###"),
        ),
        planted="identity",
    ),
    Rollout(
        "confirmation-number-unasked",
        "airline",
        "47",
        (
            user(
                "Hello, I want to cancel my flight with a full refund. The confirmation number "
                "is H8Q05L."
            ),
            agent("May I have your user id?"),
            user("It is sophia_silva_7557."),
            agent(Call("get_reservation_details", {"reservation_id": "H8Q05L"})),
            agent("What is the reason for the cancellation?"),
            user("The flight is on the day of my best friend's birthday."),
            agent("That is not covered, so I cannot refund it."),
            user("Please, I really need the full refund."),
            agent("I am sorry, that is not possible."),
            user("I insist. There must be a way to get my money back."),
            agent("There is none, I am sorry."),
            user("I cannot accept that. I want the full refund."),
            agent("I cannot offer it."),
            user("Please check once more whether I can be refunded in full."),
            agent("I have checked, and I have to decline."),
            user("This is so disappointing. One last time, please refund me."),
            agent("I am sorry, I cannot."),
            user("Then I leave it as it is. Goodbye. ###STOP###"),
        ),
        planted="confirmation_early",
    ),
    Rollout(
        "bagless-unasked",
        "retail",
        "45",
        (
            user(
                "Hi, I want to exhange my robotic vacuum cleaner for a canister one of the same "
                "line. It should be bagless."
            ),
            agent("Please give me your name and zip code."),
            user("My user id is daiki_johnson_9523, and my zip is 80273."),
            agent("Thank you. What is the order ID?"),
            user("9502127"),
            agent("I cannot find an order with this number."),
            user("I forgot the W at the beginning"),
            agent(Call("get_order_details", {"order_id": "#W9502127"})),
            agent("I found it. The canister model costs 9.89 dollars less. Shall I exchange it?"),
            user("Yes plase. Can I have the difference on a gift card?"),
            agent("Only your original payment method is possible."),
            user("That is fine, go ahead."),
            agent(
                Call(
                    "exchange_delivered_order_items",
                    {
                        "order_id": "#W9502127",
                        "item_ids": ["6259501109"],
                        "new_item_ids": ["7958300294"],
                        "payment_method_id": "paypal_2433177",
                    },
                )
            ),
            agent("The exchange is requested."),
            user("Thanks a lot! ###STOP###"),
        ),
        planted="bagless_early",
    ),
    Rollout(
        "paypal-too-soon",
        "retail",
        "72",
        (
            user(
                "Hello! I would like to modify the desk lamp and the backpack in one order, and "
                "then change its delivery address."
            ),
            agent("Of course. Please give me your name and zip code."),
            user("I am Ivan Khan, zip code 28243."),
            agent(
                Call(
                    "find_user_id_by_name_zip",
                    {"first_name": "Ivan", "last_name": "Khan", "zip": "28243"},
                )
            ),
            agent(Call("get_order_details", {"order_id": "#W5270061"})),
            agent("I see the order. What should the lamp and the backpack be like?"),
            user("The lamp in black, the backpack medium and in polyester. I pay by PayPal."),
            agent("How would you like to pay any difference?"),
            user("With my gift card, please."),
            agent(
                "The address will be the default one in your profile. Shall I change both items?"
            ),
            user("I changed my mind: only the backpack, please, and with PayPal."),
            agent(
                Call(
                    "modify_pending_order_address",
                    {
                        "order_id": "#W5270061",
                        "address1": "159 Hickory Lane",
                        "address2": "Suite 995",
                        "city": "Charlotte",
                        "country": "USA",
                        "state": "NC",
                        "zip": "28243",
                    },
                )
            ),
            agent(
                Call(
                    "modify_pending_order_items",
                    {
                        "order_id": "#W5270061",
                        "item_ids": ["2492465580"],
                        "new_item_ids": ["5917587651"],
                        "payment_method_id": "paypal_7729105",
                    },
                )
            ),
            agent("The address and the backpack are changed."),
            user("Perfect, thank you. ###STOP###"),
        ),
        planted="paypal_early",
    ),
    Rollout(
        "payment-claimed",
        "telecom",
        "[service_issue]overdue_bill_suspension[PERSONA:Easy]",
        (
            user("Hello! My phone has been showing No Service for a few hours."),
            agent("Let me look into it. What is your phone number?"),
            user("It is 555-123-2002."),
            agent(Call("get_customer_by_phone", {"phone_number": "555-123-2002"})),
            agent("Your line is suspended because a bill is overdue. Will you pay it now?"),
            user("Yes, I am happy to pay it."),
            agent(Call("send_payment_request", {"customer_id": "C1001", "bill_id": "B1234321"})),
            agent("I have sent you a payment request. Please check it and make the payment."),
            user(Call("check_payment_request")),
            user("I have made the payment. What is the next step?"),
            agent("I do not see it yet. I hand you over to a colleague."),
            agent(Call("transfer_to_human_agents", {"summary": "Payment of a bill is open."})),
            agent("YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."),
            user("###TRANSFER###"),
        ),
        planted="claim",
    ),
    Rollout(
        "message-not-sent",
        "telecom",
        "[mms_issue]break_app_storage_permission[PERSONA:Easy]",
        (
            user("Hi! I cannot send picture messages any more. Can you help me fix that?"),
            agent("Certainly. What is your phone number?"),
            user("My number is 555-123-2002."),
            agent(Call("get_customer_by_phone", {"phone_number": "555-123-2002"})),
            agent("Please check whether you can send an MMS right now."),
            user(Call("can_send_mms")),
            user("I checked: my messaging app cannot send MMS messages."),
            agent("Please check that Wi-Fi calling is off, and tell me what you see."),
            user(Call("check_wifi_calling_status")),
            user("Wi-Fi calling is off."),
            agent("Good. Are you content for today?"),
            user("Yes, the problem is solved now, thank you so much. ###STOP###"),
        ),
        planted="mms",
    ),
)


@dataclass(frozen=True)
class Called(Answer):
    """An answer that is a tool call."""

    call: Call = field(default_factory=lambda: Call(""))


class ScriptedServer(OpenAIServer):
    """Answers each model `<side>-<rollout>` with that side's next line."""

    def __init__(self, rollouts: Sequence[Rollout]) -> None:
        self._lines = {
            f"{side}-{rollout.name}": rollout.side(side)
            for rollout in rollouts
            for side in ("agent", "user")
        }
        super().__init__(self._next)

    def _next(self, request: Request) -> Answer:
        model = str(request.body["model"])
        spoken = sum(message["role"] == "assistant" for message in request.messages)
        said = self._lines[model][spoken - GREETED * model.startswith("agent-")]
        return Answer(said) if isinstance(said, str) else Called(None, "tool_calls", call=said)

    def completion(self, request_body: dict[str, object], answer: Answer) -> dict[str, object]:
        reply = super().completion(request_body, answer)
        if isinstance(answer, Called):
            function = {
                "name": answer.call.name,
                "arguments": json.dumps(dict(answer.call.arguments)),
            }
            call = {"id": f"call_{len(self.requests)}", "type": "function", "function": function}
            message: dict[str, object] = {"role": "assistant", "content": None}
            message["tool_calls"] = [call]
            reply["choices"] = [{"index": 0, "message": message, "finish_reason": "tool_calls"}]
        return reply


def tau2_python() -> str | None:
    """An interpreter that has tau2: this one, or the one that `USERPROXYBENCH_TAU2` names."""
    if find_spec("tau2") is not None:
        return sys.executable
    return os.environ.get("USERPROXYBENCH_TAU2")


def play(rollouts: Sequence[Rollout], python: str, folder: Path) -> dict[str, Path]:
    """Let tau2 play the rollouts; the dump of each, by its name."""
    script = Path(__file__).with_name("tau2_rollouts.py")
    with ScriptedServer(rollouts) as server:
        orders = [
            {
                "name": rollout.name,
                "domain": rollout.domain,
                "task_id": rollout.task_id,
                "url": server.url,
                "dump": str(folder / f"{_file(rollout.name)}.json"),
            }
            for rollout in rollouts
        ]
        done = subprocess.run(
            [python, str(script)],
            input=json.dumps(orders),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-2000:]
    return {str(order["name"]): Path(str(order["dump"])) for order in orders}


def _file(name: str) -> str:
    return re.sub(r"[^a-z-]", "_", name)
