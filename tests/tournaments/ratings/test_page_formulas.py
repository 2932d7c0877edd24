"""The fit as docs/ratings.md writes it down, by the script of docs/notebooks, which imports nothing of ours."""

import json
import runpy
from dataclasses import replace
from math import hypot, sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
import scipy

from tests.tournaments.ratings.ladders import KINDS, Kind, Ladder
from tests.tournaments.ratings.ledgers import duel
from tests.tournaments.ratings.world import played
from tournaments.ratings.export import write
from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import Ledger, Version
from tournaments.ratings.ranks import EACH, ranges_of, tukey
from tournaments.ratings.scale import Q
from tournaments.ratings.table import fit_of, table_of

SCRIPT = Path(__file__).parents[3] / "docs" / "notebooks" / "standings.py"


def page_of(ledger: Ledger) -> Any:
    page = runpy.run_path(str(SCRIPT))["Standings"]([json.loads(line) for line in write(ledger)])
    page.rate()
    return page


def agree(ledger: Ledger) -> tuple[Any, Fit]:
    """To the last digit that is shown."""
    page, ours, table = page_of(ledger), fit_of(ledger), table_of(ledger)
    assert list(page.lines()) == [(row.rank, f"{row.bot} v{row.number}", row.elo, row.ci95) for row in table.rows]
    assert (round(page.phi, 3), round(sqrt(page.clash2) / Q, 1)) == (table.phi, table.clash)
    assert [ours.sd[version] for version in page.at] == pytest.approx(page.sd, rel=1e-7)
    return page, ours


def ranks(page: Any, z: float) -> list[tuple[int, int]]:
    pairs = list(zip(page.elo, page.sd, strict=True))
    return [
        (
            1 + sum(theirs - elo > z * hypot(sd, other) for theirs, other in pairs),
            len(pairs) - sum(elo - theirs > z * hypot(sd, other) for theirs, other in pairs),
        )
        for elo, sd in pairs
    ]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_page_alone_gives_our_ratings_intervals_and_ranks(kind: Kind) -> None:
    ladder = Ladder(kind, 1, bots=20)
    list(ladder.play(30))
    versions = {version: Version(f"bot {version}") for version in ladder.elos}
    page, ours = agree(Ledger("main", "zaibatsu", ladder.sets, versions, prior_sd=int(kind.prior_sd)))
    exact = scipy.stats.studentized_range.ppf(0.95, ladder.bots, 1e6) / sqrt(2)
    for z, ours_z in ((EACH, EACH), (exact, tukey(ladder.bots))):
        assert ranges_of(ours, list(page.at), ours_z) == dict(zip(page.at, ranks(page, z), strict=True))


@pytest.mark.parametrize("margin", [0, 25])
def test_the_page_alone_tells_of_versions_islands_ties_anchors_and_margins(margin: int) -> None:
    """Versions 21 and 23 follow 1 and 21 and play as well; 22 has played nothing; 31 and 32 are an island."""
    draw = Random(3)
    elos = dict.fromkeys((1, 2, 3, 4, 21, 23), 1500.0) | {21: 1650.0, 23: 1300.0}
    sets = [*played(elos, 40, 3, draw, deal=0.5), duel(900, 31, 32), duel(901, 31, 32, tied=True)]
    scored = [
        replace(one, games=[replace(game, scores=[draw.randint(0, 40) for _ in game.versions]) for game in one.games])
        for one in sets
    ]
    versions = {key: Version(f"bot {key}") for key in (1, 3, 4, 31, 32)}
    versions |= {2: Version("bot 2", listed=False), 22: Version("bot 2", 2, 2), 23: Version("bot 1", 3, 21)}
    versions |= {21: Version("bot 1", 2, 1, ranked=False)}
    agree(Ledger("main", "zaibatsu", scored, versions, margin, 200))
    versions[3], versions[4] = Version("bot 3", anchor=1800.0), Version("bot 4", anchor=1700.0)
    agree(Ledger("main", "zaibatsu", scored, versions, margin, 200))
