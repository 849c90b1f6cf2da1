"""The domain of a conversation whose dump names none."""

from __future__ import annotations

import re
from collections.abc import Iterable

from userproxybench.loaders.contracts import Scenario, Task
from userproxybench.loaders.shapes import Simulation
from userproxybench.loaders.tau2_schema import agent_tools

_SIGNATURES = {
    "airline": {"get_reservation_details", "book_reservation", "search_direct_flight"},
    "retail": {"find_user_id_by_name_zip", "find_user_id_by_email", "get_order_details"},
    "telecom": {"get_customer_by_phone", "get_data_usage", "resume_line"},
}
"""Tools that give the stock domains away where nothing else names the domain."""


def domain_of_tools(names: Iterable[str]) -> str | None:
    """The stock domain whose tools these are, if any."""
    called = set(names)
    for domain, signature in _SIGNATURES.items():
        if called & signature:
            return domain
    return None


def domain_of(simulation: Simulation, task: Task | None) -> str | None:
    """The domain of a simulation whose run names none: from its task, else from its tools."""
    scenario = task.user_scenario if task else None
    if isinstance(scenario, Scenario) and isinstance(scenario.instructions, dict):
        named = scenario.instructions.get("domain")
        if isinstance(named, str) and named:
            return named
    return domain_of_tools(agent_tools(simulation))


def heading_domain(policy: str | None) -> str | None:
    """The domain in a policy's heading, `# Airline Agent Policy`."""
    match = re.search(r"^#+\s*([A-Za-z][\w -]{1,40}?)\s+[Aa]gent [Pp]olicy", policy or "", re.M)
    return match[1].strip().lower().replace(" ", "_") if match else None
