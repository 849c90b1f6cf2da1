"""What rules keep of texts that they have read."""

from __future__ import annotations

import sys

_RULES = __name__.rpartition(".")[0]


def forget() -> None:
    """Let go of all that was kept: once a dump is graded, its tables need the room."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_RULES):
            for kept in vars(module).values():
                clear = getattr(kept, "cache_clear", None)
                if clear is not None:
                    clear()
