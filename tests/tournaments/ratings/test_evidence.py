"""What else the sets tell: of luck, of seats, of favours."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from tests import thorough
from tests.tournaments.ratings.ledgers import SOME, ledgers
from tests.tournaments.ratings.world import played
from tournaments.ratings.dispersion import Residuals
from tournaments.ratings.elo import Tally, tallies_after
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.incremental import landed
from tournaments.ratings.ledger import Game, Ledger, RatedSet
from tournaments.ratings.luck import luck_report
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import Q
from tournaments.ratings.seat_effects import seat_effects
from tournaments.ratings.table import forerunners
from tournaments.ratings.table_behaviour import suspicions

ELOS = {bot: 1500.0 + 60 * bot for bot in range(8)}


def fit_of(elos: dict[int, float]) -> Fit:
    """Ratings that are the truth."""
    return Fit(elos, dict.fromkeys(elos, 50.0), dict.fromkeys(elos, 0))


def test_every_seat_is_shown_beside_the_others_who_had_its_deal() -> None:
    games = [
        Game((1, 2), (1, 2), (False, False), (90, 40)),
        Game((2, 1), (1, 2), (False, False), (100, 50)),
    ]
    (first, second), _ = luck_report(RatedSet(1, games))
    assert (first.version, first.score, first.others_score, first.others_place) == (1, 90, 100, 1)
    assert (first.deal, second.deal) == (25, -25)


def test_nobody_is_compared_with_a_forfeit() -> None:
    games = [
        Game((1, 2), (1, 2), (False, False), (90, 40)),
        Game((2, 1), (2, 1), (True, False), (0, 50)),
    ]
    (first, second), (forfeit, _) = luck_report(RatedSet(1, games))
    assert (first.others_score, second.others_score, forfeit.others_score) == (None, 50, 90)


def variance_saved(sets: list[RatedSet], ratings: Fit) -> float:
    """Return the share of the variance that playing each deal from every seat saves."""
    natural = {version: (elo - ratings.zero) * Q for version, elo in ratings.elo.items()}
    single = [RatedSet(0, [game]) for rated in sets for game in rated.games]

    def phi(tables: list[RatedSet]) -> float:
        return Residuals(
            [cell for rated in tables for cell in Pairs([rated]).cells.values()], natural, ratings.gain
        ).phi

    return 1 - phi(sets) / phi(single)


def test_the_variance_saved_is_what_the_deal_is_of_luck() -> None:
    draw = Random(2)
    saved = {share: variance_saved(played(ELOS, 600, 4, draw, deal=share), fit_of(ELOS)) for share in (0.0, 0.8)}
    assert saved[0.0] == pytest.approx(0, abs=0.1)
    assert saved[0.8] == pytest.approx(0.55, abs=0.12)


def test_seats_are_worth_what_they_were_made_worth() -> None:
    """Strong and weak players sit there alike: the share of wins would make it look like less."""
    draw, worth = Random(3), (40.0, 0.0, -40.0)
    sets = []
    for number in range(3000):
        table = draw.sample(sorted(ELOS), 3)
        elos = {bot: 4 * ELOS[bot] + worth[seat] for seat, bot in enumerate(table)}
        sets.append(RatedSet(number, [game_of(elos, table, draw)]))
    effects = seat_effects(sets, fit_of({bot: 4 * elo for bot, elo in ELOS.items()}), 3)
    assert all(abs(effect.elo - true) < 1.5 * effect.ci95 for effect, true in zip(effects, worth, strict=True))
    assert effects[0].ci95 < 15
    assert sum(effect.elo for effect in effects) == pytest.approx(0, abs=1e-9)
    assert seat_effects(sets, fit_of(ELOS), 4) == []


def game_of(elos: dict[int, float], table: list[int], draw: Random) -> Game:
    (rated,) = played(elos, 1, len(table), draw)
    places = dict(zip(rated.games[0].versions, rated.games[0].places, strict=True))
    return Game(tuple(table), [places[bot] for bot in table], (False,) * len(table))


def favouring(sets: list[RatedSet], giver: int, taker: int) -> list[RatedSet]:
    """Wherever both sit, `giver` gives its place away if it is better."""
    return [replace(rated, games=[_given(game, giver, taker) for game in rated.games]) for rated in sets]


def _given(game: Game, giver: int, taker: int) -> Game:
    places = dict(zip(game.versions, game.places, strict=True))
    if {giver, taker} <= places.keys() and places[giver] < places[taker]:
        places[giver], places[taker] = places[taker], places[giver]
    return replace(game, places=[places[version] for version in game.versions])


def test_a_gift_is_seen_and_honest_ladders_raise_few_alarms() -> None:
    alarms, seeds = 0, range(thorough.budget(3, full=6))
    for seed in seeds:
        sets = played(ELOS, 250, 4, Random(seed), deal=0.5)
        lines = suspicions(sets, fit_ratings(Pairs(sets)), ladders=19)
        alarms += lines[0].false_alarms <= 0.05
    assert alarms <= len(seeds) / 3
    bent = favouring(sets, 5, 2)
    lines = suspicions(bent, fit_ratings(Pairs(bent)), ladders=19)
    gift = next(line for line in lines if line.kind == "gift")
    assert (gift.version, gift.other, gift.false_alarms) == (2, 5, 0.05)


@given(ledgers())
@SOME
def test_a_preview_moves_the_way_of_the_surprise_and_touches_only_the_table(ledger: Ledger) -> None:
    if len(ledger.sets) < 2:
        return
    *earlier, last = ledger.sets
    before = fit_ratings(Pairs(earlier), forerunners(ledger.versions))
    after = landed(before, last, forerunners(ledger.versions))
    table = {*last.games[0].versions}
    assert all(after.elo[key] == before.elo[key] for key in before.elo if key not in table)
    assert all(after.sd[key] < before.sd[key] for key in table)


def test_a_preview_is_near_the_exact_fit() -> None:
    sets = played(ELOS, 200, 4, Random(4), deal=0.5)
    exact, preview = fit_ratings(Pairs(sets)), landed(fit_ratings(Pairs(sets[:-1])), sets[-1], {})
    assert all(preview.elo[bot] == pytest.approx(exact.elo[bot], abs=4) for bot in ELOS)
    assert landed(Fit(), sets[0], {}).sd.keys() == {*sets[0].games[0].versions}


def test_elos_own_example() -> None:
    """FIDE's handbook B.02, table 8.1b: a lead of 200 points is worth .76, of 100 points .64, of 50 points .57."""
    ratings = fit_of({1: 1700.0, 2: 1500.0, 3: 1600.0, 4: 1550.0})
    assert [round(ratings.expects(1, 2), 2), round(ratings.expects(3, 2), 2), round(ratings.expects(4, 2), 2)] == [
        0.76,
        0.64,
        0.57,
    ]
    won = tallies_after(
        [Game([1, 2], [2, 1], [False, False])], {1: Tally(1_700_000, games=10**6), 2: Tally(games=10**6)}
    )
    assert won[1].delta == pytest.approx(-8000 * ratings.expects(1, 2), abs=1)
