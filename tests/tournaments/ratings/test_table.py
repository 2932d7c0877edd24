"""The table: what its numbers mean, and that anybody can compute it again."""

import json
import runpy
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from tests.tournaments.ratings.ledgers import SOME, duel, duels, ledgers
from tests.tournaments.ratings.world import played
from tournaments.ratings.__main__ import main, table_text
from tournaments.ratings.elo import Tally
from tournaments.ratings.export import read, write
from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import BadLedger, Game, Ledger, RatedSet, Version
from tournaments.ratings.table import matches_to_decide, table_of

STORED = Path(__file__).parent / "stored"
SCRIPT = Path(__file__).parents[3] / "docs" / "notebooks" / "standings.py"
ELOS = {1: 1700.0, 2: 1650.0, 3: 1500.0, 4: 1450.0, 5: 1300.0, 6: 1100.0}


def world(sets: int) -> Ledger:
    versions = {key: Version(f"bot {key}") for key in ELOS}
    return Ledger("test", "zaibatsu", played(ELOS, sets, 4, Random(5), deal=0.5), versions)


@given(ledgers())
@SOME
def test_the_export_gives_the_same_table_to_the_last_digit(ledger: Ledger) -> None:
    assert table_of(read(write(ledger))) == table_of(ledger)


@pytest.mark.parametrize("written", [1, 2])
def test_an_old_export_gives_the_table_that_it_gave_when_it_was_written(written: int) -> None:
    """The table is that which the release of that time computed, to the last digit."""
    lines = (STORED / f"format-{written}.jsonl").read_text().splitlines(keepends=True)
    table = json.loads((STORED / f"format-{written}.json").read_text())
    assert json.loads(json.dumps(asdict(table_of(read(lines))))) == table
    page = runpy.run_path(str(SCRIPT))["Standings"]([json.loads(line) for line in lines])
    page.rate()
    shown = [(row["rank"], f"{row['bot']} v{row['number']}", row["elo"], row["ci95"]) for row in table["rows"]]
    assert list(page.lines()) == shown


def test_one_command_prints_the_table_of_an_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = world(30)
    path = tmp_path / "ladder.jsonl"
    path.write_text("".join(write(ledger)), encoding="utf-8")
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == table_text(table_of(ledger))


@given(ledgers())
@SOME
def test_every_row_is_possible(ledger: Ledger) -> None:
    rows = table_of(ledger).rows
    assert {row.version for row in rows} == set(ledger.versions)
    for row in rows:
        assert 1 <= row.all_lo <= row.rank_lo <= row.rank_hi <= row.all_hi <= len(rows)
        assert row.provisional == (row.rank is None)
        assert row.ci95 > 100 or not row.provisional
        assert row.rank is None or row.rank_lo <= row.rank <= row.rank_hi
        assert row.games or (row.place_mean is None and row.win_pct == row.crash_pct == 0)
    assert [row.elo for row in rows] == sorted((row.elo for row in rows), reverse=True)
    assert all(row.los_next is None or row.los_next >= 0.5 for row in rows)


def test_many_games_decide_every_rank_and_few_do_not() -> None:
    early, late = table_of(world(4)).rows, table_of(world(1500)).rows
    assert all(row.provisional and row.rank is None and row.all_lo < row.all_hi for row in early)
    assert [row.version for row in late] == [1, 2, 3, 4, 5, 6]
    assert all(row.rank_lo == row.rank == row.rank_hi and row.matches_to_decide == 0 for row in late)


def test_matches_to_decide_are_those_after_which_it_is_95_percent_sure() -> None:
    """A lead of 50, at errors of 40 each, is sure when both together are 50 / 1.645: after 3.46 times as many."""
    ratings = Fit({1: 1550.0, 2: 1500.0}, group={1: 0, 2: 0}, chance_sd={1: 40.0, 2: 40.0})
    assert matches_to_decide(ratings, {1: Tally(games=100), 2: Tally(games=100)}, 1, 2) == 247
    assert matches_to_decide(ratings, {1: Tally(games=100)}, 1, 2) is None
    level, once = replace(ratings, elo={1: 1500.0, 2: 1500.0}), Tally(games=1)
    assert matches_to_decide(level, {1: once, 2: once}, 1, 2) is None


def test_a_dispersion_under_one_tells_of_luck_that_duplicate_deals_took_out() -> None:
    assert table_of(world(400)).phi < 0.75


def test_versions_out_of_service_stay_in_the_fit_but_not_in_the_table() -> None:
    versions = {1: Version("a", listed=False), 2: Version("b"), 3: Version("a", 2, 1)}
    table = table_of(Ledger("t", "g", [duel(number, 1, 2) for number in range(20)], versions))
    assert [row.version for row in table.rows] == [3, 2]
    assert table.rows[0].elo > 1600
    assert (table.rows[0].sets, table.rows[0].provisional) == (0, True)


def test_bots_that_no_games_connect_are_said_not_to_be_comparable() -> None:
    table = table_of(duels({(1, 2): 3, (2, 3): 3, (4, 5): 3}))
    assert {row.version for row in table.rows if not row.comparable} == {4, 5}
    assert "Not comparable with the rest, for no games connect them: bot 4, bot 5." in table_text(table)
    assert [row.los_next is None for row in table.rows].count(True) >= 2


def test_a_ladder_without_games_or_without_bots_has_a_table() -> None:
    (first, second) = table_of(Ledger("t", "g", [], {1: Version("a"), 2: Version("b")})).rows
    assert (first.rank, second.rank, first.rank_hi, first.matches_to_decide) == (None, None, 2, None)
    assert table_of(Ledger("t", "g", [])).rows == []


GAME = Game((1, 2), (1, 2), (False, False), (5, 3))
PAIR = {1: Version("a"), 2: Version("b")}


@pytest.mark.parametrize(
    ("sets", "versions", "code"),
    [
        ([RatedSet(1, [GAME]), RatedSet(1, [GAME])], PAIR, "set_twice"),
        ([RatedSet(1, [])], PAIR, "empty_set"),
        ([RatedSet(1, [GAME])], {1: Version("a")}, "unknown_version"),
        ([RatedSet(1, [Game((1, 1), (1, 2), (False, False), (5, 3))])], PAIR, "bad_table"),
        ([RatedSet(1, [GAME, Game((1, 3), (1, 2), (False, False), (5, 3))])], {**PAIR, 3: Version("c")}, "mixed_set"),
        ([RatedSet(1, [Game((1, 2), (1,), (False, False), (5, 3))])], PAIR, "uneven_game"),
        ([RatedSet(1, [Game((1, 2), (1, 2), (False, False))])], PAIR, "uneven_game"),
        ([RatedSet(1, [Game((1, 2), (0, 1), (False, False), (5, 3))])], PAIR, "bad_place"),
        ([], {1: Version("a", 2, 7)}, "unknown_forerunner"),
        ([], {1: Version("a", 1, 2), 2: Version("a", 1)}, "forerunner_not_older"),
    ],
)
def test_a_ledger_that_makes_no_sense_is_refused(
    sets: Sequence[RatedSet], versions: dict[int, Version], code: str
) -> None:
    with pytest.raises(BadLedger) as refused:
        Ledger("t", "g", sets, versions, margin=10)
    assert refused.value.code == code


HEAD = '{"ledger":1,"ladder":"t","game":"g","margin":0}\n'
ONE = '{"version":1,"bot":"a","number":1,"forerunner":null,"listed":true,"anchor":null}\n'


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([], "empty_export"),
        (["{}\n"], "bad_line"),
        (['{"ledger":9}\n'], "unknown_format"),
        ([HEAD, "nonsense\n"], "bad_line"),
        ([HEAD, "[]\n"], "bad_line"),
        ([HEAD, '{"set":"1","games":[]}\n'], "bad_line"),
        ([HEAD, ONE, ONE], "version_twice"),
        ([HEAD, ONE.replace('"anchor":null', '"anchor":NaN')], "bad_line"),
        ([HEAD, ONE.replace('"listed":true', '"listed":"false"')], "bad_line"),
        ([HEAD, "[" * 100_000], "bad_line"),
    ],
)
def test_a_file_that_is_no_export_is_refused_with_its_line(lines: Sequence[str], code: str) -> None:
    with pytest.raises(BadLedger) as refused:
        read(lines)
    assert refused.value.code == code


def test_the_command_says_what_is_wrong_with_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(HEAD + "nonsense\n", encoding="utf-8")
    assert main([str(path)]) == 2
    assert "Line 2 is not one of a ledger" in capsys.readouterr().err
    assert main([str(tmp_path / "missing.jsonl")]) == 2
