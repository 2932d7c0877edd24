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
    """The analysis of a ladder, with the numbers of `tournaments.ratings.transitivity.Transitivity`."""

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


def transitivity_line(ladder: Ladder) -> Line | None:
    """Return the analysis, or None while no fit has made one."""
    fit = Fit.objects.defer("rows", "final").filter(ladder=ladder).first()
    return _line(fit, fit.transitivity) if fit and fit.transitivity else None


def _line(fit: Fit, analysis: Mapping[str, Any]) -> Line:
    in_pairs = {version for stray in analysis["surprises"] for version in (stray["one"], stray["other"])}
    members = _members(in_pairs.union(*(cycle["versions"] for cycle in analysis["strongest"])))
    strays = [
        Stray(**{**stray, "one": members[stray["one"]], "other": members[stray["other"]]})
        for stray in analysis["surprises"]
    ]
    circles = [_circle(cycle, members) for cycle in analysis["strongest"]]
    return Line(fit.sets, round(fit.clash, 1), **{**analysis, "surprises": strays, "strongest": circles})


def _members(versions: set[int]) -> dict[int, Member]:
    rows = Version.objects.filter(pk__in=versions).values_list("pk", "number", "bot", "bot__name")
    return {row[0]: Member(*row) for row in rows}


def _circle(cycle: Mapping[str, Any], members: Mapping[int, Member]) -> Circle:
    first, second, third = (members[version] for version in cycle["versions"])
    around = zip((first, second, third), (second, third, first), cycle["shares"], strict=True)
    return Circle([Beats(*pair) for pair in around], cycle["chance"])
