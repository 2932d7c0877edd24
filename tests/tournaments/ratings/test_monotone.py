"""Who wins does not fall, and results that come twice change no rating by more than its interval allows."""

from dataclasses import replace
from random import Random
from statistics import fmean

from tests import thorough
from tests.tournaments.ratings.ledgers import duel
from tests.tournaments.ratings.world import played
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.intervals import CI95
from tournaments.ratings.ledger import Game, RatedSet
from tournaments.ratings.pairs import Pairs

LEDGERS = thorough.budget(25, full=1000)
NOTHING = 1e-6  # Elo, of the search for the maximum


def one_sided(seed: int) -> list[RatedSet]:
    """Few bots far apart, at tables of two to four; in some ledgers without any luck."""
    draw = Random(f"one-sided {seed}")
    bots, seats = draw.randint(3, 12), draw.randint(2, 4)
    spread = draw.choice((0, 300, 1000, 3000, 100_000))
    elos = {bot: draw.gauss(1500, spread) for bot in range(max(bots, seats))}
    return played(elos, draw.randint(2, 40), seats, draw, deal=draw.choice((0.0, 0.5)))


def ratings_of(sets: list[RatedSet]) -> Fit:
    return fit_ratings(Pairs(sets), dict.fromkeys(range(12)))


def flipped(game: Game, draw: Random) -> tuple[Game, int, int]:
    """One who lost to another changes places with it; who won by that, and who lost."""
    seats = range(len(game.places))
    pairs = [(lower, upper) for lower in seats for upper in seats if game.places[lower] == game.places[upper] + 1]
    lower, upper = draw.choice(pairs)
    places = list(game.places)
    places[lower], places[upper] = places[upper], places[lower]
    return replace(game, places=places), game.versions[lower], game.versions[upper]


def test_a_game_flipped_raises_the_winner_and_lowers_the_loser() -> None:
    for seed in range(LEDGERS):
        sets, draw = one_sided(seed), Random(f"flip {seed}")
        place = draw.randrange(len(sets))
        game, winner, loser = flipped(sets[place].games[0], draw)
        after = [*sets[:place], replace(sets[place], games=[game, *sets[place].games[1:]]), *sets[place + 1 :]]
        before, then = ratings_of(sets), ratings_of(after)
        assert then.elo[winner] > before.elo[winner] - NOTHING, seed
        assert then.elo[loser] < before.elo[loser] + NOTHING, seed


def test_a_duel_set_won_never_lowers_the_winner() -> None:
    """The winner may be anybody, and so may the loser: the favourite who beats the last as well."""
    for seed in range(LEDGERS):
        sets, draw = one_sided(seed), Random(f"duel {seed}")
        before = ratings_of(sets)
        order = sorted({bot for rated in sets for bot in rated.games[0].versions}, key=before.elo.__getitem__)
        winner, loser = draw.choice([(order[-1], order[0]), tuple(draw.sample(order, 2))])
        won = replace(duel(10**6, winner, loser), games=[*duel(0, winner, loser).games] * 2)
        then = ratings_of([*sets, won])
        assert then.elo[winner] > before.elo[winner] - NOTHING, seed
        assert then.elo[loser] < before.elo[loser] + NOTHING, seed


def test_a_set_won_instead_of_lost_never_lowers_the_winner() -> None:
    """The last comes first in every game of it, and all others one place later."""
    for seed in range(LEDGERS):
        sets, draw = one_sided(seed), Random(f"won {seed}")
        place = draw.randrange(len(sets))
        bot = draw.choice(sets[place].games[0].versions)
        lost, won = (
            replace(sets[place], games=[_moved(game, bot, to) for game in sets[place].games]) for to in (-1, 0)
        )
        before, then = (ratings_of([*sets[:place], changed, *sets[place + 1 :]]) for changed in (lost, won))
        assert then.elo[bot] > before.elo[bot] - NOTHING, seed


def _moved(game: Game, bot: int, to: int) -> Game:
    """`bot` is last (-1) or first (0), the others in the order they had."""
    order = [other for _, other in sorted(zip(game.places, game.versions, strict=True)) if other != bot]
    order.insert(to if to == 0 else len(order), bot)
    return replace(game, places=[order.index(other) + 1 for other in game.versions])


def test_intervals_still_meet_when_all_results_are_there_twice() -> None:
    for seed in range(LEDGERS):
        sets = one_sided(seed)
        once = ratings_of(sets)
        twice = ratings_of([*sets, *(replace(rated, number=10**6 + rated.number) for rated in sets)])
        for bot in once.elo:
            assert abs(twice.elo[bot] - once.elo[bot]) <= CI95 * (once.sd[bot] + twice.sd[bot]), (seed, bot)


def test_the_strictest_ladder_is_as_unsure_as_the_prior_has_a_say() -> None:
    """Bots always beat those below: the first has a wide interval, which holds where it stands with twice the
    results."""
    sets = [duel(10 * upper + lower, upper, lower) for upper in range(8) for lower in range(upper + 1, 8)]
    sets = [RatedSet(100 * times + rated.number, [*rated.games] * 2) for rated in sets for times in range(1, 21)]
    once = ratings_of(sets)
    twice = ratings_of([*sets, *(replace(rated, number=10**6 + rated.number) for rated in sets)])
    assert CI95 * once.sd[0] > 500
    assert abs(twice.elo[0] - once.elo[0]) < CI95 * once.sd[0]
    assert once.phi > 0.3
    assert fmean(once.elo[bot] for bot in range(8)) < once.elo[0] - 1000


def test_a_greater_lead_never_lowers_who_has_it_whatever_the_scale() -> None:
    for seed in range(LEDGERS):
        sets, draw = one_sided(seed), Random(f"lead {seed}")
        margin, scale = draw.choice((1, 10**5, 10**6, 10**7)), draw.choice((100, 700, 1000, 1500, 10_000))
        place = draw.randrange(len(sets))
        game = sets[place].games[0]
        first, scores = game.places.index(1), list(game.scores)
        scores[first] += draw.choice((1, 10**5, 10**7))
        after = [
            *sets[:place],
            replace(sets[place], games=[replace(game, scores=scores), *sets[place].games[1:]]),
            *sets[place + 1 :],
        ]
        before, then = (
            fit_ratings(Pairs(those, margin=margin, scale=scale), dict.fromkeys(range(12))) for those in (sets, after)
        )
        assert then.elo[game.versions[first]] > before.elo[game.versions[first]] - NOTHING, seed
