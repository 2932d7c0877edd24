"""The constants that a field decides, once: how far apart its bots are, and what a margin is worth."""

from dataclasses import replace
from math import isfinite
from random import Random
from statistics import fmean

import pytest
from hypothesis import given

from tests.tournaments.ratings.ladders import Kind, Ladder
from tests.tournaments.ratings.ledgers import SOME, duel, ledgers
from tests.tournaments.ratings.world import played
from tournaments.ratings.constants import Constants, constants_of, enough_played
from tournaments.ratings.fit import fit_ratings
from tournaments.ratings.intervals import CI95
from tournaments.ratings.ledger import Ledger, RatedSet, Version
from tournaments.ratings.pairs import Pairs


@pytest.mark.parametrize(("sd", "low", "high"), [(50.0, 200, 200), (250.0, 200, 300), (500.0, 370, 630)])
def test_the_prior_is_about_as_wide_as_the_field_and_never_under_200(sd: float, low: int, high: int) -> None:
    ladder = Ladder(Kind(f"sd {sd}", sd=sd), 3)
    list(ladder.play(20))
    constants = constants_of(ladder.sets, ladder.pairs, dict.fromkeys(ladder.elos), 350)
    assert low <= constants.prior_sd <= high
    assert constants.scale == 1000


def test_it_hangs_neither_on_names_nor_on_the_order_of_sets() -> None:
    ladder = Ladder(Kind("wide", sd=500.0), 4, bots=12)
    list(ladder.play(20))
    constants = constants_of(ladder.sets, ladder.pairs, dict.fromkeys(ladder.elos), 350)
    backwards = ladder.sets[::-1]
    assert constants_of(backwards, Pairs(backwards), dict.fromkeys(ladder.elos), 350) == constants
    assert constants_of(ladder.sets, ladder.pairs, dict.fromkeys(ladder.elos), 500) == constants


def test_a_ladder_has_played_enough_when_every_listed_bot_has_20_games_with_all_its_versions() -> None:
    versions = {bot: Version(f"bot {bot}") for bot in range(1, 9)}
    games = dict.fromkeys(versions, 20)
    assert enough_played(games, versions)
    assert not enough_played({**games, 3: 19}, versions)
    assert not enough_played(games, {**versions, 9: Version("bot 9")})
    assert enough_played(games, {**versions, 9: Version("bot 9", listed=False)})
    assert enough_played(games, {**versions, 1: Version("bot 1", listed=False), 9: Version("bot 1", 2, 1)})
    assert not enough_played(games, {bot: versions[bot] for bot in range(1, 8)})  # eight are needed


def by_margins(full: float, sets: int) -> tuple[dict[int, float], list[RatedSet], int]:
    """A world with scores whose luck has a deviation of about 220 Elo, and how many points are a full win."""
    draw = Random(5)
    elos = {bot: draw.gauss(1500, 200) for bot in range(20)}
    return elos, played(elos, sets, 4, draw), round(1e6 * full)


@pytest.mark.parametrize("full", [2.6, 5.2])
def test_a_scale_makes_leads_by_margins_those_by_places(full: float) -> None:
    elos, sets, margin = by_margins(full, 800)
    pairs, older = Pairs(sets, margin=margin), dict.fromkeys(elos)
    constants = constants_of(sets, pairs, older, 350)
    scaled = fit_ratings(Pairs(sets, margin=margin, scale=constants.scale), older, prior_sd=constants.prior_sd)
    places, plain = fit_ratings(Pairs(sets), older), fit_ratings(pairs, older)
    assert spread(scaled.elo) == pytest.approx(spread(places.elo), rel=0.03)
    assert spread(plain.elo) < 0.9 * spread(places.elo)
    assert constants.scale > 1100


def spread(elos: dict[int, float] | object) -> float:
    assert isinstance(elos, dict)
    return max(elos.values()) - min(elos.values())


def test_where_places_alone_count_the_scale_is_whole_whatever_is_asked() -> None:
    _, sets, _ = by_margins(1.0, 40)
    assert constants_of(sets, Pairs(sets, scale=700), {}, 350, keep_prior=True) == Constants(350, 1000)
    assert Pairs(sets, margin=5, scale=700).copy().scale == 700
    fit = replace(fit_ratings(Pairs(sets)), rules=2)
    assert fit.lead_sd is fit.sd


def test_where_all_are_level_a_margin_has_the_scale_of_places() -> None:
    sets = [duel(number, number % 9, (number + 1) % 9, tied=True) for number in range(90)]
    sets = [replace(rated, games=[replace(game, scores=(4, 4)) for game in rated.games]) for rated in sets]
    pairs, older = Pairs(sets, margin=5), dict.fromkeys(range(9))
    assert constants_of(sets, pairs, older, 350).scale == 1000


def test_the_constants_of_fields_at_the_edge_of_sense_are_within_their_bounds() -> None:
    """A long chain in which everybody beats the next, whose ends met once; winners with the lower score; a bot that
    won all."""
    chain = [scored(duel(number, bot, bot + 1), 9) for number, bot in enumerate([*range(60)] * 30)]
    upside_down = [scored(duel(number, number % 10, (number + 1 + number % 7) % 10), -9) for number in range(200)]
    star = [scored(duel(number, 0, 1 + number % 20), 1) for number in range(500)]
    for sets in ([*chain, scored(duel(10**6, 0, 60), 9)], upside_down, star):
        pairs = Pairs(sets, margin=5)
        constants = constants_of(sets, pairs, dict.fromkeys(pairs.taken), 350)
        assert 200 <= constants.prior_sd <= 1000
        assert 100 <= constants.scale <= 10_000
        scaled = Pairs(sets, margin=5, scale=constants.scale)
        fit = fit_ratings(scaled, prior_sd=constants.prior_sd)
        assert all(map(isfinite, [*fit.elo.values(), *fit.sd.values(), fit.phi, fit.clash]))


@SOME
@given(ledgers(margin=4))
def test_the_constants_of_any_ledger_are_within_their_bounds_whatever_the_order(ledger: Ledger) -> None:
    older = {key: version.forerunner for key, version in ledger.versions.items()}
    constants = constants_of(ledger.sets, Pairs(ledger.sets, margin=4), older, 350)
    backwards = ledger.sets[::-1]
    assert constants_of(backwards, Pairs(backwards, margin=4), older, 350) == constants
    assert 200 <= constants.prior_sd <= 1000
    assert 100 <= constants.scale <= 10_000


def scored(rated: RatedSet, lead: int) -> RatedSet:
    """The set with scores: the winner's lead."""
    return replace(rated, games=[replace(game, scores=(lead, 0)) for game in rated.games])


def test_more_bots_need_fewer_probes_for_a_prior_that_is_as_right() -> None:
    draw = Random(8)
    elos = {bot: draw.gauss(1500, 300) for bot in range(200)}
    sets = played(elos, 400, 4, draw)
    constants = constants_of(sets, Pairs(sets), dict.fromkeys(elos), 350)
    assert 260 <= constants.prior_sd <= 340


def test_a_few_bots_far_outside_the_field_make_no_other_interval_wrong() -> None:
    """A bot that wins or loses every game has one end alone; those between are held."""
    held = list[bool]()
    for seed in range(4):
        draw = Random(f"outliers {seed}")
        elos = {bot: draw.gauss(1500, 100) for bot in range(30)} | {0: 4500.0, 1: -1500.0}
        sets = played(elos, 75, 4, draw, deal=0.5)
        pairs, older = Pairs(sets), dict.fromkeys(elos)
        fit = fit_ratings(pairs, older, prior_sd=constants_of(sets, pairs, older, 350).prior_sd)
        shift = fmean(elos[bot] - fit.elo[bot] for bot in elos if bot > 1)
        held += [abs(fit.elo[bot] + shift - elos[bot]) <= CI95 * fit.sd[bot] for bot in elos if bot > 1]
        assert fit.elo[0] > max(fit.elo[bot] for bot in elos if bot > 1)
        assert fit.elo[1] < min(fit.elo[bot] for bot in elos if bot > 1)
    assert 0.91 <= fmean(held) <= 0.99
