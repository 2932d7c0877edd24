"""A league at home by a format of a site: round after round, until the format is finished."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from bots.command.errors import KitError
from bots.command.outcomes import Outcome
from bots.command.worker_pool import Contest
from bots.contest import Match, play_match
from bots.formats.model import Entrant, Pairing, Plan, SetResult, lead_over_others
from bots.formats.planning import plan
from bots.formats.settings import Spec
from bots.paired_ratings import RatedSet, ratings, set_of
from engine.games import GAMES

Order = tuple[int, list[int], str]  # a match: its number, the bots by seat, the deal


@dataclass(frozen=True, slots=True)
class EventContest(Contest):
    """Matches at tables of several sizes."""

    sized: Mapping[int, dict[str, Any]] = field(default_factory=dict)  # the options, by the size of a table

    def number_of(self, order: Any) -> int:
        return int(order[0])

    def match(self, order: Any) -> Match:
        """Raises PlatformFault."""
        _, seats, dealt = order
        game = GAMES[self.game]
        options = game.read_options(self.sized[len(seats)])
        return Match(seats, dealt, play_match(game, options, dealt, [self.contestants[bot] for bot in seats]))


@dataclass(frozen=True, slots=True)
class HomeEvent:
    """Bots by number are entrants by number from 1, the first the best seed. The seed draws lots and deals."""

    spec: Spec
    bots: int
    seed: str

    def plan_of(self, outcomes: Sequence[Outcome]) -> Plan:
        """Return the plan after these matches, in the order of their numbers. Raises KitError where they are of another
        event."""
        results: dict[str, SetResult] = {}
        while True:
            plan = self._plan(results)
            more = dict(self._results(plan, outcomes))
            if len(more) == len(results):
                return plan
            results = more

    def _plan(self, results: Mapping[str, SetResult]) -> Plan:
        field = [Entrant(number + 1, rating=1500.0 - number) for number in range(self.bots)]
        return plan(self.spec, field, results, event=self.seed, performances=performances)

    def orders(self, plan: Plan) -> list[Order]:
        """Return all matches that were ever issued: of a pairing one deal, once with every rotation of its seats."""
        seated = [(seats, f"{self.seed}/{pairing.key}") for pairing in plan.pairings for seats in rotations(pairing)]
        return [(number, seats, dealt) for number, (seats, dealt) in enumerate(seated)]

    def sets(self, plan: Plan, outcomes: Sequence[Outcome]) -> Iterator[tuple[Pairing, list[Outcome]]]:
        """Return the complete sets."""
        left = iter(outcomes)
        for pairing in plan.pairings:
            games = list(islice(left, pairing.matches))
            if len(games) == pairing.matches:
                yield pairing, games

    def _results(self, plan: Plan, outcomes: Sequence[Outcome]) -> Iterator[tuple[str, SetResult]]:
        for order, outcome in zip(self.orders(plan), outcomes, strict=False):
            if (outcome.seats, outcome.seed) != order[1:]:
                message = f"match {outcome.number} of the journal is not the one that this format draws"
                raise KitError("other_journal", f"{message}; it is of another version of the kit: name another file")
        for pairing, games in self.sets(plan, outcomes):
            yield pairing.key, set_result(pairing, games)


def rotations(pairing: Pairing) -> Iterator[list[int]]:
    bots = [entrant - 1 for entrant in pairing.entrants]
    for turn in range(len(bots)):
        yield [*bots[turn:], *bots[:turn]]


def set_result(pairing: Pairing, games: Sequence[Outcome]) -> SetResult:
    bots = [entrant - 1 for entrant in pairing.entrants]
    sat = [[game.seats.index(bot) for bot in bots] for game in games]
    played = list(zip(games, sat, strict=True))
    return SetResult(
        pairing.entrants,
        games=tuple(tuple(game.places[seat] for seat in seats) for game, seats in played),
        crashes=tuple(sum(seats[n] in game.forfeits for game, seats in played) for n in range(len(bots))),
        margins=tuple(sum(lead_over_others(game.scores, seats[n]) for game, seats in played) for n in range(len(bots))),
    )


def rated_sets(event: HomeEvent, plan: Plan, outcomes: Sequence[Outcome]) -> list[RatedSet]:
    return [set_of([(game.seats, game.places) for game in games]) for _, games in event.sets(plan, outcomes)]


def performances(results: tuple[SetResult, ...]) -> dict[int, int]:
    """Return the ratings of a league at home; those of a site are by its own fit."""
    entrants = sorted({entrant for result in results for entrant in result.entrants})
    number = {entrant: place for place, entrant in enumerate(entrants)}
    sets = [set_of([([number[e] for e in played.entrants], game) for game in played.games]) for played in results]
    rated = ratings(len(entrants), sets) if entrants else []
    return {entrant: round(1000 * rating.elo) for entrant, rating in zip(entrants, rated, strict=True)}
