"""The input of ratings: the sets of one ladder, and the forerunner of each version. Plain data, made by the site and
by the export.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tournaments.ratings.scale import WHOLE

RULES = 3  # of the fit; ladders that were fitted under earlier ones are fitted anew
BEFORE = 2  # of ladders that were closed under them, and of their exports
TABLES = range(2, 9)  # seats at a table
PRIOR_SD = 350  # Elo by which versions without a forerunner lie about their mean, where a ladder does not say otherwise
PRIOR_SDS = range(50, 1001)  # what a ladder may say
SCALES = range(100, 10_001)


class BadLedger(Exception):
    """A ledger that cannot be rated: a stable code, and a sentence that says what is wrong where."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Game:
    """One match: who sat in each seat, their places, who forfeited (placed last, tied), and the scores if any.

    `luck`, in a shadow of the ratings alone: by seat, the millionths of a share of opponents beaten that are taken out.
    A match that failed because of the platform is no game: it is played again, and only complete sets are rated.
    """

    versions: Sequence[int]
    places: Sequence[int]
    forfeits: Sequence[bool]
    scores: Sequence[int] = ()
    luck: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class RatedSet:
    """One deal, played by the same versions in changing seats. `number` is its place in the ladder's order."""

    number: int
    games: Sequence[Game]


@dataclass(frozen=True, slots=True)
class Version:
    """One immutable upload. `listed`: it plays for its bot now; the others stay in the fit for ever. `ranked`: it may
    have a rank, and counts for those of others. `floor`: the Elo that it is shown at, at least (`floors`)."""

    bot: str
    number: int = 1
    forerunner: int | None = None  # the newest earlier version of the bot in the ledger
    listed: bool = True
    anchor: float | None = None  # the Elo at which a baseline bot is held
    ranked: bool = True
    floor: float | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """All rated sets of a ladder, in any order.

    `margin`: the difference in score that counts as a full win; 0 where places alone count. `prior_sd`: how far, in
    Elo, versions are thought to lie about their mean before any has played. `scale`: the thousandths by which ratings
    by margins are those by places. `rules`: of the fit. `fresh`: from how many sets on a version that plays again
    counts by them (`played_again`); None where it goes on as it was, as in older exports.
    """

    ladder: str
    game: str
    sets: Sequence[RatedSet]
    versions: Mapping[int, Version] = field(default_factory=dict)
    margin: int = 0
    prior_sd: int = PRIOR_SD
    scale: int = WHOLE
    rules: int = RULES
    fresh: int | None = None

    def __post_init__(self) -> None:
        _check_versions(self.versions)
        check_prior_sd(self.prior_sd)
        if self.scale not in SCALES:
            raise BadLedger(
                "bad_scale", f"A scale of {self.scale} thousandths makes no sense; it is from 100 to 10000."
            )
        if self.margin < 0:
            raise BadLedger("bad_margin", f"A margin of {self.margin} points makes no sense; 0 goes by place alone.")
        if (self.fresh or 0) < 0:
            raise BadLedger("bad_fresh", f"Nothing counts from {self.fresh} sets on; 0 is for every set.")
        for number, times in Counter(rated_set.number for rated_set in self.sets).most_common(1):
            if times > 1:
                raise BadLedger("set_twice", f"Set {number} is there {times} times; a set has one result.")
        for rated_set in self.sets:
            _check_set(rated_set, self.versions, self.margin)

    def without(self, versions: Collection[int]) -> "Ledger":
        """Return the ledger as if these versions had never played.

        It lacks their sets; a version that followed one of them follows the one before.
        """
        gone = set(versions)
        sets = [rated_set for rated_set in self.sets if not gone.intersection(rated_set.games[0].versions)]
        kept = {
            key: replace(version, forerunner=self._forerunner(version, gone), floor=None)
            for key, version in self.versions.items()
            if key not in gone
        }
        return replace(self, sets=sets, versions=kept)

    def _forerunner(self, version: Version, gone: Collection[int]) -> int | None:
        older = version.forerunner
        while older is not None and older in gone:
            older = self.versions[older].forerunner
        return older


def check_prior_sd(prior_sd: float) -> None:
    if not PRIOR_SDS[0] <= prior_sd <= PRIOR_SDS[-1]:
        sentence = f"A prior of {prior_sd} Elo makes no sense; it is from {PRIOR_SDS[0]} to {PRIOR_SDS[-1]}."
        raise BadLedger("bad_prior_sd", sentence)


def _check_versions(versions: Mapping[int, Version]) -> None:
    for key, version in versions.items():
        older = version.forerunner
        if older is not None and older not in versions:
            raise BadLedger("unknown_forerunner", f"Version {key} follows version {older}, which is not in the ledger.")
        if older is not None and versions[older].number >= version.number:
            raise BadLedger("forerunner_not_older", f"Version {key} follows version {older}, which is not older.")


def _check_set(rated_set: RatedSet, versions: Mapping[int, Version], margin: int) -> None:
    if not rated_set.games:
        raise BadLedger("empty_set", f"Set {rated_set.number} has no games.")
    table = set(rated_set.games[0].versions)
    for game in rated_set.games:
        seats = len(game.versions)
        if seats not in TABLES or len(set(game.versions)) < seats:
            raise BadLedger("bad_table", f"Set {rated_set.number} needs 2 to 8 different versions at its table.")
        if set(game.versions) != table:
            raise BadLedger("mixed_set", f"Set {rated_set.number} has games of different versions.")
        if not (seats == len(game.places) == len(game.forfeits)) or len(game.scores) not in (
            {seats} if margin else {0, seats}
        ):
            raise BadLedger(
                "uneven_game", f"Set {rated_set.number} has a game without a place, forfeit or score for every seat."
            )
        if not all(1 <= place <= seats for place in game.places):
            raise BadLedger("bad_place", f"Set {rated_set.number} has a place that a table of {seats} does not have.")
        if unknown := sorted(table - versions.keys()):
            raise BadLedger(
                "unknown_version",
                f"Set {rated_set.number} was played by version {unknown[0]}, which is not in the ledger.",
            )
