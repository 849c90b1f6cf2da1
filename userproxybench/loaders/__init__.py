"""Dumps of agent benchmarks, read one conversation at a time.

`discover` finds the inputs under some paths, `open_input` opens one, `Input.episodes` yields its
conversations with the contracts that bound their users. Formats are told apart by content.
"""

from userproxybench.loaders.identity import name_proxies
from userproxybench.loaders.inputs import Input, open_input
from userproxybench.loaders.records import Episode, LoadOptions, NotADumpError, ProxyIdentity

__all__ = [
    "Episode",
    "Input",
    "LoadOptions",
    "NotADumpError",
    "ProxyIdentity",
    "name_proxies",
    "open_input",
]
