from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest
from pydantic import BaseModel

from userproxybench.errors import InputError
from userproxybench.models import MODES
from userproxybench.models.exchange import Reply
from userproxybench.prompting import PARTS, modes_of_failure, prompt_file
from userproxybench.replies import (
    ConfirmReply,
    CriteriaReply,
    CriterionReply,
    ReviewReply,
    TrajectoryReply,
    read_reply,
)

NAMES = sorted(path.stem for path in Path("userproxybench/prompts").glob("*.md"))
EXAMPLES: dict[str, type[BaseModel]] = {
    "grade": CriterionReply,
    "grade_trajectory": TrajectoryReply,
    "generate": CriteriaReply,
    "verify": ReviewReply,
}


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_file_can_be_filled(name: str) -> None:
    file = prompt_file(name)
    for part in PARTS:
        wanted = string.Template(getattr(file, part)).get_identifiers()
        filled = getattr(file, f"fill_{part}")(**dict.fromkeys(wanted, "VALUE"))
        assert "$" not in filled


@pytest.mark.parametrize("name", EXAMPLES)
def test_reply_example_in_the_prompt_parses(name: str) -> None:
    system = prompt_file(name).system
    example = system.split("Example of the form:\n", 1)[1]
    read_reply(Reply(text=example, finish_reason="stop"), EXAMPLES[name])


def test_confirmation_example_names_the_fields_of_its_reply() -> None:
    text = prompt_file("confirm_grade").suffix
    assert all(f'"{name}"' in text for name in ConfirmReply.model_fields)


@pytest.mark.parametrize("name", ["grade", "grade_trajectory"])
def test_answer_fields_are_asked_for_with_the_reason_first(name: str) -> None:
    asked = re.findall(r'^- "(\w+)":', prompt_file(name).system, re.MULTILINE)
    assert [item for item in asked if item != "criterion"] == [
        "reason",
        "turn",
        "quotation",
        "verdict",
    ]


def test_both_grading_prompts_state_the_same_rules() -> None:
    rules = {
        name: prompt_file(name).system.split("What counts\n")[1].split("Your answer")[0]
        for name in ("grade", "grade_trajectory")
    }
    assert rules["grade"] == rules["grade_trajectory"]
    assert prompt_file("grade").prefix == prompt_file("grade_trajectory").prefix


@pytest.mark.parametrize("values", [{}, {"criterion": "x", "more": "y"}, {"other": "x"}])
def test_missing_and_unknown_values_are_errors(values: dict[str, str]) -> None:
    with pytest.raises(InputError, match="placeholders"):
        prompt_file("grade").fill_suffix(**values)


def test_values_are_never_scanned_again() -> None:
    hostile = "$criterion ${criterion} $$ <!-- suffix -->"
    assert hostile in prompt_file("grade").fill_suffix(criterion=hostile)


def test_people_may_bring_their_own_text(tmp_path: Path) -> None:
    (tmp_path / "grade.md").write_text("<!-- system -->\nA\n<!-- suffix -->\nB $criterion\n")
    own = prompt_file("grade", tmp_path)
    assert own.fill_suffix(criterion="C") == "B C"
    assert own.hash != prompt_file("grade").hash


@pytest.mark.parametrize(
    "text", ["no parts", "<!-- suffix -->\na\n<!-- suffix -->\nb", "x\n<!-- suffix -->\na"]
)
def test_badly_marked_file_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "grade.md").write_text(text)
    with pytest.raises(InputError, match="parts marked"):
        prompt_file("grade", tmp_path)


def test_unknown_prompt_is_an_error() -> None:
    with pytest.raises(InputError, match="no prompt file 'nope'"):
        prompt_file("nope")


def test_all_nineteen_modes_are_explained() -> None:
    assert all(f"- {mode}: " in modes_of_failure() for mode in MODES)
    assert json.dumps(modes_of_failure())
