"""Checks of settings and entrants; each refusal has a code and a sentence."""

from collections import Counter
from collections.abc import Collection, Sequence
from math import isfinite

from bots.formats.bracket_places import first_round
from bots.formats.model import Entrant
from bots.formats.schedule_length import divisions, most_sets
from bots.formats.seating import even
from bots.formats.settings import (
    Gauntlet,
    Groups,
    KingOfTheHill,
    Knockout,
    League,
    Points,
    RoundRobin,
    Single,
    Spec,
    Swiss,
    advancing,
    feeding,
    fewest_at,
)
from bots.refusals import Refused
from engine.sentences import Sentence

MOST_ENTRANTS, MOST_ROUNDS, MOST_SETS, MOST_SEATS = 1000, 1000, 100, 8
MOST_SETS_IN_ALL = 50_000  # a plan of that many takes seconds
ANY_TABLE = range(2, MOST_SEATS + 1)
MATCH = 2  # at a table


def check_playable(spec: Spec, entrants: Sequence[Entrant]) -> None:
    """Refuses settings and entrants that cannot be played."""
    twice = [str(entrant) for entrant, times in Counter(entrant.id for entrant in entrants).items() if times > 1]
    _must(not twice, "entered_twice", f"{', '.join(twice)} entered twice; every entrant has an id of its own.")
    odd = [str(entrant.id) for entrant in entrants if not isfinite(entrant.rating)]
    _must(not odd, "bad_rating", f"The rating of {', '.join(odd)} is no number, so it cannot be seeded.")
    check_spec(spec)
    check_field(spec, [entrant.id for entrant in entrants])


def check_spec(spec: Spec, players: Sequence[int] = ANY_TABLE) -> None:
    """Refuses settings that no field could play; `players` are the sizes of table that the game allows."""
    for stage in _stages(spec):
        _check_table(stage, players)
        match stage:
            case Knockout():
                _check_knockout(stage)
            case KingOfTheHill():
                _between("sets", stage.sets, 1, MOST_SETS)
                _between("extra", stage.extra, 0, 9)
            case RoundRobin() | Swiss() | Gauntlet():
                _check_points(stage)
    match spec:
        case Gauntlet():
            _check_panel(spec)
        case Groups():
            _between("groups", spec.groups, 1, MOST_ENTRANTS)
            _between("qualify", spec.qualify, 1, MOST_ENTRANTS // spec.groups)
            _check_count(spec.first, MOST_ENTRANTS // spec.groups)
            _check_count(spec.then, spec.groups * spec.qualify)
        case League():
            _between("size", spec.size, 2 * fewest_at(spec.season), MOST_ENTRANTS)
            _between("seasons", spec.seasons, 1, 100)
            _between("moves", spec.moves, 0, spec.size // 2)
            _check_count(spec.season, (3 * spec.size - 1) // 2)  # larger ones are cut in two
        case Swiss():
            _check_count(spec, MOST_ENTRANTS)
    _check_sets(spec, smallest_field(spec))


def smallest_field(spec: Spec) -> int:
    """Return how many entrants these settings need at least."""
    match spec:
        case Groups():
            return spec.groups * max(spec.qualify, smallest_field(spec.first))
        case League():
            return smallest_field(spec.season)
        case Gauntlet():
            return len(spec.panel) + 1
        case Swiss() if spec.seats == MATCH:
            return max(MATCH, 2 * spec.rounds)
        case _:
            return fewest_at(spec)


def sizes_of(spec: Spec) -> list[int]:
    """The sizes of all tables that the format may make."""
    return sorted({size for stage in _stages(spec) for size in range(fewest_at(stage), stage.seats + 1)})


def _stages(spec: Spec) -> list[Single]:
    match spec:
        case Groups():
            return [spec.first, spec.then]
        case League():
            return [spec.season]
        case _:
            return [spec]


def _check_table(spec: Single, players: Sequence[int]) -> None:
    fewest, playable = fewest_at(spec), ", ".join(map(str, players))
    fits = 2 <= fewest <= spec.seats <= MOST_SEATS and all(size in players for size in range(fewest, spec.seats + 1))
    message = (
        f"Tables of {fewest} to {spec.seats} cannot be played: the game is for {playable} players;"
        " fewest is at most seats."
    )
    _must(fits, "bad_table_size", message)


def _check_points(spec: Points) -> None:
    _between("rounds", spec.rounds, 0, MOST_ROUNDS)
    _between("sets", spec.sets, 1, MOST_SETS)
    _must(bool(spec.rank_by), "bad_rank_by", "rank_by is empty; it says what orders the table, points for example.")


def _check_knockout(spec: Knockout) -> None:
    _between("advance", spec.advance, 0, spec.seats - 1)
    _between("extra", spec.extra, 0, 9)
    _must(bool(spec.sets), "bad_sets", "sets is empty; it says how many sets a table plays, the final's last.")
    for sets in spec.sets:
        _between("sets", sets, 1, MOST_SETS)
    _check_bracket(spec)


def _check_bracket(spec: Knockout) -> None:
    single, fixed, on = spec.lives == 1, spec.bracket == "fixed", advancing(spec)
    third = "Double elimination needs no match for third place: the last to lose before the final is third."
    _must(single or not spec.third_place, "bad_third_place", third)
    third = f"With {spec.seats} at a table the final itself decides third place; a match for it is for tables of two."
    _must(spec.seats == MATCH or not spec.third_place, "bad_third_place", third)
    double = "A fixed bracket is for single elimination; in double elimination tables are dealt afresh every round."
    _must(single or not fixed, "bad_bracket", double)
    divisors = ", ".join(str(divisor) for divisor in range(1, spec.seats) if spec.seats % divisor == 0)
    uneven = (
        f"In a fixed bracket {spec.seats} seats cannot be filled by tables of which {on} go on;"
        f" advance may be {divisors}."
    )
    _must(bool(feeding(spec)) or not fixed, "bad_bracket", uneven)


def check_field(spec: Spec, field: Sequence[int]) -> None:
    """Refuses a field that these settings cannot seat."""
    _must(len(field) <= MOST_ENTRANTS, "too_many_entrants", f"{len(field)} entered; at most {MOST_ENTRANTS} can.")
    match spec:
        case Groups():
            _check_groups(spec, len(field))
        case Gauntlet():
            check_known(spec, field)
            _check_panel(spec)
            challengers = len(field) - len(spec.panel)
            _must(challengers > 0, "too_few_entrants", "Nobody but the panel entered; a gauntlet needs a challenger.")
        case League():
            _check_count(spec.season, min(divisions(len(field), spec), default=0))
        case _:
            _check_count(spec, len(field))
    _check_sets(spec, len(field))


def _check_sets(spec: Spec, count: int) -> None:
    sets = most_sets(spec, count)
    too_many = "It could come to %(sets)s sets among %(count)s; at most %(most)s can be planned."
    message = Sentence(too_many, sets=sets, count=count, most=MOST_SETS_IN_ALL)
    _must(sets <= MOST_SETS_IN_ALL, "too_many_sets", message)


def check_places(spec: Spec, places: int) -> None:
    """Refuses places with which, once all of them are taken, these settings cannot be played."""
    panel = spec.panel if isinstance(spec, Gauntlet) else ()
    try:
        check_field(spec, [*panel, *range(-1, len(panel) - 1 - places, -1)])
    except Refused as refused:
        raise Refused(
            "bad_places",
            "with all %(places)s places taken it could not begin: %(why_said)s",
            places=places,
            why_said=refused.detail,
        ) from None


def _check_count(spec: Single, count: int) -> None:
    fewest = fewest_at(spec)
    _must(
        count >= fewest,
        "too_few_entrants",
        Sentence("A table needs %(few)s bots; taking part: %(count)s.", few=fewest, count=count),
    )
    if isinstance(spec, Knockout) and spec.bracket == "fixed":
        _check_first_round(spec, count)
    if isinstance(spec, Swiss) and spec.seats == MATCH:
        most = max(1, count // 2)
        message = (
            f"{spec.rounds} rounds of Swiss among {count} cannot be sure that nobody meets twice; the most are {most}."
        )
        _must(spec.rounds <= most, "too_many_rounds", f"{message} In a round robin everybody meets.")


def _check_first_round(spec: Knockout, count: int) -> None:
    """Refuse a first round unless each of its tables is played, or all of it go on at once."""
    sizes = {len(table) for table in first_round(range(count), spec.seats, feeding(spec))}
    small = [str(size) for size in sorted(sizes) if advancing(spec) < size < fewest_at(spec)]
    message = (
        f"{count} entrants make tables of {' and '.join(small)} in a fixed bracket, and {fewest_at(spec)} are needed"
    )
    _must(not small, "uneven_bracket", f"{message}. Allow smaller tables by fewest, or have tables dealt afresh.")


def _check_groups(spec: Groups, count: int) -> None:
    smallest = even(count, spec.groups)[-1] if count >= spec.groups else 0
    needed = max(spec.qualify, fewest_at(spec.first))
    message = f"{count} entrants in {spec.groups} groups make a group of {smallest}; it needs {needed} at least."
    _must(smallest >= needed, "too_few_entrants", message)
    _check_count(spec.first, smallest)
    _check_count(spec.then, spec.groups * spec.qualify)


def check_known(spec: Spec, field: Collection[int]) -> None:
    """Refuses a panel of which some are not in the field."""
    panel = spec.panel if isinstance(spec, Gauntlet) else ()
    strangers = ", ".join(str(entrant) for entrant in panel if entrant not in field)
    unknown = Sentence("The panel names %(strangers)s, who did not enter.", strangers=strangers)
    _must(not strangers, "unknown_panel", unknown)


def _check_panel(spec: Gauntlet) -> None:
    _must(len(set(spec.panel)) == len(spec.panel), "bad_panel", "The panel names somebody twice.")
    fewest, count = fewest_at(spec) - 1, len(spec.panel)
    small = Sentence("The panel has %(count)s bots; a table needs %(few)s of them.", count=count, few=fewest)
    _must(count >= fewest, "bad_panel", small)
    large = Sentence(
        "The panel has %(count)s bots; at most %(most)s can be in it.", count=count, most=MOST_ENTRANTS - 1
    )
    _must(count < MOST_ENTRANTS, "bad_panel", large)


def _between(name: str, value: int, low: int, high: int) -> None:
    _must(low <= value <= high, f"bad_{name}", f"{name} is {value}; it must be from {low} to {high}.")


def _must(right: bool, code: str, sentence: str) -> None:
    if not right:
        raise Refused(code, sentence)
