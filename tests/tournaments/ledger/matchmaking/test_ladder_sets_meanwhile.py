"""Whether sets are dealt at all is decided where they are written."""

import pytest

from tests.factories import a_ladder, a_user
from tests.meanwhile import meanwhile
from tests.tournaments.ledger.matchmaking.test_ladder_sets import entered
from tournaments.ledger.acts import Close, Pause
from tournaments.ledger.acts.ladder_status import StatusChange
from tournaments.ledger.matchmaking.ladder_sets import pair
from tournaments.models import Ladder

pytestmark = pytest.mark.django_db(transaction=True)
TABLES_CHOSEN = 'MAX("tournaments_matchset"."number")'


@pytest.fixture
def ladder() -> Ladder:
    ladder = a_ladder(players=2)
    entered(ladder, 2)
    return ladder


@pytest.mark.parametrize("act", [Close, Pause])
def test_no_set_is_dealt_in_a_ladder_that_is_closed_or_paused_once_its_tables_are_chosen(
    act: type[StatusChange], ladder: Ladder
) -> None:
    organiser = a_user(staff=True)
    with meanwhile(lambda: act(ladder).do(by=organiser, reason="test"), after=TABLES_CHOSEN) as other:
        assert pair() == 0
    assert other.outcome()
    assert not ladder.sets.exists()


def test_sets_that_are_dealt_while_a_ladder_is_closed_are_cancelled_with_the_others(ladder: Ladder) -> None:
    organiser = a_user(staff=True)
    dealt = "INSERT INTO tournaments_seat"
    with meanwhile(lambda: Close(ladder).do(by=organiser, reason="test"), after=dealt) as other:
        assert pair() == 4
    assert other.outcome()
    assert set(ladder.sets.values_list("status", flat=True)) == {"cancelled"}
