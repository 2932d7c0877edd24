"""What the database itself refuses, whoever asks."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, an_upload
from tournaments.models import Attempt, Bot, Entry, Match, MatchSet, Rating, RatingStep, Result, Seat, Version

pytestmark = pytest.mark.django_db


def refused(rule: str, act: object) -> None:
    assert callable(act)
    with pytest.raises(IntegrityError, match=rule), transaction.atomic():
        act()


def test_a_bot_name_is_taken_once_in_a_game_however_it_is_written() -> None:
    a_bot(name="Gold digger")
    refused(
        "one_bot_of_a_name_in_a_game", lambda: Bot.objects.create(owner=a_user(), game="zaibatsu", name="GOLD digger")
    )


def test_a_bot_has_one_active_version_and_one_in_check() -> None:
    version = a_version()
    other = an_upload(version.bot)
    refused("one_active_version_a_bot", lambda: Version.objects.filter(pk=other.pk).update(status="active"))
    refused("one_version_in_check_a_bot", lambda: Version.objects.filter(pk=version.pk).update(status="checking"))
    refused("version_numbers_do_not_repeat", lambda: Version.objects.filter(pk=other.pk).update(number=1))


def test_a_bot_enters_a_ladder_once() -> None:
    entry = Entry.objects.create(ladder=a_ladder(), bot=a_bot())
    refused("a_bot_enters_a_ladder_once", lambda: Entry.objects.create(ladder=entry.ladder, bot=entry.bot))


def test_a_set_is_of_a_ladder_or_a_check_and_not_both() -> None:
    check = an_upload(a_bot()).check_set
    both = MatchSet.objects.filter(pk=check.pk)
    refused("a_set_belongs_to_one_thing", lambda: both.update(ladder=a_ladder(), number=1))
    refused("a_set_belongs_to_one_thing", lambda: both.update(checks=None))


def test_set_numbers_do_not_repeat_in_a_ladder() -> None:
    ladder, versions = a_ladder(players=2), [a_version(), a_version()]
    first, second = (a_completed_set(ladder, versions) for _ in range(2))
    rows = MatchSet.objects.filter(pk=second.pk)
    refused("set_numbers_do_not_repeat", lambda: rows.update(number=first.number))


def test_a_set_has_an_end_when_it_is_over_and_only_then() -> None:
    check = MatchSet.objects.filter(pk=an_upload(a_bot()).check_set.pk)
    refused("a_set_has_an_end", lambda: check.update(status="complete"))
    refused("a_set_has_an_end", lambda: check.update(ended_at=timezone.now()))
    refused("complete_ladder_sets_are_rated", lambda: check.update(rated=True))


def test_a_leased_match_has_a_lease_and_no_other_has() -> None:
    match = Match.objects.filter(set=an_upload(a_bot()).check_set)
    refused("a_leased_match_has_a_lease", lambda: match.update(status="leased"))
    refused("a_leased_match_has_a_lease", lambda: match.update(lease_until=timezone.now()))


def test_a_match_has_one_result_one_bot_a_seat_and_one_attempt_a_lease() -> None:
    match = Match.objects.get(set=a_version().check_set)
    again = Result(match=match, lease=2, worker="w", tier="none", seconds=1, replay=b"", digest="")
    refused("match_id", again.save)
    refused("one_bot_a_seat", Seat(match=match, number=0, version=a_version()).save)
    refused("one_attempt_a_lease", Attempt(match=match, lease=1).save)
    refused("one_match_a_rotation", Match(set=match.set, turn=0).save)


def test_a_seat_has_all_of_its_outcome_or_none() -> None:
    seats = Seat.objects.filter(match__set=an_upload(a_bot()).check_set)
    refused("a_seat_has_all_of_its_outcome_or_none", lambda: seats.update(place=1))
    refused("a_seat_has_all_of_its_outcome_or_none", lambda: seats.update(place=0, score=1, verdict="ok"))


def test_an_attempt_has_an_end_when_it_is_over_and_only_then() -> None:
    attempt = Attempt.objects.filter(match__set=a_version().check_set)
    refused("an_attempt_has_an_end", lambda: attempt.update(ended_at=None))
    refused("an_attempt_has_an_end", lambda: attempt.update(outcome="sent"))


def test_a_version_has_one_rating_in_a_ladder_and_one_step_a_set() -> None:
    ladder, versions = a_ladder(players=2), [a_version(), a_version()]
    played = a_completed_set(ladder, versions)
    Rating.objects.create(ladder=ladder, version=versions[0], milli_elo=0)
    refused("one_rating_a_version", Rating(ladder=ladder, version=versions[0], milli_elo=0).save)
    RatingStep.objects.create(set=played, version=versions[0], milli_elo=0)
    refused("one_step_a_version", RatingStep(set=played, version=versions[0], milli_elo=0).save)
