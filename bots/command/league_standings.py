"""The standings of a league at home: ratings with intervals, and the places from its format."""

from collections.abc import Sequence
from dataclasses import dataclass

from bots.command.league_tables import sets_in
from bots.command.outcomes import Outcome, tallied
from bots.command.output import say, table, to_stdout
from bots.formats.model import Plan, Row
from bots.paired_ratings import RatedSet, Rating, ratings
from bots.tally import Tally
from engine.records import to_plain

HEADS = ("bot", "Elo", "95 % interval", "taken", "sets", "games", "score", "faults", "ms/answer")


@dataclass(frozen=True, slots=True)
class Table:
    """How a league stands."""

    tallies: Sequence[Tally]
    sets: Sequence[RatedSet]
    ratings: Sequence[Rating]


def standings(outcomes: Sequence[Outcome], names: Sequence[str], seats: int) -> Table:
    sets = list(sets_in(outcomes, seats))
    return Table(tallied(names, outcomes), sets, ratings(len(names), sets))


def share(found: Table, bot: int) -> float | None:
    """What it took of all pairs of games; None if it has no whole set."""
    took, games = 0.0, 0
    for each in found.sets:
        for pair, taken in each.taken.items():
            if bot in pair:
                took += taken if bot == pair[0] else each.games - taken
                games += each.games
    return took / games if games else None


def tell(found: Table, head: dict[str, object], *, as_json: bool) -> None:
    order = sorted(range(len(found.tallies)), key=lambda bot: -found.ratings[bot].elo)
    if as_json:
        to_stdout({**head, "sets": len(found.sets), "standings": [plain(found, bot) for bot in order]})
    elif found.sets:
        table(HEADS, [row(found, bot) for bot in order])
        say("Elo over the mean of these bots; ratings of a site have another zero.")
    else:
        say("No set was played to its end.")


def tell_event(found: Table, plan: Plan, head: dict[str, object], *, as_json: bool) -> None:
    """By the places that the format gives, with the ratings beside them."""
    if as_json:
        course = {"rounds": plan.round, "done": plan.done, "winners": [entrant - 1 for entrant in plan.winners]}
        places = [{**placed(line), **plain(found, line.entrant - 1)} for line in plan.table]
        to_stdout({**head, **course, "sets": len(found.sets), "standings": places})
        return
    heads = (HEADS[0], "place", "points", *HEADS[1:3], *HEADS[4:6], *HEADS[7:])
    lines = [(line, row(found, line.entrant - 1)) for line in plan.table]
    table(heads, [(at[0], line.rank, f"{line.points:.2f}", *at[1:3], *at[4:6], *at[7:]) for line, at in lines])
    if not plan.done:
        say(f"It was stopped in round {plan.round}; with --journal the same command goes on.")
    say("Elo over the mean of these bots; ratings of a site have another zero.")


def placed(line: Row) -> dict[str, object]:
    return {"rank": line.rank, "points": line.points, "marks": line.marks, "needs": line.needs}


def sets_of(found: Table, bot: int) -> int:
    return sum(bot in each.bots for each in found.sets)


def plain(found: Table, bot: int) -> dict[str, object]:
    rated = found.ratings[bot]
    of = {"elo": round(rated.elo, 1), "elo_interval": [round(rated.low, 1), round(rated.high, 1)]}
    return {**to_plain(found.tallies[bot]), "bot": bot, **of, "sets": sets_of(found, bot), "share": share(found, bot)}


def row(found: Table, bot: int) -> tuple[object, ...]:
    rated, tally, taken = found.ratings[bot], found.tallies[bot], share(found, bot)
    return (
        *(tally.name, f"{rated.elo:+.0f}", f"{rated.low:+.0f} to {rated.high:+.0f}"),
        *("" if taken is None else f"{taken:.0%}", sets_of(found, bot), tally.games),
        *(f"{tally.mean_score:.1f}", sum(tally.faults.values()), f"{tally.ms_per_answer:.2f}"),
    )
