"""Whether a ladder's line is enough, according to its last fit, with current names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.models import Fit, Ladder, Version


@dataclass(frozen=True, slots=True)
class Member:
    """A version of a bot."""

    version_id: int
    version: int  # its number
    bot_id: int
    bot: str


@dataclass(frozen=True, slots=True)
class Stray:
    """`one` took more from `other` than the ratings of both expect."""

    one: Member
    other: Member
    sets: int
    taken: float
    expected: float
    chance: float


@dataclass(frozen=True, slots=True)
class Beats:
    """A part of a cycle."""

    winner: Member
    loser: Member
    share: float


@dataclass(frozen=True, slots=True)
class Circle:
    beats: Sequence[Beats]
    chance: float


@dataclass(frozen=True, slots=True)
class Line:
    """Of a ladder, with the numbers of `tournaments.ratings.transitivity.Transitivity`."""

    sets: int
    clash: float
    pairs: int
    straying: int
    surprises: Sequence[Stray]
    triples: int
    cycles: int
    by_chance: float
    as_many: float
    strongest: Sequence[Circle]


def line_of(ladder: Ladder) -> Line | None:
    """None while no fit has looked at it."""
    fit = Fit.objects.defer("rows").filter(ladder=ladder).first()
    return _line(fit, fit.transitivity) if fit and fit.transitivity else None


def _line(fit: Fit, found: Mapping[str, Any]) -> Line:
    of_pairs = {version for one in found["surprises"] for version in (one["one"], one["other"])}
    known = _members(of_pairs.union(*(one["versions"] for one in found["strongest"])))
    named = [{**one, "one": known[one["one"]], "other": known[one["other"]]} for one in found["surprises"]]
    circles = [_circle(one, known) for one in found["strongest"]]
    shown = {**found, "surprises": [Stray(**one) for one in named], "strongest": circles}
    return Line(fit.sets, round(fit.clash, 1), **shown)


def _members(versions: set[int]) -> dict[int, Member]:
    rows = Version.objects.filter(pk__in=versions).values_list("pk", "number", "bot", "bot__name")
    return {row[0]: Member(*row) for row in rows}


def _circle(found: Mapping[str, Any], known: Mapping[int, Member]) -> Circle:
    first, second, third = (known[version] for version in found["versions"])
    around = zip((first, second, third), (second, third, first), found["shares"], strict=True)
    return Circle([Beats(*each) for each in around], found["chance"])
