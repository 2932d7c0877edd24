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
from tournaments.features.likeness.winnowing import LEAST, LONGEST, fingerprints, share_in_common
from tournaments.ledger.competitors.starting_points import files_of_version, starts
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
    """Compare the versions that play in the ladder now."""
    playing = Version.objects.filter(status=Version.Status.ACTIVE, bot__entries__ladder=ladder).order_by("-pk")
    versions = list(playing.select_related("bot__owner").defer("report", "report_data")[: MOST + 1])
    common = _of_starts(ladder.game)
    prints_of = {version: _prints(version.pk, version.bundle_id) - common for version in versions[:MOST]}
    compared = {version: prints for version, prints in prints_of.items() if len(prints) >= LEAST}
    pairs = sorted(_pairs(compared), key=lambda pair: -pair.share)[:LISTED]
    untold = [version for version in prints_of if version not in compared]
    return Report(pairs, len(compared), untold, is_whole=len(versions) <= MOST)


def _pairs(compared: Mapping[Version, Prints]) -> Iterator[Pair]:
    for (version, first), (other, then) in combinations(compared.items(), 2):
        if not _are_of_one_side(version, other) and (common := share_in_common(first, then) or 0) >= ALIKE:
            yield Pair(version, other, common)


def _are_of_one_side(version: Version, other: Version) -> bool:
    is_of_a_team = version.bot.team_id is not None and version.bot.team_id == other.bot.team_id
    return version.bot.owner_id == other.bot.owner_id or is_of_a_team


@lru_cache(2 * MOST)
def _prints(version: int, bundle: str) -> Prints:  # noqa: ARG001  a name for what never changes
    """Read once in a process: some 10 KB of each."""
    return _of_files(files_of_version(Version.objects.select_related("bundle").get(pk=version)))


@cache
def _of_starts(game: str) -> Prints:
    return frozenset().union(*(_of_files({start.filename: start.source}) for start in starts(game)))


def _of_files(files: Mapping[str, str | None]) -> Prints:
    """Return the fingerprints of all that is text, as far as it is read."""
    prints: Prints = frozenset()
    left = LONGEST
    for path, text in files.items():
        if (ending := PurePosixPath(path).suffix.lower()) in ENDINGS and text:
            prints |= fingerprints(text[:left], ending)
            left = max(0, left - len(text))
    return prints
