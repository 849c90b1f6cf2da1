"""A loopback server that speaks OpenAI's chat completions, with every fault a provider has.

In tests: `with OpenAIServer(answer) as server: ... server.url`. On its own (for benchmarks):
`python tests/openai_server.py --latency 0.2` prints its address and serves until killed.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import inspect
import json
import re
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

BLOCK = 64
"""Characters per cached block; a token is four characters here."""


@dataclass(frozen=True)
class Answer:
    """A reply of the model."""

    text: str | None = ""
    finish_reason: str = "stop"
    refusal: str | None = None
    delay: float = 0.0
    usage: bool = True
    completion_tokens: int | None = None


@dataclass(frozen=True)
class Fault:
    """A reply of the machinery: an HTTP status, raw bytes, a dropped line, silence."""

    status: int = 500
    body: str = '{"error": {"message": "fault", "type": "server_error"}}'
    headers: tuple[tuple[str, str], ...] = ()
    drop: bool = False
    hang: float = 0.0


@dataclass(frozen=True)
class Request:
    """One request as it came in."""

    body: dict[str, object]
    authorization: str
    number: int

    @property
    def messages(self) -> list[dict[str, object]]:
        found = self.body["messages"]
        assert isinstance(found, list)
        return found

    @property
    def text(self) -> str:
        """All message text, in order."""
        return "\n".join(_flat(message.get("content")) for message in self.messages)

    @property
    def schema(self) -> str:
        """Name of the reply schema that was asked for."""
        wanted = self.body.get("response_format")
        if not isinstance(wanted, dict):
            return ""
        named = wanted.get("json_schema")
        return str(named.get("name", "")) if isinstance(named, dict) else ""


Script = Callable[[Request], "Answer | Fault | str"]


def _flat(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content or "")


@dataclass
class PrefixCache:
    """Prefix caching in blocks, as providers and vLLM account for it."""

    seen: set[str] = field(default_factory=set)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def hits(self, text: str) -> int:
        """Leading characters that an earlier, finished request had too."""
        with self.guard:
            count = 0
            for mark in self._marks(text):
                if mark not in self.seen:
                    break
                count += BLOCK
            return count

    def keep(self, text: str) -> None:
        with self.guard:
            self.seen.update(self._marks(text))

    @staticmethod
    def _marks(text: str) -> Sequence[str]:
        running = hashlib.md5(usedforsecurity=False)
        marks = []
        for start in range(0, len(text) - BLOCK + 1, BLOCK):
            running.update(text[start : start + BLOCK].encode("utf-8", "replace"))
            marks.append(running.hexdigest())
        return marks


class OpenAIServer:
    """The server; `script` says what each request gets."""

    def __init__(self, script: Script, *, latency: float = 0.0) -> None:
        self.script = script
        self.latency = latency
        self.requests: list[Request] = []
        self.cache = PrefixCache()
        self.broken: list[Exception] = []
        self.most_at_once = 0
        self.prompt_tokens = 0
        self.cached_tokens = 0
        self._at_once = 0
        self._guard = threading.Lock()
        self._http = _Quiet(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        close_clients()
        if self.broken:
            raise self.broken[0]

    def serve(self) -> None:
        """Serve in this thread."""
        self._http.serve_forever()

    def answer(self, body: dict[str, object], authorization: str) -> Answer | Fault:
        with self._guard:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            request = Request(body, authorization, len(self.requests))
            self.requests.append(request)
        try:
            given = self.script(request)
            result = Answer(given) if isinstance(given, str) else given
            if isinstance(result, Answer) and self.latency + result.delay:
                time.sleep(self.latency + result.delay)
            return result
        except Exception as error:
            self.broken.append(error)
            raise
        finally:
            with self._guard:
                self._at_once -= 1

    def completion(self, request_body: dict[str, object], answer: Answer) -> dict[str, object]:
        text = Request(request_body, "", 0).text
        cached = self.cache.hits(text) // 4
        self.cache.keep(text)
        prompt = max(1, len(text) // 4)
        written = (
            len(answer.text or "") // 4 + 1
            if answer.completion_tokens is None
            else answer.completion_tokens
        )
        with self._guard:
            self.prompt_tokens += prompt
            self.cached_tokens += cached
        message: dict[str, object] = {"role": "assistant", "content": answer.text}
        if answer.refusal is not None:
            message["refusal"] = answer.refusal
        reply: dict[str, object] = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": str(request_body.get("model", "")),
            "choices": [{"index": 0, "message": message, "finish_reason": answer.finish_reason}],
        }
        if answer.usage:
            reply["usage"] = {
                "prompt_tokens": prompt,
                "completion_tokens": written,
                "total_tokens": prompt + written,
                "prompt_tokens_details": {"cached_tokens": cached},
            }
        return reply


def close_clients() -> None:
    """Close the connections that litellm keeps open for later, where it is in use."""
    litellm = sys.modules.get("litellm")
    if litellm is None:
        return
    kept = litellm.in_memory_llm_clients_cache.cache_dict
    for client in list(kept.values()):
        if not inspect.iscoroutinefunction(getattr(client, "close", None)):
            client.close()
    kept.clear()
    with warnings.catch_warnings():  # clients that threads made at the same moment, one too many
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news."""


def _handler(server: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            given = server.answer(body, self.headers.get("Authorization", ""))
            if isinstance(given, Fault):
                self._fault(given)
            else:
                self._send(200, json.dumps(server.completion(body, given)))

        def _fault(self, fault: Fault) -> None:
            if fault.hang:
                time.sleep(fault.hang)
            if fault.drop or fault.hang:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self._send(fault.status, fault.body, fault.headers)

        def _send(self, status: int, body: str, headers: Sequence[tuple[str, str]] = ()) -> None:
            data = body.encode("utf-8", "replace")
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # inherited name
            """Quiet."""

    return Handler


def verdict(outcome: str, turn: int | None = None, quotation: str | None = None) -> str:
    """A well-formed reply to one criterion."""
    return json.dumps(
        {"reason": "As read.", "turn": turn, "quotation": quotation, "verdict": outcome}
    )


def honest_judge(request: Request) -> str:
    """A judge that reads the prompt as a model would; its answer depends on the prompt alone."""
    number = int(hashlib.md5(request.text.encode("utf-8", "replace")).hexdigest(), 16) % 10
    if number < 6:
        return verdict("pass")
    if number < 8:
        return verdict("not_applicable")
    spoken = re.findall(r"^### turn (\d+) · user$\n\| (.+)$", request.text, re.MULTILINE)
    turn, line = spoken[number % len(spoken)]
    return verdict("fail", int(turn), line[:40])


def main() -> None:
    """Serve `honest_judge` until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    given = parser.parse_args()
    server = OpenAIServer(honest_judge, latency=given.latency)
    print(server.url, flush=True)
    server.serve()


if __name__ == "__main__":
    main()
