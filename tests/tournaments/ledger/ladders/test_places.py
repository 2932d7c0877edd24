"""A place from the first rated set: its rank, or the range that holds it; none for a double, or one that owes sets."""

import pytest

from engine.referee import Verdict
from tests.factories import a_completed_set, a_ladder, a_version, rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.places import Place, places_of, range_text
from tournaments.ledger.ladders.rank_notices import Ranks
from tournaments.ledger.ladders.standings import Standing, standings
from tournaments.models import Entry, Fit, Ladder, Likeness, Notice, Rating, Version

pytestmark = pytest.mark.django_db


def begun(bots: int = 4) -> tuple[Ladder, list[Version]]:
    """Two of the bots have played one set, which the first won."""
    ladder, versions = a_ladder(players=2), [a_version() for _ in range(bots)]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    a_completed_set(ladder, versions[:2], faults={versions[1].pk: Verdict.CRASHED})
    rate()
    return ladder, versions


def line_of(ladder: Ladder, version: Version) -> Standing:
    return next(line for line in standings(ladder) if line.version_id == version.pk)


def place_of(ladder: Ladder, version: Version) -> Place | None:
    return places_of([ladder.pk], [version.pk]).get((ladder.pk, version.pk))


def test_a_provisional_bot_has_the_range_that_holds_its_place_from_its_first_set_on() -> None:
    ladder, (first, second, unplayed, _) = begun()
    line = line_of(ladder, first)
    assert (line.rank, line.provisional, line.place) == (None, True, range_text(line.rank_lo, line.rank_hi))
    assert place_of(ladder, first) == Place(None, line.rank_lo, line.rank_hi, 4, 1)
    assert place_of(ladder, second) is not None
    assert (line_of(ladder, unplayed).place, place_of(ladder, unplayed)) == ("", None)
    assert range_text(3, 3) == "3"


def test_nothing_is_claimed_that_no_fit_has_said() -> None:
    ladder, (first, *_) = begun()
    Fit.objects.all().delete()
    line = line_of(ladder, first)
    assert (line.place, line.all_lo, line.all_hi) == ("1–4", 1, 4)
    assert place_of(ladder, first) is None


@pytest.mark.parametrize("what", ["owes", "double"])
def test_who_has_no_rank_has_no_provisional_place_either(what: str) -> None:
    ladder, (first, second, *_) = begun()
    assert place_of(ladder, second) is not None
    if what == "owes":
        Entry.objects.filter(bot=second.bot).update(ranked_from=3)
    else:
        second.bot.owner = first.bot.owner
        second.bot.save()
        Likeness.objects.create(ladder=ladder, original=first, version=second, status="alike")
    assert (line_of(ladder, second).place, place_of(ladder, second)) == ("", None)
    assert place_of(a_ladder(), first) is None


def test_sets_of_older_versions_pay_what_a_bot_owes() -> None:
    ladder, (first, second, *_) = begun()
    Entry.objects.filter(bot=second.bot).update(ranked_from=2)
    newer = a_version(second.bot)
    a_completed_set(ladder, [first, newer])
    rate()
    assert line_of(ladder, newer).place
    assert place_of(ladder, newer)


def test_owners_hear_once_of_a_first_place_and_then_of_ranks() -> None:
    ladder, (first, *_) = begun()
    notices = Notice.objects.filter(user=first.bot.owner, kind="rank")
    for _ in range(2):
        Ranks().notify_next()
    place = line_of(ladder, first).place
    text = f"{first.bot} has its first place in {ladder}, still provisional: about {place} of 4."
    assert list(notices.values_list("text", flat=True)) == [text]
    Rating.objects.filter(version=first).update(sd=10, chance_sd=10)
    Ranks().notify_next()
    assert (notices.count(), Entry.objects.get(bot=first.bot).told_rank) == (1, 1)
