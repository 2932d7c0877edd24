"""Who won every game of its latest set is shown at no less than before it; fit and errors know nothing of that."""

from dataclasses import replace
from math import inf

import pytest

from tests.ratings.claims import floors as claimed
from tests.ratings.claims.floors import Site, measured
from tests.tournaments.ratings.ladders import Kind, Ladder
from tests.tournaments.ratings.ledgers import duel
from tests.tournaments.ratings.test_page_formulas import page_of
from tournaments.ratings.export import read, write
from tournaments.ratings.floors import Shown, floors_in, with_floors
from tournaments.ratings.ledger import BadLedger, Ledger, Version
from tournaments.ratings.table import fit_of, table_of


@pytest.mark.parametrize(
    ("games", "wins", "floor"),
    [
        (10, 4 + 1 / 3, 1490.0),  # nothing new: what it had
        (13, 7 + 1 / 3, 1500.0),  # a set won
        (16, 10 + 1 / 3, 1500.0),  # two
        (13, 6 + 5 / 6, None),  # a win shared
        (16, 9 + 1 / 3, None),  # one set won, one not quite
        (7, 1 + 1 / 3, None),  # one that was voided
    ],
)
def test_a_floor_stays_until_the_next_set_and_comes_with_sets_won_in_every_game(
    games: int, wins: float, floor: float | None
) -> None:
    assert Shown(1500.0, 1490.0, 10, 4 + 1 / 3).floor_after(games, wins) == floor


@pytest.mark.parametrize("seats", [2, 3])
def test_who_won_its_latest_set_is_never_shown_at_less_than_before_it(seats: int) -> None:
    """This holds at any fit until its next one; and everybody else is shown what the fit says."""
    ladder = Ladder(Kind("three far apart" if seats == 3 else "duels far apart", seats=seats, sd=400.0), 1, bots=20)
    site, before, lifted = Site(ladder), dict.fromkeys(ladder.elos, -inf), 0
    for _ in ladder.play(40):
        last, shown = dict(site.shown), site.look()
        for bot, elo in shown.items():
            if bot in last and site.tally(bot).games > last[bot].games:
                before[bot] = last[bot].elo if won_all(last[bot], site, bot) else -inf
            assert elo == max(before[bot], ladder.ratings.elo[bot])
            lifted += elo > ladder.ratings.elo[bot]
    assert lifted


def won_all(last: Shown, site: Site, bot: int) -> bool:
    tally = site.tally(bot)
    return round(tally.wins - last.wins, 6) == tally.games - last.games


def test_it_costs_nothing() -> None:
    for row in claimed.rows_of(Kind("three at a table", seats=3), measured(Kind("three", seats=3), 1, 2, 40)):
        assert row.holds, row


def with_floor(elo: float | None) -> Ledger:
    versions = {bot: Version(f"bot {bot}") for bot in range(3)}
    versions[1] = replace(versions[1], floor=elo)
    return Ledger("main", "zaibatsu", [duel(1, 0, 1), duel(2, 1, 2), duel(3, 0, 2)], versions)


def test_an_export_holds_floors_and_the_script_of_the_page_reads_them() -> None:
    ledger = with_floor(1800.123456789)
    again = read(write(ledger))
    assert floors_in(again.versions) == {1: 1800.123456789}
    plain, (first, *_) = table_of(with_floor(None)), table_of(again).rows
    assert (first.version, first.elo, first.place_mean) == (1, 1800.1, 1.5)
    assert {row.version: row.ci95 for row in plain.rows}[1] == first.ci95
    assert fit_of(again) == fit_of(with_floor(None))
    assert next((bot, elo) for _, bot, elo, _ in page_of(again).lines()) == ("bot 1 v1", 1800.1)
    assert "floor" not in "".join(write(with_floor(None)))
    assert floors_in(again.without([2]).versions) == {}  # what an act changes begins anew


def test_a_floor_below_changes_nothing() -> None:
    assert table_of(with_floor(1000.0)) == table_of(with_floor(None))
    assert with_floors(fit_of(with_floor(None)), {}).elo == fit_of(with_floor(None)).elo


def test_a_floor_is_a_number() -> None:
    lines = [line.replace("1600.5", '"high"') for line in write(with_floor(1600.5))]
    with pytest.raises(BadLedger, match="Line 3"):
        read(lines)
