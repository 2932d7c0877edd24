"""The settings of each format: strict records, readable from JSON; 0 means the format's default.

`edition` says by which rules a format draws and counts. What was stored before there were editions is of the first, and
goes on by it (`read_stored`); new settings are of the latest. docs/formats.md says what each edition changed.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal

from bots.refusals import Refused
from engine.records import Record, RecordError, from_plain, to_plain

Edition = Literal[1, 2]
LATEST: Edition = 2
UNASKED: Final = {"form": False}  # nobody chooses it in a form
Criterion = Literal[
    "points",
    "performance",
    "direct_encounter",
    "buchholz",
    "buchholz_cut_1",
    "sonneborn_berger",
    "wins",
    "margin",
    "crashes",
]
RANK_BY: tuple[Criterion, ...] = (
    "points",
    "direct_encounter",
    "buchholz",
    "buchholz_cut_1",
    "sonneborn_berger",
    "wins",
    "margin",
    "crashes",
)


@dataclass(frozen=True, slots=True)
class RoundRobin(Record):
    """Everybody meets everybody, as evenly as possible."""

    tag: ClassVar[str] = "round_robin"
    seats: int = 2
    fewest: int = 0  # at a table, where the numbers do not divide; 0: no fewer than `seats`
    rounds: int = 0  # 0: until everybody has met everybody
    sets: int = 1  # that a table plays in a round
    owners_apart: bool = True  # two of one owner do not play each other; at larger tables as far as it can be done
    rank_by: tuple[Criterion, ...] = RANK_BY
    edition: Edition = field(default=LATEST, metadata=UNASKED)


@dataclass(frozen=True, slots=True)
class Swiss(Record):
    """Entrants with like scores meet, and none twice if possible."""

    tag: ClassVar[str] = "swiss"
    seats: int = 2
    fewest: int = 0
    rounds: int = 0
    sets: int = 1
    first: Literal["seeded", "lot"] = "seeded"  # how the first round is drawn
    owners_apart: bool = True  # where it can be done without more repeats
    rank_by: tuple[Criterion, ...] = RANK_BY
    edition: Edition = field(default=LATEST, metadata=UNASKED)


@dataclass(frozen=True, slots=True)
class Knockout(Record):
    """The last of each table lose a life; who has none left is out. One life is single elimination, two are double."""

    tag: ClassVar[str] = "knockout"
    seats: int = 2
    fewest: int = 0
    lives: Literal[1, 2] = 1
    advance: int = 0  # of each table; 0: half of the seats
    sets: tuple[int, ...] = (1,)  # that a table plays; the last number is the final's, the one before it that of the
    # round before, and the first also that of all earlier rounds
    extra: int = 3  # sets at most, one after another, for a table that is undecided
    owners_apart: bool = True
    bracket: Literal["reseeded", "fixed"] = "reseeded"  # after every round, or once for all at the beginning
    third_place: bool = False  # whether those beaten before the final play for it
    edition: Edition = field(default=LATEST, metadata=UNASKED)


@dataclass(frozen=True, slots=True)
class Gauntlet(Record):
    """Every challenger meets the same panel; the challengers are ranked, the panel is their measure."""

    tag: ClassVar[str] = "gauntlet"
    panel: tuple[int, ...]  # entrants
    seats: int = 2  # one challenger's, the others the panel's
    fewest: int = 0
    rounds: int = 0  # 0: until a challenger has met all of the panel equally often
    sets: int = 1
    rank_by: tuple[Criterion, ...] = RANK_BY


@dataclass(frozen=True, slots=True)
class KingOfTheHill(Record):
    """The lowest seeds begin; who wins the table stays at it and meets the next in line, the best seed last."""

    tag: ClassVar[str] = "king_of_the_hill"
    seats: int = 2
    fewest: int = 0
    sets: int = 1
    extra: int = 3
    owners_apart: bool = True  # who shares an owner with the king, or with who sits down, lets others go first


@dataclass(frozen=True, slots=True)
class Groups(Record):
    """A first stage in groups side by side, and the best of each in a second one. One group makes a two-stage event."""

    tag: ClassVar[str] = "groups"
    groups: int
    qualify: int  # of each group
    first: RoundRobin | Swiss
    then: RoundRobin | Swiss | Knockout


@dataclass(frozen=True, slots=True)
class League(Record):
    """Divisions by strength, and after every season the best of each go up and the last go down."""

    tag: ClassVar[str] = "league"
    season: RoundRobin | Swiss
    size: int = 16  # of a division, about
    seasons: int = 1
    moves: int = 0  # up and down at every border; 0: a sixth of a division


Points = RoundRobin | Swiss | Gauntlet
Single = RoundRobin | Swiss | Knockout | Gauntlet | KingOfTheHill  # of one stage
WITH_EDITIONS = ("round_robin", "swiss", "knockout")
Spec = RoundRobin | Swiss | Knockout | Gauntlet | KingOfTheHill | Groups | League


def read_spec(data: object) -> Spec:
    """The settings from plain data. Raises Refused: bad_format."""
    try:
        read: Spec = from_plain(Spec, data, "format")
        return read
    except RecordError as error:
        raise Refused("bad_format", "%(error)s.", error=error.reason) from None


def read_stored(data: object) -> Spec:
    """Settings as a site keeps them: those without an edition are of the first, and apart were those who say so."""
    return read_spec(_of_the_first(data))


def _of_the_first(data: object) -> object:
    if not isinstance(data, dict):
        return data
    sitting_together = {"owners_apart": False} if data.get("t") in (*WITH_EDITIONS, KingOfTheHill.tag) else {}
    dated = {"edition": 1, **sitting_together} if data.get("t") in WITH_EDITIONS else sitting_together
    stages = {
        name: _of_the_first(data[name]) for name in ("first", "then", "season") if isinstance(data.get(name), dict)
    }
    return {**dated, **data, **stages}


def write_spec(spec: Spec) -> dict[str, Any]:
    return dict(to_plain(spec))


def fewest_at(spec: Single) -> int:
    """Return the smallest number of seats at a table of the format."""
    return spec.fewest or spec.seats


def advancing(spec: Knockout) -> int:
    return spec.advance or max(1, spec.seats // 2)


def feeding(spec: Knockout) -> int:
    """How many tables of a fixed bracket fill one of the next round; 0 where they cannot."""
    return 0 if spec.seats % advancing(spec) else spec.seats // advancing(spec)
