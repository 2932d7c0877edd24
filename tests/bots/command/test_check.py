"""`boardroom check`: each thing that a site would mind is found in a bot that does it, and none in a sound one."""

import json
from pathlib import Path
from typing import Any

import pytest

from bots.command.main import main
from bots.doctor.findings import percentiles
from bots.doctor.session import in_brief
from bots.doctor.tables import WAYS, tables, variants
from bots.table import LAST_LINES, USED
from engine.games import GAMES
from engine.games.kaiju import KAIJU
from engine.sentences import Sentence

Captured = pytest.CaptureFixture[str]
SDK = "from bots.sdk import play\n"
RAW = (
    "import json, sys\n"
    "for line in sys.stdin:\n"
    "    message = json.loads(line)\n"
    "    if message['t'] == 'hello': print('{\"t\":\"ready\"}', flush=True)\n"
)
OWN_MEMORY = (
    "from engine.games.zaibatsu import Place, ToPlace\nfrom bots.sdk import play\nhand = []\n"
    "def choose(view, question):\n"
    "    if not isinstance(question, ToPlace): return question.default()\n"
    "    if len(question.cards) > len(hand) + 1: hand[:] = sorted(question.cards)\n"
    "    return Place(hand.pop(0), question.piles[0])\n"
    "play(choose)\n"
)


def checked(capsys: Captured, tmp_path: Path, source: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    (tmp_path / "mine.py").write_text(source)
    status = main(["check", "zaibatsu", str(tmp_path / "mine.py"), "--questions", "60", *arguments, "--json"])
    report = json.loads(capsys.readouterr().out)
    return status, {finding["about"]: finding for finding in report["findings"]}


def test_a_sound_bot_passes_and_every_kind_of_question_was_asked(capsys: Captured) -> None:
    assert main(["check", "zaibatsu", "random", "--questions", "100"]) == 0
    output = capsys.readouterr().out
    assert "FAILS" not in output
    assert all(f"{kind} " in output for kind in ("place", "bid", "call"))
    assert "asked the same twice, it gave the same" in output


@pytest.mark.parametrize(
    ("source", "about", "words"),
    [
        ("import pandas\n", "imports", "does not have pandas; it has the standard library, engine, bots.sdk"),
        ("1\nthis is no Python\n", "imports", "cannot read line 2 of bot.py: invalid syntax"),
        ("raise SystemExit(3)\n", "start", "crashed"),
        (f"{SDK}play(lambda view, question: 1 / 0)\n", "answers", "ZeroDivisionError"),
        (
            f"from engine.games.zaibatsu import Bid\n{SDK}play(lambda view, question: Bid(10**6))\n",
            "answers",
            "illegal answer",
        ),
        (f"{RAW}    else: print('hello', flush=True)\n", "answers", "bad protocol"),
        (f"{RAW}    else: print('noise\\n{{}}', flush=True)\n", "answers", "bad protocol"),
        (OWN_MEMORY, "after_a_fault", "read the view"),
        ("raise SystemExit\n", "answers", "it was asked nothing"),
    ],
)
def test_what_a_bot_does_wrong_is_found(capsys: Captured, tmp_path: Path, source: str, about: str, words: str) -> None:
    status, findings = checked(capsys, tmp_path, source)
    assert (status, findings[about]["status"]) == (1, "failure")
    assert words in findings[about]["text"]


def test_a_module_that_cannot_be_read_and_may_be_imported_later_is_a_warning(capsys: Captured, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(f"{SDK}play(lambda view, question: question.default())\n")
    (tmp_path / "more.py").write_text("x = = 1\nimport pandas\n")
    assert main(["check", "zaibatsu", str(tmp_path), "--questions", "20"]) == 0
    output = capsys.readouterr().out
    assert "warning  imports: Python cannot read line 1 of more.py, which the bot may import later: “invalid" in output


FAILS = "\ndef choose(view, question):\n    return 1 / 0\n"


@pytest.mark.parametrize(
    ("source", "about", "sentence"),
    [
        (
            f"{FAILS}choose(1, 2)\n",
            "start",
            "crashed: in line 3 of bot.py it ended with exit code 1: Zero",
        ),
        ("import os\nos.chdir(5.5)\n", "start", "crashed: in line 2 of bot.py it ended with exit code 1: TypeError: "),
        (f"{SDK}{FAILS}play(choose)\n", "answers", "crashed: in line 4 of bot.py it ended with exit code 1: Zero"),
        ("raise SystemExit('no luck')\n", "start", "crashed: ended with exit code 1: no luck"),
    ],
)
def test_a_card_says_in_a_sentence_in_which_line_the_bot_ended(
    capsys: Captured, tmp_path: Path, source: str, about: str, sentence: str
) -> None:
    _, findings = checked(capsys, tmp_path, source)
    assert sentence in findings[about]["text"]
    assert not any("\n" in finding["text"] for finding in findings.values())


OTHERS = [
    (
        "/bot/bot.js:3\n    return 1 + ;\n\nSyntaxError: Unexpected",
        "in line 3 of bot.js it ended with exit code 1: S",
    ),
    (
        "ReferenceError: x is not defined\n    at choose (/bot/lib/more.js:7:9)\n    at /bot/bot.js:2:1",
        "in line 7 of lib/more.js it ended with exit code 1: ",
    ),
    ('  File "/bot/a b.py", line 7, in f\n    x\nNameError: x', "in line 7 of a b.py it ended with exit code 1: NameE"),
    ('  File "/usr/lib/python3.11/json.py", line 7, in f\n    x\nNameError: x', "ended with exit code 1: NameError: x"),
    ("no traceback", "ended with exit code 1: no traceback"),
]


@pytest.mark.parametrize(("stderr", "sentence"), OTHERS)
def test_the_line_is_found_in_what_a_bot_of_any_language_wrote(stderr: str, sentence: str) -> None:
    last = stderr.rpartition("\n")[2].strip()
    used = Sentence(USED, used="0.1", memory="9")
    brief = in_brief(f"ended with exit code 1: {last}\n{used}\n{LAST_LINES}\n{stderr}")
    assert brief.startswith(sentence)
    assert "\n" not in brief


def test_a_bot_that_ran_out_of_time_is_not_said_to_have_ended_in_a_line_that_it_wrote_before() -> None:
    late = "gave no answer for 10 s and used 0.1 s of CPU time; 10 s are allowed"
    assert in_brief(f'{late}\n{LAST_LINES}\n  File "/bot/bot.py", line 7, in f\nNameError: x') == late


def test_a_detail_of_a_liar_that_gives_no_reason_is_nothing_in_brief() -> None:
    used = Sentence(USED, used="0.1", memory="9")
    assert in_brief(f'{used}\n{LAST_LINES}\n  File "/bot/bot.py", line 7, in f\nNameError: x') == ""


def test_a_bot_that_never_answers_is_ended_and_told(capsys: Captured, tmp_path: Path) -> None:
    source = f"import time\n{SDK}play(lambda view, question: time.sleep(600))\n"
    status, findings = checked(capsys, tmp_path, source, "--answer-ms", "10", "--seconds", "1")
    assert (status, findings["answers"]["status"]) == (1, "failure")
    assert "gave no answer for 5" in findings["answers"]["text"]


def test_a_bot_that_draws_lots_without_a_seed_is_warned(capsys: Captured, tmp_path: Path) -> None:
    source = (
        f"import random\nfrom engine.dice import Dice\n{SDK}"
        "play(lambda view, question: question.draw(Dice.of(str(random.random()))))\n"
    )
    status, findings = checked(capsys, tmp_path, source)
    assert (status, findings["repeatable"]["status"]) == (0, "warning")
    assert findings["answers"]["status"] == "ok"


def test_a_limit_that_is_passed_fails(capsys: Captured, tmp_path: Path) -> None:
    source = f"room = b'x' * (600 << 20)\n{SDK}play(lambda view, question: question.default())\n"
    status, findings = checked(capsys, tmp_path, source, "--questions", "1")
    assert (status, findings["memory"]["status"]) == (1, "failure")
    assert findings["memory"]["numbers"]["p100"] > 600


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_players_seat_way_and_choice_comes_up(game: str) -> None:
    choices = variants(GAMES[game])
    assert {options.players for options in choices} == set(GAMES[game].players)
    plan = tables(GAMES[game], "seed")
    seen = [next(plan) for _ in range(40 * len(choices))]
    assert {(options.players, seat) for options, _, seat, _ in seen} == {
        (players, seat) for players in GAMES[game].players for seat in range(players)
    }
    assert {(options.players, way) for options, _, _, way in seen} >= {
        (players, way) for players in GAMES[game].players for way in WAYS
    }
    assert len({seed for _, seed, _, _ in seen}) == len(seen)


def test_a_choice_that_a_game_has_is_tried() -> None:
    assert len(variants(KAIJU)) >= len(KAIJU.players)
    assert {options.piles for options in variants(GAMES["zaibatsu"])} == {"open", "closed"}  # type: ignore[attr-defined]


def test_percentiles_are_of_the_values() -> None:
    assert percentiles(range(1, 101)) == {"p50": 50, "p90": 90, "p99": 99, "p100": 100}
    assert percentiles([7.0]) == {"p50": 7.0, "p90": 7.0, "p99": 7.0, "p100": 7.0}
    assert percentiles([]) == {}
