"""Ladders of real games: bots of each game's families, more and less noisy, paired as a site pairs them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from bots.command.measure import Seated
from bots.games import module_of
from bots.rated_options import rated_options
from engine.games import GAMES
from engine.referee import run_match
from tests.tournaments.ratings.ladders import Kind, Ladder
from tournaments.ledger.matchmaking.pairing import seat_rotations
from tournaments.ratings.ledger import Game, RatedSet

Bots = Sequence[tuple[str, Mapping[str, float]]]  # families and their numbers

# Quick ones alone, of several styles, over the strengths that the game's field has.
BOTS: Final[Mapping[str, Bots]] = {
    "gigabucks": (
        *(("greedy", {"noise": noise}) for noise in (0.4, 0.3, 0.2, 0.15, 0.12, 0.09, 0.07, 0.05, 0.03, 0)),
        *(("linear", {"noise": noise}) for noise in (0.25, 0.2, 0.16, 0.135, 0.11, 0.09, 0.068, 0.05, 0.03, 0)),
    ),
    "kaiju": (
        *(("greedy", {"noise": noise}) for noise in (0.5, 0.4, 0.33, 0.27, 0.23, 0.19, 0.15, 0.11, 0.05, 0)),
        *(("linear", {"noise": noise}) for noise in (0.5, 0.35, 0.25, 0.18, 0.12, 0.08, 0.04, 0)),
        ("linear", {"research": 2.0}),
        ("linear", {"kaiju": 0.0}),
        ("linear", {"kaiju": -4.0}),
        ("linear", {"pays": 3.0}),
        ("linear", {"home": 4.0}),
        ("linear", {"rivals": 0.0}),
    ),
    "network": (
        *(("greedy", {"noise": noise}) for noise in (0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0)),
        *(("linear", {"noise": noise}) for noise in (0.6, 0.5, 0.42, 0.36, 0.3, 0.25, 0.2, 0.15, 0.1, 0.06, 0.03, 0)),
    ),
    "shangzhou": (
        *(
            ("greedy", {"noise": noise})
            for noise in (0.45, 0.4, 0.36, 0.32, 0.3, 0.28, 0.256, 0.233, 0.21, 0.19, 0.17, 0.152)
        ),
        *(
            ("greedy", {"noise": noise})
            for noise in (0.136, 0.12, 0.104, 0.088, 0.073, 0.058, 0.046, 0.036, 0.026, 0.017, 0.008, 0)
        ),
    ),
    "zaibatsu": (
        *(("marginal", {"noise": noise}) for noise in (0.7, 0.57, 0.42, 0.25, 0.1, 0)),
        *(("blend", {"noise": noise}) for noise in (0.5, 0.38, 0.27, 0.19, 0.1, 0.01)),
        *(("learnt", {"noise": noise}) for noise in (0.4, 0.25, 0.15, 0.06, 0)),
        ("blend", {"denial": 0.0}),
        ("blend", {"denial": 1.0}),
        ("blend", {"hope": 2.5}),
        ("blend", {"hope": 0.0}),
        ("blend", {"share": 1.0}),
        ("blend", {"money1": 0.5, "money2": 0.5}),
        ("blend", {"money3": 4.0}),
    ),
}


@dataclass
class RealLadder(Ladder):
    """A ladder of the game's `BOTS`, numbered in their order, by the options of new ladders."""

    game: str = "kaiju"
    given: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def options(self) -> Any:
        usual = {**rated_options(self.game), **getattr(module_of(self.game, "options"), "LADDER", {})}
        return GAMES[self.game].read_options({**usual, **self.given, "players": self.kind.seats})

    def _add(self, table: Sequence[int]) -> None:
        number = len(self.sets) + 1
        games = [self.played(f"{self.kind.name} {self.seed} {number}", seats) for seats in seat_rotations(table)]
        self.sets.append(RatedSet(number, games))
        self.pairs.add(self.sets[-1])
        self.last.update(dict.fromkeys(table, number))

    def played(self, deal: str, seats: Sequence[int]) -> Game:
        result = run_match(GAMES[self.game], self.options, deal, Seated(self.game, BOTS[self.game], seats)).result
        return Game(tuple(seats), tuple(result.places), (False,) * len(seats), tuple(result.scores))


def real_ladder(game: str, seats: int, seed: int, games: float, **given: object) -> RealLadder:
    """Return a ladder on which each bot has played so many games."""
    kind = Kind(f"real {game}", seats=seats, by_lot=25)
    ladder = RealLadder(kind, seed, len(BOTS[game]), game=game, given=given)
    list(ladder.play(games))
    return ladder
