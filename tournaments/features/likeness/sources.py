"""Bots of different people in one ladder with similar sources: evidence for organisers, never a verdict.

Text from a sample or an editor template does not count. `docs/organising.md` says how reliable this is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from pathlib import PurePosixPath
from typing import Final

from bots.bundle import ENDINGS
from tournaments.competitors.starting_points import files_of, starts
from tournaments.features.likeness.winnowing import LEAST, LONGEST, fingerprints, share
from tournaments.models import Ladder, Version

ALIKE: Final = 0.4  # the share from which a pair is listed
MOST: Final = 400  # versions that are compared, the newest: 80,000 pairs
LISTED: Final = 100
Prints = frozenset[int]


@dataclass(frozen=True, slots=True)
class Pair:
    one: Version
    other: Version
    share: float

    @property
    def percent(self) -> int:
        return round(100 * self.share)


@dataclass(frozen=True, slots=True)
class Report:
    pairs: list[Pair]  # the most alike first
    compared: int
    untold: list[Version]  # no text, or little that is their own
    is_whole: bool  # whether all versions of the ladder are among them


def sources_alike(ladder: Ladder) -> Report:
    """Of the versions that play there now."""
    playing = Version.objects.filter(status=Version.Status.ACTIVE, bot__entries__ladder=ladder).order_by("-pk")
    found = list(playing.select_related("bot__owner").defer("report")[: MOST + 1])
    common = _of_starts(ladder.game)
    every = {version: _prints(version.pk, version.bundle_id) - common for version in found[:MOST]}
    own = {version: prints for version, prints in every.items() if len(prints) >= LEAST}
    pairs = sorted(_alike(own), key=lambda pair: -pair.share)[:LISTED]
    return Report(pairs, len(own), [version for version in every if version not in own], is_whole=len(found) <= MOST)


def _alike(own: Mapping[Version, Prints]) -> Iterator[Pair]:
    for (one, first), (other, then) in combinations(own.items(), 2):
        if not _are_of_one_side(one, other) and (found := share(first, then) or 0) >= ALIKE:
            yield Pair(one, other, found)


def _are_of_one_side(one: Version, other: Version) -> bool:
    is_of_a_team = one.bot.team_id is not None and one.bot.team_id == other.bot.team_id
    return one.bot.owner_id == other.bot.owner_id or is_of_a_team


@lru_cache(2 * MOST)
def _prints(version: int, bundle: str) -> Prints:  # noqa: ARG001  a name for what never changes
    """Read once in a process: some 10 KB of each."""
    return _of_files(files_of(Version.objects.select_related("bundle").get(pk=version)))


@cache
def _of_starts(game: str) -> Prints:
    return frozenset().union(*(_of_files({start.filename: start.source}) for start in starts(game)))


def _of_files(files: Mapping[str, str | None]) -> Prints:
    """Of all that is text, as far as it is read."""
    found: Prints = frozenset()
    left = LONGEST
    for path, text in files.items():
        if (ending := PurePosixPath(path).suffix.lower()) in ENDINGS and text:
            found |= fingerprints(text[:left], ending)
            left = max(0, left - len(text))
    return found
