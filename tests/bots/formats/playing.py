"""Events played to their end by bots that are only numbers."""

from collections.abc import Callable, Mapping

from bots.formats.model import Entrant, Pairing, Plan, SetResult
from bots.formats.planning import finish_plan
from bots.formats.settings import Spec
from engine.dice import Dice
from tournaments.ledger.formats.planning import begin_event_run, plan_event

Player = Callable[[Pairing], SetResult]
EVENT = "Spring Open"


def field(count: int) -> list[Entrant]:
    return [
        Entrant(100 + number, rating=1500.0 + 7 * (number * number % 31), owner=number % 9) for number in range(count)
    ]


def seeded(count: int) -> list[Entrant]:
    """Return entrants of whom 1 is the best seed."""
    return [Entrant(number, rating=3000.0 - number) for number in range(1, count + 1)]


def by_dice(pairing: Pairing) -> SetResult:
    """Any result, ties and crashes among them, the same for the same pairing."""
    dice, seats = Dice.of(pairing.key), len(pairing.entrants)
    games = tuple(tuple(1 + dice.below(seats) for _ in range(seats)) for _ in range(seats))
    return SetResult(pairing.entrants, games, tuple(dice.below(2) for _ in range(seats)))


def by_number(pairing: Pairing) -> SetResult:
    """The lower number always wins."""
    places = tuple(1 + sum(other < entrant for other in pairing.entrants) for entrant in pairing.entrants)
    return SetResult(pairing.entrants, (places,) * len(places))


def all_crash(pairing: Pairing) -> SetResult:
    seats = len(pairing.entrants)
    return SetResult(pairing.entrants, ((1,) * seats,) * seats, crashes=(seats,) * seats)


def void(pairing: Pairing) -> SetResult:
    return SetResult(pairing.entrants)


def play_out(
    spec: Spec, entrants: list[Entrant], player: Player = by_dice, results: Mapping[str, SetResult] | None = None
) -> tuple[Plan, dict[str, SetResult]]:
    """The plan when all is played, and the results."""
    played = dict(results or {})
    while (now := plan_event(spec, entrants, played, event=EVENT)).now:
        played |= {pairing.key: player(pairing) for pairing in now.now}
    assert now.done
    return now, played


def final_plan(spec: Spec, entrants: list[Entrant], player: Player = by_dice) -> Plan:
    """The plan when all is played, in one walk."""
    stage, walk = begin_event_run(spec, entrants, player, EVENT)
    return finish_plan(stage, walk, done=walk.walk(stage.draws()))
