"""OpenAI chat lines: the agent's view of a conversation, without a blueprint."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw

from userproxybench.loaders import guideline_choice
from userproxybench.loaders.buffers import decode, decode_part
from userproxybench.loaders.contracts import recorded_tools
from userproxybench.loaders.domains import domain_of_tools, heading_domain
from userproxybench.loaders.identity import flagged, stem
from userproxybench.loaders.messages import derive_ending, read_messages, text_of, turns_of
from userproxybench.loaders.records import Episode, LoadOptions, ProxyIdentity
from userproxybench.loaders.shapes import LoadErrorFor, Shape, Top
from userproxybench.loaders.tau2_schema import UNKNOWN
from userproxybench.models import Blueprint, Contract, Source, Trajectory, UserCost, digest


class ChatReader:
    """Lines of `messages`, with or without `tools`."""

    format = "OpenAI chat JSONL"

    def __init__(self, shape: Shape, options: LoadOptions) -> None:
        self.name = shape.name
        self._lines: Sequence[Raw | memoryview] = shape.documents()
        given = flagged(shape.name, options)
        self._proxy = ProxyIdentity(given or stem(shape.name), "", "flag" if given else "name")
        self._guidelines = guideline_choice.choose(None, "tau2", options.guidelines)
        self.proxies = (self._proxy,)
        self.notes: list[str] = [
            *shape.notes,
            "the agent's view only: no blueprint, no task ids, the user's own tool calls are lost",
            f"no user model recorded: proxy named {self._proxy.name!r} "
            + ("by --proxy" if given else "after the file"),
            "each line is taken as a task of its own",
        ]

    def __len__(self) -> int:
        return len(self._lines)

    def episode(self, index: int) -> Episode:
        """Read one line."""
        try:
            top = decode(self._lines[index], Top)
            messages, repaired = read_messages(top.messages)
            tools = decode_part(top.tools, list[object]) or []
        except (msgspec.DecodeError, RecursionError) as error:
            raise LoadErrorFor.item(self.name, f"line {index + 1}", error) from error
        first = messages[0] if messages else None
        policy = text_of(first.content) if first and first.role == "system" else ""
        names = [tool.name for tool in recorded_tools(tools)]
        domain = domain_of_tools(names) or heading_domain(policy) or UNKNOWN
        contract = Contract(
            domain=domain,
            task_id=str(index),
            blueprint=Blueprint(),
            guidelines=self._guidelines.text,
            guidelines_source=self._guidelines.source,
            notes=(
                self._guidelines.note,
                "no blueprint in the dump: what the user was told is not known",
            ),
        )
        turns = turns_of(messages)
        ending = derive_ending(turns)
        users = sum(turn.speaker == "user" for turn in turns)
        notes = [f"termination derived: {ending.rule}", *([repaired] if repaired else [])]
        trajectory = Trajectory(
            id=f"{self.name}#{index}",
            task_id=str(index),
            domain=domain,
            proxy=self._proxy.name,
            agent=UNKNOWN,
            turns=tuple(turns),
            contract_hash=contract.hash,
            source=Source(self.name, index),
            termination=ending.reason,
            cost=UserCost(calls=users),
            notes=tuple(notes),
            not_auditable="" if users else "no messages of the user",
            proxy_identity=self._proxy.source,
            domain_version=digest(policy) if policy else "",
        )
        return Episode(trajectory, contract)
