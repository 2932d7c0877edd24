"""What is done with replays at home: forks, and rows to learn from."""

import gzip
import json
from pathlib import Path

import pytest

from bots.command.main import main
from engine.replay import read_replay, verify

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def replay(tmp_path: Path, capsys: Captured) -> Path:
    path = tmp_path / "match.json.gz"
    assert main(["play", "zaibatsu", "random", "marginal", "--games", "1", "--replay", str(path), "--json"]) == 0
    capsys.readouterr()
    return path


def fork(capsys: Captured, replay: Path, *arguments: str) -> dict[str, object]:
    assert main(["fork", str(replay), *arguments, "--json"]) == 0
    output: dict[str, object] = json.loads(capsys.readouterr().out)
    return output


def test_a_fork_is_the_match_up_to_the_moment_and_another_after_it(
    replay: Path, tmp_path: Path, capsys: Captured
) -> None:
    out = tmp_path / "other.json"
    report = fork(capsys, replay, "marginal", "--seat", "0", "--at", "20", "--replay", str(out))
    before, after = read_replay(replay.read_bytes()), read_replay(out.read_bytes())
    verify(after)
    assert [line[:2] for line in before.answers[:20]] == [line[:2] for line in after.answers[:20]]  # type: ignore[index]
    assert [line[:2] for line in before.answers] != [line[:2] for line in after.answers]  # type: ignore[index]
    assert (report["bots"], report["faults"]) == (["marginal", "random"], [])
    assert before.seed == after.seed


def test_a_fork_at_the_end_is_the_match(replay: Path, capsys: Captured) -> None:
    length = len(read_replay(replay.read_bytes()).answers)
    report = fork(capsys, replay, "marginal", "--seat", "0", "--at", str(length))
    assert report["then"] == report["now"]


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["random", "--seat", "2", "--at", "0"], 2, "bad_moment"),
        (["random", "--seat", "0", "--at", "99999"], 2, "bad_moment"),
        (["nobody", "--seat", "0", "--at", "1"], 2, "missing_bot"),
        (["random", "--at", "1"], 2, "bad_command"),
    ],
)
def test_a_moment_that_is_not_there_is_refused(
    replay: Path, capsys: Captured, arguments: list[str], status: int, code: str
) -> None:
    assert main(["fork", str(replay), *arguments, "--json"]) == status
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_a_bot_that_ends_before_the_moment_is_told(replay: Path, tmp_path: Path, capsys: Captured) -> None:
    bad = tmp_path / "bad.py"
    for source in ("raise SystemExit(1)\n", "from bots.sdk import play\nplay(lambda view, question: 1 / 0)\n"):
        bad.write_text(source)
        assert main(["fork", str(replay), str(bad), "--seat", "0", "--at", "20"]) == 1
        assert "[bot_gone]" in capsys.readouterr().err


def test_a_replay_of_other_rules_is_not_forked(replay: Path, tmp_path: Path, capsys: Captured) -> None:
    plain = json.loads(gzip.decompress(replay.read_bytes()))
    plain["rules"] = 9
    other = tmp_path / "other.json"
    other.write_text(json.dumps(plain))
    assert main(["fork", str(other), "random", "--seat", "0", "--at", "1"]) == 2
    assert "[other_rules]" in capsys.readouterr().err


def test_every_answer_becomes_a_row_with_what_the_seat_saw(replay: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "rows.jsonl"
    assert main(["datagen", str(replay), "--out", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    kept = read_replay(replay.read_bytes())
    assert [[row["seat"], row["answer"]] for row in rows] == [line[:2] for line in kept.answers]  # type: ignore[index]
    assert all(row["view"]["seat"] == row["seat"] for row in rows)
    assert {(row["seat"], row["score"], row["place"]) for row in rows} == set(
        zip((0, 1), kept.result.scores, kept.result.places, strict=True)
    )
    assert main(["datagen", str(replay), "--out", str(out), "--name", "marginal", "--json"]) == 0
    assert {json.loads(line)["name"] for line in out.read_text().splitlines()} == {"marginal"}


def test_a_replay_that_does_not_hold_is_left_out_and_the_others_stay(
    replay: Path, tmp_path: Path, capsys: Captured
) -> None:
    odd, out = tmp_path / "odd.json", tmp_path / "rows.jsonl"
    odd.write_text("{}")
    files = [str(odd), str(replay), str(tmp_path / "none"), str(tmp_path)]
    assert main(["datagen", *files, "--out", str(out), "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["replays"]
    assert [row["error"] for row in rows] == ["not_a_replay", "", "unreadable", "unreadable"]
    assert len(out.read_text().splitlines()) == rows[1]["rows"] > 0
    assert not out.with_name("rows.jsonl.part").exists()
