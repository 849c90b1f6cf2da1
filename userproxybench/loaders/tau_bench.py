"""tau-bench v1 results, and tau2 conversations converted to that shape."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

import msgspec
from msgspec import UNSET, Raw, UnsetType

from userproxybench.loaders import guideline_choice
from userproxybench.loaders.buffers import decode
from userproxybench.loaders.contracts import looks_double_encoded, task_key
from userproxybench.loaders.costs import LAST_CALL_NOTE
from userproxybench.loaders.domains import domain_of_tools, heading_domain
from userproxybench.loaders.identity import flagged, hosting, is_model, stem
from userproxybench.loaders.messages import (
    Message,
    derive_ending,
    number,
    read_messages,
    text_of,
    turns_of,
)
from userproxybench.loaders.records import Episode, LoadOptions, ProxyIdentity
from userproxybench.loaders.shapes import LoadErrorFor, Shape
from userproxybench.models import Blueprint, Contract, Source, Trajectory, UserCost, digest

_OUTPUT = "API output: "
_NAME = re.compile(
    r"^(?P<strategy>tool-calling|act|react|few-shot)-(?P<agent>.+?)-[\d.]+_range_-?\d+--?\d+"
    r"_user-(?P<user>.+)-(?P<style>llm|react|verify|reflection|human)(_|\.|$)"
)


class V1Task(msgspec.Struct):
    """tau-bench `info.task`."""

    instruction: object = None
    actions: object = None


class V1Info(msgspec.Struct):
    """tau-bench `info`."""

    task: V1Task | None = None
    source: object = None
    user_cost: object = None
    error: Raw | UnsetType = UNSET


class V1Item(msgspec.Struct):
    """tau-bench `EnvRunResult`."""

    task_id: object = None
    reward: object = None
    info: V1Info | None = None
    traj: Raw | UnsetType = UNSET
    trial: object = None


class TauBenchReader:
    """A list of tau-bench results, or a single one."""

    def __init__(self, shape: Shape, options: LoadOptions) -> None:
        self.name = shape.name
        self.notes: list[str] = list(shape.notes)
        self._options = options
        self._items: Sequence[Raw | memoryview] = shape.documents()
        self._contracts: dict[tuple[str, str], Contract] = {}
        self._identify()
        self._domain = self._find_domain()
        variant: guideline_choice.Variant = "tau_bench" if self._is_stock else "tau2"
        self._guidelines = guideline_choice.choose(None, variant, options.guidelines)
        self.notes.append(self._guidelines.note)
        self.proxies = (self._proxy,)
        self.format = "tau-bench v1" if self._is_stock else "tau2 in tau-bench v1 shape"

    def _identify(self) -> None:
        """The file name is all there is to tell proxy and agent by."""
        given = flagged(self.name, self._options)
        match = _NAME.match(PurePosixPath(self.name).name)
        self._agent, name, source = "unknown", stem(self.name), "name"
        if match:
            self._agent = f"{match['agent']} ({match['strategy']})"
            name = (
                match["user"] if match["style"] == "llm" else f"{match['user']} ({match['style']})"
            )
        if given:
            name, source = given, "flag"
        self._proxy = ProxyIdentity(name, "", source)  # type: ignore[arg-type]  # literals above
        self._hosting = hosting(match["user"]) if match and is_model(match["user"]) else ""
        self.notes.append(
            f"no user model recorded: proxy named {name!r} "
            + ("by --proxy" if given else "after the file")
        )

    def _find_domain(self) -> str:
        """From the agent policy's heading, else the tools called in the first conversations."""
        self._is_stock, self._policy = False, ""
        found = None
        for raw in self._items[:20]:
            try:
                item = decode(raw, V1Item)
                messages = read_messages(item.traj).items
            except msgspec.DecodeError:
                continue
            first = messages[0] if messages else Message()
            self._is_stock = self._is_stock or first.role in ("system", "user", "")
            if first.role == "system" and not self._policy:
                self._policy = text_of(first.content)
            called = [call.name for message in messages for call in message.tool_calls or ()]
            found = found or heading_domain(self._policy) or domain_of_tools(called)
        self.notes.append(
            f"domain {found!r} read from the agent's policy or tools"
            if found
            else "no domain recorded: 'unknown'"
        )
        return found or "unknown"

    def __len__(self) -> int:
        return len(self._items)

    def episode(self, index: int) -> Episode:
        """Read one item."""
        try:
            item = decode(self._items[index], V1Item)
            messages, repaired = read_messages(item.traj)
        except (msgspec.DecodeError, RecursionError) as error:
            raise LoadErrorFor.item(self.name, f"[{index}]", error) from error
        contract = self._contract(item)
        notes = [repaired] if repaired else []
        return Episode(self._trajectory(item, index, messages, contract, notes), contract)

    def _contract(self, item: V1Item) -> Contract:
        task = item.info.task if item.info else None
        instruction = text_of(task.instruction) if task else ""
        key = (task_key(item.task_id), instruction)
        contract = self._contracts.get(key)
        if contract is None:
            blueprint = Blueprint(instructions=instruction or None)
            notes = [self._guidelines.note]
            if blueprint.is_empty:
                notes.append("no blueprint in the dump: what the user was told is not known")
            elif looks_double_encoded(blueprint):
                notes.append("the blueprint is double-encoded text: matching may fail")
            contract = self._contracts[key] = Contract(
                domain=self._domain,
                task_id=key[0],
                blueprint=blueprint,
                guidelines=self._guidelines.text,
                guidelines_source=self._guidelines.source,
                notes=tuple(notes),
            )
        return contract

    def _trajectory(
        self,
        item: V1Item,
        index: int,
        messages: list[Message],
        contract: Contract,
        notes: list[str],
    ) -> Trajectory:
        info = item.info or V1Info()
        turns = turns_of([_unfold(message) for message in messages])
        failed = info.error is not UNSET
        ending = derive_ending(turns, transferred=info.source == "transfer_to_human_agents")
        if not failed:
            notes.append(f"termination derived: {ending.rule}")
        if info.user_cost is not None:
            notes.append(LAST_CALL_NOTE)
        users = sum(turn.speaker == "user" for turn in turns)
        empty = "error item: the run failed before a conversation was saved" if failed else ""
        if not empty and not users:
            empty = "no messages of the user" if turns else "no messages"
        return Trajectory(
            id=f"{self.name}#{index}",
            task_id=task_key(item.task_id),
            domain=self._domain,
            proxy=self._proxy.name,
            agent=self._agent,
            turns=tuple(turns),
            contract_hash=contract.hash,
            source=Source(self.name, index),
            termination="error" if failed else ending.reason,
            trial=int(trial) if (trial := number(item.trial)) is not None else None,
            reward=number(item.reward),
            cost=UserCost(calls=users),
            notes=tuple(notes),
            not_auditable=empty,
            proxy_identity=self._proxy.source,
            domain_version=digest(self._policy) if self._policy else "",
            hosting=self._hosting,
        )


def _unfold(message: Message) -> Message:
    """ReAct runs hand tool results to the agent as user messages."""
    if message.role != "user" or not isinstance(message.content, str):
        return message
    if not message.content.startswith(_OUTPUT.strip()):
        return message
    text = message.content.removeprefix(_OUTPUT)
    return Message(role="tool", content=text, requestor="assistant", error=text.startswith("Error"))
