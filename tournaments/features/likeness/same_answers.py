"""Bots that play alike although their contents differ: evidence for organisers, never a verdict.

All checks of a game use one secret deal. So deterministic bots that decide alike give the same answers there. Two
people may have started from the same sample; or somebody may have changed a name to enter a bot twice.
"""

from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, QuerySet

from tournaments.models import Likeness, Version

LISTED = 20


def doubles() -> "QuerySet[Likeness]":
    """Return those found by playing recorded matches again, the latest first."""
    pairs = Likeness.objects.filter(status=Likeness.Status.ALIKE, version__status=Version.Status.ACTIVE)
    return pairs.select_related("ladder", "version__bot__owner", "original__bot").order_by("-looked_at")[:LISTED]


@dataclass(frozen=True, slots=True)
class Alike:
    """Active versions of different bots that gave the same answers in their checks."""

    versions: list[Version]


def groups_alike() -> list[Alike]:
    """Return the groups of bots with the same answers in their checks, the latest first."""
    active = Version.objects.filter(status=Version.Status.ACTIVE).exclude(behaviour="")
    shared = active.values("behaviour").annotate(texts=Count("contents", distinct=True)).filter(texts__gt=1)
    rows = (
        active.filter(behaviour__in=shared.values("behaviour")).select_related("bot__owner").order_by("behaviour", "pk")
    )
    groups = [Alike(list(group)) for _, group in groupby(rows, key=lambda version: version.behaviour)]
    return sorted(groups, key=lambda group: -group.versions[-1].pk)[:LISTED]
