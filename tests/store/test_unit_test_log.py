from pathlib import Path

import pytest

from userproxybench.errors import RunFolderError
from userproxybench.store.run_folder import RunFolder
from userproxybench.store.unit_test_log import NAME, UnitTestLog
from userproxybench.unit_tests.running import StoredText


def test_what_is_added_is_found_by_the_next_process(tmp_path: Path) -> None:
    with RunFolder.create_or_resume(tmp_path, {"job": "t"}) as folder:
        UnitTestLog(folder).add("k", StoredText("yes", "because \ud800"))
    with RunFolder.create_or_resume(tmp_path, {"job": "t"}) as folder:
        kept = UnitTestLog(folder).find("k")
    assert kept is not None
    assert kept.outcome == "yes"


def test_a_torn_last_line_never_counted(tmp_path: Path) -> None:
    with RunFolder.create_or_resume(tmp_path, {"job": "t"}) as folder:
        UnitTestLog(folder).add("a", StoredText("yes", "x"))
    with (tmp_path / NAME).open("ab") as file:
        file.write(b'{"key":"b","outc')
    with RunFolder.create_or_resume(tmp_path, {"job": "t"}) as folder:
        log = UnitTestLog(folder)
        assert log.find("b") is None
        log.add("c", StoredText("no", "y"))
    with RunFolder.create_or_resume(tmp_path, {"job": "t"}) as folder:
        assert UnitTestLog(folder).find("c") == StoredText("no", "y")


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    with RunFolder.create_or_resume(tmp_path, {"job": "t"}) as folder:
        UnitTestLog(folder).add("a", StoredText("yes", "x"))
        (tmp_path / NAME).write_bytes(b"noise\n")
        with pytest.raises(RunFolderError, match="line 1 is damaged"):
            UnitTestLog(folder)
