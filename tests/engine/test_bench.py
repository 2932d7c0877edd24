"""The bench of the games: nobody looks at its numbers here, only at whether each is taken, and beside what."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from engine.games import GAMES
from tests import thorough
from tests.bench import Row, engine, runner, solver
from tests.bench.engines.ours import name_of, tables
from tests.bench.guard import baseline, load
from tournaments.management.commands.bench import bench_table, names

LONG = "gigabucks"  # its matches take longer than those of all others together
TABLES = [(game, options) for game, options in tables() if thorough.has_full_budgets or game.name != LONG]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "tables", lambda: TABLES)
    for name, value in {"ROUNDS": 1, "SAMPLE_S": 0.001, "REPLAYS": 1, "SLOWEST_IN": 1, "TRIES": 1, "BATCH": 2}.items():
        monkeypatch.setattr(engine, name, value)


@pytest.mark.usefixtures("hurried")
def test_every_table_is_measured() -> None:
    rows = [row.name for row in engine.run()]
    for game, options in TABLES:
        for figure in (*engine.FIGURES, "slowest decision"):
            assert f"{name_of(game, options)}: {figure}" in rows
    assert {f"{game.title}: replays verified" for game, _ in TABLES} <= set(rows)


def test_there_are_tables_of_every_game_with_default_options_and_with_the_most_players() -> None:
    for game in GAMES.values():
        seated = [options.players for other, options in tables() if other is game]
        assert seated == list(dict.fromkeys([game.read_options({}).players, game.players[-1]]))


@pytest.mark.usefixtures("hurried")
def test_a_peer_that_is_not_installed_has_a_row_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "PEERS", {"catan": "no-such-package"})
    rows = engine.run()
    assert [row.name for row in rows if row.name.endswith("not installed")] == ["no-such-package, not installed"]
    assert any(row.name.endswith("slowest decision") for row in rows)


def test_what_was_taken_alike_is_told_once() -> None:
    def row(name: str, how: str) -> Row:
        return Row(name, 1, "s", "a floor", 1, 1, "<= 1", how)

    lines = bench_table([row("one", "in turns"), row("two", "in turns"), row("three", "at once")])
    assert lines[lines.index("") :] == ["", "one ... two: in turns", "three: at once"]


def ratio(value: float, aim: str = "<= 2") -> Row:
    return Row("an answer", 1, "us", "bare pipes", 1, value, aim, "in turns")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(baseline, "FILE", tmp_path / "baseline.json")
    return tmp_path / "baseline.json"


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(("aim", "now", "is_worse"), [("<= 2", 2.0, True), ("<= 2", 1.1, False), (">= 1", 0.5, True)])
def test_what_became_worse_stands_out(aim: str, now: float, *, is_worse: bool) -> None:
    baseline.keep({"runner": [ratio(1.0, aim)]})
    (line,) = [line for line in baseline.compared({"runner": [ratio(now, aim)]}) if "an answer" in line]
    assert line.endswith("WORSE") is is_worse


def test_keeping_one_bench_leaves_the_others_and_names_rows_that_are_gone(kept: Path) -> None:
    baseline.keep({"runner": [ratio(1.5)], "solver": [ratio(2.5)]})
    baseline.keep({"runner": [ratio(1.0)]})
    key = "an answer / bare pipes"
    assert json.loads(kept.read_text()) == {"runner": {key: 1.0}, "solver": {key: 2.5}}
    assert f"  gone: {key}" in baseline.compared({"solver": []})


def test_a_bench_that_fails_does_not_stop_the_next(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solver, "run", lambda: 1 / 0)
    monkeypatch.setattr(runner, "run", lambda: [ratio(1.0)])
    with pytest.raises(CommandError, match="Not measured: solver"):
        call_command("bench", "solver", "runner", "--beside-load")
    printed = capsys.readouterr()
    assert "ZeroDivisionError" in printed.err
    assert "an answer" in printed.out


def test_a_busy_machine_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(load, "cores_busy", lambda: 1.6)
    with pytest.raises(CommandError, match="Not measured: runner"):
        call_command("bench", "runner")
    assert "1.6 of" in capsys.readouterr().err


@pytest.mark.parametrize("name", names())
def test_every_bench_says_what_it_measures_and_can_be_run(name: str) -> None:
    source = (Path(engine.__file__).parent / f"{name}.py").read_text()
    assert source.startswith('"""')
    assert "\ndef run() -> list[Row]:" in source
