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
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.ratings.ladders import KINDS, Kind, Ladder
from tests.tournaments.ratings.ledgers import SOME, duel, ledgers
from tests.tournaments.ratings.world import one_set, played
from tournaments.ratings.export import write
from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import Ledger, RatedSet, Version
from tournaments.ratings.ranks import EACH, ranges_of, tukey
from tournaments.ratings.table import fit_of, table_of

SCRIPT = Path(__file__).parents[3] / "docs" / "notebooks" / "standings.py"


def page_of(ledger: Ledger) -> Any:
    page = runpy.run_path(str(SCRIPT))["Standings"]([json.loads(line) for line in write(ledger)])
    page.rate()
    return page


def agree(ledger: Ledger) -> tuple[Any, Fit]:
    """Compare the page with our table, to the last digit that is shown."""
    page, fit, table = page_of(ledger), fit_of(ledger), table_of(ledger)
    assert list(page.lines()) == [(row.rank, f"{row.bot} v{row.number}", row.elo, row.ci95) for row in table.rows]
    assert (round(page.phi, 3), round(sqrt(page.clash2) / page.q, 1)) == (table.phi, table.clash)
    assert [fit.sd[version] for version in page.at] == pytest.approx(page.sd, rel=1e-7)
    return page, fit


def ranks(page: Any, z: float) -> list[tuple[int, int]]:
    pairs = list(zip(page.elo, page.chance_sd, strict=True))
    return [
        (
            1 + sum(rival - elo > z * hypot(sd, other) for rival, other in pairs),
            len(pairs) - sum(elo - rival > z * hypot(sd, other) for rival, other in pairs),
        )
        for elo, sd in pairs
    ]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_page_alone_gives_our_ratings_intervals_and_ranks(kind: Kind) -> None:
    ladder = Ladder(kind, 1, bots=20)
    list(ladder.play(30))
    versions = {version: Version(f"bot {version}") for version in ladder.elos}
    page, fit = agree(Ledger("main", "zaibatsu", ladder.sets, versions, prior_sd=int(kind.prior_sd)))
    exact = scipy.stats.studentized_range.ppf(0.95, ladder.bots, 1e6) / sqrt(2)
    for z, ours_z in ((EACH, EACH), (exact, tukey(ladder.bots))):
        assert ranges_of(fit, list(page.at), ours_z) == dict(zip(page.at, ranks(page, z), strict=True))


@pytest.mark.parametrize(("margin", "scale", "rules"), [(0, 1000, 3), (0, 1000, 2), (25, 1000, 2), (25, 1370, 3)])
def test_the_page_alone_tells_of_versions_islands_ties_anchors_and_margins(margin: int, scale: int, rules: int) -> None:
    """Versions 21 and 23 follow 1 and 21 and play as well; 22 has played nothing; 31 and 32 are an island."""
    draw = Random(3)
    elos = dict.fromkeys((1, 2, 3, 4, 21, 23), 1500.0) | {21: 1650.0, 23: 1300.0}
    sets = [*played(elos, 40, 3, draw, deal=0.5), duel(900, 31, 32), duel(901, 31, 32, tied=True)]
    scored = [
        replace(
            rated, games=[replace(game, scores=[draw.randint(0, 40) for _ in game.versions]) for game in rated.games]
        )
        for rated in sets
    ]
    versions = {key: Version(f"bot {key}") for key in (1, 3, 4, 31, 32)}
    versions |= {2: Version("bot 2", listed=False), 22: Version("bot 2", 2, 2), 23: Version("bot 1", 3, 21)}
    versions |= {21: Version("bot 1", 2, 1, ranked=False)}
    agree(Ledger("main", "zaibatsu", scored, versions, margin, 200, scale, rules))
    versions[3], versions[4] = Version("bot 3", anchor=1800.0), Version("bot 4", anchor=1700.0)
    agree(Ledger("main", "zaibatsu", scored, versions, margin, 200, scale, rules))


@pytest.mark.parametrize("since", [0, 14, 15, 40])
@pytest.mark.parametrize("seats", [2, 4])
def test_the_page_alone_tells_of_versions_that_play_again(since: int, seats: int) -> None:
    """Versions 11 and 12 follow 1; 11 plays, then 12, then 11 again. 22 follows 2; 31 and 13 have not played."""
    draw, sets = Random(since), list[RatedSet]()
    elos = {version: 1500.0 + 20 * version for version in (1, 2, 3, 4, 5, 11, 12, 22)}
    for mine, other, times in ((1, 2, 9), (11, 2, 12), (12, 22, 7), (11, 22, since)):
        for _ in range(times):
            for table in ([mine, *draw.sample([3, 4, 5, other], seats - 1)], draw.sample([3, 4, 5, other], seats)):
                sets.append(one_set(elos, len(sets) + 1, table, draw, 0.5))
    versions = {key: Version(f"bot {key}", listed=key > 2) for key in (1, 2, 3, 4, 5)}
    versions |= {11: Version("bot 1", 2, 1), 12: Version("bot 1", 3, 11, listed=False), 22: Version("bot 2", 2, 2)}
    versions |= {31: Version("bot 3", 2, 3, listed=False), 13: Version("bot 1", 4, 12, listed=False)}
    ledger = Ledger("main", "zaibatsu", sets, versions, fresh=15)
    page, fit = agree(ledger)
    assert bool(page.shown_by)
    assert (fit.elo[11] == fit.elo[12]) == (since < 15)
    agree(replace(ledger, fresh=0))
    agree(replace(ledger, versions={**versions, 11: replace(versions[11], anchor=1600.0)}))


@SOME
@given(ledgers(), st.booleans(), st.integers(1, 3))
def test_the_page_alone_tells_of_any_ledger_whichever_version_plays(ledger: Ledger, later: bool, fresh: int) -> None:
    """Two versions of a bot may sit at one table here: their sets stay as they are."""
    seconds = {version.forerunner for version in ledger.versions.values() if version.forerunner}
    versions = {
        key: replace(version, listed=later == (version.number == 2) if key % 10 in seconds else True)
        for key, version in ledger.versions.items()
    }
    ledger = replace(ledger, versions=versions, fresh=fresh)
    page, fit = page_of(ledger), fit_of(ledger)
    assert [fit.elo[version] for version in page.at] == pytest.approx(page.elo, abs=1e-5)
    assert [fit.sd[version] for version in page.at] == pytest.approx(page.sd, rel=1e-5)
