"""Our own lines: what is written is read back, and people may write them by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.loaders.dumps import call as called
from tests.loaders.dumps import metered, read, result, run, say, simulation, write
from userproxybench.errors import LoadError
from userproxybench.loaders import Decoder, Encoder, Episode, open_input

BY_HAND = {
    "trajectory": {
        "turns": [
            {"speaker": "agent", "text": "Hello."},
            {"speaker": "user", "tool_calls": [{"name": "look"}]},
            {"speaker": "tool", "requestor": "user", "tool": "look", "text": "dark"},
        ],
    },
    "contract": {"domain": "d", "task_id": 7, "blueprint": {"instructions": "You are Ida."}},
}


def rich(folder: Path) -> list[Episode]:
    talk = [
        say("assistant", "Hello \U0001f4a1 \x00"),
        metered("One moment.", tool_calls=[called("toggle_lamp", on=True, level=2.5)]),
        result("on", error=True),
        metered("###STOP###"),
    ]
    review = {"errors": [{"source": "user", "turn_idx": 3, "severity": "odd"}]}
    return read(write(folder, run(simulation(talk, review=review), simulation(id="s2", trial=1))))


def test_an_episode_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    episodes = rich(tmp_path)
    encoder, decoder = Encoder(), Decoder()
    lines = [encoder.encode(episode) for episode in episodes]
    assert [decoder.decode(line) for line in lines] == episodes
    assert all(b"\n" not in line for line in lines)


def test_lines_of_one_contract_share_it(tmp_path: Path) -> None:
    encoder = Encoder()
    lines = b"\n".join(encoder.encode(episode) for episode in rich(tmp_path))
    first, second = read(write(tmp_path, lines.decode(), "trajectories.jsonl"))
    assert first.contract is second.contract


def test_a_file_of_lines_keeps_sources_proxies_and_ids(tmp_path: Path) -> None:
    episodes = rich(tmp_path)
    lines = b"\n".join(Encoder().encode(episode) for episode in episodes)
    opened = open_input(write(tmp_path, lines.decode(), "trajectories.jsonl"))
    assert list(opened.episodes()) == episodes
    assert [identity.name for identity in opened.proxies] == ["sim-model-a"]


def test_repeated_lines_are_dropped_and_different_ones_kept_apart(tmp_path: Path) -> None:
    first, second = rich(tmp_path)
    lines = [Encoder().encode(first).decode()] * 2
    lines.append(lines[0].replace("One moment.", "Wait."))
    lines.append(Encoder().encode(second).decode())
    opened = open_input(write(tmp_path, "\n".join(lines), "trajectories.jsonl"))
    ids = [one.trajectory.id for one in opened.episodes() if isinstance(one, Episode)]
    assert len(ids) == len(set(ids)) == 3
    assert opened.notes == ("1 identical repetitions dropped",)


def test_a_line_written_by_hand_may_leave_out_what_can_be_filled_in(tmp_path: Path) -> None:
    two = "\n".join([json.dumps(BY_HAND)] * 1 + [json.dumps({**BY_HAND, "x": 1})])
    first, second = read(write(tmp_path, two, "mine.jsonl"))
    assert [turn.index for turn in first.trajectory.turns] == [0, 1, 2]
    assert first.trajectory.task_id == first.contract.task_id == "7"
    assert first.trajectory.contract_hash == first.contract.hash
    assert (first.trajectory.id, second.trajectory.id) == ("mine.jsonl#0", "mine.jsonl#1")
    assert first.trajectory.domain == "d"


def test_a_wrong_hash_is_recomputed_with_a_note(tmp_path: Path) -> None:
    episode = rich(tmp_path)[0]
    line = Encoder().encode(episode).replace(episode.contract.hash.encode(), b"0" * 16)
    found = Decoder().decode(line).trajectory
    assert found.contract_hash == episode.contract.hash
    assert any("recomputed" in note for note in found.notes)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"trajectory": {"turns": 7}, "contract": BY_HAND["contract"]}, "line 1"),
        (
            {"trajectory": {"turns": [{"speaker": "narrator"}]}, "contract": BY_HAND["contract"]},
            "line 1.*narrator",
        ),
        ({"trajectory": BY_HAND["trajectory"], "contract": {"domain": "d", "wish": 1}}, "contract"),
    ],
    ids=["turns no list", "unknown speaker", "unknown contract field"],
)
def test_a_wrong_line_names_its_place(tmp_path: Path, line: object, message: str) -> None:
    (found,) = open_input(write(tmp_path, json.dumps(line), "mine.jsonl")).episodes()
    assert isinstance(found, LoadError)
    with pytest.raises(LoadError, match=message):
        raise found
