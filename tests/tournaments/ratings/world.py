"""A world in which the truth is known: +400 Elo are exactly 10:1 to finish ahead, at tables of any size."""

import math
from collections.abc import Mapping, Sequence
from random import Random

from engine.seats import places_by_score
from tournaments.ledger.matchmaking.pairing import seat_rotations
from tournaments.ratings.ledger import Game, RatedSet

Q = math.log(10) / 400


def played(elos: Mapping[int, float], sets: int, seats: int, draw: Random, *, deal: float = 0.0) -> list[RatedSet]:
    """Sets of one game for each seat, at tables drawn by lot; `deal` is the share of luck that lies in the deal."""
    everybody = sorted(elos)
    return [one_set(elos, number, draw.sample(everybody, seats), draw, deal) for number in range(1, sets + 1)]


def one_set(elos: Mapping[int, float], number: int, table: Sequence[int], draw: Random, deal: float) -> RatedSet:
    dealt = [luck_of_deal(draw, deal) for _ in table]
    return RatedSet(number, [one_game(elos, seated, dealt, deal, draw) for seated in seat_rotations(table)])


def one_game(
    elos: Mapping[int, float], seated: Sequence[int], dealt: Sequence[float], deal: float, draw: Random
) -> Game:
    """The order of finish is Plackett and Luce's: strength plus Gumbel luck."""
    play = math.sqrt(1 - deal)
    luck = [part - play * math.log(-math.log(draw.random())) for part in dealt]
    scores = [round(1e6 * (Q * elos[bot] + part)) for bot, part in zip(seated, luck, strict=True)]
    return Game(tuple(seated), places_by_score(scores), (False,) * len(seated), scores)


def luck_of_deal(draw: Random, share: float) -> float:
    """A seat's luck in the deal, so that with its own luck it is Gumbel's again (positive stable law, Kanter 1975)."""
    if not share:
        return 0.0
    a = math.sqrt(1 - share)
    angle, wait = math.pi * draw.random(), draw.expovariate(1)
    stable = math.log(math.sin(a * angle)) - math.log(math.sin(angle)) / a
    return a * (stable + (1 - a) / a * (math.log(math.sin((1 - a) * angle)) - math.log(wait)))
