"""What is on a wall: views of a ladder, of an event or of the whole site, each read when it is its turn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice

from django.db.models import Q
from django.urls import reverse

from tournaments.core.accounts.visibility import events_listed_for
from tournaments.features.events.event_format import format_of
from tournaments.features.events.fixed_bracket import DrawnTable, draw_bracket
from tournaments.features.events.pages import bracket_of
from tournaments.features.events.progress import EventProgress, EventRound, RoundTable, StageStandings
from tournaments.ledger.ladders.standings import StandingsTable
from tournaments.ledger.statistics.upcoming import upcoming_sets
from tournaments.models import Entrant, Event, Ladder
from tournaments.web.pages.live import (
    LATELY,
    LISTED,
    NOW,
    Showing,
    matches_played,
    matches_under_way,
    show_match,
    shown_ladders,
)
from tournaments.web.pages.sentences import in_page_language, say
from tournaments.web.pages.stream_urls import NEWEST

LINES, TABLES = 10, 9  # on one view
SHEETS = 4  # views of one table, and of one round
STEPS, STEP_TABLES = 4, 4  # of a bracket; a step that has more is shown as a round
NAMES = 40  # of those who have registered
LADDERS, EVENTS = 6, 4  # on the wall of the site
BOARDS = 4  # beside each other
TABLE_SECONDS, BOARD_SECONDS = 15, 45  # how long a view is shown


@dataclass(frozen=True, slots=True)
class WallView:
    """A view. `content` returns what its template finds as `shown`: nothing while there is nothing to see."""

    title: str
    template: str
    content: Callable[[], object]
    seconds: int = TABLE_SECONDS


@dataclass(frozen=True, slots=True)
class Wall:
    """`page` is the address at which people find all of it."""

    title: str
    page: str
    views: Sequence[WallView]


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of a table; `place` is a range where the ranks are not yet known better."""

    place: str
    bot: str
    owner: str
    worth: float
    error: float | None = None  # of `worth`, with 95 %


@dataclass(frozen=True, slots=True)
class TableSheet:
    """Lines of a table that fit on the wall. `winners` are named above it once it is final."""

    unit: str
    digits: int  # of their worth after the point
    lines: list[TableLine]
    winners: list[str]


@dataclass(frozen=True, slots=True)
class WallSeat:
    name: str
    points: float | None = None
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class WallTable:
    title: str
    seats: list[WallSeat]
    is_playing: bool = False


@dataclass(frozen=True, slots=True)
class Pairings:
    tables: list[WallTable]
    byes: list[str]


def wall_of_site(boards: int) -> Wall:
    """Return what is played now, and the heads of the tables of public ladders and of running events."""
    running = Event.objects.filter(events_listed_for(None), status=Event.Status.RUNNING).select_related("ladder")
    tables = [
        *(WallView(event.title, "walls/_table.html", partial(head_of_event, event)) for event in running[:EVENTS]),
        *(WallView(str(row), "walls/_table.html", partial(head_of_ladder, row)) for row in shown_ladders()[:LADDERS]),
    ]
    return Wall("Boardroom", reverse("live"), [live_view(None, None, boards), *tables])


def wall_of_ladder(ladder: Ladder, boards: int) -> Wall:
    table = StandingsTable(ladder)
    starts = range(0, min(len(table.order), LINES * SHEETS), LINES)
    sheets = [WallView(say("Standings"), "walls/_table.html", partial(ladder_sheet, table, start)) for start in starts]
    pairings = WallView(say("Playing next"), "walls/_pairings.html", partial(upcoming_tables, ladder))
    views = [live_view(ladder, None, boards), *sheets, pairings]
    return Wall(str(ladder), reverse("ladder", args=[ladder.slug]), views)


def wall_of_event(event: Event, boards: int) -> Wall:
    """Return what the public may see of an event, whoever asks."""
    if event.started_at is None:
        views = [WallView(say("Registered"), "walls/_names.html", partial(registered_names, event))]
    else:
        views = [live_view(event.ladder, event, boards), *progress_views(EventProgress(event, None))]
    return Wall(event.title, reverse("event", args=[event.slug]), views)


# --- boards --------------------------------------------------------------------------------------------------------


def live_view(ladder: Ladder | None, event: Event | None, boards: int) -> WallView:
    content = partial(boards_on_wall, ladder, event, boards)
    return WallView(say("Live"), "walls/_boards.html", content, BOARD_SECONDS)


def boards_on_wall(ladder: Ladder | None, event: Event | None, number: int) -> list[Showing]:
    """Return the boards of so many matches, the most interesting first. What was played lately fills up."""
    among = Q(set__event=event) if event else Q()
    playing = list(matches_under_way(ladder).filter(among)[:LISTED])
    lately = matches_played(ladder).filter(among)[: NEWEST if len(playing) < number else 0]
    matches = chain(((match, NOW) for match in playing), ((match, LATELY) for match in lately))
    shown = (show_match(match, when) for match, when in matches)
    return list(islice((showing for showing in shown if showing), number))


# --- tables --------------------------------------------------------------------------------------------------------


def head_of_ladder(ladder: Ladder) -> TableSheet | None:
    return ladder_sheet(StandingsTable(ladder))


def ladder_sheet(table: StandingsTable, start: int = 0) -> TableSheet | None:
    lines = [
        TableLine(line.place or "–", line.bot, line.owner, line.elo, line.ci95)
        for line in table.standings(range(start, min(start + LINES, len(table.order))))
    ]
    return TableSheet("Elo", 0, lines, []) if lines else None


def head_of_event(event: Event) -> TableSheet | None:
    """Return the head of the table of the latest stage."""
    progress = EventProgress(event, None)
    return event_sheet(progress, progress.standings[-1]) if progress.standings else None


def event_sheet(progress: EventProgress, table: StageStandings, start: int = 0) -> TableSheet | None:
    lines = [
        TableLine(str(line.rank or "–"), line.entrant.bot.name, str(line.entrant.bot.owner), line.row.points)
        for line in table.lines[start : start + LINES]
    ]
    winners = [entrant.bot.name for entrant in progress.winners]
    return TableSheet(say("Points"), 2, lines, winners) if lines else None


# --- an event ------------------------------------------------------------------------------------------------------


def progress_views(progress: EventProgress) -> list[WallView]:
    """Return the latest round, the bracket and the tables, the last stage first."""
    last = progress.rounds[-1:]
    rounds = [view for played in last for view in round_views(played)]
    bracket = WallView(say("Bracket"), "walls/_bracket.html", partial(bracket_steps, progress))
    tables = [
        WallView(
            in_page_language(table.title) or say("Standings"),
            "walls/_table.html",
            partial(event_sheet, progress, table, start),
        )
        for table in reversed(progress.standings)
        for start in range(0, min(len(table.lines), LINES * SHEETS), LINES)
    ]
    return [*rounds, bracket, *tables[: 2 * SHEETS]]


def round_views(played: EventRound) -> list[WallView]:
    byes = [entrant.bot.name for part in played.byes for entrant in part.entrants]
    title = say("Round %(round)s", round=played.number)
    tables = round_tables(played)
    parts = [tables[start : start + TABLES] for start in range(0, min(len(tables), TABLES * SHEETS), TABLES)]
    return [WallView(title, "walls/_pairings.html", partial(Pairings, part, byes[:TABLES])) for part in parts]


def round_tables(played: EventRound) -> list[WallTable]:
    return [
        WallTable(table_title(board), [WallSeat(chair.entrant.bot.name, chair.points) for chair in board.chairs])
        for board in played.boards
    ]


def table_title(board: RoundTable) -> str:
    if part := in_page_language(board.title):
        return say("%(part)s, table %(board)s", part=part, board=board.number)
    return say("Table %(board)s", board=board.number)


def bracket_steps(progress: EventProgress) -> list[tuple[str, list[WallTable]]]:
    """Return the last steps of the bracket, as many as fit on a wall."""
    if bracket := draw_bracket(progress):
        steps = [(in_page_language(step.title), [wall_table(table) for table in step.tables]) for step in bracket.steps]
    else:
        stage = bracket_of(format_of(progress.event))
        rounds = (played for played in progress.rounds if played.boards[0].stage == stage)
        steps = [(say("Round %(round)s", round=played.number), round_tables(played)) for played in rounds]
    return [(title, tables) for title, tables in steps if len(tables) <= STEP_TABLES][-STEPS:]


def wall_table(table: DrawnTable) -> WallTable:
    seats = [
        WallSeat(seat.entrant.bot.name if seat.entrant else in_page_language(seat.words), seat.points, seat.goes_on)
        for seat in table.seats
    ]
    return WallTable(in_page_language(table.title), seats)


def registered_names(event: Event) -> list[str]:
    inside = (Entrant.Status.PLAYING, Entrant.Status.WAITING)
    entrants = event.entrants.filter(status__in=inside).select_related("bot").order_by("pk")
    return [entrant.bot.name for entrant in entrants[:NAMES]]


# --- a ladder ------------------------------------------------------------------------------------------------------


def upcoming_tables(ladder: Ladder) -> Pairings | None:
    """Return the tables that are played now and next."""
    tables = [
        WallTable(
            say("Set %(set)s", set=coming.number),
            [WallSeat(version.bot.name) for version in coming.versions],
            is_playing=coming.playing > 0,
        )
        for coming in upcoming_sets(ladder)
    ]
    return Pairings(tables, []) if tables else None
