"""The gradebook of a ladder: all rows for its organisers, their own for students."""

from collections.abc import Iterator, Sequence

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments import acts
from tournaments.accounts.spaces import runs
from tournaments.competitors.deadlines import days_left, deadline_of
from tournaments.ladders.gradebook import GradebookRow, gradebook_of, state_of
from tournaments.ladders.panel import course_of
from tournaments.ladders.scheme import panel_names, scheme_of
from tournaments.models import Course
from tournaments.pages.csv_text import Cell, csv_file
from tournaments.pages.desk.acts import buttons
from tournaments.pages.lookup import ladder_or_404
from tournaments.pages.sentences import say
from tournaments.pages.who_asks import signed_in
from tournaments.ratings.marks import Record

COLUMNS = ("person", "identity", "bot", "version", "uploads", "late_days", "points", "sure", "of", "state")
ACTS = (acts.SetMarking, acts.SetDeadline, acts.ExtendDeadline, acts.StartFinalMarks)


@login_required
def gradebook(request: HttpRequest, slug: str) -> HttpResponse:
    course, staff = _course(request, slug)
    own = signed_in(request)
    rows = gradebook_of(course, None if staff else own.pk)
    names = list(panel_names(course).values())
    context = {
        "ladder": course.ladder,
        "course": course,
        "organises": staff,
        "state": state_of(course),
        "scheme": scheme_of(course),
        "panel": names,
        "rows": [(row, list(zip(names, map(_chance, row.records), strict=True))) for row in rows],
        "deadline": deadline_of(course, own),
        "days_left": days_left(course, own) if course.deadline else 0,
        "actions": buttons(ACTS) if staff else [],
    }
    return render(request, "gradebook.html", context)


@login_required
def gradebook_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """One row a student; of each bot of the panel the chance, its interval and the sets."""
    course, staff = _course(request, slug)
    rows = gradebook_of(course, None if staff else signed_in(request).pk)
    names = panel_names(course).values()
    columns = [f"{name}: {what}" for name in names for what in ("chance", "low", "high", "sets")]
    return csv_file(f"{slug}-gradebook", [*COLUMNS, *columns], _cells(rows, state_of(course)))


def _cells(rows: Sequence[GradebookRow], state: str) -> Iterator[Sequence[Cell]]:
    for row in rows:
        who = (row.person, row.identity, row.bot, row.version, row.uploads, row.late_days)
        chances = [cell for record in row.records for cell in _rounded(record)]
        yield [*who, row.points, row.sure, row.of, state, *chances]


def _rounded(record: Record) -> tuple[float | None, float | None, float | None, int]:
    if record.estimate is None:
        return None, None, None, 0
    low, high = record.interval
    return round(record.estimate, 4), round(low, 4), round(high, 4), record.sets


def _chance(record: Record) -> dict[str, int] | None:
    """In percent; None before the first set."""
    if record.estimate is None:
        return None
    low, high = record.interval
    rounded = {"estimate": record.estimate, "low": low, "high": high}
    return {**{name: round(100 * value) for name, value in rounded.items()}, "sets": record.sets}


def _course(request: HttpRequest, slug: str) -> tuple[Course, bool]:
    """And whether the asker is an organiser of it, who finds one also where nothing is set yet."""
    ladder = ladder_or_404(slug, request.user)
    staff, course = runs(request.user, ladder.space_id), course_of(ladder)
    if course is None and not staff:
        raise Http404(say("%(ladder)s has no gradebook.", ladder=ladder))
    return course or Course(ladder=ladder), staff
