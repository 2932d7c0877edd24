"""A set is cancelled while its matches are recorded: neither waits for ever for the other."""

from functools import partial
from itertools import count

import pytest

from tests.factories import a_ladder, a_version, reports
from tests.meanwhile import meanwhile
from tournaments.ledger.dispatch.leases import cancel, claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Match


@pytest.mark.django_db(transaction=True)
def test_a_set_is_cancelled_while_its_matches_are_recorded() -> None:
    ladder, versions = a_ladder(players=2), [a_version().pk for _ in range(2)]
    for after in count(1):
        made = create_set(ladder=ladder, versions=versions)
        report, _ = reports(order_of_set(made, claim(match_set=made)))
        with meanwhile(partial(record_report, report), after=after) as other:
            cancel(match_set=made, reason="test")
        made.refresh_from_db()
        assert made.status == "cancelled"
        assert not made.matches.filter(status__in=("waiting", "leased")).exists()
        if not other.began:
            return
        recorded = other.outcome() == "recorded"
        assert (Match.objects.get(pk=report.match).status == "done") == recorded
