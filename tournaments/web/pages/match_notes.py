"""The notes of the viewer's own bots beside the moments of a match, filtered by a search."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bots.notes import Line, lines_of
from tournaments.models import Seat, SeatNotes
from tournaments.web.pages.replay_viewer import Viewer

MOST_LINES: Final = 2000  # on one page; the API has all
LONGEST_SEARCH: Final = 200


@dataclass(frozen=True, slots=True)
class Page:
    """What a bot wrote while it was asked for one answer. `at`: the moment that shows the answer."""

    at: int
    answer: int
    seat: Seat
    lines: list[Line]


@dataclass(frozen=True, slots=True)
class MatchNotes:
    pages: list[Page]
    tags: list[tuple[str, int]]  # with how many lines have them, whatever is searched for
    words: str
    tag: str
    found: int  # lines; fewer may be shown

    @property
    def left_out(self) -> int:
        return self.found - sum(len(page.lines) for page in self.pages)


def match_notes(viewer: Viewer, seats: Sequence[Seat], query: Mapping[str, str]) -> MatchNotes | None:
    """Return the notes; None where none of these bots wrote any. `seats`: those whose notes the visitor may see."""
    if not (written := list(_pages(viewer, seats))):
        return None
    words, tag = (query.get(name, "")[:LONGEST_SEARCH].strip() for name in ("note", "tag"))
    every = Counter(line.tag for page in written for line in page.lines if line.tag)
    found = [Page(page.at, page.answer, page.seat, _those(page, words, tag)) for page in written]
    lines = sum(len(page.lines) for page in found)
    return MatchNotes(list(_within(found)), sorted(every.items()), words, tag, lines)


def _pages(viewer: Viewer, seats: Sequence[Seat]) -> Iterator[Page]:
    by_seat = {notes.seat_id: notes.pages for notes in SeatNotes.objects.filter(seat__in=seats)}
    written = [(answer, seat, text) for seat in seats for answer, text in by_seat.get(seat.pk, ())]
    for answer, seat, text in sorted(written, key=lambda page: (page[0], page[1].number)):
        yield Page(viewer.moment_of(answer) if answer >= 0 else 0, answer, seat, list(lines_of(text)))


def _those(page: Page, words: str, tag: str) -> list[Line]:
    return [line for line in page.lines if line.has(words, tag)]


def _within(pages: Sequence[Page]) -> Iterator[Page]:
    """Yield the pages with lines, and not more of these than a page holds."""
    room = MOST_LINES
    for page in pages:
        if lines := page.lines[:room]:
            room -= len(lines)
            yield Page(page.at, page.answer, page.seat, lines)
