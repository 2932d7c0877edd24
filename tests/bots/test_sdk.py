"""The SDK in real processes, and the bot of the page about it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.contest import Contestant, find_contestant, play_match
from bots.process import Local
from bots.protocol import Clock, Hello, encode
from bots.table import ProcessTable
from engine.game import AnyGame
from engine.games import GAMES
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.referee import Played, run_match
from tests.docs.snippets import snippet
from tests.thorough import budget

ROOT = Path(__file__).parents[2]
PAGE = ROOT.joinpath("docs", "write-a-bot.md").read_text()
TEN_LINES, NOTED, LOOKS_AHEAD = (
    snippet("docs/write-a-bot.md", words).text for words in ("import Bid", "import note", "Imagination")
)


SHORT: dict[str, dict[str, object]] = {
    "gigabucks": {"bidding": "proxy", "max_rounds": 2},
    "kaiju": {"max_turns": 4},
    "shangzhou": {"max_turns": 1},
}


def match_of(folder: Path, source: str, seed: str = "sdk") -> tuple[Played, str]:
    """A match of the bot against itself, and what seat 0 wrote on stderr."""
    (folder / "bot.py").write_text(source)
    options = Options(players=2)
    with ProcessTable([Local(folder, "bot.py") for _ in range(2)], ZAIBATSU, options, Clock()) as table:
        played = run_match(ZAIBATSU, options, seed, table, absent=table.start())
        table.end(played.result.places, played.result.scores)
    return played, table.stderr(0)


def test_the_pages_bot_has_at_most_ten_lines_and_beats_random(tmp_path: Path) -> None:
    assert sum(bool(line.strip()) for line in TEN_LINES.splitlines()) <= 10
    (tmp_path / "mybot.py").write_text(TEN_LINES)
    ten = Contestant("ten", tmp_path, [sys.executable, "mybot.py"], "")
    random = find_contestant("zaibatsu", "random", tmp_path)
    wins = losses = 0
    for deal in range(budget(1, full=4)):
        for seat in range(3):
            played = play_match(ZAIBATSU, Options(), f"page {deal}", [random] * seat + [ten] + [random] * (2 - seat))
            assert played.faults == []
            wins += played.result.places[seat] == 1
            losses += played.result.places[seat] != 1
    assert wins > losses


def test_the_pages_note_is_the_line_that_the_page_shows(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", NOTED], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == ""
    assert f"\n    {run.stderr}" in PAGE


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_pages_bot_that_looks_ahead_plays_every_game(game: AnyGame, tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text(LOOKS_AHEAD.replace('"zaibatsu"', f'"{game.name}"'))
    ahead = Contestant("ahead", tmp_path, [sys.executable, "mybot.py"], "")
    random = find_contestant(game.name, "random", tmp_path)
    options = game.read_options({"players": 2, **SHORT.get(game.name, {})})
    played = play_match(game, options, "ahead", [ahead, random])
    assert played.faults == []


def test_what_a_bot_prints_goes_to_stderr(tmp_path: Path) -> None:
    played, stderr = match_of(
        tmp_path,
        "import os, sys\nfrom bots.sdk import play\n"
        "def choose(view, question):\n"
        "    print('by print', flush=True); os.system('echo by a child'); os.write(1, b'by number\\n')\n"
        "    return question.default()\n"
        "play(choose)\n",
    )
    assert played.faults == []
    for words in ("by print", "by a child", "by number"):
        assert words in stderr


def test_hear_is_told_every_event_the_seat_may_see_before_it_must_choose(tmp_path: Path) -> None:
    played, stderr = match_of(
        tmp_path,
        "from bots.sdk import limits, play, left_ms\nheard = []\n"
        "def hear(events): heard.extend(events)\n"
        "def choose(view, question):\n"
        "    hand = [e.hand for e in heard if type(e).__name__ == 'Dealt'][-1]\n"
        "    gone = [e.card for e in heard if type(e).__name__ == 'Placed']\n"
        "    assert sorted(set(hand) - set(gone)) == sorted(view.hand), (hand, gone, view.hand)\n"
        "    assert 0 < left_ms() <= 30_000\n"
        "    assert limits() == {'line_kb': 64, 'output_kb': 4096}\n"
        "    return question.default()\n"
        "end = play(choose, hear)\nprint('ended', end.places, end.scores, flush=True)\n",
    )
    assert played.faults == []
    assert f"ended {played.result.places} {played.result.scores}" in stderr


def test_an_exception_ends_the_bot_with_its_traceback(tmp_path: Path) -> None:
    played, _ = match_of(tmp_path, "from bots.sdk import play\nplay(lambda view, question: view.no_such_field)\n")
    assert played.result.verdicts == ["crashed", "crashed"]
    assert "no_such_field" in played.faults[0].detail


def test_an_answer_that_is_no_record_ends_the_bot_with_a_sentence(tmp_path: Path) -> None:
    played, _ = match_of(tmp_path, "from bots.sdk import play\nplay(lambda view, question: None)\n")
    assert "choose must return" in played.faults[0].detail


@pytest.mark.parametrize(
    "value", ["float('nan')", "float('inf')", "[float('-inf')]", "1j", "{1}", "object()", "Bid", "10**5000"]
)
def test_an_answer_that_json_cannot_say_ends_the_bot_with_a_sentence_alone(value: str, tmp_path: Path) -> None:
    played, stderr = match_of(
        tmp_path,
        "from bots.sdk import play\nfrom engine.games.zaibatsu import Bid\n"
        f"play(lambda view, question: Bid({value}))\n",
    )
    sentence = "choose must return an answer of finite numbers and texts, and lists of them, not "
    assert played.faults[0].detail.startswith(f"ended with exit code 1: {sentence}")
    assert stderr.startswith(sentence)
    assert "Traceback" not in stderr


def test_another_protocol_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(TEN_LINES)
    bot = Local(tmp_path, "bot.py")
    os.write(bot.stdin, encode(Hello("zaibatsu", 1, 0, 2, {}, Clock(), protocol=2)))
    with open(bot.stderr, closefd=False) as stderr:
        assert stderr.read() == "the table speaks protocol 2, this SDK speaks 1\n"
    assert bot.wait().code == 1


def test_a_bot_imports_its_own_files_whatever_the_environment_says(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import helper\nprint(helper.NAME)")
    (tmp_path / "helper.py").write_text("NAME = 'its own'")
    bot = Local(tmp_path, "bot.py", environment={"PYTHONSAFEPATH": "1"})
    with open(bot.stdout, closefd=False) as stdout:
        assert stdout.read() == "its own\n"
    assert bot.wait().code == 0


def test_importing_the_sdk_loads_next_to_nothing(tmp_path: Path) -> None:
    """The cost is what it loads: no dataclass, no game, no JSON, and no package."""
    code = "import sys; before = set(sys.modules); import bots.sdk; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    light = {"__future__", "bots", "bots.sdk", "importlib", "warnings"}
    assert {name for name in done.stdout.split() if not name.startswith("importlib._")} <= light


def test_a_bot_of_one_game_loads_no_other(tmp_path: Path) -> None:
    code = "import sys, engine.games.kaiju; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not [name for name in done.stdout.split() if name.startswith(("engine.games.network", "engine.games.gig"))]
