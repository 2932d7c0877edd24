"""Match workers on hosts of their own, over bad lines: all they need is the broker and the site."""

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.db.models import QuerySet
from django.test import override_settings

from tests.factories import SAMPLE, a_bot, a_ladder, an_upload
from tests.faults.crew import Crew
from tests.hosts.doors import Certificate
from tests.hosts.lines import SITE
from tests.hosts.world import Host, World, a_world, why_not
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.models import Attempt, Ladder, Match, MatchSet, Result

pytestmark = pytest.mark.django_db(transaction=True)
SLOW = SAMPLE.replace(
    b"    return", b"    import time\n\n    time.sleep(0.03)\n    return"
)  # a match takes two seconds
PATIENCE = 180  # seconds, on a machine that is busy with other things
Hosts = tuple[World, Host, Host]


@pytest.fixture(scope="module")
def hosts(crew: Crew, live_server: Any) -> Iterator[Hosts]:
    if reason := why_not():
        assert not os.environ.get("CI"), f"several hosts are not tested: {reason}"
        pytest.skip(f"SEVERAL HOSTS ARE NOT TESTED HERE: {reason}")
    with (
        override_settings(ALLOWED_HOSTS=["*"]),
        a_world(crew, live_server.url, "east", "west") as (world, (east, west)),
    ):
        yield world, east, west


def test_a_workers_host_reaches_the_broker_and_the_site_and_nothing_else(hosts: Hosts) -> None:
    world, east, _ = hosts
    doors = (world.broker_door, world.site_door, world.database_door, world.database)
    assert world.reaches(*doors) == [True, True, True, True]
    assert east.reaches(*doors) == [True, True, False, False]


def test_a_worker_does_not_start_with_a_broker_that_does_not_prove_who_it_is(hosts: Hosts) -> None:
    world, east, _ = hosts
    assert east.start(Certificate(world.crew.folder, "another")).wait(60) == 1
    last_line = east.log.read_text().splitlines()[-1]
    assert last_line.startswith(f"This match worker cannot start: the broker at {SITE} does not prove who it is")
    assert "SSL_CERT_FILE must name" in last_line


def test_over_bad_lines_and_through_a_cut_everything_is_recorded_once(hosts: Hosts) -> None:
    world, east, west = hosts
    ladder = a_ladder(players=2, sets_wanted=1000)
    for number in range(3):
        version = an_upload(a_bot(), SLOW + f"# {number}\n".encode())
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    east.start(world.certificate)
    west.start(world.certificate)
    world.crew.start("recorder", "dispatcher")
    until = partial(world.crew.until, seconds=PATIENCE)
    until("both to have played", lambda: {"east", "west"} <= players_of(ladder))
    a_report_of_before_the_cut_is_refused(world, east)
    before = by_east().count()
    until("east to play on", lambda: by_east().count() > before)
    world.crew.stop("dispatcher")
    assert_sound(ladder)
    assert all(host.line.lost > host.line.carried // 200 for host in (east, west))


def a_report_of_before_the_cut_is_refused(world: World, host: Host) -> None:
    until = partial(world.crew.until, seconds=PATIENCE)
    lost = cut_off_at_a_match(world, host)
    host.line.cut = False
    until("its report to be refused", lambda: fresh(lost).outcome == "refused")
    assert "; then its report came, refused: lease" in fresh(lost).reason
    until("the match to be recorded", lambda: Result.objects.filter(match=lost.match_id).exists())
    assert Result.objects.get(match=lost.match_id).lease > lost.lease


def players_of(ladder: Ladder) -> set[str]:
    workers = Result.objects.filter(match__set__ladder=ladder).values_list("worker", flat=True)
    return {worker.partition("/")[0] for worker in workers}


def by_east() -> QuerySet[Result]:
    return Result.objects.filter(worker__startswith="east/")


def cut_off_at_a_match(world: World, host: Host) -> Attempt:
    """Return what it was at when its line was cut, and which has been sent to another since."""
    for _ in range(10):
        world.crew.until(f"{host.name} to be at a match", at_work(host.name).exists, PATIENCE)
        if not (lost := at_work(host.name).last()):
            continue
        host.line.cut = True
        world.crew.until("the match to be over or sent again", lambda: over(lost) or sent_again(lost), PATIENCE)
        if sent_again(lost):
            return lost
        host.line.cut = False  # its report had slipped through
    raise AssertionError(f"{host.name} was never cut off at a match")


def over(attempt: Attempt) -> bool:
    return Match.objects.filter(pk=attempt.match_id, status="done").exists()


def sent_again(attempt: Attempt) -> bool:
    return Match.objects.filter(pk=attempt.match_id, lease__gt=attempt.lease).exists()


def at_work(name: str) -> QuerySet[Attempt]:
    playing = Attempt.objects.filter(outcome="playing", match__status="leased")
    return playing.filter(worker__startswith=f"{name}/").order_by("pk")


def fresh(attempt: Attempt) -> Attempt:
    return Attempt.objects.get(pk=attempt.pk)


def assert_sound(ladder: Ladder) -> None:
    with transaction.atomic():
        done = Match.objects.select_for_update().filter(status="done").count()
        assert Result.objects.count() == Attempt.objects.filter(outcome="recorded").count() == done
    assert not MatchSet.objects.filter(status="complete").exclude(matches__status="done").exists()
    recompute(ladder=ladder)
    assert recompute(ladder=ladder) == {}
