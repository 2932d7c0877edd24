"""Doubles: a bot that gives all the same answers as one that its side entered earlier has no rank in the ladder.

Only bots of one side are judged, so nobody loses a rank by another's bot. What was judged a double stays one: of that
version, until an organiser says that the two bots are different.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from django.db.models import QuerySet

from tournaments.core.accounts.sides import Sides
from tournaments.core.notices import triggers
from tournaments.features.likeness.answers import Answers, same_answers
from tournaments.models import Entry, Fit, Ladder, Likeness, Rating, Twins, Version

ORIGINALS: Final = 3  # versions of an earlier bot that are asked beside its present one: those that have played most
MATCHES, ANSWERS = 6, 60  # in which all must be the same
LISTED = 20
Status = Likeness.Status


def latest_doubles() -> "QuerySet[Likeness]":
    """Return doubles that play now, in any ladder, the latest first."""
    pairs = Likeness.objects.filter(status=Status.ALIKE, version__status=Version.Status.ACTIVE)
    return pairs.select_related("ladder", "version__bot__owner", "original__bot").order_by("-looked_at")[:LISTED]


def bots_of_sides(ladder: Ladder) -> list[list[int]]:
    """Return the bots of each side that has several, in the order in which they entered: the last of them plays."""
    entries = Entry.objects.filter(ladder=ladder).exclude(status=Entry.Status.DISQUALIFIED).order_by("pk")
    sides, by_side, plays = Sides(), defaultdict[int, list[int]](list), set[int]()
    for bot, owner, status in entries.values_list("bot", "bot__owner", "status"):
        by_side[sides.of(owner)].append(bot)
        plays |= {bot} if status == Entry.Status.PLAYING else set()
    for bots in by_side.values():
        while bots and bots[-1] not in plays:
            bots.pop()
    return [bots for bots in by_side.values() if len(bots) > 1]


def earlier_versions(ladder: Ladder) -> dict[int, int]:
    """Return the versions that have played most of bots with a later one of their side, and their owners."""
    earlier = [bot for bots in bots_of_sides(ladder) for bot in bots[:-1]]
    rated = Rating.objects.filter(ladder=ladder, version__bot__in=earlier, sets__gt=0).exclude(version__bundle__size=0)
    rows = rated.order_by("-sets", "-version").values_list("version__bot", "version", "version__bot__owner")
    chosen = defaultdict[int, dict[int, int]](dict)
    for bot, version, owner in rows:
        if len(chosen[bot]) < ORIGINALS:
            chosen[bot][version] = owner
    return {version: owner for versions in chosen.values() for version, owner in versions.items()}


def judge(ladder: Ladder, answers: Mapping[int, Answers], playing: Collection[int]) -> None:
    """Note which later bots gave the answers of an earlier one of their side, and notify their owners.

    `playing`: the versions that play. A double is nobody's original, so it is judged by the first bot that it equals.
    """
    versions_of = defaultdict[int, list[Version]](list)
    for version in Version.objects.filter(pk__in=answers).select_related("bot").order_by("pk"):
        versions_of[version.bot_id].append(version)
    rows = Likeness.objects.filter(ladder=ladder)
    cleared = set(rows.filter(status=Status.CLEARED).values_list("original__bot", "version__bot"))
    hidden = Twins.objects.filter(ladder=ladder, revealed_at=None)  # no survey reveals them
    cleared |= set(hidden.values_list("original__bot", "twin__bot"))
    doubles = set(rows.filter(status=Status.ALIKE).values_list("original__bot", "version"))
    for bots in bots_of_sides(ladder):
        originals: list[int] = []
        for bot in bots:
            present = next((version for version in versions_of[bot] if version.pk in playing), None)
            others = [other for other in originals if (other, bot) not in cleared]
            if present is None or not (
                any((other, present.pk) in doubles for other in others)
                or _judge(ladder, present, [original for other in others for original in versions_of[other]], answers)
            ):
                originals.append(bot)


def _judge(ladder: Ladder, version: Version, originals: Iterable[Version], answers: Mapping[int, Answers]) -> bool:
    """Note whether the version gave the answers of one of the originals: of the first, if there are several."""
    for original in originals:
        if counts := _equal(answers[original.pk], answers[version.pk]):
            likeness, _ = Likeness.objects.update_or_create(
                ladder=ladder,
                original=original,
                version=version,
                defaults={"status": Status.ALIKE, "matches": counts[0], "answers": counts[1]},
            )
            Fit.objects.filter(ladder=ladder).update(stale=True)
            triggers.notify_of_likeness(likeness)
            return True
    return False


def _equal(original: Answers, version: Answers) -> tuple[int, int] | None:
    """Return in how many matches they gave how many answers, all the same; None if one differs, or they are too few."""
    equal = same_answers(original, version)
    if equal is None:
        return None
    matches, answers, views = sum(map(bool, equal)), sum(equal), sum(map(len, original))
    return (matches, answers) if matches >= MATCHES and answers >= max(ANSWERS, views / 2) else None
