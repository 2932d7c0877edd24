"""Bots of a ladder that may be copies of one another, by source and by answers. Evidence, not a verdict."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.core.csv_text import Cell
from tournaments.features.likeness.actions import CompareAnswers
from tournaments.features.likeness.findings import findings_of_survey, progress_of
from tournaments.features.likeness.sources import ALIKE, LISTED, sources_alike
from tournaments.models import Ladder, Version
from tournaments.web.pages.csv_text import csv_file
from tournaments.web.pages.desk.access import check_here, organisers_here
from tournaments.web.pages.lookup import ladder_or_404

COLUMNS = (
    *("by", "bot", "owner", "version", "beside", "beside_owner", "beside_version"),
    *("share", "low", "high", "equal", "views", "of_pairs"),
)


@organisers_here
def sources_page(request: HttpRequest, slug: str) -> HttpResponse:
    ladder = ladder_or_404(slug, request.user)
    check_here(request, ladder.space_id)
    context = {
        "ladder": ladder,
        "report": sources_alike(ladder),
        "least": round(100 * ALIKE),
        "listed": LISTED,
        "findings": findings_of_survey(ladder),
        "progress": progress_of(ladder),
        "compare": CompareAnswers.kind,
    }
    return render(request, "likeness/sources.html", context)


@organisers_here
def sources_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Return both lists, one row for each pair."""
    ladder = ladder_or_404(slug, request.user)
    check_here(request, ladder.space_id)
    return csv_file(f"{slug}-alike", COLUMNS, likeness_rows(ladder))


def likeness_rows(ladder: Ladder) -> Iterator[tuple[Cell, ...]]:
    for by_text in sources_alike(ladder).pairs:
        names = (*_named(by_text.one), *_named(by_text.other))
        yield "sources", *names, round(by_text.share, 3), None, None, None, None, None
    findings = findings_of_survey(ladder)
    for line in findings.pairs if findings else ():
        pair, names = line.pair, (*_named(line.one), *_named(line.other))
        shares = (round(pair.share, 3), round(pair.low, 3), round(pair.high, 3))
        yield "answers", *names, *shares, pair.equal, pair.views, round(pair.of_pairs, 5)


def _named(version: Version) -> tuple[str, str, int]:
    return version.bot.name, version.bot.owner.username, version.number
