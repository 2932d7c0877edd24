"""A bot that makes the platform fail escapes no loss and harms nobody: sets wait, and where it is plain who it is, the
match is played without it."""

from dataclasses import replace

import pytest
from django.conf import settings

from tests.factories import a_bot, a_ladder, a_user, a_version, play_set, reports
from tournaments.core.errors import Refused
from tournaments.features.teams import rules as teams
from tournaments.ledger import acts
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.open_sets import not_begun
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.dispatch.unplayable import PUT_ASIDE
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.matchmaking.spot_checks import play_match_again
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Act, Entry, Ladder, Match, MatchSet, Notice, User, Version
from workers.orders import Report

pytestmark = pytest.mark.django_db
BOTH = ("east/1", "west/1")


def a_player(ladder: Ladder, owner: User | None = None) -> Version:
    version = a_version(a_bot(owner))
    enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return version


def a_set(ladder: Ladder, *versions: Version) -> MatchSet:
    return create_set(ladder=ladder, versions=[version.pk for version in versions])


def fail(played: MatchSet, workers: tuple[str, ...] = BOTH) -> Match:
    """The first match is recorded, the next one cannot be played until it is set aside."""
    first, *later = reports(order_of_set(played, claim(match_set=played)))
    assert record_report(first) == "recorded"
    failing = later[0]
    for attempt in range(settings.ATTEMPTS_BEFORE_QUARANTINE):
        if attempt:
            [failing] = reports(order_of_set(played, claim(match_set=played)))
        assert record_report(_void(failing, workers[attempt % len(workers)])) == "noted"
    return Match.objects.get(pk=failing.match)


def _void(report: Report, worker: str) -> Report:
    return replace(report, outcome="void", reason="the sandbox broke", replay=b"", worker=worker)


@pytest.fixture
def ladder() -> Ladder:
    return a_ladder(players=2)


def test_a_set_whose_match_cannot_be_played_waits_with_what_is_finished_of_it(ladder: Ladder) -> None:
    three = a_ladder(players=3)
    played = a_set(three, a_player(three), a_player(three), a_player(three))
    failed = fail(played)
    played.refresh_from_db()
    assert (failed.status, played.status) == ("quarantined", "open")
    assert sorted(played.matches.values_list("status", flat=True)) == ["done", "leased", "quarantined"]
    assert not Act.objects.filter(kind=PUT_ASIDE).exists()
    assert not Entry.objects.exclude(status="playing").exists()


def test_sets_that_wait_for_an_organiser_do_not_stand_for_sets_that_wait_for_workers(ladder: Ladder) -> None:
    played = a_set(ladder, a_player(ladder), a_player(ladder))
    assert list(not_begun()) == [played]
    fail(played)
    assert not not_begun().exists()


def test_a_version_with_which_no_match_can_be_played_is_put_aside_and_loses_them(ladder: Ladder) -> None:
    culprit, opponents = a_player(ladder), [a_player(ladder) for _ in range(3)]
    sets = [a_set(ladder, culprit, other) for other in opponents]
    for played in sets:
        assert not Act.objects.filter(kind=PUT_ASIDE).exists()
        fail(played)
    act = Act.objects.get(kind=PUT_ASIDE)
    assert act.subject == str(culprit)
    assert Entry.objects.get(bot=culprit.bot).status == "suspended"
    assert set(Entry.objects.exclude(bot=culprit.bot).values_list("status", flat=True)) == {"playing"}
    notice = Notice.objects.get(user=culprit.bot.owner, text__contains="is put aside")
    assert "upload a new version" in notice.text.lower()
    for played in sets:
        assert_it_forfeits(played, culprit)


def assert_it_forfeits(played: MatchSet, culprit: Version) -> None:
    claimed = claim(match_set=played)
    order = order_of_set(played, claimed)
    assert {competitor.bundle for competitor in order.competitors if competitor.withdrawn} == {culprit.bundle_id}
    [match] = claimed
    seat = match.seats.get(version=culprit)
    assert seat.withdrawn
    assert not match.seats.exclude(pk=seat.pk).filter(withdrawn=True).exists()


def test_who_frames_another_with_two_people_does_not_succeed(ladder: Ladder) -> None:
    victim, gang = a_player(ladder), [a_user(), a_user()]
    for number in range(4):
        fail(a_set(ladder, victim, a_player(ladder, gang[number % 2])))
    assert not Act.objects.filter(kind=PUT_ASIDE).exists()


def test_nor_do_three_of_one_team(ladder: Ladder) -> None:
    victim, gang = a_player(ladder), [a_user() for _ in range(3)]
    team = teams.create_team(name="The gang", by=gang[0])
    for person in gang[1:]:
        teams.invite_to_team(team=team, user=person, by=gang[0])
        teams.answer_team_invitation(team=team, by=person, joins=True)
    for number in range(6):
        fail(a_set(ladder, victim, a_player(ladder, gang[number % 3])))
    assert not Act.objects.filter(kind=PUT_ASIDE).exists()


def test_nor_one_that_plays_well_with_most(ladder: Ladder) -> None:
    victim = a_player(ladder)
    for _ in range(4):
        play_set(a_set(ladder, victim, a_player(ladder)))
    for _ in range(3):
        fail(a_set(ladder, victim, a_player(ladder)))
    assert not Act.objects.filter(kind=PUT_ASIDE).exists()


def test_what_one_worker_alone_cannot_play_may_be_its_own_doing(ladder: Ladder) -> None:
    culprit = a_player(ladder)
    for _ in range(4):
        fail(a_set(ladder, culprit, a_player(ladder)), workers=("east/1", "east/2"))
    assert not Act.objects.filter(kind=PUT_ASIDE).exists()


def test_an_organiser_decides_where_it_is_not_plain(ladder: Ladder) -> None:
    culprit, other = a_player(ladder), a_player(ladder)
    failed, organiser = fail(played := a_set(ladder, culprit, other)), a_user(staff=True)
    acts.PlayWithout(failed, culprit).do(by=organiser, reason="its own log says how it does it")
    assert_it_forfeits(played, culprit)
    with pytest.raises(Refused, match="is not in quarantine"):
        acts.PlayWithout(failed, culprit).preview()


def test_an_organiser_may_let_it_be_played_again_by_all(ladder: Ladder) -> None:
    failed = fail(played := a_set(ladder, a_player(ladder), a_player(ladder)))
    with pytest.raises(Refused, match="does not play in match"):
        acts.PlayWithout(failed, a_version()).preview()
    acts.Release(failed).do(by=a_user(staff=True), reason="the worker is mended")
    play_set(played)
    played.refresh_from_db()
    assert played.status == "complete"


def test_what_counts_for_nothing_is_cancelled_as_a_whole(ladder: Ladder) -> None:
    play_set(first := a_set(ladder, a_player(ladder), a_player(ladder)))
    played = play_match_again(first.matches.latest("turn"))
    for _ in range(settings.ATTEMPTS_BEFORE_QUARANTINE):
        [report] = reports(order_of_set(played, claim(match_set=played)))
        record_report(_void(report, "east/1"))
    played.refresh_from_db()
    assert played.status == "cancelled"
