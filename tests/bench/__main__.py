"""`make bench`: every `bench_*.py` beside this file has `targets()`; print them, fail on a miss."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def main() -> int:
    """Print each target as it is measured; 1 when one is missed."""
    missed = 0
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        for target in importlib.import_module(f"tests.bench.{path.stem}").targets():
            print(target, flush=True)
            missed += not target.met
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
