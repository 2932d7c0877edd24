"""The luck of every rated match is told."""

import pytest
from django.db import transaction

from tests.factories import play_set
from tests.meanwhile import meanwhile
from tests.tournaments.features.luck.test_luck_adjusted_ratings import fitted
from tournaments.features.luck.match_luck import compute_luck, without_luck_yet
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.official_fit import refit
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import LadderLuck

pytestmark = pytest.mark.django_db(transaction=True)
FITTED = 'FROM "tournaments_ratingmoves"'


def test_luck_is_told_of_sets_that_were_rated_with_a_fit_while_others_were_looked_for() -> None:
    played = fitted()
    ladder = played.ladder
    assert ladder
    assert (compute_luck(), compute_luck()) == (2, 0)
    refit(ladder=ladder)
    versions = list(played.matches.get(turn=0).seats.values_list("version", flat=True))
    play_set(create_set(ladder=ladder, versions=versions))
    with meanwhile(compute_luck, after=FITTED) as other, transaction.atomic():
        rate()
        refit(ladder=ladder)
    other.outcome()
    while compute_luck():
        pass
    assert not without_luck_yet(LadderLuck.objects.get(ladder=ladder)).exists()
