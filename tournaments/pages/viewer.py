"""The viewer of a replay as its page begins: one moment, drawn here, and the addresses of all others."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from engine.replay import OTHER_RULES, Replay, ReplayError
from tournaments.film.boards import BOARDS
from tournaments.film.marks import Mark, listed, marks_of
from tournaments.film.projector import Perspective
from tournaments.film.reel import Look, Scene, look
from tournaments.film.worth import WorthChart, chart_of

ALL = "all"


@dataclass(frozen=True, slots=True)
class Eyes:
    """A perspective, by what the address calls it."""

    key: str
    name: str
    perspective: Perspective


@dataclass(frozen=True, slots=True)
class Standing:
    seat: int
    name: str
    worth: float


@dataclass(frozen=True, slots=True)
class Way:
    """Leads to another moment; to None where there is none."""

    key: str
    label: str
    at: int | None


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the chart, in thousandths of its width."""

    x: float
    kind: str


@dataclass(frozen=True, slots=True)
class Viewer:
    """All that the page says of one moment of a match."""

    film: str  # its address
    fork: str  # where one goes on from it, but for the moment; nothing where one cannot
    at: int
    last: int
    picture: SafeString
    unit: str
    eyes: Eyes
    all_eyes: list[Eyes]
    standings: list[Standing]
    scene: Scene
    scenes: list[Scene]
    ways: list[Way]
    marks: list[Mark]
    unlisted: int  # marks that are too many for the list
    chart: WorthChart
    ticks: list[Tick]
    cursor: float


def viewer_of(number: int, replay: Replay, asked: Mapping[str, str], *, practice: bool = False) -> Viewer:
    """As the address asks, by `at` and `as`. Raises ReplayError, and Http404 for a perspective that there is not."""
    if replay.game not in BOARDS:
        raise ReplayError(OTHER_RULES, f"no board is drawn for {replay.game}")
    every = eyes_of(replay)
    eyes = chosen(every, asked)
    seen = look(replay, eyes.perspective, moment(asked.get("at", "")))
    outline, marks = seen.outline, marks_of(seen.outline, seen.names, seen.unit)
    worth, kept, last = outline.worth[outline.ats.index(seen.at)], listed(marks), outline.ats[-1]
    return Viewer(
        film=reverse("practice-film" if practice else "film", args=[number]),
        fork="" if practice else f"{reverse('fork')}?match={number}",
        at=seen.at,
        last=last,
        picture=mark_safe(seen.picture.svg()),  # noqa: S308 - what bots and people wrote, `picture.text` has escaped
        unit=seen.unit,
        eyes=eyes,
        all_eyes=every,
        standings=[Standing(seat, seen.names[seat], value) for seat, value in enumerate(worth)],
        scene=scene_at(seen),
        scenes=[scene for scene in outline.scenes if scene.lines],
        ways=ways(outline.ats, sorted({mark.at for mark in marks}), seen.at),
        marks=kept,
        unlisted=len(marks) - len(kept),
        chart=chart_of(outline),
        ticks=[Tick(share(mark.at, last), mark.kind) for mark in kept],
        cursor=share(seen.at, last),
    )


def share(at: int, last: int) -> float:
    return round(1000 * at / max(1, last), 1)


def ways(moments: Sequence[int], marked: Sequence[int], at: int) -> list[Way]:
    before, after = around(moments, at)
    mark_before, mark_after = around(marked, at)
    return [
        Way("first", "First", 0),
        Way("mark-before", "Key moment back", mark_before),
        Way("before", "Back", before),
        Way("after", "Next", after),
        Way("mark-after", "Next key moment", mark_after),
        Way("last", "Last", moments[-1]),
    ]


def eyes_of(replay: Replay) -> list[Eyes]:
    """Who knows all, and each seat."""
    seats = [
        Eyes(str(seat), f"seat {seat}, {player.name}", Perspective.of(seat))
        for seat, player in enumerate(replay.players)
    ]
    return [Eyes(ALL, "everybody, all secrets", Perspective.everything(len(replay.players))), *seats]


def chosen(every: Sequence[Eyes], asked: Mapping[str, str]) -> Eyes:
    key = asked.get("as", ALL)
    for eyes in every:
        if eyes.key == key:
            return eyes
    raise Http404(f'There is no perspective {key[:20]!r}: as is "all" or the number of a seat.')


def moment(told: str) -> int:
    """A number of answers; the beginning, if it is none."""
    return int(told) if told.isascii() and told.isdigit() and len(told) < 10 else 0


def around(moments: Sequence[int], at: int) -> tuple[int | None, int | None]:
    """The last before and the first after."""
    after = bisect_right(moments, at)
    before = [other for other in moments[:after] if other < at]
    return (before[-1] if before else None), (moments[after] if after < len(moments) else None)


def scene_at(seen: Look) -> Scene:
    """The last that has begun and has something to tell."""
    begun = [scene for scene in seen.outline.scenes if scene.at <= seen.at and scene.lines]
    return begun[-1] if begun else seen.outline.scenes[0]
