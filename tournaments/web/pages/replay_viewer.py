"""The viewer of a replay as its page loads: one moment, drawn by the server, with links to all others."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from bots.viewer.film_chunks import Look, Scene, look
from bots.viewer.film_markup import asked
from bots.viewer.key_moments import Mark, marks_of, percent, shortlisted
from bots.viewer.perspectives import ALL, Eyes, eyes_of
from bots.viewer.progress_charts import SCORE, courses
from bots.viewer.score_chart import share_of_match
from bots.viewer.svg import Picture
from engine.replay import Replay


@dataclass(frozen=True, slots=True)
class Standing:
    seat: int
    name: str
    worth: float
    turn: str  # what it has just done, or is about to do
    leads: bool
    chance: str  # of winning; "" where the game has no chances


@dataclass(frozen=True, slots=True)
class Way:
    """Leads to another moment; to None where there is none."""

    key: str
    sign: str
    label: str
    at: int | None


@dataclass(frozen=True, slots=True)
class Viewer:
    """All that the page says of one moment of a match."""

    game: str
    match: int | None  # its number, if it is no practice
    page: str  # addresses: of the page, and of the frames
    film: str
    fork: str  # the address that continues it as a game, without the moment; "" where that is not possible
    at: int
    last: int
    drawn: Picture
    picture: SafeString
    sentence: str
    unit: str
    eyes: Eyes
    also: str  # of addresses: the chart that was asked for
    all_eyes: list[Eyes]
    standings: list[Standing]
    asked: str  # whose turn it is
    scene: Scene
    scenes: list[Scene]
    ways: list[Way]
    marks: list[Mark]
    unlisted: int  # marks that are too many for the list
    chart: SafeString
    moments: list[int]

    @property
    def cursor(self) -> float:
        """Where the moment is in the match, in thousandths."""
        return share_of_match(self.at, self.last)

    def moment_of(self, answer: int) -> int:
        """Where an answer, by its place in the replay, shows."""
        return self.moments[min(bisect_right(self.moments, answer), len(self.moments) - 1)]


def viewer_of(number: int, replay: Replay, query: Mapping[str, str], *, practice: bool = False) -> Viewer:
    """As the address asks, by `at` and `as`. Raises ReplayError, and Http404 for a perspective that there is not."""
    every = eyes_of(replay)
    eyes = chosen(every, query)
    opens = str(len(replay.answers)) if practice else ""  # a game of one's own at its end, for one knows the way there
    seen = look(replay, eyes.perspective, moment(query.get("at", opens)))
    outline, marks = seen.outline, marks_of(seen.outline, seen.names, seen.unit)
    kept, last = shortlisted(marks), outline.ats[-1]
    return Viewer(
        game=seen.game,
        match=None if practice else number,
        page=reverse("practice" if practice else "match", args=[number]),
        film=reverse("practice-film" if practice else "film", args=[number]),
        fork="" if practice else f"{reverse('fork')}?match={number}",
        at=seen.at,
        last=last,
        drawn=seen.picture,
        picture=mark_safe(seen.picture.svg()),  # noqa: S308 - what bots and people wrote, `picture.text` has escaped
        sentence=sentence_of(seen),
        unit=seen.unit,
        eyes=eyes,
        also=f"&chart={SCORE}" if seen.chances and query.get("chart") == SCORE else "",
        all_eyes=every,
        standings=[
            Standing(
                seat, seen.names[seat], value, turn_of(seen, seat), value == max(seen.worth), chance_of(seen, seat)
            )
            for seat, value in enumerate(seen.worth)
        ],
        asked=asked(seen.names, seen.to_answer, seen.ending),
        scene=scene_at(seen),
        scenes=[scene for scene in outline.scenes if scene.lines],
        ways=ways(outline.ats, sorted({mark.at for mark in marks}), seen.at),
        marks=kept,
        unlisted=len(marks) - len(kept),
        chart=mark_safe(charts(seen, eyes, query)),  # noqa: S308 - as of the picture
        moments=outline.ats,
    )


def charts(seen: Look, eyes: Eyes, query: Mapping[str, str]) -> str:
    docs = f"{reverse('doc', args=['watching'])}#chances-of-winning"
    return courses(seen, query.get("chart", ""), lambda at, kind: f"?at={at}&as={eyes.key}&chart={kind}#film", docs)


def chance_of(seen: Look, seat: int) -> str:
    return percent(seen.chances[seat]) if seen.chances else ""


def turn_of(seen: Look, seat: int) -> str:
    for turn in seen.turns:
        if turn.seat == seat:
            return gettext(turn.fault) if turn.fault else f"{turn.ms:g} ms"
    return gettext("is asked") if seat in seen.to_answer else ""


def ways(moments: Sequence[int], marked: Sequence[int], at: int) -> list[Way]:
    before, after = around(moments, at)
    mark_before, mark_after = around(marked, at)
    return [
        Way("first", "|‹", gettext("First moment"), 0),
        Way("mark-before", "«", gettext("Key moment before"), mark_before),
        Way("before", "‹", gettext("Moment before"), before),
        Way("after", "›", gettext("Moment after"), after),
        Way("mark-after", "»", gettext("Key moment after"), mark_after),
        Way("last", "›|", gettext("Last moment"), moments[-1]),
    ]


def chosen(every: Sequence[Eyes], query: Mapping[str, str]) -> Eyes:
    key = query.get("as", ALL)
    for eyes in every:
        if eyes.key == key:
            return eyes
    raise Http404(f'There is no perspective {key[:20]!r}: as is "all" or the number of a seat.')


def moment(text: str) -> int:
    """A number of answers; the beginning, if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def around(moments: Sequence[int], at: int) -> tuple[int | None, int | None]:
    """The last before and the first after."""
    after = bisect_right(moments, at)
    before = [other for other in moments[:after] if other < at]
    return (before[-1] if before else None), (moments[after] if after < len(moments) else None)


def sentence_of(seen: Look) -> str:
    """The lines of the moment, or of the last one before it that has any."""
    lines = [line for scene in seen.outline.scenes for line in scene.lines if line.at <= seen.at]
    return " ".join(line.text for line in lines if line.at == lines[-1].at)


def scene_at(seen: Look) -> Scene:
    """The last scene that has begun and has lines."""
    begun = [scene for scene in seen.outline.scenes if scene.at <= seen.at and scene.lines]
    return begun[-1] if begun else seen.outline.scenes[0]
