"""The report on a ladder: made by a process of its own, with bounded time and memory, now and then after a fit."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, F, Max, Q
from django.utils import timezone

from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.features.fairness.twins import revealed_twins
from tournaments.ledger.ladders.official_fit import refit
from tournaments.ledger.ladders.rating_ledger import ledger_of, whole_of
from tournaments.models import FairnessReport, Fit, Ladder, MatchSet
from tournaments.ratings.fairness import Dealt
from tournaments.ratings.fairness_report import SECONDS, store_input
from workers.isolation import apart, handle_each

LOOP, BEGINNING = "fairness", "fairness ledgers"
SETS = 20_000  # the latest that a report goes by
EVERY = 600  # seconds from one report on a ladder to the next, at least
LISTED = 50  # numbers of sets that a report lists
PATIENCE = 4 * SECONDS  # by the clock, for the process
PENDING = f"""
    SELECT FROM tournaments_fit AS fit LEFT JOIN tournaments_fairnessreport AS report USING (ladder_id)
    WHERE report.id IS NULL OR fit.made_at > report.made_at AND report.made_at < now() - interval '{EVERY} s'
"""
GAPS = """
    SELECT before + 1, number - 1
    FROM (SELECT number, lag(number, 1, 0) OVER (ORDER BY number) AS before
          FROM tournaments_matchset WHERE ladder_id = %s AND number IS NOT NULL) AS numbered
    WHERE number > before + 1 ORDER BY 1 LIMIT %s
"""


@dataclass
class Report:
    """One that is being made."""

    ladder: Ladder
    sets: int
    folder: TemporaryDirectory[str]
    process: subprocess.Popen[bytes]
    began: float


under_way: list[Report] = []  # one at most


def make_reports() -> int:
    """Store the report that was being made if it is ready, or begin the next. Returns 1 if something happened."""
    if under_way:
        report = under_way[0]
        if report.process.poll() is None and time.monotonic() < report.began + PATIENCE:
            return 0
        apart(LOOP, item_name(report.ladder), lambda: take_report(report), FAILING_ITEMS)
        forget_report()
        return 1
    resting = FAILING_ITEMS.resting(LOOP)
    due = [ladder for ladder in ladders_due() if item_name(ladder) not in resting]
    return handle_each(BEGINNING, due[:1], begin_report, FAILING_ITEMS, item_name)


def ladders_due() -> list[Ladder]:
    """Return the ladders with a newer fit than their report, which is some time ago; those without one first."""
    old = Q(fairness__made_at__lt=timezone.now() - timedelta(seconds=EVERY), fit__made_at__gt=F("fairness__made_at"))
    due = Ladder.objects.filter(Q(fairness=None) | old, fit__isnull=False)
    return list(due.order_by(F("fairness__made_at").asc(nulls_first=True), "pk")[:LISTED])


def begin_report(ladder: Ladder) -> int:
    folder = TemporaryDirectory(prefix="fairness-")
    try:
        sets = store_ledger(ladder, Path(folder.name))
        process = _process(Path(folder.name))
    except BaseException:
        folder.cleanup()
        raise
    under_way.append(Report(ladder, sets, folder, process, time.monotonic()))
    return 1


@transaction.atomic
def store_ledger(ladder: Ladder, folder: Path) -> int:
    """Write the ledger and the table of a fit made now, which locks the ladder. Returns how many sets it has."""
    refit(ladder=ladder)
    rated = ladder.sets.filter(rated=True)
    cut = rated.order_by("-number").values_list("number", flat=True)[SETS : SETS + 1].first()
    ledger = ledger_of(ladder) if cut is None else whole_of(ladder, rated.filter(number__gt=cut))
    rows = Fit.objects.values_list("rows", flat=True).get(ladder=ladder)
    twins = revealed_twins(ladder)
    store_input(folder, ledger, dealt_of(ladder), rows, is_complete=cut is None, twins=twins)
    return rated.count()


def dealt_of(ladder: Ladder) -> Dealt:
    """Return what became of the ladder's numbered sets, and how many links of its chains nothing was dealt of."""
    ended, complete = (MatchSet.Status.VOID, MatchSet.Status.CANCELLED), MatchSet.Status.COMPLETE
    numbered = ladder.sets.filter(number__isnull=False)
    counts = numbered.aggregate(
        dealt=Count("pk"),
        rated=Count("pk", filter=Q(rated=True)),
        open=Count("pk", filter=Q(status=MatchSet.Status.OPEN)),
        removed=Count("pk", filter=Q(status=complete, counts=False)),
    )
    void = numbered.filter(status__in=ended).order_by("number").values_list("number", flat=True)[:LISTED]
    chains = MatchSet.objects.filter(chain__ladder=ladder).values("chain").annotate(last=Max("link"), sets=Count("pk"))
    links = sum(chain["last"] - chain["sets"] for chain in chains)
    return Dealt(**counts, void=list(filter(None, void)), missing=_missing(ladder), links=links)


def _missing(ladder: Ladder) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(GAPS, [ladder.pk, LISTED])
        gaps = cursor.fetchall()
    return [number for first, last in gaps for number in range(first, min(last, first + LISTED) + 1)][:LISTED]


def _process(folder: Path) -> subprocess.Popen[bytes]:
    """Start the process: it has no address of the database, nor any other secret of ours."""
    command = [sys.executable, "-m", "tournaments.ratings.fairness_report", str(folder)]
    bare = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "TMPDIR", "PYTHONPATH")}
    with (folder / "checks.json").open("wb") as checks, (folder / "errors").open("wb") as errors:
        return subprocess.Popen(command, stdout=checks, stderr=errors, cwd=settings.ROOT, env=bare)


def take_report(report: Report) -> None:
    """Store what the process said. Raises ValueError with its last words, if it failed or took too long."""
    folder = Path(report.folder.name)
    if report.process.poll() != 0:
        words = (folder / "errors").read_text(errors="replace")[-300:]
        raise ValueError(f"The process of the report ended with {report.process.poll()}: {words}")
    checks = json.loads((folder / "checks.json").read_text())
    seconds = time.monotonic() - report.began
    values = {"sets": report.sets, "checks": checks, "seconds": seconds}
    FairnessReport.objects.update_or_create(ladder=report.ladder, defaults=values)


def forget_report() -> None:
    """End the process of the report under way, if there is one."""
    for report in under_way:
        report.process.kill()
        report.process.wait()
        report.folder.cleanup()
    under_way.clear()
