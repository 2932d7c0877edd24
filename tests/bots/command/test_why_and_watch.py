"""`boardroom why` and `boardroom watch`: a match told and shown at home."""

import gzip
import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bots.command.main import main
from bots.viewer.film_chunks import find_moment
from bots.viewer.player import Perspective
from bots.viewer.turning_points import costly, decisions, led_last, margin, says_something, standing_by_moment
from engine.replay import Replay, read_replay
from tests.games.record import RECORDED

ROOT = Path(__file__).parents[3]
Captured = pytest.CaptureFixture[str]
MATCH = RECORDED / "zaibatsu-3.json"


def output_of(capsys: Captured, *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    output: dict[str, Any] = json.loads(capsys.readouterr().out)
    return output


def outlined(replay: Replay) -> Any:
    return find_moment(replay, Perspective.everything(len(replay.players)), 0)


@pytest.mark.parametrize("name", ["zaibatsu-3", "kaiju-3", "gigabucks-5", "shangzhou-windows", "network-3"])
def test_what_decisions_cost_adds_up_to_how_the_seat_ends(name: str) -> None:
    """The costs begin with the first decision, and each lasts until the next: none is counted twice or left out."""
    replay = read_replay((RECORDED / f"{name}.json").read_bytes())
    seen = outlined(replay)
    assert says_something(seen.outline)
    for seat in range(len(replay.players)):
        points = decisions(replay, seen.outline, seen.names, seat)
        mine = [number for number, line in enumerate(replay.answers) if line[0] == seat]  # type: ignore[index]
        assert [point.at for point in points] == mine
        ends = standing_by_moment(seen.outline, seat)[-1]
        assert points[0].before - sum(point.cost for point in points) == pytest.approx(ends)
        assert all(point.own + point.others == pytest.approx(-point.cost) for point in points)
        assert all(point.did for point in points)


def test_the_dearest_and_the_faults_are_named_in_the_order_of_the_match() -> None:
    replay = read_replay(MATCH.read_bytes())
    seen = outlined(replay)
    points = decisions(replay, seen.outline, seen.names, 1)
    dear = costly(points, 3)
    assert [point.at for point in dear] == sorted(point.at for point in dear)
    least = min(point.cost for point in dear)
    assert all(point.cost <= least for point in points if point not in dear)
    line: Any = replay.answers[points[4].at]
    line.append("crashed")
    faulty = costly(decisions(replay, seen.outline, seen.names, 1), 1)
    assert [(point.at, point.fault) for point in faulty] == [(points[4].at, "crashed")]


def test_a_seat_that_forfeits_decides_nothing_more_and_pays_for_it_to_the_end() -> None:
    replay = read_replay((RECORDED / "zaibatsu-faults.json").read_bytes())
    seen = outlined(replay)
    seat = replay.result.forfeits.index(True)
    lines: Any = [line for line in replay.answers if line[0] == seat]  # type: ignore[index]
    points = decisions(replay, seen.outline, seen.names, seat)
    assert len(points) == sum(line[3:] != ["forfeited"] for line in lines) < len(lines)
    assert points[-1].fault
    assert points[-1].after == standing_by_moment(seen.outline, seat)[-1] == 0


def test_who_leads_at_the_end_has_not_lost_the_lead() -> None:
    outline = outlined(read_replay(MATCH.read_bytes())).outline
    leader = outline.chances[-1].index(max(outline.chances[-1]))
    assert led_last(outline, leader) is None
    for seat in range(3):
        if seat != leader:
            last = led_last(outline, seat)
            after = outline.ats.index(last) + 1 if last is not None else 0
            assert all(margin(chances, seat) < 0 for chances in outline.chances[after:])


def test_why_names_commands_that_go_on_from_there(capsys: Captured) -> None:
    report = output_of(capsys, "why", str(MATCH), "--seat", "1", "--most", "2")
    assert (report["seat"], len(report["moments"])) == (1, 2)
    for moment in report["moments"]:
        assert moment["fork"] == f"boardroom fork {MATCH} BOT --seat 1 --at {moment['at']}"
    command = report["moments"][0]["fork"].replace("BOT", "random").split()[1:]
    forked = output_of(capsys, *command)
    assert forked["bots"][1] == "random"
    assert main(["why", str(MATCH)]) == 0
    out = capsys.readouterr().out
    assert (
        f"place {max(read_replay(MATCH.read_bytes()).result.places)} of 3" in out
    )  # who came last, if nobody is named
    assert f"go on: boardroom fork {MATCH} BOT" in out


def test_why_tells_the_luck_of_the_dice_where_a_game_does(capsys: Captured) -> None:
    lucky = [
        output_of(capsys, "why", str(RECORDED / "gigabucks-5.json"), "--seat", str(seat))["luck"] for seat in range(5)
    ]
    assert sum(lucky) == pytest.approx(0)
    assert any(lucky)
    assert output_of(capsys, "why", str(MATCH))["luck"] is None


def test_watch_prints_one_moment_or_the_log_where_there_is_no_terminal(capsys: Captured) -> None:
    moment = output_of(capsys, "watch", str(MATCH), "--at", "30", "--seat", "1")
    assert moment["at"] <= 30
    assert moment["view"]["seat"] == 1
    assert moment["says"].startswith("Zaibatsu")
    assert "view" not in output_of(capsys, "watch", str(MATCH), "--at", "30")
    moments = output_of(capsys, "watch", str(MATCH))["moments"]
    assert [step["at"] for step in moments if step["at"] == moment["at"]] == [moment["at"]]
    assert moments[-1]["at"] == len(read_replay(MATCH.read_bytes()).answers)
    assert main(["watch", str(MATCH)]) == 0
    log = capsys.readouterr().out
    lines = [line["text"] for step in moments for line in step["told"]]
    assert all(text in log for text in lines)
    assert main(["watch", str(MATCH), "--at", "30", "--seat", "1"]) == 0
    shown = capsys.readouterr().out
    assert moment["scene"] in shown
    assert "What seat 1 may know:" in shown


def test_a_seat_does_not_hear_what_is_dealt_to_others(capsys: Captured) -> None:
    def dealt(*arguments: str) -> int:
        moments = output_of(capsys, "watch", str(MATCH), *arguments)["moments"]
        return sum("is dealt" in line["text"] for moment in moments for line in moment["told"])

    assert 0 < 3 * dealt("--seat", "1") <= dealt()


def test_in_a_terminal_keys_lead_from_moment_to_moment_and_q_leaves() -> None:
    terminal, program_end = pty.openpty()
    command = [sys.executable, "-m", "bots.command", "watch", str(MATCH)]
    running = subprocess.Popen(command, cwd=ROOT, stdin=program_end, stdout=program_end, stderr=program_end)
    os.close(program_end)
    try:
        assert "| 0 of " in shown(terminal, "q leaves")
        assert "| 1 of " in typed(terminal, b"\x1b[C")
        assert "the end" in typed(terminal, b"G")
        assert "| 20 of " in typed(terminal, b"2", b"0", b"\r")
        assert "| 19 of " in typed(terminal, b"\x1b[D")
        os.write(terminal, b"q")
        assert running.wait(10) == 0
    finally:
        running.kill()
        running.wait()
        os.close(terminal)


def typed(terminal: int, *keys: bytes) -> str:
    seen = ""
    for key in keys:
        os.write(terminal, key)
        seen = shown(terminal, "q leaves")
    return seen


def shown(terminal: int, until: str) -> str:
    """Return what the terminal shows, until the line is there with which each moment ends."""
    seen, deadline = b"", time.monotonic() + 20
    while until.encode() not in seen and time.monotonic() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 65536)
    return seen.decode(errors="replace")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--seat", "9"], "unknown_seat"),
        (["--seat", "-1"], "bad_command"),
    ],
)
@pytest.mark.parametrize("command", ["why", "watch"])
def test_a_seat_that_is_not_there_is_refused(
    capsys: Captured, command: str, arguments: Sequence[str], code: str
) -> None:
    assert main([command, str(MATCH), *arguments, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


@pytest.mark.parametrize("command", ["why", "watch"])
def test_what_is_no_replay_of_these_rules_is_refused(tmp_path: Path, capsys: Captured, command: str) -> None:
    plain = json.loads(MATCH.read_bytes())
    other, edited, odd = (tmp_path / name for name in ("other.json", "edited.json.gz", "odd.json"))
    other.write_text(json.dumps({**plain, "rules": 9}))
    edited.write_bytes(gzip.compress(json.dumps({**plain, "seed": "another"}).encode()))
    odd.write_text("no JSON")
    codes = []
    for path in (tmp_path, tmp_path / "none", odd, other, edited):
        assert main([command, str(path), "--json"]) != 0
        codes.append(json.loads(capsys.readouterr().out)["error"]["code"])
    assert codes == ["is_folder", "cannot_read_or_write", "not_a_replay", "other_rules", "differs"]


def test_a_moment_after_the_end_is_refused(capsys: Captured) -> None:
    assert main(["watch", str(MATCH), "--at", "99999", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "bad_moment"
