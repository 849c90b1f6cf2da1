"""tau2 conversations one a line: NeMo-Gym rollouts, blind bundles, Responses-API items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
from msgspec import UNSET, Raw

from userproxybench.loaders.buffers import decode, decode_part
from userproxybench.loaders.contracts import Task, task_key
from userproxybench.loaders.identity import flagged, stem
from userproxybench.loaders.messages import arguments_of, text_of
from userproxybench.loaders.records import LoadOptions, ProxyIdentity
from userproxybench.loaders.shapes import LoadErrorFor, RewardInfo, Shape, Simulation, Top
from userproxybench.loaders.tau2 import Tau2Reader
from userproxybench.loaders.tau2_episode import Entry
from userproxybench.loaders.tau2_schema import (
    EnvironmentInfo,
    Info,
    Meta,
    Side,
    meta_of,
    witnesses_of,
)


class Config(msgspec.Struct):
    """NeMo-Gym `config`: what the run was asked to do, not always what it did."""

    domain: str | None = None
    user: str | None = None
    llm_user: str | None = None
    llm_args_user: object = None
    agent: str | None = None
    llm_agent: str | None = None
    llm_args_agent: object = None


class TaskContext(msgspec.Struct):
    """`task_context` of a blind bundle."""

    task_definition: Task | None = None
    domain: str | None = None


class Item(msgspec.Struct):
    """One Responses-API item."""

    type: str = "message"
    role: str | None = None
    id: object = None
    content: object = None
    name: str | None = None
    arguments: object = None
    call_id: object = None
    output: object = None


class Items(msgspec.Struct):
    """The two places that hold Responses-API items."""

    input: list[Item] | str | None = None
    output: list[Item] | None = None


class LinesReader(Tau2Reader):
    """One simulation a line, each with its own task and configuration."""

    def __init__(self, shape: Shape, options: LoadOptions) -> None:
        super().__init__(shape.name, options)
        self.notes += shape.notes
        self._lines: Sequence[Raw | memoryview] = shape.documents()
        self._metas: dict[bytes, Meta] = {}
        self.format = "tau2 blind bundle"
        if "responses_create_params" in shape.keys:
            self.format = "NeMo-Gym rollouts" if "result" in shape.keys else "NeMo-Gym items"
        self.survey()

    def entries(self) -> int:
        """Number of lines."""
        return len(self._lines)

    def read(self, index: int) -> Entry:
        """One line."""
        place = f"line {index + 1}"
        try:
            return self._entry(decode(self._lines[index], Top), index)
        except (msgspec.DecodeError, RecursionError) as error:
            raise LoadErrorFor.item(self.name, place, error) from error

    def _entry(self, top: Top, index: int) -> Entry:
        context = decode_part(top.task_context, TaskContext) or TaskContext()
        simulation = decode_part(top.result, Simulation)
        if simulation is None:
            simulation = _bare(top, index)
        task = decode_part(top.task, Task) or context.task_definition
        if simulation.task_id is None and task is not None:
            simulation.task_id = task.id
        return Entry(simulation, self._meta(top, context, simulation), task)

    def _meta(self, top: Top, context: TaskContext, simulation: Simulation) -> Meta:
        config = decode_part(top.config, Config) or Config()
        witnesses = witnesses_of((simulation,), user=config.llm_user, agent=config.llm_agent)
        key = msgspec.json.encode((config, witnesses, context.domain))
        if key not in self._metas:
            info = Info(
                user_info=Side(config.user, config.llm_user, config.llm_args_user),
                agent_info=Side(config.agent, config.llm_agent, config.llm_args_agent),
                environment_info=EnvironmentInfo(domain_name=config.domain or context.domain),
            )
            meta, notes = meta_of(info, domain=None, fallback=stem(self.name), witnesses=witnesses)
            if (name := flagged(self.name, self.options)) is not None:
                proxy = ProxyIdentity(name, meta.proxy.settings_hash, "flag")
                meta = replace(meta, proxy=proxy)
            self.notes += notes
            self._metas[key] = meta
        return self._metas[key]


def _bare(top: Top, index: int) -> Simulation:
    """A conversation without a tau2 simulation: messages of a bundle, or Responses items."""
    reward = None if top.reward is UNSET else RewardInfo(top.reward)
    if top.trajectory is not UNSET:
        return Simulation(task_id=top.task_id, messages=top.trajectory, reward_info=reward)
    asked = decode_part(top.responses_create_params, Items) or Items()
    answered = decode_part(top.response, Items) or Items()
    items = [*(asked.input if isinstance(asked.input, list) else []), *(answered.output or [])]
    messages = [_message(item) for item in items if task_key(item.id) != "msg_empty"]
    task_id = str(index) if top.task_id is None else top.task_id
    encoded = Raw(msgspec.json.encode(messages))
    return Simulation(task_id=task_id, messages=encoded, reward_info=reward)


def _message(item: Item) -> dict[str, object]:
    if item.type == "function_call":
        call = {
            "name": item.name,
            "id": text_of(item.call_id),
            "arguments": arguments_of(item.arguments),
        }
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    if item.type == "function_call_output":
        return {"role": "tool", "id": text_of(item.call_id), "content": text_of(item.output)}
    return {"role": item.role or "", "content": text_of(item.content)}
