"""Tables that people bring are typed and checked; every fault is one line."""

import io

import pandas as pd
import pytest

from userproxybench.errors import InputError
from userproxybench.tables import (
    EPISODE_DTYPES,
    VERDICT_DTYPES,
    Tables,
    checked,
    csv_text,
    read_table,
    unused_columns,
)

MINIMAL = "proxy,domain,task_id,fidelity\na,d,07,1\na,d,7,0\n"
ANSWERS = (
    "episode_id,criterion_id,family,verdict\n"
    "a/d/1/-,c1,groundedness,pass\n"
    "a/d/1/-,c2,goal_deviation,not_applicable\n"
    "a/d/2/-,c1,groundedness,fail\n"
)


def table(text: str) -> pd.DataFrame:
    return read_table(io.BytesIO(text.encode()), "own.csv")


def check(text: str, answers: str | None = None) -> Tables:
    return checked(table(text), None if answers is None else table(answers))


def test_four_columns_are_enough() -> None:
    episodes = check(MINIMAL).episodes
    assert list(episodes.columns) == list(EPISODE_DTYPES)
    assert {name: str(kind) for name, kind in episodes.dtypes.items()} == dict(EPISODE_DTYPES)
    assert episodes["task_id"].tolist() == ["07", "7"]
    assert episodes["status"].tolist() == ["scored", "scored"]
    assert episodes["cost_basis"].tolist() == ["unknown", "unknown"]


def test_verdicts_alone_give_scores_and_families() -> None:
    got = check("proxy,domain,task_id\na,d,1\na,d,2\na,d,3\n", ANSWERS)
    assert got.episodes["fidelity"].fillna(-1).tolist() == [1, 0, -1]
    assert got.episodes["status"].tolist() == ["scored", "scored", "unscorable"]
    assert got.episodes["groundedness"].tolist() == ["passed", "failed", "not_applicable"]
    assert {name: str(kind) for name, kind in got.verdicts.dtypes.items()} == dict(VERDICT_DTYPES)


def test_a_checked_table_survives_writing_and_reading() -> None:
    first = check("proxy,domain,task_id\na,d,1\na,d,2\na,d,3\n", ANSWERS)
    again = check(csv_text(first.episodes), csv_text(first.verdicts))
    pd.testing.assert_frame_equal(again.episodes, first.episodes)
    pd.testing.assert_frame_equal(again.verdicts, first.verdicts)


def test_parquet_and_csv_give_the_same_table() -> None:
    first = check(MINIMAL)
    buffer = io.BytesIO()
    first.episodes.to_parquet(buffer)
    again = checked(read_table(io.BytesIO(buffer.getvalue()), "own.parquet", parquet=True))
    pd.testing.assert_frame_equal(again.episodes, first.episodes)


def test_a_proxy_called_none_is_a_proxy() -> None:
    assert check("proxy,domain,task_id,fidelity\nNone,NA,null,1\n").episodes["proxy"][0] == "None"


def test_an_empty_table_is_a_table() -> None:
    assert len(check("proxy,domain,task_id,fidelity\n").episodes) == 0


def test_a_missing_reward_is_no_failure() -> None:
    got = check("proxy,domain,task_id,fidelity,reward\na,d,1,1,\na,d,2,1,nan\na,d,3,1,1\n")
    assert got.episodes["success"].isna().tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("text", "answers", "message"),
    [
        pytest.param("domain,task_id,fidelity\n", None, "no column 'proxy'", id="column missing"),
        pytest.param("proxy,domain,task_id\na,d,1\n", None, "no column 'fidelity'", id="no score"),
        pytest.param(
            MINIMAL + "a,d,9,2\n", None, r"row 3, column 'fidelity': '2' should be 0, 1", id="score"
        ),
        pytest.param(
            "proxy,domain,task_id,fidelity,cost_usd\na,d,1,1,cheap\n",
            None,
            "'cheap' should be a number",
            id="cost in words",
        ),
        pytest.param(
            "proxy,domain,task_id,fidelity,cost_usd\na,d,1,1,-1\n",
            None,
            "should be 0 or more",
            id="negative cost",
        ),
        pytest.param(
            "proxy,domain,task_id,fidelity,reward\na,d,1,1,inf\n",
            None,
            "should be a finite number",
            id="infinite reward",
        ),
        pytest.param(
            "proxy,domain,task_id,fidelity,trial\na,d,1,1,0.5\n",
            None,
            "should be a whole number",
            id="half a trial",
        ),
        pytest.param(
            "proxy,domain,task_id,fidelity,success\na,d,1,1,maybe\n",
            None,
            "should be true or false",
            id="success",
        ),
        pytest.param(
            "proxy,domain,task_id,fidelity,status\na,d,1,1,done\n",
            None,
            "should be one of scored",
            id="status",
        ),
        pytest.param(
            "proxy,domain,task_id,fidelity,status\na,d,1,,scored\n",
            None,
            "exactly where fidelity is given",
            id="scored without a score",
        ),
        pytest.param("proxy,domain,task_id,fidelity\n,d,1,1\n", None, "filled in", id="no proxy"),
        pytest.param(MINIMAL + "a,d,7,1\n", None, "more than once", id="duplicate key"),
        pytest.param(
            "proxy,domain,task_id,fidelity\na,d,1,0\na,d,2,0\n",
            ANSWERS,
            "what its verdicts come to",
            id="score against verdicts",
        ),
        pytest.param(
            "proxy,domain,task_id\na,d,1\n", ANSWERS, "an `episode_id` of the", id="orphan verdict"
        ),
        pytest.param(
            "proxy,domain,task_id\na,d,1\na,d,2\n",
            ANSWERS + "a/d/2/-,c1,groundedness,pass\n",
            "more than once",
            id="two answers to one criterion",
        ),
        pytest.param(
            "proxy,domain,task_id\na,d,1\n",
            "episode_id,criterion_id,family,verdict,grader\n"
            "a/d/1/-,c1,groundedness,pass,rules\na/d/1/-,c2,groundedness,pass,other\n",
            "2 graders in one table",
            id="mixed graders",
        ),
        pytest.param(
            "proxy,domain,task_id\na,d,1\n",
            "episode_id,criterion_id,family,verdict\na/d/1/-,c1,manners,pass\n",
            "should be one of groundedness",
            id="unknown family",
        ),
    ],
)
def test_a_fault_is_named_in_one_line(text: str, answers: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        check(text, answers)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "parquet"),
    [
        pytest.param(b"", False, id="no byte"),
        pytest.param(b"\xff\xfe\x00", False, id="not UTF-8"),
        pytest.param(b'a,b\n"x', False, id="open quote"),
        pytest.param(b"a,b\n1,2,3\n", False, id="ragged"),
        pytest.param(b"PAR1", True, id="no Parquet"),
    ],
)
def test_a_file_that_is_no_table_is_named(content: bytes, parquet: bool) -> None:
    with pytest.raises(InputError, match=r"^own: not a readable"):
        checked(read_table(io.BytesIO(content), "own", parquet=parquet))


def test_columns_that_nothing_reads_are_listed() -> None:
    assert unused_columns(table("proxy,cost\na,1\n"), EPISODE_DTYPES) == ["cost"]
