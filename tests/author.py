"""A scripted author, reader and judge behind the loopback server, for runs from end to end."""

from __future__ import annotations

import json
import re

from tests.openai_server import Request, honest_judge
from userproxybench.replies import READ_CHECKS

_ASKS = (
    ("volunteers_unasked_info", "The user holds back what stands in {words} until it is asked."),
    ("contradicts_blueprint", "The user says nothing that differs from {words}."),
    ("premature_stop", "The user stays in the talk while {words} is open."),
    ("withholds_requested_info", "The user answers when the agent asks about {words}."),
    ("omits_required_request", "The user raises {words} before it leaves."),
    ("pursues_unlisted_goal", "The user wants no other thing than {words}."),
)


def reply_to(request: Request) -> str:
    """What a writer, a reader or a judge would send, by the schema that is asked for."""
    if request.schema == "CriteriaReply":
        return json.dumps({"criteria": _criteria(request.text)})
    if request.schema == "ReviewReply":
        return json.dumps({"reviews": _reviews(request.text)})
    return honest_judge(request)


def _criteria(text: str) -> list[dict[str, str]]:
    """Six criteria on the first words of the blueprint, one of them badly quoted at first."""
    block = text.split("# Private blueprint", 1)[1].split("# The user's own tools")[0]
    source = re.findall(r"^#### (\w+)$", block, re.MULTILINE)[0]
    line = next(text for text in re.findall(r"^\| +(.{20,}?) *$", block, re.MULTILINE))
    words = re.findall(r"\w+", line)
    again = "# Second round" in text
    return [
        {
            "statement": statement.format(words=" ".join(words[number : number + 3]) or line[:20]),
            "applies_when": "",
            "mode": mode,
            "source": source,
            "quotation": line[:60].rsplit(" ", 1)[0] if number or again else "never written there",
        }
        for number, (mode, statement) in enumerate(_ASKS[:1] if again else _ASKS)
    ]


def _reviews(text: str) -> list[dict[str, object]]:
    """Everything passes but the second criterion of a first round."""
    return [
        {"criterion": name, "reason": "as read"}
        | {check: (name, check) != ("c2", "achievable") for check in READ_CHECKS}
        for name in re.findall(r"^\| Id: (\S+)$", text, re.MULTILINE)
    ]
