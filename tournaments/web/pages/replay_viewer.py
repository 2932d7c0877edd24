"""The viewer of a replay as its page loads: one moment, drawn by the server, with links to all others."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from django.http import Http404
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from bots.viewer.film_chunks import find_moment
from bots.viewer.film_markup import Film, keys
from bots.viewer.finale import Finale, finale_of
from bots.viewer.key_moments import Mark, decisive_mark
from bots.viewer.perspectives import ALL, Eyes, eyes_of
from engine.replay import Replay


@dataclass(frozen=True, slots=True)
class Viewer:
    """What the page says of one moment of a match. The film has escaped what bots and people wrote."""

    film: Film
    match: int | None  # its number, if it is no practice
    page: str  # addresses: of the page, and of the frames
    frames: str
    fork: str  # the address that continues it as a game, without the moment; "" where that is not possible

    @property
    def finale(self) -> Finale:
        assert self.film.finale
        return self.film.finale

    def leading_on(self, following: str) -> Self:
        """Return the viewer whose finale leads to a game that plays on, and to the address of the next match, if there
        is one."""
        finale = replace(self.finale, fork=self.fork, following=following)
        return replace(self, film=replace(self.film, finale=finale))

    @property
    def at(self) -> int:
        return self.film.seen.at

    @property
    def eyes(self) -> Eyes:
        return self.film.eyes

    @property
    def stage(self) -> SafeString:
        return mark_safe(self.film.stage())  # noqa: S308

    @property
    def state(self) -> SafeString:
        return mark_safe(self.film.state())  # noqa: S308

    @property
    def lists(self) -> SafeString:
        return mark_safe(self.film.lists())  # noqa: S308

    @property
    def link(self) -> SafeString:
        return mark_safe(self.film.link())  # noqa: S308

    @property
    def keys(self) -> SafeString:
        return mark_safe(keys())  # noqa: S308

    @property
    def sentence(self) -> str:
        """Return the lines of the moment, or of the last one before it that has any."""
        lines = [line for scene in self.film.seen.outline.scenes for line in scene.lines if line.at <= self.at]
        return " ".join(line.text for line in lines if line.at == lines[-1].at)

    @property
    def decisive(self) -> Mark | None:
        seen = self.film.seen
        return decisive_mark(seen.outline, seen.names, seen.unit)

    def moment_of(self, answer: int) -> int:
        """Return the moment at which an answer, by its place in the replay, shows."""
        moments = self.film.seen.outline.ats
        return moments[min(bisect_right(moments, answer), len(moments) - 1)]


def viewer_of_replay(number: int, replay: Replay, query: Mapping[str, str], *, practice: bool = False) -> Viewer:
    """Return the viewer by `at` and `as`. Raises ReplayError, and Http404 for a perspective that there is not."""
    every = eyes_of(replay)
    eyes = chosen_perspective(every, query)
    opens = str(len(replay.answers)) if practice else ""  # a game of one's own at its end, for one knows the way there
    seen = find_moment(replay, eyes.perspective, moment(query.get("at", opens)))
    docs = f"{reverse('doc', args=['watching'])}#chances-of-winning"
    return Viewer(
        Film(seen, eyes, every, query.get("chart", ""), docs, finale_of(replay, seen)),
        match=None if practice else number,
        page=reverse("practice" if practice else "match", args=[number]),
        frames=reverse("practice-film" if practice else "film", args=[number]),
        fork="" if practice else f"{reverse('fork')}?match={number}",
    )


def chosen_perspective(every: Sequence[Eyes], query: Mapping[str, str]) -> Eyes:
    key = query.get("as", ALL)
    for eyes in every:
        if eyes.key == key:
            return eyes
    raise Http404(f'There is no perspective {key[:20]!r}: as is "all" or the number of a seat.')


def moment(text: str) -> int:
    """A number of answers; the beginning, if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
