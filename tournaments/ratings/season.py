"""The final table of a season's file, computed again and compared with the one that the site showed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from engine.records import show
from engine.season import Deal, PlayedMatch, deals_of
from engine.season_file import Season, SeasonError
from tournaments.ratings.event_season import EventTable, verify_event_season
from tournaments.ratings.export import read
from tournaments.ratings.ledger import Game, Ledger
from tournaments.ratings.table import Row, Table, table_of

NAMES = {"version": "version_id", "number": "version"}  # of a row, where the site calls it otherwise


def verify_season(season: Season) -> Table:
    """Raises SeasonError where ledger, matches and table do not agree, BadLedger where the ledger makes no sense."""
    ledger = read(season.text("ledger.jsonl"))
    _check_ledger(ledger, deals_of(season))
    table = table_of(ledger)
    _check_table(table.rows, season.table())
    return table


def _check_ledger(ledger: Ledger, deals: Iterable[Deal]) -> None:
    """Check that its sets are those that were played and rated, with the results of their matches."""
    games = {rated_set.number: list(rated_set.games) for rated_set in ledger.sets}
    for deal in deals:
        if not deal.rated or deal.number is None:
            continue
        if (rated_games := games.pop(deal.number, None)) is None:
            raise SeasonError("missing_set", f"ledger.jsonl has no set {deal.number}, which was rated: {deal.name}")
        for match, game in zip(deal.matches, rated_games, strict=False):
            if difference := _differs(game, _game(match)):
                raise SeasonError("other_result", f"set {deal.number}, match {match.match}: {difference}")
        if len(rated_games) != len(deal.matches):
            raise SeasonError(
                "other_result", f"set {deal.number} has {len(deal.matches)} matches, not {len(rated_games)}"
            )
    if games:
        raise SeasonError("missing_deal", f"set {min(games)} of ledger.jsonl is of no deal in the file")


def _game(match: PlayedMatch) -> Game:
    seats = match.seats
    return Game(
        versions=tuple(seat.version for seat in seats),
        places=tuple(seat.place or 0 for seat in seats),
        forfeits=tuple(seat.forfeited for seat in seats),
        scores=tuple(seat.score or 0 for seat in seats),
    )


def _differs(of_ledger: Game, of_match: Game) -> str:
    for name in ("versions", "places", "forfeits", "scores"):
        rated, played = list(getattr(of_ledger, name)), list(getattr(of_match, name))
        if rated != played:
            return f"{name} are {show(rated)} in ledger.jsonl, and {show(played)} in the match"
    return ""


def _check_table(rows: Sequence[Row], shown: Sequence[dict[str, Any]]) -> None:
    if len(rows) != len(shown):
        raise SeasonError("other_table", f"table.json has {len(shown)} lines, and the ledger makes {len(rows)}")
    for number, (row, line) in enumerate(zip(rows, shown, strict=True), 1):
        for name, value in asdict(row).items():
            stored = line.get(NAMES.get(name, name))
            if stored != value and (name != "place_mean" or value is not None):
                difference = f"{NAMES.get(name, name)} is {show(stored)}, and the ledger makes {show(value)}"
                raise SeasonError("other_table", f"table.json, line {number}, {show(row.bot)}: {difference}")


TABLES: dict[str, Callable[[Season], Table | EventTable]] = {"ladder": verify_season, "event": verify_event_season}


def table_in(season: Season) -> Table | EventTable:
    return TABLES[season.head["kind"]](season)
