"""The gradebook of a ladder: all rows for its organisers, their own for students."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from engine.sentences import Sentence
from tournaments.core.accounts.spaces import runs
from tournaments.core.accounts.spending import spend_in
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.config.time_zones import clock_time
from tournaments.core.csv_text import Cell
from tournaments.core.errors import Refused
from tournaments.features.courses.actions import ExtendDeadline, SetDeadline, SetMarking, StartFinalMarks
from tournaments.features.courses.deadlines import deadline_of, late_days_left
from tournaments.features.courses.gradebook import GradebookRow, gradebook_of, state_of_marks
from tournaments.features.courses.marks import Record
from tournaments.features.courses.panel import course_of, panel_names, scheme_of
from tournaments.features.sign_on.pages import protocol_services
from tournaments.models import Course, CourseLink, User
from tournaments.web.pages.csv_text import csv_file
from tournaments.web.pages.desk.acts import buttons
from tournaments.web.pages.lookup import ladder_or_404
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

COLUMNS = ("person", "identity", "bot", "version", "uploads", "late_days", "points", "sure", "of", "state")
SENT = declare(
    Budget(
        "marks that are sent to a learning platform",
        resource="Actions and notices",
        most=40,
        unit="times",
        holder="organiser and space",
        where="tournaments.features.courses.pages._send",
        sentence=Sentence(
            "marks are sent at most %(most)s times a day, by one organiser and from one space; go on tomorrow"
        ),
        seconds=86_400,
    )
)
TOLD = 5  # marks that were not taken, at most
ACTS = (SetMarking, SetDeadline, ExtendDeadline, StartFinalMarks)


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
        "state": state_of_marks(course),
        "scheme": scheme_of(course),
        "panel": names,
        "rows": [(row, list(zip(names, map(_chance, row.records), strict=True))) for row in rows],
        "own_deadline": _own_deadline(course, own),
        "days_left": late_days_left(course, own) if course.deadline else 0,
        "actions": _actions(course) if staff else [],
        "links": links_of(course) if staff and rows else [],
    }
    return render(request, "courses/gradebook.html", context)


def _own_deadline(course: Course, own: User) -> str:
    """Return a student's own deadline; nothing where it is everybody's."""
    deadline = deadline_of(course, own)
    return course.shown(deadline) if deadline and deadline != course.deadline else ""


def _actions(course: Course) -> list[tuple[str, str]]:
    """Return the label of each action and the address of its form, filled with what holds now."""
    scheme = scheme_of(course)
    marking = f"&scheme={quote(str(scheme))}&within={course.within}" if scheme else ""
    filled = {SetMarking.kind: marking, SetDeadline.kind: f"&{_deadline_now(course)}"}
    return [
        (button, f"{reverse('desk-act', args=[kind])}?ladder={course.ladder.slug}{filled.get(kind, '')}")
        for button, kind in buttons(ACTS)
    ]


def _deadline_now(course: Course) -> str:
    """Return what the form of the deadline begins with; one that is over is not set again."""
    asked: dict[str, str | int] = {"time_zone": course.zone.key}
    if course.deadline and course.deadline > timezone.now():
        asked["deadline"] = clock_time(course.deadline, course.zone)
        asked |= {name: value for name in ("late_days", "penalty") if (value := getattr(course, name))}
    return urlencode(asked)


@login_required
def send_marks(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the marks to the learning platform of the students: sent once more, they are as they are then."""
    course, staff = _course(request, slug)
    if not staff:
        raise Http404(say("%(ladder)s has no gradebook.", ladder=course.ladder))
    chosen = request.POST.get("link", "")
    link = links_of(course).filter(pk=chosen).first() if chosen.isascii() and chosen.isdigit() else None
    try:
        _send(request, course, link)
    except Refused as refused:
        messages.error(request, sentence(refused))
    return redirect("gradebook", slug)


def _send(request: HttpRequest, course: Course, link: CourseLink | None) -> None:
    """Raises Refused."""
    if link is None:
        raise Refused(
            "no_gradebook", "no course of a learning platform with a gradebook belongs to this ladder's space"
        )
    spend_in(course.ladder.space_id, SENT, signed_in(request))
    rows = gradebook_of(course)
    people = User.objects.in_bulk([row.user for row in rows])
    marks = {people[row.user]: row.points for row in rows if row.user in people}
    sent = protocol_services().send_grades(link, marks, max((row.of for row in rows), default=100) or 100)
    messages.success(
        request, say("%(sent)s of %(all)s marks are in %(link)s.", sent=sent.grades, all=len(rows), link=link)
    )
    for reason in () if course.ladder.space and course.ladder.space.blind else list(sent.refused.values())[:TOLD]:
        messages.error(request, reason)


def links_of(course: Course) -> QuerySet[CourseLink]:
    """The columns of gradebooks elsewhere that belong to its space."""
    here = CourseLink.objects.filter(provider__in=settings.SIGN_ON, space__isnull=False, space=course.ladder.space_id)
    return here.exclude(grades="").order_by("pk")


@login_required
def gradebook_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """One row a student; of each bot of the panel the chance, its interval and the sets."""
    course, staff = _course(request, slug)
    rows = gradebook_of(course, None if staff else signed_in(request).pk)
    names = panel_names(course).values()
    columns = [f"{name}: {what}" for name in names for what in ("chance", "low", "high", "sets")]
    return csv_file(f"{slug}-gradebook", [*COLUMNS, *columns], _cells(rows, state_of_marks(course)))


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
    """Return the chance and its interval in percent, and the number of sets; None before the first set."""
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
