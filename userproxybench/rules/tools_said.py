"""What the user says of its own tools and devices, against what its tools did and showed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from userproxybench.models.checks import (
    ClaimsBacked,
    NoUnaskedStep,
    ReportsAgree,
    ReportsBacked,
    StateGrounded,
)
from userproxybench.rules.answer import Answer, Hit, answer
from userproxybench.rules.asks import questions
from userproxybench.rules.ledger import Called, Ledger, Reply
from userproxybench.rules.numbers import Number, numbers
from userproxybench.rules.text import (
    Sentence,
    clauses,
    is_hypothetical,
    is_negated,
    is_uncertain,
    sentences,
    stem,
    stems,
    words,
)

_READS = frozenset(
    "check read run list get view show test see look inspect measure find query status can verify".split()
)
_SYNONYMS: dict[str, frozenset[str]] = {
    stem(word): frozenset(stem(other) for other in group)
    for group in (
        ("restart", "reboot", "reset", "powercycle", "cycle"),
        ("reseat", "replug", "unplug", "plug", "reinsert", "reconnect", "push", "pull"),
        ("toggle", "turn", "switch", "enable", "disable", "activate", "deactivate"),
        ("set", "change", "adjust", "switch"),
        ("press", "hold", "push"),
        ("pair", "connect", "link"),
        ("wifi", "wi-fi", "wireless"),
    )
    for word in group
}
_BASE = {"made": "make", "sent": "send", "took": "take", "taken": "take"}
_ADVERB = (
    r"(?:\s+(?:just|now|already|also|successfully|both|all|done so and|gone ahead and|then|"
    r"finally|carefully|quickly))*"
)
_PERFECT = re.compile(
    rf"\bI(?:['’]ve| have){_ADVERB}\s+(?P<verb>\w+)|\b(?:I|and|then){_ADVERB}\s+(?P<past>\w+ed|ran|took|made|sent|put|did|reset|set|"
    rf"went|held|read|unplugged)\b|^(?:Right,? |OK(?:ay)?,? |Alright,? |Sure,? |Yes,? )*(?:I )?(?:[Jj]ust )(?P<bare>\w+(?:ed)?)\b",
    re.MULTILINE,
)
_PROGRESSIVE = re.compile(
    r"\bI(?:['’]m| am)(?:\s+(?:just|now|already|currently))*\s+(?P<verb>\w+ing)\b", re.I
)
_NOW = re.compile(
    r"\b(?:now|right now|as we speak|at the moment|currently|this (?:very )?(?:second|moment)|just a (?:moment|second|sec))\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|right|alright|all right|sure|yes|yep|great|there|perfect)[,.!]?\s+)*"
    r"(?:all |it['’]s |that['’]s |i['’]m )?(?:done|did it|did that|finished|completed)\b(?!\s+(?:when|once|if))",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:I['’]ll|I will|I['’]m going to|going to|let me|will|shall|about to|would|before I|plan to|try to)\b",
    re.IGNORECASE,
)
_INNER = frozenset(
    stem(word)
    for word in "been had got noticed tried wanted needed asked told mentioned decided considered heard received "
    "seen understood confirmed provided given lost forgotten called contacted thought moved traveled travelled "
    "used booked ordered paid purchased bought explained said stated shared waited hoping planning looking "
    "trying having getting experiencing wondering thinking using calling writing asking talking facing dealing "
    "traveling travelling working seeing going".split()
)
_SHOWS = re.compile(
    r"\b(?:(?:it|that|this|display|screen|app|light|test|result|box|meter|page|status)\w*\s+(?:now |still |also |just )*"
    r"(?:says?|shows?|reads?|displays?|reports?|lists?|came back|came out|passed|failed|worked|is showing|turned)|i see\b|"
    r"i can see|it['’]s (?:now )?(?:showing|saying|reading|at|on|off|connected|working|back|still)|it worked)",
    re.IGNORECASE,
)
_SUCCESS = re.compile(
    r"\b(?:worked|works(?: now)?|success\w*|went through|succeeded|is (?:now )?(?:paired|connected|online|working|fixed|"
    r"back)|it['’]s (?:now )?(?:paired|connected|online|working|fixed|back)|no (?:problems?|errors?|issues?)|was sent|got sent)\b",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"\b(?:fail\w*|error|could not|couldn['’]t|unable|no measurement|timed? out|aborted|invalid|unavailable|busy|"
    r"not awake|cannot|can['’]t|not possible|rejected|denied)\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|just over|just under|some|approximately|or so|ish|over|under)\b",
    re.I,
)
_AGAIN = re.compile(
    r"\b(?:again|once more|another|now|this time|one more time|re-?check|re-?run|fresh|new)\b",
    re.IGNORECASE,
)
_STATES: dict[str, frozenset[str]] = {
    "on": frozenset({"off", "disabled"}),
    "off": frozenset({"on", "enabled"}),
    "enabled": frozenset({"off", "disabled"}),
    "disabled": frozenset({"on", "enabled"}),
    "connected": frozenset({"disconnected", "offline"}),
    "disconnected": frozenset({"connected", "online"}),
    "online": frozenset({"offline", "disconnected"}),
    "offline": frozenset({"online", "connected"}),
    "active": frozenset({"inactive", "locked", "missing"}),
    "open": frozenset({"closed", "shut"}),
    "closed": frozenset({"open"}),
    "locked": frozenset({"unlocked"}),
    "unlocked": frozenset({"locked"}),
    "pass": frozenset({"fail", "failed"}),
    "passed": frozenset({"failed", "fail"}),
    "failed": frozenset({"passed", "pass"}),
    "excellent": frozenset({"good", "fair", "poor"}),
    "good": frozenset({"fair", "poor", "excellent"}),
    "fair": frozenset({"good", "excellent", "poor"}),
    "poor": frozenset({"good", "excellent", "fair"}),
    "green": frozenset({"red", "amber", "orange", "yellow"}),
    "red": frozenset({"green", "amber", "orange", "yellow"}),
    "amber": frozenset({"green", "red"}),
    "steady": frozenset({"blinking", "flashing"}),
    "blinking": frozenset({"steady", "solid"}),
}


class _Tool(NamedTuple):
    name: str
    key: frozenset[str]
    """Stems of the object words of its name."""
    verb: frozenset[str]
    """Stems that name its action, synonyms included."""
    reads: bool


def claims_backed(ledger: Ledger, check: ClaimsBacked) -> Answer:
    """Evaluate `ClaimsBacked`."""
    hits = []
    arose = False
    for reply in ledger.replies:
        for sentence, named in _claims(ledger, reply, check.tools):
            arose = True
            if not _is_backed(ledger, reply, sentence.text, named):
                which = " or ".join(sorted(tool.name for tool in named)[:3])
                reason = f"no successful call of {which or 'a tool'} backs this claim"
                hits.append(Hit(reply.index, sentence.text, reason))
                break
    return answer(hits, arose=arose)


def reports_backed(ledger: Ledger, check: ReportsBacked) -> Answer:
    """Evaluate `ReportsBacked`."""
    hits, arose = [], False
    for reply in ledger.replies:
        asked = _asked(ledger, reply, check.tools)
        if reply.calls:
            arose = True
            hits += _false_success(reply)
        elif asked:
            shown = _report(ledger, reply)
            arose = arose or shown is not None
            stale = [tool for tool in asked if not _still_current(ledger, reply, tool)]
            if shown is not None and len(stale) == len(asked):
                reason = f"the agent asked for {stale[0].name}; it was not run before this report"
                hits.append(Hit(reply.index, shown.text, reason))
    return answer(hits, arose=arose)


def reports_agree(ledger: Ledger, check: ReportsAgree) -> Answer:
    """Evaluate `ReportsAgree`."""
    hits, arose = [], False
    for reply in ledger.replies:
        calls = [c for c in reply.calls if not check.tools or c.tool in check.tools]
        if not calls:
            continue
        arose = True
        hits += _wrong_numbers(ledger, reply, calls)
        hits += _wrong_states(reply, calls)
    return answer(hits, arose=arose)


def state_grounded(ledger: Ledger, _: StateGrounded) -> Answer:
    """Evaluate `StateGrounded`: answers to device questions that no tool could answer."""
    hits, arose = [], False
    for reply in ledger.replies:
        if reply.calls or not reply.agent or _asked(ledger, reply, ()):
            continue
        if not any("?" in sentence for sentence in questions(reply.agent)):
            continue
        arose = True
        hits += _novel_state(ledger, reply)
    return answer(hits, arose=arose)


def no_unasked_step(ledger: Ledger, _: NoUnaskedStep) -> Answer:
    """Evaluate `NoUnaskedStep`: a call before anything the agent said can have asked for it."""
    hits = []
    for call in ledger.calls:
        said = "\n".join(ledger.agent_before(call.turn))
        tool = _tool(call.tool)
        if not _overlaps(tool, _widened(said)) and not _invites_steps(said):
            text = next(t.text for t in ledger.trajectory.turns if t.index == call.turn)
            if not text:
                reason = f"{call.tool} was used before the agent asked for any such step"
                hits.append(Hit(call.turn, call.tool, reason))
    return answer(hits[:1], arose=bool(ledger.calls))


@lru_cache(maxsize=1024)
def _tool(name: str) -> _Tool:
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|\d+|[A-Z]+(?![a-z])", name)]
    head = stem(parts[0]) if parts else ""
    reads = bool(parts) and parts[0] in _READS
    key = frozenset(stem(part) for part in parts[1:] if part not in ("status", "the", "my"))
    verb = frozenset() if reads else frozenset({head}) | _SYNONYMS.get(head, frozenset())
    return _Tool(name, key, verb, reads)


def _tools(ledger: Ledger, only: tuple[str, ...]) -> list[_Tool]:
    names = only or tuple(tool.name for tool in ledger.contract.user_tools)
    return [_tool(name) for name in names]


@lru_cache(maxsize=8192)
def _widened(text: str) -> frozenset[str]:
    found = {stem(word) for word in words(text)}
    joined = text.lower().replace("-", "").replace("_", " ")
    return frozenset(found | {stem(word) for word in words(joined)})


def _overlaps(tool: _Tool, text: frozenset[str]) -> int:
    """How well words name a tool: object words count once, the action once; 0 when neither fits."""
    objects = len(tool.key & text)
    if tool.reads:
        return objects if objects >= min(len(tool.key), 2) and tool.key else 0
    acted = bool(tool.verb & text)
    return objects + acted if acted and (objects or not tool.key) else 0


def _asked(ledger: Ledger, reply: Reply, only: tuple[str, ...]) -> list[_Tool]:
    """Tools that the agent's last words ask for."""
    wanted = _widened(" ".join(questions(reply.agent)))
    scored = [(tool, _overlaps(tool, wanted)) for tool in _tools(ledger, only)]
    best = max((score for _, score in scored), default=0)
    return [tool for tool, score in scored if score == best and best > 0]


def _claims(
    ledger: Ledger, reply: Reply, only: tuple[str, ...]
) -> Iterator[tuple[Sentence, list[_Tool]]]:
    """Sentences in which the user says that it did, or is doing, a step of a tool."""
    tools = _tools(ledger, only)
    asked = _asked(ledger, reply, only)
    for sentence in sentences(reply.text):
        if sentence.is_question:
            continue
        for clause in clauses(sentence.text) or [sentence.text]:
            verb = _claimed_verb(clause)
            if (
                verb is None
                or is_negated(clause)
                or is_hypothetical(clause)
                or is_uncertain(clause)
            ):
                continue
            named = _named_tools(tools, verb, _widened(clause))
            if verb == "done" or (not named and _is_pronominal(clause)):
                named = [tool for tool in asked if verb == "done" or _fits(tool, verb)]
            if named:
                yield sentence, named


def _claimed_verb(clause: str) -> str | None:
    if _FUTURE.search(clause):
        return None
    if _DONE.search(clause):
        return "done"
    match = _PERFECT.search(clause)
    if match:
        verb = (match["verb"] or match["past"] or match["bare"] or "").lower()
        verb = _BASE.get(verb, verb)
        return None if stem(verb) in _INNER else stem(verb)
    match = _PROGRESSIVE.search(clause)
    if match and _NOW.search(clause):
        verb = stem(match["verb"].lower())
        return None if verb in _INNER else verb
    return None


def _fits(tool: _Tool, verb: str) -> bool:
    return (
        verb in tool.verb
        if tool.verb
        else verb in {stem(word) for word in _READS | {"ran", "looked"}}
    )


def _named_tools(tools: list[_Tool], verb: str, clause: frozenset[str]) -> list[_Tool]:
    return [tool for tool in tools if _fits(tool, verb) and (tool.key & clause)]


def _is_pronominal(clause: str) -> bool:
    return re.search(r"\b(?:it|that|this|them|those|so|look)\b", clause, re.IGNORECASE) is not None


def _is_backed(ledger: Ledger, reply: Reply, text: str, named: list[_Tool]) -> bool:
    names = {tool.name for tool in named}
    before = [call for call in ledger.calls_before(reply.index) if call.tool in names]
    if any(call.ok or call.result_turn is None for call in before):
        return True
    if before and is_negated(reply.text):
        return True
    told = _widened(ledger.contract_text)
    verbs = frozenset().union(*(tool.verb for tool in named))
    return bool(verbs) and bool(verbs & told & _widened(text)) and _in_past(ledger, verbs)


def _in_past(ledger: Ledger, verbs: frozenset[str]) -> bool:
    """Whether a blueprint sentence says that the step was taken before the call."""
    return any(
        verbs & _widened(item.text)
        and re.search(r"\b(?:have|has|already|tried|\w+ed)\b", item.text)
        for item in ledger.facts.instructions
    )


def _report(ledger: Ledger, reply: Reply) -> Sentence | None:
    """The sentence of a reply that reports an outcome, if one does."""
    known = {n.value for n in numbers(ledger.contract_text)} | {
        n.value for n in numbers(reply.agent)
    }
    for sentence in sentences(reply.text):
        if sentence.is_question or is_uncertain(sentence.text) or _FUTURE.search(sentence.text):
            continue
        if is_hypothetical(sentence.text):
            continue
        if _SHOWS.search(sentence.text) or _SUCCESS.search(sentence.text):
            return sentence
        if any(n.value not in known and n.value > 1 for n in numbers(sentence.text)):
            return sentence
    return None


def _still_current(ledger: Ledger, reply: Reply, tool: _Tool) -> bool:
    """Whether an earlier result of a tool still answers the agent."""
    before = ledger.calls_before(reply.index)
    mine = [call for call in before if call.tool == tool.name]
    if not mine:
        return False
    later = [call for call in before if call.turn > mine[-1].turn and not _tool(call.tool).reads]
    return not (later and _AGAIN.search(reply.agent))


def _false_success(reply: Reply) -> Iterator[Hit]:
    last = {call.tool: call for call in reply.calls}
    failed = [
        call
        for call in last.values()
        if call.result and (_FAILED.search(call.result) or not call.ok)
    ]
    if not failed or len(failed) < len(last):
        return
    for sentence in sentences(reply.text):
        text = sentence.text
        if sentence.is_question or is_negated(text) or is_hypothetical(text) or is_uncertain(text):
            continue
        if _FAILED.search(text) or _FUTURE.search(text):
            return
        results = " ".join(call.result for call in failed)
        if _SUCCESS.search(text) or (
            not numbers(results) and any(n.value > 2 for n in numbers(text))
        ):
            reason = f"{failed[0].tool} answered: {failed[0].result.strip()[:80]!r}"
            yield Hit(reply.index, text, reason)
            return


def _wrong_numbers(ledger: Ledger, reply: Reply, calls: list[Called]) -> Iterator[Hit]:
    shown = [n.value for call in calls for n in numbers(call.result)]
    if not shown:
        return
    names = {call.tool for call in calls}
    stale = {
        n.value
        for call in ledger.calls_before(calls[0].turn)
        if call.tool in names
        for n in numbers(call.result)
    }
    known = {n.value for n in numbers(ledger.contract_text)} | {
        n.value for text in ledger.agent_before(reply.index) for n in numbers(text)
    }
    others = {
        n.value
        for call in ledger.calls_before(calls[0].turn)
        if call.tool not in names
        for n in numbers(call.result)
    }
    for sentence in sentences(reply.text):
        if sentence.is_question or is_hypothetical(sentence.text):
            continue
        for number in numbers(sentence.text):
            if _is_enumeration(sentence.text, number) or number.value in known | others:
                continue
            if not _agrees(number, shown, loose=_ABOUT.search(sentence.text) is not None):
                if (
                    number.value in stale
                    and re.search(
                        r"\b(?:before|earlier|was|were|from|previous\w*|up|down)\b",
                        sentence.text,
                        re.I,
                    )
                    and len(numbers(sentence.text)) > 1
                ):
                    continue
                said = sentence.text
                reason = f"the latest result of {calls[-1].tool} does not show {sentence.text[number.start : number.end]!r}"
                yield Hit(reply.index, said, reason)
                return


def _is_enumeration(text: str, number: Number) -> bool:
    """List numbers, `one` as a pronoun, 4G and the like, and small counts."""
    after = text[number.end : number.end + 2]
    if number.start == 0 and after[:1] in ".)":
        return True
    if after[:1].isalpha() or (number.start and text[number.start - 1].isalpha()):
        return True
    return number.spoken and number.value <= 3


def _agrees(number: Number, shown: list[float], *, loose: bool) -> bool:
    for value in shown:
        if abs(number.value - value) < 1e-9:
            return True
        whole = number.value == int(number.value)
        if whole and abs(number.value - value) <= (0.5 if value != int(value) else 0):
            return True
        if round(value, 1) == number.value:
            return True
        slack = max(0.12 * abs(value), 1.0) if loose or number.spoken else 0.0
        if slack and abs(number.value - value) <= slack and whole:
            return True
    total = sum(shown)
    return number.value in (total, len(shown)) or any(
        abs(number.value - abs(a - b)) < 1e-9 for a in shown for b in shown
    )


def _wrong_states(reply: Reply, calls: list[Called]) -> Iterator[Hit]:
    latest: dict[str, str] = {}
    for call in calls:
        for name, value in _pairs(call.result):
            latest[name] = value
    if not latest:
        return
    for sentence in sentences(reply.text):
        if sentence.is_question:
            continue
        for clause in clauses(re.sub(r"\band\b", ",", sentence.text)):
            if is_hypothetical(clause) or is_negated(clause) or is_uncertain(clause):
                continue
            hit = _contradicted(clause, latest)
            if hit:
                yield Hit(reply.index, sentence.text, hit)
                return


def _contradicted(clause: str, latest: dict[str, str]) -> str | None:
    said = words(clause)
    heard = frozenset(stem(word) for word in said) | _widened(clause)
    named = [name for name in latest if stems(name) and stems(name) <= heard]
    if len(named) != 1:
        return None
    value = latest[named[0]]
    shown = set(words(value))
    for word in said:
        for state in shown & _STATES.keys():
            if word in _STATES[state] and not set(said) & shown & _STATES.keys():
                return f"the latest result shows {named[0].strip()}: {value.strip()!r}"
    nums = numbers(clause)
    mine = numbers(value)
    theirs = {n.value for name, other in latest.items() if name != named[0] for n in numbers(other)}
    if len(nums) == 1 and len(mine) == 1 and nums[0].value in theirs:
        if not _agrees(nums[0], [mine[0].value], loose=False):
            return f"the latest result shows {named[0].strip()}: {value.strip()!r}"
    return None


@lru_cache(maxsize=4096)
def _pairs(result: str) -> tuple[tuple[str, str], ...]:
    """`Key: value` and `Key value` parts of a tool result."""
    found = []
    for part in re.split(r"[\n|;]|,\s", result):
        name, colon, value = part.partition(":")
        if colon and 0 < len(name.split()) <= 5:
            found.append((name.strip(), value))
        else:
            match = re.match(r"\s*([A-Za-z][A-Za-z -]+?)\s+([\d.]+.*|[A-Z]{2,}\w*)$", part)
            if match:
                found.append((match.group(1), match.group(2)))
    return tuple(found)


_GENERIC = frozenset(
    stem(word)
    for word in """able afraid agree ahead allow alright appear appreciate assist available aware back bad begin best
    better bit bother bring bunch case cause chance change check choose clear close come common complete concern confirm
    continue correct couple course current day deal decide detail different difficult direct easy end enough exact
    example expect experience explain fact far feel figure final find fine fix follow full general guess guide hand handle
    happen happy hard hear help hold hope hour idea important information instead issue keep kind lead leave left list
    little live long lot main manage matter minute moment morning move name near nice normal notice number offer open
    option order part pass perfect phone place plan point prefer present problem process proceed provide question quick
    reach ready real reason recent recommend regular remain remember request resolve respond rest result return run safe
    service set short show side sit situation slow small solve sort sound special specific stand start state stay step
    stop straight suggest support suppose system talk tell thing think today together tomorrow tonight total turn type
    understand update usual wait walk want way week whole wonder word work worry write wrong year yesterday hey sorry
    please glad welcome great everything nothing something anything well sir madam maam dear evening afternoon night
    problem trouble appreciated kindly moment second seconds literally basically actually honestly simply mostly
    quite pretty fairly maybe guess currently usually normally recently lately completely totally exactly""".split()
)


def _novel_state(ledger: Ledger, reply: Reply) -> Iterator[Hit]:
    known = ledger.visible_stems(reply.index) | _GENERIC
    own = frozenset(
        stem(word) for earlier in ledger.replies[: reply.position] for word in words(earlier.text)
    )
    for sentence in sentences(reply.text):
        text = sentence.text
        if (
            sentence.is_question
            or is_hypothetical(text)
            or is_uncertain(text)
            or _FUTURE.search(text)
        ):
            continue
        if not _IS.search(text):
            continue
        novel = [s for s in stems(text) if s not in known and s not in own and len(s) > 2]
        states = [word for word in words(text) if word in _DEVICE_STATES]
        if len(novel) >= 3 and states:
            reason = "no blueprint line and no own tool result gives this state"
            yield Hit(reply.index, text, reason)
            return


_IS = re.compile(
    r"\b(?:is|are|it['’]s|they['’]re|was|were|has|have|there['’]s|there is|sits|stands|looks|shows|blinking|flashing)\b",
    re.I,
)
_DEVICE_STATES = frozenset(
    "on off green red amber orange yellow blue white blinking flashing steady solid dark lit loose cracked crack "
    "broken damaged plugged unplugged warm hot cold full empty open closed locked connected disconnected working "
    "black frozen stuck noisy loud quiet bent wet dry clean dirty floor shelf wall behind beside next under".split()
)


def _invites_steps(said: str) -> bool:
    """Whether the agent has set the user to work at all."""
    return (
        re.search(
            r"\b(?:steps?|try|trying|settings?|restart\w*|reboot\w*|check\w*|toggle|turn (?:on|off|it)|look at|test|"
            r"tap|press|open|device|troubleshoot\w*|diagnos\w*|run|perform|install|tool|status|what (?:does|do) (?:it|the|your))\b",
            said,
            re.IGNORECASE,
        )
        is not None
    )


def asked_tools(ledger: Ledger, reply: Reply, only: tuple[str, ...]) -> list[str]:
    """Names of the tools that the agent's last words ask for."""
    return [tool.name for tool in _asked(ledger, reply, only)]
