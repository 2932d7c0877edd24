"""The page for visitors: a sentence, and a line for each check."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.features.fairness.twins import twins_shown_to
from tournaments.features.fairness.words import check_row, verdict_on
from tournaments.models import FairnessReport
from tournaments.web.pages.lookup import ladder_or_404


def fairness_page(request: HttpRequest, slug: str) -> HttpResponse:
    ladder = ladder_or_404(slug, request.user)
    context: dict[str, object] = {"ladder": ladder, "twins": twins_shown_to(request.user, ladder)}
    if report := FairnessReport.objects.filter(ladder=ladder).first():
        rows = [check_row(check) for check in report.checks]
        bands = next((check["values"].get("bands") for check in report.checks if check["name"] == "foretold"), None)
        context |= {"report": report, "verdict": verdict_on(report), "rows": rows, "bands": bands}
    return render(request, "fairness/fairness.html", context)
