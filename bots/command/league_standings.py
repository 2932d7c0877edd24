"""The standings of a league at home: ratings with intervals, and the places from its format."""

from collections.abc import Sequence
from dataclasses import dataclass

from bots.command.league_tables import sets_in
from bots.command.outcomes import Outcome, tallied
from bots.command.output import print_table, print_text, to_stdout
from bots.formats.model import Plan, Row
from bots.paired_ratings import RatedSet, Rating, ratings
from bots.results_table import Tally
from engine.records import to_plain

HEADS = ("bot", "Elo", "95 % interval", "taken", "sets", "games", "score", "faults", "ms/answer")


@dataclass(frozen=True, slots=True)
class Table:
    """How a league stands."""

    tallies: Sequence[Tally]
    sets: Sequence[RatedSet]
    ratings: Sequence[Rating]


def league_table(outcomes: Sequence[Outcome], names: Sequence[str], seats: int) -> Table:
    sets = list(sets_in(outcomes, seats))
    return Table(tallied(names, outcomes), sets, ratings(len(names), sets))


def share_of_games(standings: Table, bot: int) -> float | None:
    """Return the bot's share of all pairs of games; None if it has no whole set."""
    took, games = 0.0, 0
    for rated_set in standings.sets:
        for pair, taken in rated_set.taken.items():
            if bot in pair:
                took += taken if bot == pair[0] else rated_set.games - taken
                games += rated_set.games
    return took / games if games else None


def tell(standings: Table, head: dict[str, object], *, as_json: bool) -> None:
    order = sorted(range(len(standings.tallies)), key=lambda bot: -standings.ratings[bot].elo)
    if as_json:
        to_stdout(
            {**head, "sets": len(standings.sets), "standings": [standing_document(standings, bot) for bot in order]}
        )
    elif standings.sets:
        print_table(HEADS, [standing_row(standings, bot) for bot in order])
        print_text("Elo over the mean of these bots; ratings of a site have another zero.")
    else:
        print_text("No set was played to its end.")


def tell_event(standings: Table, plan: Plan, head: dict[str, object], *, as_json: bool) -> None:
    """Print the places that the format gives, with the ratings beside them."""
    if as_json:
        course = {"rounds": plan.round, "done": plan.done, "winners": [entrant - 1 for entrant in plan.winners]}
        places = [{**placed_document(line), **standing_document(standings, line.entrant - 1)} for line in plan.table]
        to_stdout({**head, **course, "sets": len(standings.sets), "standings": places})
        return
    heads = (HEADS[0], "place", "points", *HEADS[1:3], *HEADS[4:6], *HEADS[7:])
    lines = [(line, standing_row(standings, line.entrant - 1)) for line in plan.table]
    print_table(
        heads,
        [(cells[0], line.rank, f"{line.points:.2f}", *cells[1:3], *cells[4:6], *cells[7:]) for line, cells in lines],
    )
    if not plan.done:
        print_text(f"It was stopped in round {plan.round}; with --journal the same command goes on.")
    print_text("Elo over the mean of these bots; ratings of a site have another zero.")


def placed_document(line: Row) -> dict[str, object]:
    return {"rank": line.rank, "points": line.points, "marks": line.marks, "needs": line.needs}


def sets_of(standings: Table, bot: int) -> int:
    return sum(bot in rated_set.bots for rated_set in standings.sets)


def standing_document(standings: Table, bot: int) -> dict[str, object]:
    rated = standings.ratings[bot]
    of = {"elo": round(rated.elo, 1), "elo_interval": [round(rated.low, 1), round(rated.high, 1)]}
    return {
        **to_plain(standings.tallies[bot]),
        "bot": bot,
        **of,
        "sets": sets_of(standings, bot),
        "share": share_of_games(standings, bot),
    }


def standing_row(standings: Table, bot: int) -> tuple[object, ...]:
    rated, tally, taken = standings.ratings[bot], standings.tallies[bot], share_of_games(standings, bot)
    return (
        *(tally.name, f"{rated.elo:+.0f}", f"{rated.low:+.0f} to {rated.high:+.0f}"),
        *("" if taken is None else f"{taken:.0%}", sets_of(standings, bot), tally.games),
        *(f"{tally.mean_score:.1f}", sum(tally.faults.values()), f"{tally.ms_per_answer:.2f}"),
    )
