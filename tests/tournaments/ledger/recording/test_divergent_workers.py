"""No play of a spot check is taken as compared that was not."""

from functools import partial
from typing import Any

import pytest

from tests.factories import a_ladder
from tests.meanwhile import meanwhile
from tests.tournaments.ledger.matchmaking.test_spot_checks import a_set, play_as, to_check
from tournaments.ledger.matchmaking.spot_checks import play_match_again
from tournaments.ledger.recording.divergent_workers import conclude_spot_checks
from tournaments.models import MatchSet

pytestmark = pytest.mark.django_db(transaction=True)
PLAYS_READ = 'FROM "tournaments_result"'


def test_a_play_that_ends_while_others_are_compared_is_compared_too(settings: Any) -> None:
    settings.SPOT_CHECKS = 1.0
    played = a_set(a_ladder(players=2))
    play_as("ada", played)
    match = played.matches.first()
    assert match
    first, late = to_check()[0], play_match_again(match)
    play_as("bob", first)
    with meanwhile(partial(play_as, "eve", late, "lies"), after=PLAYS_READ) as other:
        conclude_spot_checks()
    other.outcome()
    assert MatchSet.objects.get(pk=late.pk).reason == ""
    assert conclude_spot_checks() == 1
    assert MatchSet.objects.get(pk=late.pk).reason
