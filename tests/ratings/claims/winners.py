"""How often who wins every game of a set at a table of three or more is rated lower after it, and by how much."""

from random import Random

from tests.ratings.claims import Row
from tests.tournaments.ratings.world import one_set
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.pairs import Pairs

BOTS, SD, DEAL = 30, 200.0, 0.5
GAMES, EARLY = 80, 20  # of each bot: so many are simulated; falls in the first are counted apart
LADDERS = {2: 1, 3: 6, 4: 20, 8: 60}  # by seats
SEEN = 0.05  # Elo that the table shows
MOST = 12.0  # Elo, after the first games


def claim(seed: int) -> list[Row]:
    return [_row(seats, seed) for seats in LADDERS]


def _row(seats: int, seed: int) -> Row:
    falls = [fall for number in range(LADDERS[seats]) for fall in falls_of(Random(f"{seed} {seats} {number}"), seats)]
    fell = [(is_early, fall) for is_early, fall in falls if fall > SEEN]
    share, late = 100 * len(fell) / max(1, len(falls)), max([0.0, *(fall for is_early, fall in fell if not is_early)])
    claimed = "none" if seats == 2 else f"0 to 3 of 100, by {MOST:.0f} at most"
    holds = not fell if seats == 2 else share <= 3.5 and late <= MOST
    measured = f"{len(fell)} of {len(falls)} ({share:.1f} of 100), by {late:.1f} at most"
    return Row(f"tables of {seats} won outright, whose winner fell", claimed, measured, holds)


def falls_of(draw: Random, seats: int, games: int = GAMES) -> list[tuple[bool, float]]:
    """Return of each winner of all games of a set whether it was early, and by how much it fell."""
    elos = {bot: 1500 + draw.gauss(0, SD) for bot in range(BOTS)}
    pairs, fit, falls = Pairs(), Fit(), list[tuple[bool, float]]()
    for number in range(1, games * BOTS // seats**2 + 1):
        played = one_set(elos, number, draw.sample(range(BOTS), seats), draw, DEAL)
        winners = {game.versions[game.places.index(1)] for game in played.games}
        before = fit_ratings(pairs, dict.fromkeys(elos), start=fit) if len(winners) == 1 else fit
        pairs.add(played)
        if len(winners) == 1:
            fit = fit_ratings(pairs, dict.fromkeys(elos), start=before)
            [winner] = winners
            falls.append((number * seats**2 < EARLY * BOTS, before.elo[winner] - fit.elo[winner]))
    return falls
