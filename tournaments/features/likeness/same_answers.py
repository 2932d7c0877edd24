"""Bots that play alike although their contents differ: evidence for organisers, never a verdict.

All checks of a game use one secret deal. So deterministic bots that decide alike give the same answers there. Two
people may have started from the same sample; or somebody may have changed a name to enter a bot twice.
"""

import hmac
import json
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby

from django.conf import settings
from django.db.models import Count, QuerySet

from engine.game import AnyGame
from engine.replay import Replay
from tournaments.models import Likeness, Version

LISTED = 20


def doubles() -> "QuerySet[Likeness]":
    """Found by playing recorded matches again: the latest first."""
    known = Likeness.objects.filter(status=Likeness.Status.ALIKE, version__status=Version.Status.ACTIVE)
    return known.select_related("ladder", "version__bot__owner", "original__bot").order_by("-looked_at")[:LISTED]


@dataclass(frozen=True, slots=True)
class Alike:
    """Active versions of different bots that gave the same answers in their checks."""

    versions: list[Version]


def check_seed(game: AnyGame) -> str:
    """The seed of the deal of all checks under these rules: nobody knows it before, and it counts for nothing."""
    about = f"check {game.name} {game.version}"
    return hmac.new(settings.SECRET_KEY.encode(), about.encode(), sha256).hexdigest()


def behaviour_of(replay: Replay) -> str:
    """The hash of who answered what, however long it took."""
    answers = [list(answer)[:2] for answer in replay.answers if isinstance(answer, list | tuple)]
    return sha256(json.dumps([replay.game, replay.rules, answers]).encode()).hexdigest()


def alike() -> list[Alike]:
    """The latest first."""
    active = Version.objects.filter(status=Version.Status.ACTIVE).exclude(behaviour="")
    shared = active.values("behaviour").annotate(texts=Count("contents", distinct=True)).filter(texts__gt=1)
    rows = (
        active.filter(behaviour__in=shared.values("behaviour")).select_related("bot__owner").order_by("behaviour", "pk")
    )
    groups = [Alike(list(group)) for _, group in groupby(rows, key=lambda version: version.behaviour)]
    return sorted(groups, key=lambda group: -group.versions[-1].pk)[:LISTED]
