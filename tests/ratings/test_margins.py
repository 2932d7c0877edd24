"""Margins in ladders of real games, in small."""

import pytest

from tests.ratings.claims.margins import Figures, measured, ratio
from tests.ratings.real_ladders import BOTS, real_ladder
from tournaments.ratings.ledger import Ledger, Version
from tournaments.ratings.table import table_of


def test_margins_foretell_places_of_kaiju_as_well_as_places_do_and_intervals_hold() -> None:
    ladders = [real_ladder("kaiju", 4, seed, 24).sets for seed in range(3)]
    rows = measured(ladders, len(BOTS["kaiju"]), 4, 20)
    for figures in rows:
        assert all(isinstance(figure, Figures) for figure in figures)
    assert sum(by_margins.cover for _, _, by_margins in rows) / 3 > 0.88
    games, _ = ratio([(by_places.missing, by_margins.missing) for by_places, _, by_margins in rows])
    assert games < 1.05


def test_a_winner_of_shangzhou_in_duels_has_all_of_the_margin() -> None:
    """Going by margins is then the same as going by places."""
    ladder = real_ladder("shangzhou", 2, 1, 2)
    versions = {bot: Version(f"bot {bot}") for bot in ladder.elos}
    tables = [table_of(Ledger("t", "shangzhou", ladder.sets, versions, margin=margin)) for margin in (0, 12)]
    assert [(row.bot, row.elo) for row in tables[0].rows] == [(row.bot, row.elo) for row in tables[1].rows]


def test_the_games_that_a_rating_needs_are_those_of_the_other_times_what_it_misses() -> None:
    games, wide = ratio([(2.0, 1.0), (4.0, 2.0), (6.0, 3.0)])
    assert (games, wide) == pytest.approx((0.5, 0.0))
