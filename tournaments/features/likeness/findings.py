"""The findings of a ladder's last survey, for organisers: pairs of versions, with their bots."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Func, IntegerField

from tournaments.features.likeness.answers import ALIKE, Pair
from tournaments.models import Ladder, Survey, Version

COUNT = IntegerField()
LISTED = 20


@dataclass(frozen=True, slots=True)
class Found:
    """A pair, and whose they are."""

    one: Version
    other: Version
    pair: Pair


@dataclass(frozen=True, slots=True)
class Findings:
    pairs: list[Found]  # the most alike first
    compared: int
    untold: list[Version]
    views: int
    median: float
    quantile: float
    asked_at: datetime
    least: float = ALIKE


@dataclass(frozen=True, slots=True)
class Progress:
    answered: int
    of: int


def findings_of_survey(ladder: Ladder) -> Findings | None:
    """Return those of the last survey that is done, without what was erased or deleted since."""
    done = ladder.surveys.filter(status=Survey.Status.DONE).order_by("-pk").first()
    if done is None:
        return None
    stored, pairs = done.findings, [Pair(**pair) for pair in done.findings["pairs"]]
    named = {number for pair in pairs for number in (pair.one, pair.other)} | {*stored["untold"]}
    versions = Version.objects.select_related("bot__owner").defer("report", "report_data").in_bulk(named)
    shown = [
        Found(versions[pair.one], versions[pair.other], pair) for pair in pairs if {pair.one, pair.other} <= {*versions}
    ]
    untold = [versions[number] for number in stored["untold"] if number in versions]
    return Findings(
        shown, len(stored["compared"]), untold, stored["views"], stored["median"], stored["quantile"], done.created_at
    )


def ladders_alike() -> list[tuple[Ladder, int]]:
    """Return ladders, not over, where bots of different people answered alike in the last survey, with the number of
    pairs; the latest first."""
    done = Survey.objects.filter(status=Survey.Status.DONE).exclude(ladder__status=Ladder.Status.CLOSED)
    latest = Survey.objects.filter(pk__in=done.order_by("ladder", "-pk").distinct("ladder").values("pk"))
    counted = latest.annotate(pairs=Func(F("findings__pairs"), function="jsonb_array_length", output_field=COUNT))
    rows = counted.filter(pairs__gt=0).select_related("ladder").defer("findings").order_by("-pk")[:LISTED]
    return [(survey.ladder, survey.pairs) for survey in rows]


def progress_of(ladder: Ladder) -> Progress | None:
    """Return how far the survey that runs has come."""
    running = ladder.surveys.filter(status=Survey.Status.RUNNING).first()
    if running is None:
        return None
    to_come = running.answers.filter(status__in=("waiting", "asked")).count()
    total = running.answers.count()
    return Progress(total - to_come, total)
