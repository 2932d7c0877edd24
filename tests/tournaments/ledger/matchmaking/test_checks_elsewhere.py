"""A check that went wrong at one worker is played by another before a version is refused, where there is one."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.records import to_plain
from engine.referee import Verdict
from tests.factories import a_bot, an_upload, hand_in, reports
from tournaments.core.broker import queues
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.spot_checks import assign_due
from tournaments.models import Attempt, Version, Worker
from workers.orders import TAG
from workers.process_heartbeats import WORKERS, OnlineProcess

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody() -> Iterator[None]:
    queues.broker().delete(WORKERS)
    yield
    queues.broker().delete(WORKERS)


@pytest.fixture
def version() -> Version:
    return an_upload(a_bot())


def online(*names: str) -> None:
    """Let these workers be online, and the site have heard of them."""
    for name in names:
        Worker.objects.get_or_create(name=name)
        queues.broker().zadd(WORKERS, {str(OnlineProcess.of(f"{name}/1", TAG, ["python"])): 2**40})


def play_as(worker: str, version: Version, verdict: Verdict | None = None, **changes: Any) -> str:
    """Return what becomes of a worker's report of a check."""
    order = order_of_set(version.check_set, claim(match_set=version.check_set))
    (report,) = reports(order, faults={version.pk: verdict} if verdict else None)
    outcome = hand_in(to_plain(replace(report, worker=f"{worker}/1", **changes)))
    version.refresh_from_db()
    return outcome


def asked(version: Version) -> str:
    """Return which worker is to play the check."""
    version.check_set.refresh_from_db()
    return version.check_set.needs.removeprefix("@").partition("/")[0]


@pytest.mark.parametrize("verdict", [Verdict.TIMED_OUT, Verdict.CRASHED, Verdict.ILLEGAL_ANSWER])
def test_a_check_that_fails_at_one_worker_alone_is_passed(version: Version, verdict: Verdict) -> None:
    online("ada", "bob", "eve")
    assert play_as("ada", version, verdict) == "noted"
    assert (version.status, version.report) == ("checking", "")
    assert asked(version) in ("bob", "eve")
    assert play_as(asked(version), version) == "recorded"
    assert version.status == "active"


def test_a_check_that_fails_at_two_workers_is_refused_with_what_the_second_saw(version: Version) -> None:
    online("ada", "bob")
    assert play_as("ada", version, Verdict.TIMED_OUT) == "noted"
    assert play_as("ada", version, Verdict.TIMED_OUT) == "noted"  # its own word again is no other's
    assert asked(version) == "bob"
    assert play_as("bob", version, Verdict.CRASHED) == "recorded"
    assert version.status == "rejected"
    assert "crashed" in version.report
    assert list(Attempt.objects.order_by("pk").values_list("outcome", "failed")) == [
        ("refused", False),
        ("refused", False),
        ("recorded", False),
    ]


@pytest.mark.parametrize("workers", [(), ("ada",)])
def test_with_one_worker_its_word_stands(version: Version, workers: tuple[str, ...]) -> None:
    online(*workers)
    Worker.objects.create(name="gone")
    ghost = OnlineProcess.of("ghost/1", TAG, ["python"])  # announced, and never heard of
    queues.broker().zadd(WORKERS, {str(ghost): 2**40})
    assert play_as("ada", version, Verdict.TIMED_OUT) == "recorded"
    assert version.status == "rejected"


@pytest.mark.parametrize("changes", [{"replay": b"no replay"}, {"outcome": "void", "replay": b""}])
def test_a_check_that_a_worker_spoils_goes_to_another_before_it_is_given_up(
    version: Version, changes: dict[str, Any]
) -> None:
    online("ada", "bob", "eve")
    play_as("ada", version, **changes)
    assert assign_due() == 1
    second = asked(version)
    assert second in ("bob", "eve")
    assert assign_due() == 0
    play_as(second, version, **changes)
    assign_due()
    assert {"ada", second, asked(version)} == {"ada", "bob", "eve"}
    assert play_as(asked(version), version) == "recorded"
    assert version.status == "active"


def test_where_the_other_is_gone_anybody_plays_it(version: Version) -> None:
    online("ada", "bob")
    play_as("ada", version, Verdict.TIMED_OUT)
    queues.broker().delete(WORKERS)
    online("ada")
    assert (assign_due(), asked(version)) == (1, "")
    assert play_as("ada", version, Verdict.TIMED_OUT) == "recorded"
    assert version.status == "rejected"


def test_a_check_that_was_given_back_for_its_time_stays_where_all_take_it(version: Version) -> None:
    online("ada", "bob")
    play_as("ada", version, outcome="returned", replay=b"")
    assert (assign_due(), asked(version)) == (0, "")
