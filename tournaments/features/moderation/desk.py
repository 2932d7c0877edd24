"""People's reports and appeals, the oldest first. Those about the viewing organiser are left to another one."""

from dataclasses import dataclass

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from tournaments.features.moderation.complaints import open_to_organiser
from tournaments.features.moderation.subjects import path_of, said_by, subject_kept
from tournaments.models import Appeal, Complaint, Space, Suspension, User
from tournaments.pages.desk.access import organisers
from tournaments.pages.who_asks import signed_in

SHOWN = 200  # of each, at once


@dataclass(frozen=True, slots=True)
class Reported:
    report: Complaint
    name: str
    path: str
    says: str


@organisers
@never_cache
def reports(request: HttpRequest) -> HttpResponse:
    """Show all there are, those of spaces too."""
    return render(request, "moderation/desk.html", waiting_for(signed_in(request), None))


def waiting_for(person: User, space: Space | None) -> dict[str, object]:
    """Return what waits on the site, or in one space."""
    appeals = Appeal.objects.filter(Q(act__space=space) if space else Q(), status=Appeal.Status.OPEN)
    suspensions = Suspension.objects.filter(Q(space=space) if space else Q(), over_at=None)
    return {
        "space": space,
        "reports": [reported(complaint) for complaint in open_to_organiser(person, space)],
        "appeals": appeals.select_related("act__space", "by").order_by("pk")[:SHOWN],
        "suspensions": suspensions.select_related("user", "act", "space").order_by("-pk")[:SHOWN],
    }


def reported(report: Complaint) -> Reported:
    subject = subject_kept(report.about)
    if subject is None:
        return Reported(report, report.about, "", "")
    return Reported(report, str(subject), path_of(subject), said_by(subject))
