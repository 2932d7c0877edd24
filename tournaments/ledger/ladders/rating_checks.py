"""The classic ratings are computed again from all results when a dispatcher begins, so after each upgrade, and every
night. What differs is mended, and the public log says so.

Some sets at a time: from the tallies before them, which were checked before.
"""

from collections.abc import Iterable
from datetime import date

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM, append
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.feature import features
from tournaments.ledger.ladders.classic_elo import COUNTING, computed, games_of, lock, refold, tallies_before, tally_of
from tournaments.ledger.ladders.disqualified import recount
from tournaments.models import Ladder, Rating, RatingStep, Version
from tournaments.ratings.elo import Tally
from workers.isolation import handle_each

LOOP = "rating checks"
MENDED = "ratings_mended"  # the kind of its act
PART = 500  # sets in one turn: a quarter of a second
LISTED = 20  # versions that the log names
WHY = Sentence("a computation from all results of the ladder found other numbers")
Tallies = dict[int, Tally]  # by version

checked: dict[int, date] = {}  # by ladder, the night in which all of it was
following: dict[int, int] = {}  # by ladder, the number of the set with which its check goes on


def check_due() -> int:
    """Check the next sets of one ladder that was not checked tonight. Returns 1 if there was one."""
    ladders = Ladder.objects.filter(Exists(Rating.objects.filter(ladder=OuterRef("pk"))))
    resting, tonight = FAILING_ITEMS.resting(LOOP), timezone.now().date()
    due = [
        ladder
        for ladder in ladders.order_by("pk")
        if checked.get(ladder.pk) != tonight and item_name(ladder) not in resting
    ]
    handle_each(LOOP, due[:1], check_next_ratings, FAILING_ITEMS, item_name)
    return len(due[:1])


def check_next_ratings(ladder: Ladder) -> None:
    """Check the ladder's next sets, and mend what differs. After the last, its ratings."""
    first = following.get(ladder.pk, 1)
    last = _check(ladder, first)
    if last is None:
        checked[ladder.pk] = timezone.now().date()
    following[ladder.pk] = 1 if last is None else last + 1


@transaction.atomic
def _check(ladder: Ladder, first: int) -> int | None:
    """Check sets from number `first` on. Returns the number of the last set checked, None if none is left."""
    lock(ladder)
    changed = recount(ladder) if first == 1 else None
    rated = ladder.sets.filter(rated=True, number__gte=first).order_by("number").values_list("number", flat=True)
    last = rated[PART - 1 : PART].first()
    if changed or not _is_sound(ladder, first, last):
        _mend(ladder, changed or first)
    elif last is None and _published(ladder) != tallies_before(ladder, None, _versions(ladder)):
        _mend(ladder, 1)
    return last


def _is_sound(ladder: Ladder, first: int, last: int | None) -> bool:
    """Return whether the stored steps of these sets are those of their results."""
    sets, steps = ladder.sets.filter(number__gte=first), RatingStep.objects.filter(set__ladder=ladder)
    steps = steps.filter(set__number__gte=first)
    if last is not None:
        sets, steps = sets.filter(number__lte=last), steps.filter(set__number__lte=last)
    expected, _ = computed(ladder, first, games_of(sets.filter(COUNTING, rated=True)))
    return _by_set(expected) == _by_set(steps)


def _by_set(steps: Iterable[RatingStep]) -> dict[tuple[int, int], Tally]:
    return {(step.set_id, step.version_id): tally_of(step) for step in steps}


def _mend(ladder: Ladder, first: int) -> None:
    before = _published(ladder)
    ladder.ratings.exclude(version__in=_versions(ladder)).delete()
    refold(ladder, first)
    after = _published(ladder)
    differing = sorted(version for version in before.keys() | after.keys() if before.get(version) != after.get(version))
    says = [_summary(len(differing)), *_lines(differing[:LISTED], before, after)]
    detail = {"says": says, "ladder": ladder.slug, "versions": len(differing)}
    subject = f"ladder {ladder.slug}"
    append(kind=MENDED, by=PLATFORM, subject=subject, reason=WHY, detail=detail, space=ladder.space_id)
    for feature in features():
        feature.ratings_changed(ladder)


def _published(ladder: Ladder) -> Tallies:
    return {rating.version_id: tally_of(rating) for rating in ladder.ratings.all()}


def _versions(ladder: Ladder) -> set[int]:
    """Return the versions that have played a rated set."""
    return set(RatingStep.objects.filter(set__ladder=ladder).values_list("version", flat=True).distinct())


def _summary(number: int) -> Sentence:
    if not number:
        return Sentence("No classic rating has changed, only the history of some.")
    return Sentence("Versions whose classic rating has changed: %(number)s.", number=number)


def _lines(differing: list[int], before: Tallies, after: Tallies) -> list[Sentence]:
    versions = Version.objects.select_related("bot").in_bulk(differing)
    elos = ((versions[pk], _elo(before.get(pk)), _elo(after.get(pk))) for pk in differing)
    return [
        Sentence("%(version)s: %(before)s before, %(after)s now.", version=version, before=old, after=new)
        for version, old, new in elos
    ]


def _elo(tally: Tally | None) -> str:
    return f"{tally.milli_elo / 1000:.1f}" if tally else Sentence("nothing")
