"""The bench of the games: nobody looks at its numbers here, only at whether each is taken, and beside what."""

import pytest

from engine.games import GAMES
from tests import thorough
from tests.bench import Row, engine
from tests.bench.engines.ours import name_of, tables
from tournaments.management.commands.bench import table

LONG = "gigabucks"  # its matches take longer than those of all others together
TABLES = [(game, options) for game, options in tables() if thorough.has_full_budgets or game.name != LONG]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "tables", lambda: TABLES)
    for name, value in {"ROUNDS": 1, "SAMPLE_S": 0.001, "REPLAYS": 1, "SLOWEST_IN": 1, "TRIES": 1}.items():
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

    lines = table([row("one", "in turns"), row("two", "in turns"), row("three", "at once")])
    assert lines[lines.index("") :] == ["", "one ... two: in turns", "three: at once"]
