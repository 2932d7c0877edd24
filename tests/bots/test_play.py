"""`python3 -m bots.play` as people use it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bots.play import main
from bots.results_table import wilson
from bots.sequential_test import NAMED, Evidence
from bots.until_decided import UntilDecided
from engine.replay import read, verify

COMMAND = [sys.executable, "-m", "bots.play", "zaibatsu"]
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _any_core() -> object:
    """Playing keeps to one core; give the others back."""
    cores = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, cores)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["chess", "random", "random"], "unknown_game", "games: zaibatsu"),
        (["zaibatsu", "random"], "wrong_number_of_players", "2 to 4 players; 1 bots"),
        (["zaibatsu", *["random"] * 5], "wrong_number_of_players", "2 to 4 players; 5 bots"),
        (["zaibatsu", "random", "nobody.py"], "missing_bot", "samples: blend, frugal.c, frugal.js, marginal, random"),
        (["zaibatsu", "random", "README.md"], "wrong_kind", "neither"),
        (["zaibatsu", "random", "docs"], "no_entry", "or call the file to run bot.py"),
        (["zaibatsu", "random", "random", "--games", "0"], "bad_games", "at least 1"),
        (["zaibatsu", "random", "random", "--option", "piles"], "bad_option", "NAME=VALUE"),
        (["zaibatsu", "random", "random", "--option", "players=3"], "bad_option", "bots named"),
        (["zaibatsu", "random", "random", "--option", "piles=up"], "bad_option", "'open', 'closed'"),
        (["zaibatsu", "random", "random", "--option", "first=7"], "bad_option", "seat from 0 to 1"),
        (["zaibatsu", "random", "random", "--replay", "/no/such/r"], "missing_folder", "no folder /no/such"),
        (["zaibatsu", "random", "random", "--sprt", "up"], "bad_test", "write gain, non-regression, balanced"),
        (["zaibatsu", "random", "random", "--sprt=30:0"], "bad_bounds", "the first must be below the second"),
        (["zaibatsu", "random", "random", "--sprt=30:30"], "bad_bounds", "the bounds are 30 and 30 Elo"),
        (["zaibatsu", "random", "random", "--sprt=nan:3"], "bad_bounds", "the bounds are nan and 3 Elo"),
        (["zaibatsu", "random", "random", "--sprt", "gain", "--alpha", "0.7"], "bad_error_rate", "alpha is 0.7"),
        (["zaibatsu", "random", "random", "--sprt", "gain", "--beta", "nan"], "bad_error_rate", "beta is nan"),
        (["zaibatsu", "random", "random", "--sprt", "gain", "--games", "9"], "bad_games", "leave out --games"),
        (["zaibatsu", "random", "random", "--alpha", "0.1"], "no_test", "name one with --sprt"),
    ],
)
def test_a_bad_command_is_answered_by_a_sentence_and_a_code(
    arguments: list[str], code: str, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert f"[{code}]" in err


def test_the_table_names_every_bot_with_its_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["zaibatsu", "random", "marginal", "random", "--games", "3"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split("  ")[0] == "bot"
    assert {row.split("  ")[0] for row in rows} == {"random", "marginal", "random #2"}


def test_json_holds_each_match_and_each_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["zaibatsu", "random", "marginal", "--games", "2", "--json", "--option", "piles=closed"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert results["options"]["piles"] == "closed"
    assert [match["seats"] for match in results["matches"]] == [["random", "marginal"], ["marginal", "random"]]
    assert [match["seed"] for match in results["matches"]] == ["home/0", "home/0"]
    assert [bot["games"] for bot in results["bots"]] == [2, 2]
    assert sum(bot["wins"] for bot in results["bots"]) == 2


def test_the_same_seed_gives_the_same_matches(capsys: pytest.CaptureFixture[str]) -> None:
    def results(seed: str) -> object:
        assert main(["zaibatsu", "random", "marginal", "--games", "2", "--json", "--seed", seed]) == 0
        return [match["result"] for match in json.loads(capsys.readouterr().out)["matches"]]

    spring = results("spring")
    assert spring == results("spring")
    assert spring != results("autumn")


def test_the_last_matchs_replay_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "last.json.gz"
    assert main(["zaibatsu", "random", "marginal", "--games", "2", "--replay", str(file)]) == 0
    replay = read(file.read_bytes())
    verify(replay)
    assert [player.name for player in replay.players] == ["marginal", "random"]


def test_a_file_and_a_folder_play_and_a_fault_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "main.py").write_text("from more import choose\nfrom bots.sdk import play\nplay(choose)\n")
    (folder / "more.py").write_text("def choose(view, question):\n    return question.default()\n")
    (tmp_path / "bad.py").write_text("import no_such_module\n")
    assert main(["zaibatsu", str(folder), str(tmp_path / "bad.py"), "--games", "2", "--json"]) == 0
    out, err = capsys.readouterr()
    mine, bad = json.loads(out)["bots"]
    assert (mine["name"], mine["faults"]) == ("mine", {})
    assert (bad["name"], bad["faults"]) == ("bad", {"crashed": 2})
    assert "bad in match 1: crashed: ended with exit code 1: ModuleNotFoundError" in err
    assert err.count("bad in match") == 1


def test_the_system_python_plays_without_the_environment(tmp_path: Path) -> None:
    bare = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    no_packages = [sys.executable, "-S", *COMMAND[1:]]
    done = subprocess.run(
        [*no_packages, "random", "random", "--games", "1"], cwd=ROOT, env=bare, stderr=subprocess.PIPE, check=True
    )
    assert done.stderr == b""


def test_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    command = [*COMMAND, "random", "random", "--games", "10000", "--seed", "x"]
    with subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as process:
        while not list(tmp_path.glob("boardroom-*/*")):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"stopped\n")
    assert not list(tmp_path.glob("boardroom-*"))


# Without the SDK, which takes longest to start: a test plays many matches.
BARE = """
import json
import sys

for line in sys.stdin:
    told = json.loads(line)
    if told["t"] == "hello":
        print('{"t":"ready"}', flush=True)
    elif told["t"] == "question":
        ask = told["ask"]
        if ask["t"] == "place":
            action = {"t": "place", "card": ask["cards"][0], "pile": ask["piles"][0]}
        elif ask["t"] == "call":
            action = {"t": "call", "pile": ask["piles"][0]}
        else:
            action = {"t": "bid", "amount": AMOUNT}
        print(json.dumps({"action": action}), flush=True)
"""


@pytest.fixture
def buyer(tmp_path: Path) -> str:
    (tmp_path / "buyer.py").write_text(BARE.replace("AMOUNT", 'ask["low"]'))
    return str(tmp_path / "buyer.py")


@pytest.fixture
def passer(tmp_path: Path) -> str:
    (tmp_path / "passer.py").write_text(BARE.replace("AMOUNT", "0"))
    return str(tmp_path / "passer.py")


def test_sets_are_played_until_the_first_bot_is_accepted_or_refused(
    buyer: str, passer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "last.json.gz"
    assert main(["zaibatsu", buyer, passer, "--sprt", "gain", "--json", "--replay", str(file)]) == 0
    found = json.loads(capsys.readouterr().out)
    test = found["test"]
    assert test["accepted"] is True
    assert test["llr"] == test["llrs"][-1] >= test["upper"]
    assert test["sets"] == len(test["llrs"]) == sum(test["outcomes"]) >= 16
    assert [(bot["games"], bot["faults"]) for bot in found["bots"]] == [(2 * test["sets"], {})] * 2
    verify(read(file.read_bytes()))

    assert main(["zaibatsu", passer, buyer, "--sprt=-30:0"]) == 3
    out = capsys.readouterr().out
    assert "passer against buyer, +0 Elo or -30: refused after 16 sets, 32 games" in out
    assert "accepted at +3.14, refused at -2.48" in out


def test_ctrl_c_prints_how_the_test_stands(tmp_path: Path) -> None:
    (tmp_path / "began").mkdir()
    bot = tmp_path / "telling.py"
    bot.write_text(
        f"open({str(tmp_path / 'began' / 'it')!r}, 'w').close()\n"
        "from bots.sdk import play\nplay(lambda view, question: question.default())\n"
    )
    command = [*COMMAND, str(bot), "random", "blend", "--sprt", "gain", "--json"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        while not list((tmp_path / "began").iterdir()):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    found = json.loads(out)["test"]
    assert (process.returncode, err) == (130, b"stopped\n")
    assert found["accepted"] is None
    assert found["sets"] == len(found["llrs"]) < 16


def test_a_test_at_home_that_has_not_begun_says_so() -> None:
    stopped = UntilDecided(["new", "old"], Evidence(NAMED["gain"], 2))
    assert stopped.as_text().splitlines() == [
        "no match was played",
        "new against old, +30 Elo or +0: not decided after 0 sets, 0 games; 16 sets are the least",
    ]


def test_wilsons_interval_holds_the_share_and_narrows() -> None:
    low, high = wilson(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert wilson(0, 1)[0] == 0.0
    assert wilson(80, 100)[1] - wilson(80, 100)[0] < high - low
