"""Replays: what is stored, what is derived, and every kind of edit."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import verify as command
from engine.records import canonical, to_plain
from engine.replay import (
    BIGGEST_FILE,
    Player,
    Replay,
    ReplayError,
    advance,
    canonical_hash,
    log,
    playback,
    position,
    read_replay,
    seal,
    verify,
    write_replay,
)
from tests import thorough
from tests.games.record import RECORDED, recorded, replay_of

Plain = dict[str, Any]


@pytest.fixture(scope="module")
def replay() -> Replay:
    """A match with faults of one seat, and another that did not start."""
    return replay_of("zaibatsu-faults")


def fault_of(code: str, data: bytes) -> str:
    with pytest.raises(ReplayError) as caught:
        verify(read_replay(data))
    assert caught.value.code == code
    return caught.value.detail


def edited(replay: Replay, edit: Callable[[Plain], object], *, sealed: bool = True) -> bytes:
    """The file after `edit`; with `sealed`, its digest is made anew, as a forger would."""
    plain = json.loads(json.dumps(to_plain(replay)))
    edit(plain)
    if sealed:
        plain.pop("digest", None)
        plain["digest"] = canonical_hash(plain)
    return json.dumps(plain).encode()


# --- what holds ----------------------------------------------------------------------------------------------------


def test_a_replay_holds_plain_and_gzipped_and_is_the_same_bytes_each_time(replay: Replay) -> None:
    assert verify(read_replay(write_replay(replay))) == verify(read_replay(gzip.decompress(write_replay(replay))))
    assert read_replay(write_replay(replay)) == replay
    assert write_replay(replay) == write_replay(recorded("zaibatsu-faults"))
    assert len(write_replay(replay)) < 2000


def test_its_seats_show_each_kind_of_conduct(replay: Replay) -> None:
    assert replay.result.verdicts == ["ok", "illegal answer", "crashed"]
    assert replay.absent == {"2": "crashed"}
    assert {line[3] for line in replay.answers if len(line) == 4} == {"illegal answer", "forfeited"}  # type: ignore[arg-type, index]


def test_the_log_and_any_position_are_derived(replay: Replay) -> None:
    events = log(replay)
    assert (events[0].tag, events[-1].tag) == ("setup", "end")
    assert canonical_hash(position(replay, len(replay.answers))) == replay.position
    assert canonical(position(replay, 0)) != canonical(position(replay, 1))


def test_terms_say_what_could_not_always_be_set_only_if_it_is_not_as_it_was(replay: Replay) -> None:
    for extra in ({}, {"increment_ms": 5}, {"line_kb": 1, "output_kb": 32, "stderr_kb": 1}):
        as_told = {"world": "wasm-0", "answer_ms": 1000, "bank_ms": 30_000, "start_ms": 5000, "memory_mb": 512, **extra}
        data = edited(replay, lambda plain, terms=as_told: plain.update(terms=terms))  # type: ignore[misc]
        verify(read_back := read_replay(data))
        assert json.loads(gzip.decompress(write_replay(read_back)))["terms"] == as_told
        assert read_replay(write_replay(read_back)) == read_back


def test_a_playback_tells_what_was_answered_step_by_step(replay: Replay) -> None:
    run = playback(replay)
    answers = advance(replay, run)
    assert run.step == 1
    assert [to_plain(action) for action in answers.values()] == [replay.answers[0][1]]  # type: ignore[index]


# --- every kind of edit --------------------------------------------------------------------------------------------


def first(plain: Plain, tag: str) -> int:
    return next(i for i, line in enumerate(plain["answers"]) if line[1]["t"] == tag and len(line) == 3)


def faulty(plain: Plain, fault: str) -> int:
    return next(i for i, line in enumerate(plain["answers"]) if line[3:] == [fault])


def another_pile(action: Plain) -> None:
    action["pile"] = action["pile"] % 4 + 1


EDITS: dict[str, tuple[Callable[[Plain], object], str]] = {
    "an answer": (lambda p: another_pile(p["answers"][first(p, "place")][1]), "differs"),
    "an illegal answer": (lambda p: p["answers"][first(p, "bid")][1].update(amount=99), "differs"),
    "an answer of another kind": (lambda p: p["answers"][0].__setitem__(1, {"t": "call", "pile": 1}), "differs"),
    "an answer cut off": (lambda p: p["answers"].pop(), "differs"),
    "an answer taken out": (lambda p: p["answers"].pop(7), "differs"),
    "an answer too many": (lambda p: p["answers"].append(p["answers"][-1]), "differs"),
    "two answers exchanged": (lambda p: p["answers"].insert(0, p["answers"].pop(1)), "differs"),
    "a seat": (lambda p: p["answers"][0].__setitem__(0, 5), "differs"),
    "a seat that is not a number": (lambda p: p["answers"][1].__setitem__(0, str(p["answers"][1][0])), "differs"),
    "a time below 0": (lambda p: p["answers"][0].__setitem__(2, -1.0), "differs"),
    "a time that is no number": (lambda p: p["answers"][0].__setitem__(2, "1"), "differs"),
    "a line too long": (lambda p: p["answers"][0].extend(["", ""]), "differs"),
    "no line": (lambda p: p["answers"].__setitem__(0, None), "differs"),
    "a fault hidden": (lambda p: p["answers"][faulty(p, "illegal answer")].pop(), "differs"),
    "a fault invented": (lambda p: p["answers"][first(p, "place")].append("timed out"), "differs"),
    "an unknown fault": (lambda p: p["answers"][faulty(p, "illegal answer")].__setitem__(3, "lazy"), "differs"),
    "the platform's fault": (lambda p: p["answers"][faulty(p, "illegal answer")].__setitem__(3, "ours"), "differs"),
    "a forfeit hidden": (lambda p: p["answers"][faulty(p, "forfeited")].pop(), "differs"),
    "a forfeit invented": (lambda p: p["answers"][first(p, "place")].append("forfeited"), "differs"),
    "another default": (lambda p: p["answers"][faulty(p, "forfeited")][1].update(pile=4), "differs"),
    "more strikes": (lambda p: p.update(strikes=99), "differs"),
    "nobody absent": (lambda p: p.update(absent={}), "differs"),
    "another absent": (lambda p: p.update(absent={"7": "crashed"}), "not_a_replay"),
    "an absent seat that is ok": (lambda p: p.update(absent={"2": "ok"}), "not_a_replay"),
    "the scores": (lambda p: p["result"]["scores"].__setitem__(0, 435), "differs"),
    "the places": (lambda p: p["result"].update(places=[3, 3, 3]), "differs"),
    "the verdicts": (lambda p: p["result"].update(verdicts=["ok", "ok", "ok"]), "differs"),
    "the forfeits": (lambda p: p["result"].update(forfeits=[False, False, False]), "differs"),
    "the final position": (lambda p: p.update(position="00" * 32), "differs"),
    "the seed": (lambda p: p.update(seed="another"), "differs"),
    "the commitment": (lambda p: p.update(commitment="00" * 32), "differs"),
    "the options": (lambda p: p["options"].update(unsold="carry"), "differs"),
    "options that cannot be": (lambda p: p["options"].update(players=9), "not_a_replay"),
    "a player too few": (lambda p: p["players"].pop(), "differs"),
    "the rules version": (lambda p: p.update(rules=2), "other_rules"),
    "the game": (lambda p: p.update(game="chess"), "other_rules"),
    "the format": (lambda p: p.update(boardroom_replay=2), "not_a_replay"),
    "the format's type": (lambda p: p.update(boardroom_replay=True), "not_a_replay"),
    "a field more": (lambda p: p.update(more=1), "not_a_replay"),
    "a field less": (lambda p: p.pop("seed"), "not_a_replay"),
    "half a character": (lambda p: p.update(seed="\ud800"), "not_a_replay"),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_is_found_even_if_the_digest_is_made_anew(replay: Replay, what: str) -> None:
    edit, code = EDITS[what]
    assert fault_of(code, edited(replay, edit))


def test_an_edit_that_leads_to_the_same_end_is_found_by_its_faults_or_the_digest(replay: Replay) -> None:
    """A losing bid lowered by one changes no score and no position, but the digest tells."""
    plain = to_plain(replay_of("zaibatsu-3"))
    lines = plain["answers"]
    for index, line in enumerate(lines):
        if line[1]["t"] == "bid" and line[1]["amount"] > 1:
            change = {"t": "bid", "amount": line[1]["amount"] - 1}
            data = json.dumps(
                {**plain, "answers": [*lines[:index], [*line[:1], change, *line[2:]], *lines[index + 1 :]]}
            )
            with pytest.raises(ReplayError) as caught:
                verify(read_replay(data.encode()))
            if caught.value.code == "edited":
                return
    raise AssertionError("no bid could be lowered without another end")


@pytest.mark.parametrize(
    "edit",
    [
        lambda p: p["answers"][0].__setitem__(2, 999.9),
        lambda p: p["players"][0].update(name="somebody else"),
        lambda p: p["players"][0].update(bundle="00"),
        lambda p: p.update(digest="00" * 32),
    ],
)
def test_what_does_not_follow_from_the_answers_is_guarded_by_the_digest(
    replay: Replay, edit: Callable[[Plain], object]
) -> None:
    assert "edited" in fault_of("edited", edited(replay, edit, sealed=False))


@settings(max_examples=thorough.budget(100, full=1500), deadline=None)
@given(st.data())
def test_no_byte_can_be_changed(data: st.DataObject) -> None:
    """Whatever is made of the file, it is refused by a ReplayError, or says the same as before."""
    file = (RECORDED / "zaibatsu-faults.json").read_bytes().strip()
    offset = data.draw(st.integers(0, len(file) - 1))
    byte = data.draw(st.integers(0, 255) | st.sampled_from(b'0123456789[]{}",.-eE'))
    try:
        replay = read_replay(file[:offset] + bytes([byte]) + file[offset + 1 :])
        verify(replay)
    except ReplayError:
        return
    assert to_plain(replay) == to_plain(read_replay(file))


# --- files that are no replays -------------------------------------------------------------------------------------


NOT_REPLAYS = {
    "empty": b"",
    "text": b"hello",
    "a list": b"[]",
    "another object": b"{}",
    "not UTF-8": b"\xff\xfe\x00",
    "deep nesting": b"[" * 100_000,
    "deep nesting of objects": b'{"boardroom_replay":' * 100_000,
    "not a number": b'{"boardroom_replay": NaN}',
    "a huge number": b'{"boardroom_replay": ' + b"9" * 10_000 + b"}",
    "a field twice": b'{"boardroom_replay": 1, "boardroom_replay": 1}',
    "damaged gzip": b"\x1f\x8b damaged",
    "too large": b" " * (BIGGEST_FILE + 1),
}


@pytest.mark.parametrize("what", NOT_REPLAYS)
def test_what_is_no_replay_is_refused_with_a_reason(what: str) -> None:
    assert fault_of("not_a_replay", NOT_REPLAYS[what])


def test_a_bomb_is_refused_with_a_reason() -> None:
    assert fault_of("not_a_replay", gzip.compress(b" " * (BIGGEST_FILE * 50)))


def test_a_cut_file_and_one_with_more_behind_are_refused(replay: Replay) -> None:
    data, plain = write_replay(replay), gzip.decompress(write_replay(replay))
    for broken in (data[:-1], data[: len(data) // 2], data + b"x", data + data, plain[:-1], plain + plain):
        assert fault_of("not_a_replay", broken)


def test_deep_nesting_inside_is_a_difference_not_a_crash(replay: Replay) -> None:
    deep: object = []
    for _ in range(200):
        deep = [deep]
    assert fault_of("differs", edited(replay, lambda p: p["answers"][0].__setitem__(1, deep)))


# --- the command ---------------------------------------------------------------------------------------------------


def test_the_command_prints_what_holds_and_what_the_file_says_besides(capsys: pytest.CaptureFixture[str]) -> None:
    path = RECORDED / "zaibatsu-3.json"
    assert command.main([str(path)]) == 0
    out, err = capsys.readouterr()
    first, *seats, last = [line.removeprefix(f"{path}: ") for line in out.splitlines()]
    assert first.startswith("holds: zaibatsu, ")
    assert seats == [f"says: seat {seat} is 'drawn-{seat}', version 0, of no uploaded bundle" for seat in range(3)]
    assert (last, err) == (f"says: the digest is {read_replay(path.read_bytes()).digest}", "")


def test_the_command_shows_names_that_would_draw_on_a_terminal_as_text(
    replay: Replay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "painted.json"
    painter = Player("a\x1b[2J\n\u202eb", 1, "\r" * 90)
    path.write_bytes(write_replay(seal(replace(replay, players=[painter, *replay.players[1:]]))))
    assert command.main([str(path)]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert (len(lines), all(map(str.isprintable, lines))) == (6, True)


def test_the_command_holds_a_file_to_a_digest_that_was_kept(capsys: pytest.CaptureFixture[str]) -> None:
    path = RECORDED / "zaibatsu-3.json"
    digest = read_replay(path.read_bytes()).digest
    assert command.main([str(path), "--digest", digest]) == 0
    assert capsys.readouterr().out.endswith(f": holds: the digest is {digest}\n")
    assert command.main([str(path), "--digest", "ab" * 32]) == 1
    assert f"edited: another file was meant: this one has the digest {digest}, not abab" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda p: p.update(strikes=0), "replay.strikes is 0; it must be at least 1"),
        (lambda p: p.update(strikes=-3), "replay.strikes is -3; it must be at least 1"),
        (lambda p: p.update(rules=-1), "replay.rules is -1; versions of rules begin at 1"),
        (lambda p: p["players"][1].update(version=-1), "replay.players[1].version is -1; it must be 0 or more"),
    ],
)
def test_numbers_that_no_match_could_have_are_refused(
    replay: Replay, edit: Callable[[Plain], object], reason: str
) -> None:
    assert fault_of("not_a_replay", edited(replay, edit)) == f"not a replay: {reason}"


def test_the_command_prints_the_first_difference(
    replay: Replay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "edited.json"
    path.write_bytes(edited(replay, EDITS["an answer cut off"][0]))
    assert command.main([str(RECORDED / "zaibatsu-3.json"), str(path)]) == 1
    assert f"differs: answer {len(replay.answers) - 1} is missing" in capsys.readouterr().err


@pytest.mark.parametrize("path", ["no such file", ".", "\0"])
def test_the_command_says_what_it_cannot_read(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([path]) == 2
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [[], ["--proof"], ["a", "--digest"], ["a", "--digest", "12"], ["a", "b", "--digest", "ab" * 32], ["-x", "a"]],
)
def test_the_command_says_how_it_is_used(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2
    assert "usage: python3 -m engine.verify" in capsys.readouterr().err
