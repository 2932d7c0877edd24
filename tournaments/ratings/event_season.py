"""The result of an event's season file: its format, run again from the entrants and the results of its sets."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from math import isfinite
from typing import Any

from bots.formats.model import Entrant, Plan, Row, SetResult, lead_over_others
from bots.formats.planning import plan
from bots.formats.settings import read_stored
from bots.refusals import Refused
from engine.records import RecordError, show
from engine.season import Deal, PlayedSeat, deals_of
from engine.season_file import Season, SeasonError
from tournaments.ratings.performances import performance_ratings

CANCELLED, VOID = "cancelled", "void"


@dataclass(frozen=True, slots=True)
class Placed:
    """An entrant with its place in the end; None for one that has none."""

    bot: int
    name: str
    place: int | None


@dataclass(frozen=True, slots=True)
class EventTable:
    """The result of an event: the places, and the tables of its stages as `stages_of` tells them."""

    event: str
    sets: int
    places: Sequence[Placed]
    stages: list[dict[str, Any]] = field(default_factory=list)


def verify_event_season(season: Season) -> EventTable:
    """Raises SeasonError where the format does not lead from entrants and results to the table that was shown."""
    entrants = list(season.rows("entrants.jsonl", _entrant))
    bots = {row["version"]: row["bot"] for _, row in entrants}
    deals = [deal for deal in deals_of(season) if deal.status != VOID]
    results = {deal.pairing: _result(deal, bots) for deal in deals}
    entered = [_with_last_sets(entrant, deals, row["version"]) for entrant, row in entrants]
    course = _planned(season, entered, results)
    _check_pairings(course, deals, bots)
    rank = course.places
    places = [
        Placed(entrant.id, row["name"], None if entrant.disqualified else rank.get(entrant.id))
        for entrant, row in entrants
    ]
    table = EventTable(season.head["slug"], len(results), sorted(places, key=_order), stages_of(course))
    _check_places([row for _, row in entrants], {placed.bot: placed.place for placed in places})
    _check_stages(table.stages, season.table())
    return table


def _order(placed: Placed) -> tuple[bool, int, int]:
    return placed.place is None, placed.place or 0, placed.bot


def _entrant(row: dict[str, Any]) -> tuple[Entrant, dict[str, Any]]:
    names = ("rating", "sd", "owner", "last_round", "disqualified")
    return Entrant(row["bot"], **{name: row[name] for name in names}), row


def _with_last_sets(entrant: Entrant, deals: Sequence[Deal], version: int) -> Entrant:
    """Return it with the number of sets that it was dealt in its last round: after it left it was dealt no more."""
    if entrant.last_round is None:
        return entrant
    last = [deal for deal in deals if deal.round == entrant.last_round]
    sat = [deal for deal in last if any(seat.version == version for match in deal.matches for seat in match.seats)]
    return replace(entrant, last_sets=len(sat))


def _planned(season: Season, entrants: list[Entrant], results: dict[str, SetResult]) -> Plan:
    try:
        spec = read_stored(season.head["event"]["format"])
        course = plan(spec, entrants, results, event=season.head["event"]["lot"], performances=performance_ratings)
    except (Refused, RecordError, KeyError, TypeError, AttributeError) as error:
        raise SeasonError("bad_event", f"season.json, entrants.jsonl: the format cannot be played: {error}") from None
    if not course.done:
        raise SeasonError("missing_deal", f"the event has not ended: there is no result of {course.now[0].key}")
    return course


def _check_pairings(course: Plan, deals: Sequence[Deal], bots: dict[int, int]) -> None:
    issued = {pairing.key: sorted(pairing.entrants) for pairing in course.pairings}
    for deal in deals:
        sat = sorted({bots[seat.version] for match in deal.matches for seat in match.seats})
        if issued.get(deal.pairing) != sat:
            raise SeasonError("other_pairing", f"{deal.name}: by the results before it {deal.pairing} is not of these")


def _result(deal: Deal, bots: dict[int, int]) -> SetResult:
    try:
        games = [{bots[seat.version]: seat for seat in match.seats} for match in deal.matches]
        entrants = tuple(sorted({bot for game in games for bot in game}))
        if deal.status == CANCELLED:
            return SetResult(entrants)
        return SetResult(
            entrants,
            games=tuple(tuple(game[bot].place or 0 for bot in entrants) for game in games),
            crashes=tuple(sum(game[bot].forfeited for game in games) for bot in entrants),
            margins=tuple(sum(_lead(game, bot) for game in games) for bot in entrants),
        )
    except (Refused, KeyError, ZeroDivisionError) as error:
        raise SeasonError("bad_event", f"{deal.name} has no result of the entrants of one table: {error}") from None


def _lead(game: dict[int, PlayedSeat], entrant: int) -> int:
    return lead_over_others([seat.score or 0 for seat in game.values()], list(game).index(entrant))


def stages_of(course: Plan) -> list[dict[str, Any]]:
    """The tables of the stages as plain data."""
    return [
        {"stage": table.stage, "title": table.title, "rows": [_plain(row) for row in table.rows]}
        for table in course.stages
    ]


def _plain(row: Row) -> dict[str, Any]:
    """A mark that cannot be worked out is null. `spared` is left out: the files of past seasons have none."""
    columns = asdict(row)
    del columns["spared"]
    return {**columns, "marks": {name: mark if isfinite(mark) else None for name, mark in row.marks.items()}}


def _check_places(entrants: Sequence[dict[str, Any]], made: dict[int, int | None]) -> None:
    for row in entrants:
        if row["place"] != made[row["bot"]]:
            difference = f"place {row['place']} there, and the results make {made[row['bot']]}"
            raise SeasonError("other_table", f"entrants.jsonl, {show(row['name'])}: {difference}")


def _check_stages(made: list[dict[str, Any]], shown: Sequence[dict[str, Any]]) -> None:
    for number, (computed, stored) in enumerate(zip(made, shown, strict=False), 1):
        rows = stored.get("rows")
        both = zip(computed["rows"], rows if isinstance(rows, list) else (), strict=False)
        wrong = next((row for row, other in both if row != other), None)
        if wrong:
            raise SeasonError("other_table", f"table.json, table {number}: bot {wrong['entrant']} is not as played")
        if computed != stored:
            raise SeasonError("other_table", f"table.json, table {number} is not what the results make")
    if len(made) != len(shown):
        raise SeasonError("other_table", f"table.json has {len(shown)} tables, and the results make {len(made)}")
