"""Wall time of checks is charged to the owner of the upload; who has used up the day's waits for others."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import a_bot, a_ladder, a_user, a_version, an_upload, reports
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.core.broker.queues import broker
from tournaments.ledger.dispatch.check_turns import (
    CHECK_MS,
    RESTS,
    count_check,
    house,
    is_resting,
    owners_over_budget,
    patience_ms,
)
from tournaments.ledger.dispatch.fair_share import HOUSE
from tournaments.ledger.dispatch.giving_way import make_way
from tournaments.ledger.dispatch.leases import claim, renew_lease
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.dispatch.waiting_sets import sets_to_send
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Attempt, Match, MatchSet, Spending, User, Version
from workers.orders import TAG
from workers.process_heartbeats import OnlineProcess

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_rest() -> Iterator[None]:
    broker().delete(RESTS.format(CHECK_MS.name))
    yield
    broker().delete(RESTS.format(CHECK_MS.name))


def checked(owner: User, seconds: float, worker: str = "tester/1") -> Version:
    """A version whose check took so long."""
    version = an_upload(a_bot(owner))
    return report(version, seconds=seconds, worker=worker)


def report(version: Version, **changes: Any) -> Version:
    """Record what a worker says of a check."""
    (played,) = reports(order_of_set(version.check_set, claim(match_set=version.check_set)))
    assert record_report(replace(played, **changes)) in ("recorded", "noted")
    version.refresh_from_db()
    return version


def sent() -> list[MatchSet]:
    """Return what is sent to one worker, once others have made way."""
    online = AvailableWorkers((OnlineProcess.of("worker/0", TAG, ["python"]),), any_online=True, tags=(TAG,))
    make_way(online)
    return [match_set for match_set, _ in sets_to_send(online, timedelta())]


def test_the_wall_time_of_checks_is_charged_to_the_owner_whatever_came_of_them() -> None:
    version = checked(a_user(), 2.0)
    again = an_upload(version.bot)
    report(again, seconds=1.5, outcome="void", replay=b"")
    report(again, seconds=1.6, outcome="returned", replay=b"")
    assert Spending.objects.get(holder=version.bot.owner_id).amount == 5100
    assert owners_over_budget() == {version.bot.owner_id: 5100}


def test_an_order_of_a_check_has_what_is_left_of_the_owners_day_and_at_least_a_second() -> None:
    version = an_upload(a_bot())
    left = []
    for seconds in (2.5, 1.0, 600.0):
        left.append(order_of_set(version.check_set, []).patience_ms)
        count_check(version.pk, seconds, "tester/1")
    assert [*left, order_of_set(version.check_set, []).patience_ms] == [4000, 1500, 1000, 0]


def test_a_ladders_set_is_played_until_it_is_over() -> None:
    played = create_set(ladder=a_ladder(players=2), versions=[a_version().pk, a_version().pk])
    assert order_of_set(played, claim(match_set=played)).patience_ms == 0


def test_a_new_day_begins_with_the_whole_budget() -> None:
    version = checked(a_user(), 30.0)
    assert patience_ms(version) == 0
    Spending.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert (patience_ms(version), owners_over_budget()) == (CHECK_MS.most, {})


@pytest.mark.parametrize("seconds", [1e18, -5.0])
def test_no_worker_charges_more_than_a_check_can_take_and_none_gives_time_back(seconds: float) -> None:
    version = an_upload(a_bot())
    report(version, outcome="returned", replay=b"", seconds=seconds)
    assert 0 <= Spending.objects.get(holder=version.bot.owner_id).amount <= 600_000


def test_what_a_spaces_own_worker_says_of_its_time_counts_for_nobody() -> None:
    count_check(an_upload(a_bot()).pk, 60.0, "lab@bio1/7")
    assert owners_over_budget() == {}
    assert not is_resting()


def test_a_check_that_was_given_back_waits_for_honest_checks_and_ladders() -> None:
    sleeper = an_upload(a_bot())
    report(sleeper, outcome="returned", replay=b"", seconds=5.1)
    played = create_set(ladder=a_ladder(players=2), versions=[a_version().pk, a_version().pk])
    honest = an_upload(a_bot())
    assert sent() == [honest.check_set, played]
    broker().delete(RESTS.format(CHECK_MS.name))
    assert sent() == [honest.check_set, played]
    report(honest)
    broker().delete(RESTS.format(CHECK_MS.name))
    assert sent() == [sleeper.check_set, played]


def test_the_bots_page_says_to_its_owner_alone_that_a_check_takes_turns(client: Client) -> None:
    version = an_upload(checked(a_user(), 7.0).bot)
    words = "have taken 7 s of the workers' time. Those of others come first, and this one takes turns"
    for user, shown in ((version.bot.owner, True), (a_user(), False)):
        client.force_login(user)
        page = unescape(client.get(f"/bots/{version.bot_id}/").content.decode())
        assert (words in page) is shown


def waits(version: Version, seconds: float, needs: str = "python") -> None:
    """Let it have been uploaded so long ago."""
    uploaded = timezone.now() - timedelta(seconds=seconds)
    MatchSet.objects.filter(pk=version.check_set.pk).update(created_at=uploaded, needs=needs)


def taking_turns() -> Match:
    """A check that takes turns and is being played."""
    version = an_upload(checked(a_user(), 6.0).bot)
    (match,) = claim(match_set=version.check_set)
    assert renew_lease(match=match.pk, lease=match.lease, worker="worker/0")
    return match


@pytest.mark.parametrize(("seconds", "status"), [(1.0, "leased"), (5.0, "waiting")])
def test_a_check_that_comes_first_and_waits_sends_back_those_that_take_turns(seconds: float, status: str) -> None:
    match = taking_turns()
    waits(honest := an_upload(a_bot()), seconds)
    assert sent() == [honest.check_set]
    match.refresh_from_db()
    assert match.status == status


def test_a_check_that_was_sent_back_is_charged_and_played_when_no_other_waits() -> None:
    match = taking_turns()
    Attempt.objects.filter(match=match).update(sent_at=timezone.now() - timedelta(seconds=20))
    waits(honest := an_upload(a_bot()), 5.0)
    assert sent() == [honest.check_set]
    attempt = match.attempts.get()
    assert (attempt.outcome, attempt.reason, attempt.failed) == ("returned", "checks of others came first", False)
    (charged,) = owners_over_budget().values()
    assert 26_000 <= charged < 30_000
    (played,) = reports(order_of_set(honest.check_set, claim(match_set=honest.check_set)))
    assert sent() == []
    assert record_report(played) == "recorded"
    assert sent() == [match.set]


@pytest.mark.parametrize("state", ["unplayable", "of a space with workers", "played already", "old"])
def test_a_check_that_cannot_be_played_now_sends_none_back(state: str) -> None:
    match, honest = taking_turns(), an_upload(a_bot())
    needs = {"unplayable": "rust", "of a space with workers": "bio1:python"}.get(state, "python")
    waits(honest, 700.0 if state == "old" else 5.0, needs)
    if state == "played already":
        (begun,) = claim(match_set=honest.check_set)
        renew_lease(match=begun.pk, lease=begun.lease, worker="worker/1")
    sent()
    match.refresh_from_db()
    assert match.status == "leased"


def nobodys() -> User:
    """An account of the site's own, as the demo makes them."""
    owner = a_user()
    owner.set_unusable_password()
    owner.save()
    return owner


def test_checks_of_the_sites_own_bots_come_after_those_that_come_first_and_wait_for_nothing_else() -> None:
    house, slow = checked(nobodys(), 9.0), checked(a_user(), 600.0)
    assert owners_over_budget() == {house.bot.owner_id: HOUSE, slow.bot.owner_id: 600_000}
    assert is_resting()
    by_house, turn = an_upload(house.bot), an_upload(slow.bot)
    played = create_set(ladder=a_ladder(players=2), versions=[a_version().pk, a_version().pk])
    assert sent() == [by_house.check_set, played]
    report(by_house)
    honest, again = an_upload(a_bot()), an_upload(house.bot)
    assert sent() == [honest.check_set, played]
    report(honest)
    assert sent() == [again.check_set, played]
    assert turn.status == "checking"


def test_checks_of_the_sites_own_bots_may_have_all_workers() -> None:
    """A new site begins with them, and its ladders with the bots that have passed."""
    checks = [an_upload(a_bot(nobodys())).check_set for _ in range(3)]
    create_set(ladder=a_ladder(players=2), versions=[a_version().pk, a_version().pk])
    crew = tuple(OnlineProcess.of(f"worker/{number}", TAG, ["python"]) for number in range(2))
    online = AvailableWorkers(crew, any_online=True, tags=(TAG,))
    assert [match_set for match_set, _ in sets_to_send(online, timedelta())][:3] == checks


def test_checks_of_the_sites_own_bots_give_ladders_no_time_to_make_up_for() -> None:
    checked(nobodys(), 9.0)
    assert not is_resting()


@pytest.mark.parametrize(
    "seen",
    [{"last_login": timezone.now()}, {"email": "ada@example.org"}, {"is_active": False}, {"password": "scrypt$"}],
)
def test_an_account_that_somebody_may_sign_in_to_is_not_the_sites_own(seen: dict[str, Any]) -> None:
    owner = nobodys()
    User.objects.filter(pk=owner.pk).update(**seen)
    assert not house().exists()


def test_no_check_rests_while_nothing_else_waits() -> None:
    sleeper = an_upload(a_bot())
    report(sleeper, outcome="returned", replay=b"", seconds=5.1)
    assert sent() == [sleeper.check_set]
    assert is_resting()


def test_rests_add_up() -> None:
    for _ in range(3):
        checked(a_user(), 20.0)
    assert 55_000 < broker().pttl(RESTS.format(CHECK_MS.name)) <= 60_750


def test_uploads_of_one_owner_hide_no_check_of_another_who_takes_turns_too() -> None:
    hog, modest = checked(a_user(), 60.0).bot.owner, checked(a_user(), 6.0).bot.owner
    for _ in range(20):
        an_upload(a_bot(hog))
    awaited = an_upload(a_bot(modest))
    assert sent() == [awaited.check_set]
