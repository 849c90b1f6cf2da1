"""Proxies are compared only where nothing but the proxy differs."""

import pytest

from tests.study import panel
from userproxybench.analysis.comparability import (
    obstacles,
    require_comparable,
    scored_proxies,
    unknowns,
)
from userproxybench.errors import InputError

HEAD = "proxy,domain,task_id,fidelity,agent,agent_settings_hash,domain_version,task_hash\n"
SAME = "a,x,1,1,g,s,v,t\nb,x,1,0,g,s,v,t\n"


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        pytest.param(SAME, None, id="only the proxy"),
        pytest.param("a,x,1,1,g,s,v,t\n", None, id="one proxy"),
        pytest.param("a,x,1,1,,,,\nb,x,1,0,,,,\n", None, id="a table that names no agent"),
        pytest.param("a,x,1,1,g,s,v,t\nb,x,1,0,h,s,v,t\n", "agent", id="agent"),
        pytest.param("a,x,1,1,unknown,,,t\nb,x,1,0,unknown,,,t\n", "agent", id="unrecorded agent"),
        pytest.param("a,x,1,1,g,s,v,t\nb,x,1,0,g,r,v,t\n", "agent settings", id="settings"),
        pytest.param("a,x,1,1,g,s,v,t\nb,x,1,0,g,s,w,t\n", "domain version", id="domain version"),
        pytest.param("a,x,1,1,g,s,v,t\nb,x,1,0,g,s,v,u\n", "task text", id="task text"),
        pytest.param("a,x,1,1,g,s,v,t\nb,x,2,0,g,s,v,t\n", "tasks", id="no task in common"),
        pytest.param(SAME + "a,y,1,1,g,s,v,t\n", "domains", id="a domain of one proxy alone"),
    ],
)
def test_what_differs_is_named(rows: str, what: str | None) -> None:
    found = obstacles(panel(HEAD + rows))
    assert [one.what for one in found] == ([] if what is None else [what])


def test_the_same_two_agents_under_both_proxies_are_no_obstacle() -> None:
    rows = "".join(f"{proxy},x,1,1,{agent},s,v,t\n" for proxy in "ab" for agent in "gh")
    ids = "".join(f"{line.strip()},{at}\n" for at, line in enumerate(rows.splitlines()))
    assert obstacles(panel(HEAD.strip() + ",trial\n" + ids)) == []


def test_refused_unless_overridden() -> None:
    data = panel(HEAD + "a,x,1,1,g,s,v,t\nb,x,1,0,h,s,v,t\n")
    with pytest.raises(InputError, match="a with g, b with h") as caught:
        require_comparable(data, allow_different=False)
    assert "\n" not in str(caught.value)
    assert require_comparable(data, allow_different=True) == [
        "compared all the same: agent differs in x: a with g, b with h"
    ]


def test_without_a_common_task_no_flag_helps() -> None:
    data = panel(HEAD + "a,x,1,1,g,s,v,t\nb,x,2,0,g,s,v,t\n")
    with pytest.raises(InputError, match="none was run by all of a, b"):
        require_comparable(data, allow_different=True)


def test_a_proxy_under_two_settings_is_mentioned() -> None:
    data = panel("proxy,domain,task_id,fidelity,proxy_settings_hash\na,x,1,1,p\na,x,2,1,q\n")
    assert unknowns(data) == ["a was run under 2 settings, taken together here"]


def test_proxies_without_a_score_are_set_aside() -> None:
    data = panel("proxy,domain,task_id,fidelity,status\na,x,1,1,scored\nb,x,1,,unscorable\n")
    kept, names = scored_proxies(data)
    assert (kept.proxies, names) == (("a",), ["b"])


def test_many_proxies_make_no_endless_line() -> None:
    rows = "".join(f"proxy-with-a-long-name-{at},x,1,1,agent-{at},s,v,t\n" for at in range(40))
    with pytest.raises(InputError, match="--allow-different") as caught:
        require_comparable(panel(HEAD + rows), allow_different=False)
    assert len(str(caught.value)) < 600
