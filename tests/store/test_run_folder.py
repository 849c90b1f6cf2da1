from __future__ import annotations

import gzip
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.builders import contract, criterion, trajectory
from userproxybench.errors import RunFolderError
from userproxybench.models import ProtocolNote, Verdict
from userproxybench.models.exchange import Reply, StoredVerdict
from userproxybench.replies import ungraded
from userproxybench.store import RunFolder
from userproxybench.store.files import PART, replace_file

INSTRUMENT: dict[str, object] = {"grader": "judge", "judge": {"model": "m", "temperature": 0}}


def stored(key: str, outcome: str = "pass", **more: object) -> StoredVerdict:
    verdict = Verdict.model_validate(
        {
            "criterion_id": key,
            "family": "goal_deviation",
            "mode": "premature_stop",
            "verdict": outcome,
        }
    )
    return StoredVerdict.model_validate(
        {"key": key, "trajectory_id": "e-1", "verdict": verdict, **more}
    )


def make(path: Path, **more: object) -> RunFolder:
    return RunFolder.create_or_resume(path, {**INSTRUMENT, **more})


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    bound, spoken = contract(), trajectory("agent: Hi", "user: I am Wren \u2028 \x00")
    note = ProtocolNote(mode="empty_turn", turn=1)
    with make(tmp_path) as folder:
        assert folder.write_trajectories([spoken], [bound]) == 1
        folder.append_verdicts([stored("c1"), stored("c2", "fail")])
        folder.append_protocol({"e-1": [note]})
        folder.add_reply("c1", "grader", Reply(text="x", usd=0.5, prompt_tokens=7))
    again = RunFolder.open(tmp_path)
    assert list(again.trajectories()) == [spoken]
    assert again.contracts() == {bound.hash: bound}
    assert [item.verdict.verdict for item in again.verdicts()] == ["pass", "fail"]
    (grade,) = again.grades()
    assert (grade.trajectory_id, grade.grader, grade.protocol) == ("e-1", "judge", (note,))
    (spent,) = again.spending()
    assert (spent.role, spent.calls, spent.prompt_tokens, spent.usd) == ("grader", 1, 7, 0.5)


def test_trajectories_are_added_once(tmp_path: Path) -> None:
    with make(tmp_path) as folder:
        folder.write_trajectories([trajectory()], [contract()])
        added = folder.write_trajectories([trajectory(), trajectory(id="other")], [contract()])
        assert added == 1
        assert [item.id for item in folder.trajectories()] == ["episode-0001", "other"]
        assert len(folder.contracts()) == 1


def test_other_instrument_is_refused_naming_the_keys(tmp_path: Path) -> None:
    make(tmp_path).close()
    with pytest.raises(RunFolderError, match=r"judge\.temperature: 0 there, 1 now"):
        make(tmp_path, judge={"model": "m", "temperature": 1})


def test_inputs_are_no_part_of_the_instrument(tmp_path: Path) -> None:
    for name in ("a.json", "b.json", "a.json"):
        RunFolder.create_or_resume(tmp_path, INSTRUMENT, inputs=[name]).close()
    assert RunFolder.open(tmp_path).config.inputs == ["a.json", "b.json"]


def test_last_verdict_in_one_place_holds(tmp_path: Path) -> None:
    with make(tmp_path) as folder:
        folder.append_verdicts([stored("c1", "ungraded"), stored("c1", "fail")])
        assert [item.verdict.verdict for item in folder.verdicts()] == ["fail"]


@pytest.mark.parametrize(
    ("reason", "found"),
    [("transport", False), ("budget", False), ("format", True), ("refusal", True)],
)
def test_only_answers_that_were_given_are_found_again(
    tmp_path: Path, reason: str, found: bool
) -> None:
    verdict = ungraded(criterion(), reason, "x", grader="m")
    with make(tmp_path) as folder:
        folder.add(StoredVerdict(key="k", trajectory_id="e-1", verdict=verdict))
        assert (folder.find("k") is not None) == found
    with make(tmp_path) as folder:
        assert (folder.find("k") is not None) == found
        assert len(folder.verdicts()) == 1


def test_paid_but_useless_answers_can_be_asked_for_again(tmp_path: Path) -> None:
    verdict = ungraded(criterion(), "format", "x", grader="m")
    with make(tmp_path) as folder:
        folder.add(StoredVerdict(key="k", trajectory_id="e-1", verdict=verdict))
        assert folder.forget(["format"]) == 1
        assert folder.find("k") is None


def test_torn_last_line_is_cut_and_nothing_else(tmp_path: Path) -> None:
    with make(tmp_path) as folder:
        folder.append_verdicts([stored("c1")])
    with (tmp_path / "verdicts.jsonl").open("ab") as file:
        file.write(b'{"key": "c2", "traj')
    assert len(RunFolder.open(tmp_path).verdicts()) == 1
    with make(tmp_path) as folder:
        folder.append_verdicts([stored("c3")])
        assert [item.key for item in folder.verdicts()] == ["c1", "c3"]


def test_reading_beside_a_writer_works_and_cannot_write(tmp_path: Path) -> None:
    with make(tmp_path) as folder:
        folder.append_verdicts([stored("c1")])
        reader = RunFolder.open(tmp_path)
        assert len(reader.verdicts()) == 1
        with pytest.raises(RunFolderError, match="open for reading only"):
            reader.append_verdicts([stored("c2")])


FULL_DISK = """
import resource, sys
from pathlib import Path
from tests.store.test_run_folder import make, stored
from userproxybench.errors import RunFolderError
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
with make(Path(sys.argv[1])) as folder:
    try:
        for number in range(1000):
            folder.append_verdicts([stored(f"c{number}")])
            print(number, flush=True)
    except RunFolderError as error:
        print(error)
"""


def test_full_disk_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    assert resource.RLIMIT_FSIZE is not None
    result = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, check=True
    )
    *written, error = result.stdout.splitlines()
    assert "cannot be written (File too large). Every verdict so far is kept" in error
    assert len(RunFolder.open(tmp_path).verdicts()) == len(written)
    data = (tmp_path / "verdicts.jsonl").read_bytes()
    assert data.endswith(b"\n")


def test_damaged_trajectories_are_one_line_with_a_remedy(tmp_path: Path) -> None:
    with make(tmp_path) as folder:
        folder.write_trajectories([trajectory()], [])
    packed = tmp_path / "trajectories.jsonl.gz"
    packed.write_bytes(packed.read_bytes()[:-12])
    with pytest.raises(RunFolderError, match="Delete this file"):
        list(RunFolder.open(tmp_path).trajectories())


@pytest.mark.parametrize("content", [None, "", "{}", "no json"])
def test_folder_without_a_sound_configuration_is_one_line(
    tmp_path: Path, content: str | None
) -> None:
    if content is not None:
        (tmp_path / "config.json").write_text(content)
    with pytest.raises(RunFolderError, match="config"):
        RunFolder.open(tmp_path)


def test_rule_verdicts_go_on_file_fast(tmp_path: Path) -> None:
    batch = [stored(f"c{number}") for number in range(20_000)]
    with make(tmp_path) as folder:
        start = time.process_time()
        folder.append_verdicts(batch)
        assert time.process_time() - start < 2.0


def test_bytes_do_not_depend_on_the_moment(tmp_path: Path) -> None:
    contents = []
    for name in ("a", "b"):
        with make(tmp_path / name) as folder:
            folder.write_trajectories([trajectory()], [contract()])
            folder.append_verdicts([stored("c1")])
        contents.append(
            [
                (tmp_path / name / file).read_bytes()
                for file in ("config.json", "trajectories.jsonl.gz", "verdicts.jsonl")
            ]
        )
        time.sleep(0.01)
    assert contents[0] == contents[1]


@pytest.mark.parametrize("under", ["", "deeper/still"])
def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, under: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunFolderError, match="Give another `--out`") as caught:
        make(tmp_path / "file" / under)
    assert "\n" not in str(caught.value)
    with pytest.raises(RunFolderError, match="Give another `--out`"):
        replace_file(tmp_path / "file" / "a.json", lambda file: file.write(b""))


@pytest.mark.parametrize("name", ["verdicts.jsonl", "protocol.jsonl", "replies.jsonl"])
@pytest.mark.parametrize("noise", [b"\xff\x00noise\n", b"{}\n", b"[1]\n"])
def test_a_damaged_line_is_one_line_that_names_file_and_line(
    tmp_path: Path, name: str, noise: bytes
) -> None:
    with make(tmp_path) as folder:
        folder.append_verdicts([stored("c1")])
        folder.append_protocol({"e-1": [ProtocolNote(mode="empty_turn", turn=1)]})
        folder.add_reply("c1", "grader", Reply(text="x"))
    with (tmp_path / name).open("ab") as file:
        file.write(noise)
    folder = RunFolder.open(tmp_path)
    with pytest.raises(RunFolderError, match=rf"{name}: line 2 is damaged") as caught:
        (folder.verdicts(), folder.protocol(), list(folder.replies()))
    assert "\n" not in str(caught.value)


def test_damaged_records_among_the_trajectories_are_one_line(tmp_path: Path) -> None:
    for line in (b'{"contract": {"domain": 1}}\n', b'{"trajectory": {"id": 1}}\n'):
        with make(tmp_path) as folder:
            folder.write_trajectories([trajectory()], [contract()])
        with gzip.open(tmp_path / "trajectories.jsonl.gz", "ab") as packed:
            packed.write(line)
        with pytest.raises(RunFolderError, match="Delete this file") as caught:
            (folder.contracts(), list(folder.trajectories()))
        assert "\n" not in str(caught.value)
        (tmp_path / "trajectories.jsonl.gz").unlink()


def test_what_a_killed_writer_left_half_written_goes_with_the_next_run(tmp_path: Path) -> None:
    killed = (
        "import os, sys; from pathlib import Path; from userproxybench.store import RunFolder\n"
        "folder = RunFolder.create_or_resume(Path(sys.argv[1]), {'grader': 'x'})\n"
        "def members():\n    yield b'x'\n    os._exit(9)\n"
        "folder.add_packed(members())"
    )
    subprocess.run([sys.executable, "-c", killed, str(tmp_path)], check=False)
    (left,) = tmp_path.glob(f".*{PART}")
    assert left.name.startswith(".trajectories.jsonl.gz.")
    (tmp_path / "notes.part").write_text("the user's own")
    RunFolder.create_or_resume(tmp_path, {"grader": "x"}).close()
    assert not left.exists()
    assert (tmp_path / "notes.part").exists()
