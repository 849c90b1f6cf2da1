"""Full-duplex voice: utterances out of ticks."""

from __future__ import annotations

from pathlib import Path

from tests.loaders.dumps import only, say, simulation, write
from userproxybench.loaders import open_input


def script(uuid: str, text: str) -> str:
    return f'<message uuid="{uuid}" active="0"><chunk id=0>{text}</chunk></message>'


def tick(number: int, user: str = "", agent: str = "", **more: object) -> dict[str, object]:
    def chunk(role: str, text: str) -> dict[str, object]:
        return say(role, text, contains_speech=bool(text), audio_script_gold=None)

    return {
        "tick_id": number,
        "user_chunk": chunk("user", user),
        "agent_chunk": chunk("assistant", agent),
        **more,
    }


def voice(*ticks: dict[str, object]) -> dict[str, object]:
    return simulation(None, mode="full_duplex", ticks=list(ticks))


def test_consecutive_ticks_are_one_utterance(tmp_path: Path) -> None:
    ticks = [tick(0, "Wa"), tick(1, "nt"), tick(2, " a kite."), tick(3), tick(4, agent="Su")]
    trajectory = only(
        tmp_path, voice(*ticks, tick(5, agent="re."), tick(6, "###STOP###"))
    ).trajectory
    said = [(turn.speaker, turn.text) for turn in trajectory.turns]
    assert said == [("user", "Want a kite."), ("agent", "Sure."), ("user", "###STOP###")]
    assert not trajectory.not_auditable


def test_calls_and_results_of_a_tick_stand_in_order(tmp_path: Path) -> None:
    calls = [{"id": "a", "name": "look", "arguments": {}, "requestor": "assistant"}]
    results = [{"id": "a", "role": "tool", "content": "3", "requestor": "assistant"}]
    ticks = [tick(0, "Hi."), tick(1, agent_tool_calls=calls), tick(2, agent_tool_results=results)]
    turns = only(tmp_path, voice(*ticks)).trajectory.turns
    assert [turn.speaker for turn in turns] == ["user", "agent", "tool"]
    assert turns[2].tool == "look"


def test_another_script_begins_another_utterance(tmp_path: Path) -> None:
    ticks = [tick(0, "Hi."), tick(1, "Hello?")]
    for uuid, one in zip("ab", ticks, strict=True):
        one["user_chunk"]["audio_script_gold"] = script(uuid, "x")  # type: ignore[index]
    turns = only(tmp_path, voice(*ticks)).trajectory.turns
    assert [turn.text for turn in turns] == ["Hi.", "Hello?"]


def test_the_gold_script_stands_in_for_chunks_without_text(tmp_path: Path) -> None:
    silent = {
        "role": "user",
        "contains_speech": True,
        "audio_script_gold": script("a", "A &amp; B"),
    }
    turns = only(tmp_path, voice(tick(0, user_chunk=silent), tick(1))).trajectory.turns
    assert [turn.text for turn in turns] == ["A & B"]


def test_a_stripped_recording_has_nothing_to_audit(tmp_path: Path) -> None:
    bare = {"role": "user", "contains_speech": True}
    trajectory = only(tmp_path, voice(tick(0, user_chunk=bare), tick(1))).trajectory
    assert trajectory.not_auditable.startswith("no text")


def test_a_finding_at_a_tick_lands_on_the_turn_that_was_going_on(tmp_path: Path) -> None:
    review = {"errors": [{"source": "user", "tick_start": 4, "error_tags": ["x"]}]}
    ticks = [tick(0, "Hi."), tick(1), tick(3, agent="Yes"), tick(4, agent="?"), tick(5)]
    (finding,) = only(tmp_path, {**voice(*ticks), "review": review}).trajectory.review
    assert finding.turn == 1


def test_a_directory_run_takes_its_metadata_from_results_json(tmp_path: Path) -> None:
    info = {"environment_info": {"domain_name": "d"}, "user_info": {"llm": "m"}}
    write(tmp_path, {"info": info, "tasks": []}, "run/results.json")
    write(tmp_path, voice(tick(0, "Hi.")), "run/simulations/s1.json")
    for path in ("run", "run/results.json", "run/simulations/s1.json"):
        opened = open_input(tmp_path / path)
        assert [one.trajectory.proxy for one in opened.episodes()] == ["m"]  # type: ignore[union-attr]
        assert any("no simulation_index" in note for note in opened.notes)
