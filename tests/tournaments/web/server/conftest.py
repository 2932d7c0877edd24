from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from engine.replay import Replay, read_replay
from tests.factories import a_ladder, a_version, reports
from tests.tournaments.web.server.stand import Stand, a_stand
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import MatchSet

STREAMS = 6  # that one address may have


@pytest.fixture(scope="package")
def server(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Stand]:
    with django_db_blocker.unblock(), a_stand(LIVE_STREAMS=str(STREAMS)) as stand:
        yield stand


@pytest.fixture
def stand(server: Stand, transactional_db: None) -> Stand:
    return server


@dataclass
class Played:
    """A match with a worker, and how it will go."""

    stand: Stand
    set: MatchSet
    number: int
    replay: Replay

    @property
    def path(self) -> str:
        return f"/live/matches/{self.number}/stream"

    def tell(self, begin: int = 0, end: int | None = None, *, lease: int = 1, **more: Any) -> None:
        """Say what its worker would say of these answers."""
        answers = self.replay.answers[begin:end]
        self.stand.tell(self.number, lease, {"from": begin, "answers": answers, "over": end is None, **more})


def a_match(stand: Stand, **settings: object) -> Played:
    ladder = a_ladder(**settings)  # type: ignore[arg-type]
    made = create_set(ladder=ladder, versions=[a_version().pk for _ in range(3)])
    order = order_of_set(made, claim(match_set=made))
    report = reports(order)[0]
    return Played(stand, made, report.match, read_replay(report.replay))


@pytest.fixture
def match(stand: Stand) -> Played:
    return a_match(stand)
