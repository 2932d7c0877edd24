"""`boardroom tune` and `boardroom climb`: numbers found, and held to fresh deals; rungs beaten."""

import json
from pathlib import Path
from random import Random

import pytest

from bots.command.climb import Climb, climb_document, climb_verdict
from bots.command.errors import KitError
from bots.command.parameters import read_parameter, read_parameters, values, variables
from bots.command.series_decision import Series
from bots.command.spsa import Spsa
from bots.contest import bundle_named, sample_files, sample_names
from bots.field import FILE, read_fields
from bots.sequential_test import expected_score, judged, read_test
from engine.games import GAMES
from tests.bots.command.printed import printed

SAMPLES = sample_files("zaibatsu")
Captured = pytest.CaptureFixture[str]
REACHING = """
from bots.sdk import parameter, play
from engine.games.zaibatsu import Bid, ToBid, best

REACH = parameter("REACH", 1)


def choose(view, question):
    if not isinstance(question, ToBid):
        return question.default()
    owned, pile = view.owned[view.seat], view.piles[view.auction.pile - 1].cards
    worth = best(owned + pile).score - best(owned).score + len(pile)
    return Bid(question.low if question.low <= REACH * worth else 0)


play(choose)
"""


@pytest.fixture
def reaching(tmp_path: Path) -> Path:
    path = tmp_path / "reaching.py"
    path.write_text(REACHING)
    return path


@pytest.mark.parametrize(
    ("text", "start", "value"),
    [("A=0:4", 2, 3), ("A=0:1:4", 1, 3), ("A=-1.0:1", 0, 0.5), ("a_2=0:0.25:0.5", 0.25, 0.375), ("A=1:2", 2, 2)],
)
def test_a_parameter_has_bounds_and_a_start_and_whole_bounds_make_whole_values(
    text: str, start: float, value: float
) -> None:
    parameter = read_parameter(text)
    assert parameter.value(parameter.first) == parameter.start == start
    assert parameter.value(0.75) == value
    assert (parameter.value(-1), parameter.value(2)) == (parameter.low, parameter.high)
    assert set(variables([parameter], [0.75])) == {f"BOARDROOM_PARAM_{parameter.name}"}


@pytest.mark.parametrize(
    "text", ["A", "A=", "A=1", "A=2:1", "A=1:1", "A=1:5:2", "A=x:1", "A=nan:1", "1A=0:1", "A=0:1:2:3"]
)
def test_what_is_no_parameter_is_refused(text: str) -> None:
    with pytest.raises(KitError) as caught:
        read_parameters([text])
    assert caught.value.code == "bad_parameter"


def test_the_search_finds_the_best_of_a_noisy_strength() -> None:
    """Strength falls by 400 Elo from the best place to a bound; a step sees eight games."""
    search = Spsa([read_parameter("A=0.0:0.1:1"), read_parameter("B=0:100")], 300, "noise")
    dice = Random(5)
    for _ in range(300):
        plus, minus = (-400 * (abs(place[0] - 0.7) + abs(place[1] - 0.3)) for place in search.pair())
        share = expected_score(plus - minus)
        search.learn(sum(dice.random() < share for _ in range(8)) / 8)
    best = values(search.parameters, search.best())
    assert best["A"] == pytest.approx(0.7, abs=0.1)
    assert best["B"] == pytest.approx(30, abs=10)


def test_tuning_goes_on_from_its_journal_and_says_how_sure_it_is(
    reaching: Path, tmp_path: Path, capsys: Captured
) -> None:
    journal = tmp_path / "tune.jsonl"
    tune = ["tune", "zaibatsu", str(reaching), "--param", "REACH=0.0:0.1:2", "--steps", "2", "--sets", "1"]
    tune += ["--confirm", "4", "--journal", str(journal)]
    first = printed(capsys, *tune)
    assert (first["steps_done"], first["confirmed"]["sets"]) == (2, 4)
    assert first["start"] == {"REACH": 0.1}
    assert first["best"]["REACH"] != 0.1
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 2 * 2 + 4 * 2
    deals = [json.loads(line)["seed"] for line in lines[1:]]
    assert not {*deals[:4]} & {*deals[4:]}  # what confirms was not searched with
    journal.write_bytes(b"".join(lines[:-2]) + lines[-2][:9])
    again = printed(capsys, *tune)
    assert again == first


@pytest.mark.parametrize(("source", "code"), [("raise SystemExit('no')\n", "bot_faults"), (None, "no_difference")])
def test_a_bot_that_cannot_be_tuned_is_told_at_once(
    tmp_path: Path, capsys: Captured, source: str | None, code: str
) -> None:
    bot = tmp_path / "odd.py"
    bot.write_text(source or SAMPLES["random"].read_text())
    tune = ["tune", "zaibatsu", str(bot), "--param", "A=0:9", "--steps", "1", "--sets", "1"]
    assert printed(capsys, *tune)["error"]["code"] == code


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], "bad_command"),
        (["--param", "A=3:1"], "bad_parameter"),
        (["--param", "A=0:1", "--param", "A=0:2"], "bad_parameter"),
        (["--param", "A=0:1", "--beside", "nobody"], "missing_bot"),
        (["--param", "A=0:1", "--journal", "/"], "is_folder"),
        (["--param", "A=0:1", "--confirm", "1"], "bad_command"),
    ],
)
def test_what_cannot_be_tuned_is_refused(capsys: Captured, arguments: list[str], code: str) -> None:
    assert printed(capsys, "tune", "zaibatsu", "random", *arguments)["error"]["code"] == code


def test_a_bad_start_is_left_and_the_gain_confirmed(reaching: Path, capsys: Captured) -> None:
    report = printed(
        capsys, "tune", "zaibatsu", str(reaching), "--param", "REACH=0.0:0.1:2", "--steps", "4", "--sets", "2",
        "--confirm", "8",
    )  # fmt: skip
    assert report["best"]["REACH"] > 0.4
    assert report["confirmed"]["elo_interval"][0] > 0


def test_every_game_of_ours_has_a_field_and_its_rungs_are_found_by_name() -> None:
    fields = read_fields()
    assert {*fields} == {name for name in GAMES if "random" in sample_names(name)}
    for game, field in fields.items():
        assert bundle_named(game, field.rungs[0].bot)[0] == "rung1"


def tried(share: float, test: str = "0:200") -> Series:
    """A series in which the bot took that share of every set."""
    return Series(["mine", "rung"], judged([share] * 40, 2, read_test(test)))


def test_the_highest_rung_is_the_last_that_was_beaten() -> None:
    field = read_fields()["zaibatsu"]
    rungs, most = field.rungs, len(field.rungs)
    for shares, highest in (([0.1], None), ([1, 0.5], 0), ([1, 1, 0.4], 1), ([1] * most, most - 1)):
        climb = Climb(field, [tried(share) for share in shares])
        assert climb.highest == highest
        document = climb_document(climb, "mine")
        expected = (None, 0) if highest is None else (rungs[highest].bot, highest + 1)
        assert (document["highest"], document["rung"], document["rungs"]) == (*expected, most)
        verdict = "no rung" if highest is None else f"beats rung{highest + 1} of {most} ({rungs[highest].family})"
        assert verdict in climb_verdict(climb, "mine")
    assert "the highest" in climb_verdict(climb, "mine")


def test_a_bot_that_beats_nobody_is_told_so_and_its_game_is_found_in_it(tmp_path: Path, capsys: Captured) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text("# of engine.games.zaibatsu\n" + SAMPLES["random"].read_text())
    report = printed(capsys, "climb", str(bot), "--test=100:500")
    assert (report["game"], report["highest"], report["rung"]) == ("zaibatsu", None, 0)
    assert [(rung["rung"], rung["accepted"], rung["sets"]) for rung in report["tried"]] == [("rung1", False, 16)]


def test_a_bot_climbs_until_it_does_not_beat_a_rung(capsys: Captured) -> None:
    report = printed(capsys, "climb", str(SAMPLES["marginal"]), "--test=0:200")
    assert 1 <= report["rung"] < report["rungs"]
    assert [rung["accepted"] for rung in report["tried"]] == [True] * report["rung"] + [False]
    assert report["tried"][0]["family"] == "random"


@pytest.mark.parametrize("command", ["climb BOT --game zaibatsu", "tune zaibatsu BOT --param A=0:1"])
def test_a_bot_that_never_answers_is_told_after_one_set(tmp_path: Path, capsys: Captured, command: str) -> None:
    bot = tmp_path / "sleeper.py"
    bot.write_text("import time\ntime.sleep(600)\n")
    report = printed(capsys, *(str(bot) if word == "BOT" else word for word in command.split()))
    assert report["error"]["code"] == "bot_faults"
    assert "timed out" in report["error"]["detail"]


@pytest.mark.parametrize(
    ("source", "arguments", "code"),
    [
        ("print('no game')\n", [], "which_game"),
        ("import engine.games.kaiju, engine.games.network\n", [], "which_game"),
        ("raise SystemExit('no')\n", ["--game", "zaibatsu"], "bot_faults"),
        ("pass\n", ["--game", "chess"], "unknown_game"),
        ("pass\n", ["--game", "zaibatsu", "--test", "up"], "bad_test"),
    ],
)
def test_who_cannot_climb_is_told(
    tmp_path: Path, capsys: Captured, source: str, arguments: list[str], code: str
) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(source)
    assert printed(capsys, "climb", str(bot), *arguments)["error"]["code"] == code


@pytest.mark.parametrize("hashed", ["bundle", "code"])
def test_a_rung_that_was_changed_is_not_climbed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured, hashed: str
) -> None:
    changed = tmp_path / "field.json"
    changed.write_text(FILE.read_text("utf-8").replace(f'"{hashed}": "', f'"{hashed}": "0'), "utf-8")
    monkeypatch.setattr("bots.command.climb.read_fields", lambda: read_fields(changed))
    assert printed(capsys, "climb", "random", "--game", "zaibatsu")["error"]["code"] == "other_rung"
