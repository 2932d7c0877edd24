"""The constants that a field decides, once: how far apart its bots are, and what a margin is worth."""

from dataclasses import replace
from random import Random

import pytest

from tests.tournaments.ratings.ladders import Kind, Ladder
from tests.tournaments.ratings.world import played
from tournaments.ratings.constants import Constants, constants_of, enough_played
from tournaments.ratings.fit import fit_ratings
from tournaments.ratings.ledger import RatedSet, Version
from tournaments.ratings.pairs import Pairs


@pytest.mark.parametrize(("sd", "low", "high"), [(50.0, 200, 200), (250.0, 200, 300), (500.0, 370, 630)])
def test_the_prior_is_about_as_wide_as_the_field_and_never_under_200(sd: float, low: int, high: int) -> None:
    ladder = Ladder(Kind(f"sd {sd}", sd=sd), 3)
    list(ladder.play(20))
    found = constants_of(ladder.sets, ladder.pairs, dict.fromkeys(ladder.elos), 350)
    assert low <= found.prior_sd <= high
    assert found.scale == 1000


def test_it_hangs_neither_on_names_nor_on_the_order_of_sets() -> None:
    ladder = Ladder(Kind("wide", sd=500.0), 4, bots=12)
    list(ladder.play(20))
    found = constants_of(ladder.sets, ladder.pairs, dict.fromkeys(ladder.elos), 350)
    backwards = ladder.sets[::-1]
    assert constants_of(backwards, Pairs(backwards), dict.fromkeys(ladder.elos), 350) == found
    assert constants_of(ladder.sets, ladder.pairs, dict.fromkeys(ladder.elos), 500) == found


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
    found = constants_of(sets, pairs, older, 350)
    scaled = fit_ratings(Pairs(sets, margin=margin, scale=found.scale), older, prior_sd=found.prior_sd)
    places, plain = fit_ratings(Pairs(sets), older), fit_ratings(pairs, older)
    assert spread(scaled.elo) == pytest.approx(spread(places.elo), rel=0.03)
    assert spread(plain.elo) < 0.9 * spread(places.elo)
    assert found.scale > 1100


def spread(elos: dict[int, float] | object) -> float:
    assert isinstance(elos, dict)
    return max(elos.values()) - min(elos.values())


def test_where_places_alone_count_the_scale_is_whole_whatever_is_asked() -> None:
    _, sets, _ = by_margins(1.0, 40)
    assert constants_of(sets, Pairs(sets, scale=700), {}, 350, keep_prior=True) == Constants(350, 1000)
    assert Pairs(sets, margin=5, scale=700).copy().scale == 700
    one = replace(fit_ratings(Pairs(sets)), rules=2)
    assert one.lead_sd is one.sd
