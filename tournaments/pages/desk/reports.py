"""People's reports and appeals, the oldest first. Those about the viewing organiser are left to another one."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from tournaments.models import Appeal, Complaint, Suspension
from tournaments.moderation.complaints import open_to_organiser
from tournaments.moderation.subjects import path_of, said_by, subject_kept
from tournaments.pages.desk.access import organisers
from tournaments.pages.who_asks import signed_in


@dataclass(frozen=True, slots=True)
class Reported:
    report: Complaint
    name: str
    path: str
    says: str


@organisers
@never_cache
def reports(request: HttpRequest) -> HttpResponse:
    waiting = Appeal.objects.filter(status=Appeal.Status.OPEN).select_related("act", "by").order_by("pk")[:200]
    context = {
        "reports": [reported(each) for each in open_to_organiser(signed_in(request))],
        "appeals": waiting,
        "suspensions": Suspension.objects.filter(over_at=None).select_related("user", "act").order_by("-pk")[:200],
    }
    return render(request, "desk/reports.html", context)


def reported(report: Complaint) -> Reported:
    found = subject_kept(report.about)
    if found is None:
        return Reported(report, report.about, "", "")
    return Reported(report, str(found), path_of(found), said_by(found))
