"""Dumps of agent benchmarks, read one conversation at a time.

`discover` finds the inputs under some paths, `open_input` opens one, `Input.episodes` yields its
conversations with the contracts that bound their users. Formats are told apart by content.
"""

from userproxybench.loaders.costs import cost_line
from userproxybench.loaders.description import Description
from userproxybench.loaders.discovery import Discovery, Found, PassedOver, discover
from userproxybench.loaders.identity import name_proxies
from userproxybench.loaders.inputs import Input, open_input, unmatched
from userproxybench.loaders.records import Episode, LoadOptions, NotADumpError, ProxyIdentity
from userproxybench.loaders.trajectory_jsonl import Decoder, Encoder

__all__ = [
    "Decoder",
    "Description",
    "Discovery",
    "Encoder",
    "Episode",
    "Found",
    "Input",
    "LoadOptions",
    "NotADumpError",
    "PassedOver",
    "ProxyIdentity",
    "cost_line",
    "discover",
    "name_proxies",
    "open_input",
    "unmatched",
]
