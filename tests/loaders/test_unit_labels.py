from pathlib import Path

import pytest

from tests.accord_example import LABELS
from userproxybench.errors import LoadError
from userproxybench.loaders.unit_labels import read_labels

LINE = (
    '{"scenario": "s", "user_model": "m", "rollout": 0, "turn": 2, "test000": "yes", '
    '"test001": "yes", "test002": "n/a", "test003": "n/a", "test004": "n/a", "test005": "n/a"}'
)


def test_labels_are_found_by_turn() -> None:
    found = read_labels(LABELS)
    assert len(found) == 430
    assert found["shop-01", "aurora-70b", 0, 2].of("test001") == "yes"


@pytest.mark.parametrize(
    ("line", "match"),
    [
        pytest.param(LINE.replace('"yes"', '"n/a"', 1), "test000", id="test000 has no n/a"),
        pytest.param(LINE.replace('"turn": 2, ', ""), "turn", id="no turn"),
        pytest.param("{", "line 1", id="no JSON"),
    ],
)
def test_a_faulty_line_is_named(line: str, match: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(LoadError, match=match):
        read_labels(path)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="No such file"):
        read_labels(tmp_path / "none.jsonl")
