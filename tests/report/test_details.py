from __future__ import annotations

from typing import Any, cast

from tests.builders import BLUEPRINT, contract, criterion, rubric, trajectory, turn
from tests.report.runs import material
from tests.report.test_rows import graded, verdict
from userproxybench.models import Grade, Grounding
from userproxybench.report.details import contract_details, episode_details

Found = dict[str, list[dict[str, object]]]


def detail(grade: Grade, *lines: str, **more: Any) -> Found:
    under = contract()
    found = material([trajectory(*lines, under=under, **more)], [under], [grade])
    return cast("Found", next(episode_details(found, ["episode-0001"])))


def test_a_quotation_is_placed_where_a_browser_counts() -> None:
    lines = ("agent: Hello", "user: 👩 I  quit\nnow. ###STOP###")
    found = detail(graded(verdict("fail", turn=1, quotation="I quit now.")), *lines)
    [answer] = cast("list[list[dict[str, object]]]", found["grades"])[0]
    assert answer["a"] == (3, 15)


def test_a_quotation_that_is_not_there_has_no_place_and_is_still_shown() -> None:
    found = detail(graded(verdict("fail", quotation="[name] said so")))
    [answer] = cast("list[list[dict[str, object]]]", found["grades"])[0]
    assert "a" not in answer
    assert answer["q"] == "[name] said so"


def test_what_the_user_could_not_see_is_marked() -> None:
    said = (
        turn(0, "agent", calls=("find",)),
        turn(1, "tool", "found", requestor="agent"),
        turn(2, "agent", "Found it."),
        turn(3, "user", "I look.", calls=("look",)),
        turn(4, "tool", "nothing", requestor="user", error=True),
        turn(5, "user", "Hi", scripted=True),
    )
    turns = detail(graded(), turns_=said)["turns"]
    assert [one.get("h", 0) for one in turns] == [1, 1, 0, 0, 0, 0]
    assert turns[3]["d"] == 1
    assert turns[4]["e"] == 1
    assert turns[5]["w"] == 1


def test_a_criterion_marks_the_words_it_stands_on_where_they_are_now() -> None:
    text = BLUEPRINT.task_instructions or ""
    grounding = Grounding.of("task_instructions", text, 9, 23)
    moved = contract(
        blueprint=BLUEPRINT.model_copy(update={"task_instructions": "🙂 Now: " + text})
    )
    asked = rubric(criterion(grounding=grounding), under=moved)
    found = material([trajectory(under=moved)], [moved], [graded(verdict("fail"))], [asked])
    shown = next(contract_details(found, [moved.hash]))
    [criteria] = cast("list[dict[str, dict[str, object]]]", shown["criteria"])
    assert criteria["c1"]["f"] == "task_instructions"
    assert criteria["c1"]["a"] == (17, 31)


def test_a_span_that_is_gone_is_not_marked() -> None:
    grounding = Grounding.of("task_instructions", "words that are not there", 0, 5)
    under = contract()
    asked = rubric(criterion(grounding=grounding), under=under)
    found = material([trajectory(under=under)], [under], [graded(verdict("fail"))], [asked])
    [criteria] = cast(
        "list[dict[str, dict[str, object]]]",
        next(contract_details(found, [under.hash]))["criteria"],
    )
    assert "a" not in criteria["c1"]


def test_an_episode_without_conversation_on_file_is_empty() -> None:
    under = contract()
    found = material([trajectory(under=under)], [], [])
    assert list(episode_details(found, ["elsewhere"])) == [{}]
    assert list(contract_details(found, ["elsewhere"])) == [{}]


def test_no_setting_and_no_raw_data_is_shown() -> None:
    under = contract()
    found = material(
        [trajectory(under=under, agent_settings_hash="feedc0de", proxy_settings_hash="feedc0de")],
        [under],
        [graded(verdict("pass"))],
    )
    assert "feedc0de" not in repr(next(episode_details(found, ["episode-0001"])))
