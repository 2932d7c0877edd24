"""What waiting sets need of a worker: languages, and what its machine must have."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tests.factories import a_ladder, a_user, a_version
from tests.spaces import a_space
from tournaments.audit.log import PLATFORM
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.ledger.acts.ladder_settings import ChangeSettings
from tournaments.ledger.dispatch.open_lines import write_needs
from tournaments.ledger.dispatch.waiting_sets import sets_to_send
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Ladder, MatchSet
from workers.orders import TAG
from workers.process_heartbeats import OnlineProcess

pytestmark = pytest.mark.django_db


def a_set(**settings: Any) -> MatchSet:
    """A set of two bots in a ladder with these settings."""
    ladder = a_ladder(players=2, **settings)
    return create_set(ladder=ladder, versions=[a_version().pk, a_version().pk])


def needs(match_set: MatchSet) -> str:
    write_needs()
    match_set.refresh_from_db()
    return match_set.needs


def online(*offers: str) -> AvailableWorkers:
    return AvailableWorkers((OnlineProcess.of("worker/0", TAG, ["python", *offers]),), any_online=True, tags=(TAG,))


def sent(online: AvailableWorkers) -> list[MatchSet]:
    return [match_set for match_set, _ in sets_to_send(online, timedelta())]


@pytest.mark.parametrize(
    ("settings", "written"),
    [
        ({}, "python"),
        ({"memory_mb": 2048}, "python"),
        ({"memory_mb": 2049}, "python,6gb"),
        ({"memory_mb": 65_536, "threads": 1024}, "python,128gb,2048threads"),
        ({"threads": 64}, "python"),
        ({"threads": 65}, "python,192threads"),
    ],
)
def test_a_set_needs_what_its_bots_may_use_together(settings: dict[str, int], written: str) -> None:
    assert needs(a_set(**settings)) == written


def test_a_set_of_a_space_needs_what_its_bots_are_allowed_there() -> None:
    match_set = a_set(memory_mb=65_536, threads=1024)
    Ladder.objects.filter(sets=match_set).update(space=a_space())
    assert needs(match_set) == "python"


def test_a_set_goes_to_no_worker_that_it_exceeds() -> None:
    large, usual = a_set(memory_mb=12_000), a_set()
    assert sent(online("6gb", "8gb", "16gb")) == [usual]
    assert large in sent(online("24gb"))


def test_a_set_is_sent_again_once_its_ladder_asks_for_less() -> None:
    match_set = a_set(memory_mb=12_000)
    assert needs(match_set) == "python,24gb"
    ladder = Ladder.objects.get(sets=match_set)
    ChangeSettings(ladder, {"memory_mb": 512}).do(by=PLATFORM, reason="too much")
    assert needs(match_set) == "python"


def test_the_desk_says_why_it_waits(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match_set = a_set(memory_mb=12_000, threads=1024)
    needs(match_set)
    waits = f"Sets of {Ladder.objects.get().slug} wait: no worker"
    monkeypatch.setattr(AvailableWorkers, "here", lambda: online("6gb"))
    client.force_login(a_user(staff=True))
    page = unescape(client.get("/desk/").content.decode())
    assert f"{waits} has 24 GB of memory for their bots." in page
    assert f"{waits} allows their bots 2048 threads." in page
    monkeypatch.setattr(AvailableWorkers, "here", lambda: online("24gb", "2048threads"))
    assert "wait: no worker" not in client.get("/desk/").content.decode()
