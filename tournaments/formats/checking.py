"""Settings and entrants that cannot be played, each refused with a code and a sentence."""

from collections import Counter
from collections.abc import Sequence

from tournaments.errors import Refused
from tournaments.formats.model import Entrant
from tournaments.formats.spec import Knockout, RoundRobin, Single, Spec, Swiss, fewest_at

MOST_ENTRANTS, MOST_ROUNDS, MOST_SETS, MOST_SEATS = 1000, 400, 100, 8


def check(spec: Spec, entrants: Sequence[Entrant]) -> None:
    """Refuses what cannot be played."""
    twice = [str(entrant) for entrant, times in Counter(entrant.id for entrant in entrants).items() if times > 1]
    _refuse_if(bool(twice), "entered_twice", f"{', '.join(twice)} entered twice; every entrant has an id of its own.")
    check_spec(spec)
    check_count(spec, len(entrants))


def check_spec(spec: Spec, players: Sequence[int] = range(2, MOST_SEATS + 1)) -> None:
    """Refuses settings that no field could play; `players` are the sizes of table that the game allows."""
    few = fewest_at(spec)
    known = ", ".join(map(str, players))
    sizes_ok = 2 <= few <= spec.seats <= MOST_SEATS and all(size in players for size in range(few, spec.seats + 1))
    _refuse_if(
        not sizes_ok,
        "bad_table_size",
        f"Tables of {few} to {spec.seats} cannot be played; the game is for {known}, and fewest is at most seats.",
    )
    match spec:
        case RoundRobin() | Swiss():
            _in_range("rounds", spec.rounds, 0, MOST_ROUNDS)
            _in_range("sets", spec.sets, 1, MOST_SETS)
        case Knockout():
            _check_knockout(spec)


def _check_knockout(spec: Knockout) -> None:
    _in_range("advance", spec.advance, 0, spec.seats - 1)
    _in_range("extra", spec.extra, 0, 9)
    _refuse_if(not spec.sets, "bad_sets", "sets is empty; it must say how many sets a table plays, the final's last.")
    for sets in spec.sets:
        _in_range("sets", sets, 1, MOST_SETS)


def check_count(spec: Single, count: int) -> None:
    """Refuses a field of a size that cannot be played."""
    few = fewest_at(spec)
    _refuse_if(count < few, "too_few_entrants", f"{count} entered; {few} are needed for a table.")
    _refuse_if(count > MOST_ENTRANTS, "too_many_entrants", f"{count} entered; at most {MOST_ENTRANTS} can.")
    if isinstance(spec, Swiss) and spec.seats == 2:
        most = max(1, count // 2)
        _refuse_if(
            spec.rounds > most,
            "too_many_rounds",
            f"{spec.rounds} rounds of Swiss among {count} cannot be sure that nobody meets twice; {most} are the most. "
            "A round robin has everybody meet.",
        )


def _in_range(name: str, value: int, low: int, high: int) -> None:
    _refuse_if(not low <= value <= high, f"bad_{name}", f"{name} is {value}; it must be from {low} to {high}.")


def _refuse_if(wrong: bool, code: str, sentence: str) -> None:
    if wrong:
        raise Refused(code, sentence)
