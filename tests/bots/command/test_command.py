"""The command `boardroom`, as people type it."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bots.command.main import COMMANDS, main
from bots.command.worker_pool import WITHOUT_SANDBOX
from engine.replay import read_replay, verify
from tests.tournaments.ops.launcher.processes import until

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "bots.command"]
Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["plya"], "bad_command", "No such command"),
        (["play"], "bad_command", "GAME"),
        (["play", "chess", "a", "b"], "unknown_game", "games: zaibatsu"),
        (["play", "zaibatsu", "random"], "wrong_number_of_players", "2 to 4 players"),
        (["play", "zaibatsu", "random", "nobody.py"], "missing_bot", "samples: blend"),
        (["play", "zaibatsu", "random", "docs"], "no_entry", "or call the file to run bot.py"),
        (["play", "zaibatsu", "random", "/dev/zero"], "too_large", "at most"),
        (["play", "zaibatsu", "random", "tests"], "too_large", "the folder holds more than a bot's"),
        (["play", "zaibatsu", "random", "ödd \n name.py"], "missing_bot", "no file"),
        (["play", "zaibatsu", "random", "random", "--games", "0"], "bad_command", "0 is not in the range"),
        (["play", "zaibatsu", "random", "random", "--games", "many"], "bad_command", "not a valid integer"),
        (["play", "zaibatsu", "random", "random", "--option", "piles"], "bad_option", "NAME=VALUE"),
        (["play", "zaibatsu", "random", "random", "--replay", "/no/such/r"], "missing_folder", "no folder /no/such"),
        (["play", "zaibatsu", "random", "random", "--replay", "docs"], "is_folder", "docs is a folder"),
        (["verify", "README.md", "--digest", "short"], "bad_digest", "64 hexadecimal digits"),
        (["verify", "README.md", "--proof", "README.md"], "bad_proof", "README.md"),
        (["verify", "README.md", "--proof", "nowhere"], "cannot_read_or_write", "nowhere"),
        (["completions", "cmd"], "bad_command", "'bash', 'zsh', 'fish'"),
    ],
)
def test_a_bad_command_is_answered_by_a_sentence_and_a_code(
    arguments: list[str], code: str, words: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    status = main(arguments)
    out, err = capsys.readouterr()
    assert status in (1, 2)
    assert not out
    assert f"[{code}]" in err
    assert words in err
    assert main([*arguments, "--json"]) == status
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == code
    assert words in error["detail"]


def test_every_command_has_help_with_examples_and_json(capsys: Captured) -> None:
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
        text = capsys.readouterr().out
        assert "Examples:" in text, name
        assert f"boardroom {name}" in text
        assert "--json" in text
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in COMMANDS)


def test_matches_on_all_cores_are_those_of_one(tmp_path: Path, capsys: Captured) -> None:
    kept = tmp_path / "last.json.gz"
    arguments = ["play", "zaibatsu", "random", "marginal", "--games", "4", "--json"]
    assert main([*arguments, "--cores", "2", "--replay", str(kept)]) == 0
    parallel = json.loads(capsys.readouterr().out)
    assert main([*arguments, "--cores", "1"]) == 0
    single = json.loads(capsys.readouterr().out)
    for played in (*parallel["matches"], *single["matches"]):
        played.pop("ms")
    assert parallel["matches"] == single["matches"]
    assert [match["seats"] for match in single["matches"]] == [[0, 1], [1, 0], [0, 1], [1, 0]]
    verify(replay := read_replay(kept.read_bytes()))
    assert [player.name for player in replay.players] == ["marginal", "random"]
    assert main(["verify", str(kept), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["status"] == 0


def test_a_replay_of_other_rules_says_which_to_upgrade(tmp_path: Path, capsys: Captured) -> None:
    kept = tmp_path / "last.json"
    assert main(["play", "zaibatsu", "random", "random", "--games", "1", "--replay", str(kept), "--json"]) == 0
    replay = json.loads(gzip.decompress(kept.read_bytes()))
    replay["rules"] = 99
    kept.write_text(json.dumps(replay))
    capsys.readouterr()
    assert main(["verify", str(kept)]) == 1
    error = capsys.readouterr().err
    assert "other_rules" in error
    assert "install its kit anew" in error


def test_a_bot_that_faults_is_told_once_and_the_match_goes_on(tmp_path: Path, capsys: Captured) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("raise SystemExit('no')\n")
    assert main(["play", "zaibatsu", str(bad), "random", "--games", "2", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err.count("bad in match 1: crashed") == 1
    assert json.loads(out)["bots"][0]["faults"] == {"crashed": 2}


def test_on_windows_a_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert main(["play", "zaibatsu", "random", "random"]) == 2
    assert "WSL 2" in capsys.readouterr().err


def test_a_full_disk_is_told_as_one(monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("the system has no /dev/full")
    assert main(["play", "zaibatsu", "random", "random", "--games", "1", "--replay", str(full)]) == 1
    assert "[full_disk]" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "zaibatsu", "SLOW", "random", "--games", "2"),
        ("league", "zaibatsu", "SLOW", "random"),
        ("tune", "zaibatsu", "SLOW", "--param", "A=0:1"),
        ("climb", "SLOW", "--game", "zaibatsu"),
        ("series", "zaibatsu", "SLOW", "random"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_ctrl_c_leaves_no_bot_behind(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended_by(signal.SIGINT, tmp_path, arguments)


def test_who_ends_it_by_a_signal_leaves_no_bot_behind_either(tmp_path: Path) -> None:
    ended_by(signal.SIGTERM, tmp_path, ("check", "zaibatsu", "SLOW"))


def ended_by(sent: signal.Signals, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    slow = tmp_path / "slow.py"
    marker = f"still-here-{os.getpid()}"
    slow.write_text(f"import time\nname = {marker!r}\ntime.sleep(60)\n")
    command = [*COMMAND, *(str(slow) if word == "SLOW" else word for word in arguments)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as running:
        deadline = time.monotonic() + 30
        while not (children := bots_of(running.pid)) and time.monotonic() < deadline:
            time.sleep(0.001)  # at once: while some of them are still being started
        assert children
        running.send_signal(sent)
        assert running.wait(20) == 130
        assert running.stderr is not None
        assert arguments[0] != "play" or "stopped" in running.stderr.read()
    until(lambda: not [pid for pid in children if Path(f"/proc/{pid}/exe").exists() and state(pid) != "Z"], 5.0)


def bots_of(pid: int) -> list[int]:
    """The processes of bots below a process: those in a folder of bundles."""
    bots, look = list[int](), [pid]
    while look:
        for child in children_of(look.pop()):
            look.append(child)
            if "boardroom-" in str(Path(f"/proc/{child}/cwd").readlink()):
                bots.append(child)
    return bots


def children_of(pid: int) -> list[int]:
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for thread in threads for child in (thread / "children").read_text().split()]
    except OSError:
        return []


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_it_says_before_bots_start_that_there_is_no_sandbox(capsys: Captured) -> None:
    assert main(["play", "zaibatsu", "random", "random", "--games", "1"]) == 0
    out, err = capsys.readouterr()
    assert WITHOUT_SANDBOX[:30] in err.replace("\n", " ")
    assert "95 % interval" in out


def test_a_game_that_cannot_be_loaded_is_answered_by_a_sentence_and_a_code() -> None:
    for command in (COMMAND, [sys.executable, "manage.py", "boardroom"]):
        for option in ((), ("--json",)):
            done = subprocess.run(
                [*command, "play", "zaibatsu", "random", "random", *option],
                env={**os.environ, "BOARDROOM_GAMES": "no_such_game"},
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 2
            assert "BOARDROOM_GAMES: no_such_game cannot be imported" in done.stdout + done.stderr
            assert json.loads(done.stdout)["error"]["code"] == "bad_game" if option else "[bad_game]" in done.stderr
            assert "Traceback" not in done.stderr


PRESSED = """
import os, signal, sys
class Pressed:
    def find_spec(self, name, *_):
        if name == "engine.games":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Pressed())
from bots.command.__main__ import main
sys.exit(main())
"""


def test_ctrl_c_is_answered_while_the_command_is_being_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", PRESSED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")
