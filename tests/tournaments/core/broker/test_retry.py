import pytest
from django.db import IntegrityError, OperationalError
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as NoRedis

from engine.records import to_plain
from tests.factories import a_bot, an_upload, reports
from tournaments.core.broker.retry import LONGEST_PAUSE, retry_while_unavailable
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.recording.tasks import record_match

pytestmark = pytest.mark.django_db


def test_what_needs_a_server_that_is_away_is_tried_again_at_growing_pauses() -> None:
    troubles = [OperationalError("no database"), BrokerError("no broker"), *[NoRedis("no Redis")] * 6]
    pauses: list[float] = []

    def act() -> str:
        if troubles:
            raise troubles.pop()
        return "done"

    assert retry_while_unavailable(act, pauses.append) == "done"
    assert pauses == [0.2, 0.4, 0.8, 1.6, 3.2, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]


def test_what_is_wrong_for_good_is_not_tried_again() -> None:
    def act() -> None:
        raise IntegrityError("a rule of the database")

    with pytest.raises(IntegrityError):
        retry_while_unavailable(act)


def test_the_task_that_takes_reports_records_them() -> None:
    check = an_upload(a_bot()).check_set
    (report,) = reports(order_of_set(check, claim(match_set=check)))
    plain = to_plain(report)
    assert (record_match(plain), record_match(plain)) == ("recorded", "already recorded")
    assert record_match("nonsense") == "refused: the report names no worker"
