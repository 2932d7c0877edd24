"""How many games it takes: to a tau of .90 without and with tables by lot, and beside TrueSkill on the same games."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from random import Random
from statistics import fmean
from typing import NamedTuple

from scipy.stats import kendalltau

from tests.ratings.claims import Row
from tests.ratings.claims.field_errors import lead_deviation
from tests.tournaments.ratings.ladders import BASE, Kind, Ladder
from tournaments.ratings.constants import ENOUGH, constants_of
from tournaments.ratings.fit import fit_ratings
from tournaments.ratings.ledger import PRIOR_SD, RatedSet
from tournaments.ratings.pairs import Pairs

WORLDS, BOOTS = 20, 200
LONG, SHORT = range(40, 101, 10), range(16, 49, 4)  # games of each bot after which is looked
PEERS_AT, WANTED = 40, 0.90
FULL = 1.1  # deviations of a lead that are a full win
Taus = list[list[float]]  # of each world, after each number of games


def tau(ladder: Ladder, elos: Mapping[int, float]) -> float:
    order = sorted(ladder.truth)
    return float(kendalltau([elos.get(bot, 0.0) for bot in order], [ladder.truth[bot] for bot in order]).statistic)


def up_to(ladder: Ladder, games: float) -> list[RatedSet]:
    return ladder.sets[: round(games * ladder.bots / ladder.kind.seats**2)]


def by_fit(ladder: Ladder, games: Sequence[int], margin: int = 0) -> list[float]:
    bots, early = dict.fromkeys(ladder.elos), up_to(ladder, ENOUGH)
    of = constants_of(early, Pairs(early, margin=margin), bots, PRIOR_SD)
    fits = (
        fit_ratings(Pairs(up_to(ladder, number), margin=margin, scale=of.scale), bots, prior_sd=of.prior_sd)
        for number in games
    )
    return [tau(ladder, fit.elo) for fit in fits]


def by_peer(ladder: Ladder, games: float) -> float:
    peer = importlib.import_module("tests.bench.rating_worlds.raters").TrueSkill()  # its package warns as it is read
    peer.rate_all(game for one in up_to(ladder, games) for game in one.games)
    return tau(ladder, peer.of)


def needed(games: Sequence[int], taus: Taus, wanted: float) -> float:
    """Return after how many games the mean tau is as wanted, between two looks by a straight line."""
    means = [fmean(column) for column in zip(*taus, strict=True)]
    for (low, below), (high, above) in zip(
        zip(games, means, strict=True), zip(games[1:], means[1:], strict=True), strict=False
    ):
        if below <= wanted <= above:
            return low + (high - low) * (wanted - below) / (above - below)
    return games[0] if means[0] > wanted else inf


class Share(NamedTuple):
    """A figure of all worlds, and from where to where it is with 95 % (bootstrap)."""

    said: str
    low: float
    high: float


def shown(of: Callable[[Sequence[int]], float], worlds: int, digits: int) -> Share:
    lots = Random(0)
    drawn = sorted(of([lots.randrange(worlds) for _ in range(worlds)]) for _ in range(BOOTS))
    low, high = drawn[BOOTS // 40], drawn[-BOOTS // 40]
    return Share(f"{of(range(worlds)):.{digits}f} ({low:.{digits}f} to {high:.{digits}f})", low, high)


def to_wanted(seed: int, worlds: int, by_lot: int) -> Share:
    taus = []
    for number in range(worlds):
        *_, ladder = Ladder(replace(BASE, by_lot=by_lot), 1000 * seed + number).play(LONG[-1])
        taus.append(by_fit(ladder, LONG))
    return shown(lambda drawn: needed(LONG, [taus[world] for world in drawn], WANTED), worlds, 0)


def beside_peer(seed: int, worlds: int, kind: Kind) -> list[Share]:
    """Return the games that ours needs, by places and by margins, of those of TrueSkill."""
    peers, places, margins = list[float](), Taus(), Taus()
    for number in range(worlds):
        *_, ladder = Ladder(kind, 1000 * seed + number).play(SHORT[-1])
        peers.append(by_peer(ladder, PEERS_AT))
        places.append(by_fit(ladder, SHORT))
        margins.append(by_fit(ladder, SHORT, round(FULL * lead_deviation(ladder, Random(number)))))

    def share(taus: Taus) -> Callable[[Sequence[int]], float]:
        def of(drawn: Sequence[int]) -> float:
            return needed(SHORT, [taus[world] for world in drawn], fmean(peers[world] for world in drawn)) / PEERS_AT

        return of

    return [shown(share(taus), worlds, 2) for taus in (places, margins)]


def claim(seed: int, worlds: int = WORLDS) -> list[Row]:
    lots = [to_wanted(seed, worlds, by_lot) for by_lot in (0, 25)]
    none = beside_peer(seed, worlds, Kind("no luck in deals", deal=0.0, by_lot=25))
    half = beside_peer(seed, worlds, replace(BASE, by_lot=25))
    worlds_of = ("deals decide nothing", "half of the luck is in the deal")
    names = [f"games of TrueSkill's, {world}{by}" for world in worlds_of for by in (", by places", ", by margins")]
    to_tau = [f"games to tau {WANTED:.2f}, {by_lot} of 100 by lot" for by_lot in (0, 25)]
    found = zip([*to_tau, *names], ("53", "55", ".92", ".74", ".63", ".50"), [*lots, *none, *half], strict=True)
    return [_row(name, claimed, share, beside_peer=name in names) for name, claimed, share in found]


def _row(name: str, claimed: str, share: Share, *, beside_peer: bool) -> Row:
    agrees = share.low <= float(claimed) <= share.high
    return Row(name, claimed, share.said, not beside_peer or share.low <= 1, agrees, "1 or less" * beside_peer)
