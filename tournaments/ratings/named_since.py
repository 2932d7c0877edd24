"""Versions that count from a certain set on: in a separate fit, their earlier games belong to another player.

So choosing a bot for its luck so far gains nothing: the rating begins at the choice.
"""

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass

from tournaments.ratings.fit import Fit
from tournaments.ratings.intervals import elo_interval
from tournaments.ratings.ledger import PRIOR_SD
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.played_again import part

LEAST = 60  # sets from the choice on, until the chosen one counts: what was chosen before still counts meanwhile


@dataclass(frozen=True, slots=True)
class Choice:
    """A bot that was chosen after a set: all its versions, and the one that plays."""

    after: int
    versions: Sequence[int]
    plays: int


@dataclass(frozen=True, slots=True)
class Since:
    """What the sets after `after` alone tell of a bot, and how many they are."""

    after: int
    sets: int
    elo: float
    ci95: float


def ratings_since(
    pairs: Pairs,
    forerunners: Mapping[int, int | None],
    anchors: Mapping[int, float],
    chosen: Mapping[int, Choice],
    *,
    prior_sd: float = PRIOR_SD,
    start: Fit | None = None,
    playing: Collection[int] = (),
) -> dict[int, Since]:
    """Return what bots reached since they were chosen, by one fit in which each begins there, and a version that is
    `playing` again once more."""
    after = {version: choice.after for choice in chosen.values() for version in choice.versions}
    parted = split(pairs, after)
    older = split_forerunners(forerunners, after, parted.taken)
    fitted = part(parted, older, playing).fit(anchors, prior_sd=prior_sd, start=start)
    played = _sets(parted, chosen)
    return {bot: _since(choice, played[bot], fitted) for bot, choice in chosen.items() if choice.plays in fitted.elo}


def _since(choice: Choice, sets: int, fitted: Fit) -> Since:
    return Since(
        choice.after, sets, round(fitted.elo[choice.plays], 1), round(elo_interval(fitted.sd[choice.plays]), 1)
    )


def _sets(parted: Pairs, chosen: Mapping[int, Choice]) -> Counter[int]:
    """Count sets by bot, since it was chosen."""
    bots = {version: bot for bot, choice in chosen.items() for version in choice.versions}
    return Counter(bots[version] for cell in parted.cells.values() for version in cell.versions if version in bots)


def split(pairs: Pairs, after: Mapping[int, int]) -> Pairs:
    """Return the same sums, with the sets up to `after` under the key of the former player."""
    parted = pairs.copy()
    for number, cell in pairs.cells.items():
        keys = {version: former_key(version) for version in cell.versions if number <= after.get(version, -1)}
        if keys:
            parted.rekey(number, keys)
    return parted


def former_key(version: int) -> int:
    """The key of what a version played before."""
    return -version


def split_forerunners(
    forerunners: Mapping[int, int | None], after: Mapping[int, int], played: Container[int]
) -> dict[int, int | None]:
    """Return the forerunners of both players' lines of versions: the later one's holds only those that played."""
    older = dict(forerunners)
    for version in after.keys() & forerunners.keys():
        old = forerunners[version]
        older[former_key(version)] = None if old is None else former_key(old)
        while old is not None and old not in played:
            old = forerunners[old]
        older[version] = old
    return older
