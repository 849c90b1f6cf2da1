"""What a judge may see, and what it may not."""

from userproxybench.blinding.inert import WITHHELD, Shown, fenced, quoted, show
from userproxybench.blinding.names import Names
from userproxybench.blinding.view import (
    ContractBlocks,
    View,
    contract_blocks,
    conversation,
    view,
)

__all__ = [
    "WITHHELD",
    "ContractBlocks",
    "Names",
    "Shown",
    "View",
    "contract_blocks",
    "conversation",
    "fenced",
    "quoted",
    "show",
    "view",
]
