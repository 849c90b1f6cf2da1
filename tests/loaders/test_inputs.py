"""Opening inputs: what is refused and how, slices, and other processes."""

from __future__ import annotations

import gzip
import json
import os
import pickle
from pathlib import Path

import pytest

from tests.loaders.dumps import TALK, item, read, run, say, simulation, write
from userproxybench.errors import LoadError
from userproxybench.loaders import (
    Episode,
    LoadOptions,
    NotADumpError,
    ProxyIdentity,
    discover,
    name_proxies,
    open_input,
)

WHOLE = json.dumps(run(simulation()))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (WHOLE[:-40].encode(), rf"cut off: the file ends at byte {len(WHOLE) - 40}"),
        (WHOLE.replace('"simulations": [', '"simulations": [,').encode(), r"byte \d+.*damaged"),
        (b"ARROW1\x00\x00" + b"\x00" * 40, "Arrow.*blueprint"),
        (b"\xff\xff\xff\xff" + b"\x10" * 40, "Arrow stream.*Convert"),
        (b"PAR1" + b"\x00" * 40, "Parquet"),
        (b"{\x00\x01\x02", "binary data"),
        (b"user: Hi.\nassistant: Hello.", "not JSON"),
        (b'"abc"', "a single JSON text, not a dump"),
        (b"null", "a single JSON null, not a dump"),
        (b"12", "a single JSON number, not a dump"),
        (WHOLE.encode("utf-16"), "UTF-16"),
        (b"[]", "empty"),
        (b"[1, 2]", "unrecognised layout"),
        (b'{"messages_display": "user: Hi."}', "few-shot"),
        (b'{"simulations": []}', "holds no simulations"),
        (b'{"simulations": {"a": 1}}', "expected `array"),
        (b"\x1f\x8b\x08\x00broken", "damaged gzip"),
        (b"[" * 100_000, r"dump.json: the JSON is nested too deeply to be read\. Take"),
    ],
    ids=[
        "empty",
        "blank",
        "cut off",
        "broken",
        "arrow file",
        "arrow stream",
        "parquet",
        "binary",
        "text",
        "only a string",
        "only null",
        "only a number",
        "utf-16",
        "empty list",
        "list of numbers",
        "few-shot",
        "no simulations",
        "simulations no list",
        "broken gzip",
        "nesting bomb",
    ],
)
def test_bad_input_is_refused_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(content)
    with pytest.raises(LoadError, match=message) as caught:
        open_input(path)
    assert str(caught.value).startswith("dump.json: ")
    assert "\n" not in str(caught.value)


def test_what_is_no_regular_file_is_refused_and_in_a_folder_passed_over(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(WHOLE)
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "link.json").symlink_to(tmp_path / "run.json")
    for path in (tmp_path / "pipe.json", Path("/dev/null")):
        with pytest.raises(LoadError, match="not a regular file"):
            open_input(path)
    found = discover([tmp_path])
    assert [item.file for item in found.passed_over] == ["pipe.json"]
    assert len(open_input(tmp_path / "link.json")) == 1


def test_a_missing_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no such file"):
        open_input(tmp_path / "none.json")


def test_one_bad_simulation_is_an_error_among_the_others(tmp_path: Path) -> None:
    dump = run(simulation(), simulation(id="s2", messages=7, trial=1))
    dump["simulations"] += [None, simulation(id="s4", trial=3)]  # type: ignore[operator]
    opened = open_input(write(tmp_path, dump))
    found = list(opened.episodes())
    assert [isinstance(one, Episode) for one in found] == [True, False, False, True]
    assert "simulations[1]" in str(found[1])
    assert "simulations[2]" in str(found[2])


def test_a_line_cut_off_leaves_the_lines_before_it(tmp_path: Path) -> None:
    line = json.dumps({"messages": [say("user", "Hi.")], "tools": []})
    opened = open_input(write(tmp_path, f"{line}\n\n{line}\n{line[:20]}", "chat.jsonl"))
    found = list(opened.episodes())
    assert [isinstance(one, Episode) for one in found] == [True, True, False]
    assert "line 3" in str(found[2])


def test_bytes_that_are_not_utf8_are_read_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(WHOLE.replace("kite", "k\xefte").encode("latin-1"))
    (episode,) = read(path)
    assert "k\N{REPLACEMENT CHARACTER}te" in episode.trajectory.turns[1].text
    assert any("not UTF-8" in note for note in episode.trajectory.notes)


def test_lone_surrogates_and_control_characters_do_not_stop_the_reader(tmp_path: Path) -> None:
    text = WHOLE.replace("kite", "ki\\ud83dte \\u0000 \\ud83d\\ude00 \\\\ud83d \x01")
    opened = open_input(write(tmp_path, text))
    (episode,) = opened.episodes()
    assert isinstance(episode, Episode)
    said = episode.trajectory.turns[1].text
    assert "ki\N{REPLACEMENT CHARACTER}te \x00 \U0001f600 \\ud83d \x01" in said
    assert any("surrogates" in note for note in opened.notes)


def test_gzipped_dumps_are_read(tmp_path: Path) -> None:
    path = tmp_path / "run.json.gz"
    path.write_bytes(gzip.compress(WHOLE.encode()))
    assert len(read(path)) == 1


def test_an_input_pickles_as_its_path_and_reads_the_same_slice(tmp_path: Path) -> None:
    dump = run(*(simulation(id=f"s{n}", trial=n) for n in range(5)))
    opened = open_input(write(tmp_path, dump), LoadOptions(guidelines="x"))
    opened.rename({opened.proxies[0]: "renamed"})
    data = pickle.dumps(opened)
    assert len(data) < 2000
    assert list(pickle.loads(data).episodes(2, 4)) == list(opened.episodes(2, 4))
    assert all(one.trajectory.proxy == "renamed" for one in opened.episodes())  # type: ignore[union-attr]


def test_the_flag_outranks_what_the_file_records(tmp_path: Path) -> None:
    options = LoadOptions(proxies=(("mine", "*run*"), ("other", "elsewhere/*")))
    (episode,) = read(write(tmp_path, run(simulation())), options)
    assert (episode.trajectory.proxy, episode.trajectory.proxy_identity) == ("mine", "flag")


def test_the_file_name_is_the_last_resort(tmp_path: Path) -> None:
    (episode,) = read(write(tmp_path, [item(TALK)], "weak_user.json"))
    assert (episode.trajectory.proxy, episode.trajectory.proxy_identity) == ("weak_user", "name")


def test_names_given_by_flag_or_file_get_no_suffix() -> None:
    known = [
        ProxyIdentity("a", "1111", "recorded"),
        ProxyIdentity("a", "2222", "raw_data"),
        ProxyIdentity("b", "1111", "recorded"),
        ProxyIdentity("c", "1111", "flag"),
        ProxyIdentity("c", "2222", "flag"),
    ]
    assert list(name_proxies(known).values()) != []
    assert {key: name_proxies(known)[key] for key in known} == dict(
        zip(known, ["a@1111", "a@2222", "b", "c", "c"], strict=True)
    )


def test_an_unknown_layout_among_known_keys_is_no_dump(tmp_path: Path) -> None:
    with pytest.raises(NotADumpError, match="unrecognised layout"):
        open_input(write(tmp_path, {"info": {}, "tasks": []}))
