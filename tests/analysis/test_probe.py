"""The gold-write probe by hand."""

import pytest

from tests.study import panel
from userproxybench.analysis.probe import probe

EPISODES = """proxy,domain,task_id,missed_gold_writes
a,x,1,0
a,x,2,1
a,x,3,2
b,x,1,0
b,x,2,0
b,x,3,
"""
VERDICTS = """episode_id,criterion_id,family,mode,verdict
a/x/1/-,c1,groundedness,unexecuted_action_claim,pass
a/x/2/-,c1,missed_information,skips_requested_action,pass
a/x/3/-,c1,missed_information,skips_requested_action,fail
b/x/1/-,c1,groundedness,unexecuted_action_claim,fail
b/x/2/-,c1,missed_information,skips_requested_action,pass
b/x/3/-,c1,missed_information,skips_requested_action,pass
"""


def test_by_hand() -> None:
    got = probe(panel(EPISODES, VERDICTS))
    assert got is not None
    assert (got.episodes, got.missed) == (5, 2)
    assert (got.missed_all_pass, got.missed_relevant_pass) == (1, 1)
    a, b = got.proxies
    assert [a.ufs, a.ufs_with_probe] == pytest.approx([2 / 3, 1 / 3])
    assert (b.ufs, b.ufs_with_probe) == (0.5, 0.5)
    assert (a.rank, a.rank_with_probe, got.ranking_changes) == (1, 2, True)


def test_without_a_gold_write_there_is_no_probe() -> None:
    assert probe(panel("proxy,domain,task_id,fidelity\na,x,1,1\n")) is None
