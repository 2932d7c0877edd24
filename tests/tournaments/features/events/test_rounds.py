"""A round is not dealt by the result of a set that is voided at that moment."""

import pytest

from tests.factories import a_user
from tests.holding import SWISS, a_running, open_sets, play_round
from tests.meanwhile import meanwhile
from tournaments.core.errors import Refused
from tournaments.features.events.rounds import continue_event
from tournaments.ledger.acts import VoidSet

pytestmark = pytest.mark.django_db(transaction=True)
ROUND_PLANNED = 'FROM "tournaments_entrant"'


def test_a_set_is_not_voided_whose_result_a_round_is_being_dealt_by() -> None:
    event, organiser = a_running(4, SWISS), a_user(staff=True)
    played = open_sets(event)[0]
    play_round(event)
    void = VoidSet(set=played)
    with meanwhile(lambda: void.do(by=organiser, reason="test"), after=ROUND_PLANNED) as other:
        assert continue_event(event=event) == 2
    with pytest.raises(Refused, match="later rounds of its event were paired by its result"):
        other.outcome()
    played.refresh_from_db()
    assert played.status == "complete"
