"""What a ladder's last survey found, for organisers: pairs of versions, with their bots."""

from dataclasses import dataclass
from datetime import datetime

from tournaments.features.likeness.answers import ALIKE, Pair
from tournaments.models import Ladder, Survey, Version


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


def findings_of(ladder: Ladder) -> Findings | None:
    """Of the last that is done. What is erased or deleted since is left out."""
    done = ladder.surveys.filter(status=Survey.Status.DONE).order_by("-pk").first()
    if done is None:
        return None
    found, pairs = done.findings, [Pair(**pair) for pair in done.findings["pairs"]]
    named = {number for pair in pairs for number in (pair.one, pair.other)} | {*found["untold"]}
    versions = Version.objects.select_related("bot__owner").defer("report").in_bulk(named)
    known = [
        Found(versions[pair.one], versions[pair.other], pair) for pair in pairs if {pair.one, pair.other} <= {*versions}
    ]
    untold = [versions[number] for number in found["untold"] if number in versions]
    return Findings(
        known, len(found["compared"]), untold, found["views"], found["median"], found["quantile"], done.created_at
    )


def progress_of(ladder: Ladder) -> Progress | None:
    """Of the one that runs."""
    running = ladder.surveys.filter(status=Survey.Status.RUNNING).first()
    if running is None:
        return None
    to_come = running.answers.filter(status__in=("waiting", "asked")).count()
    whole = running.answers.count()
    return Progress(whole - to_come, whole)
