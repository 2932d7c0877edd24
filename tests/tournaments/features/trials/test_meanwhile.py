"""Versions of a bot take over one at a time."""

from functools import partial

import pytest

from engine.referee import Verdict
from tests.factories import a_ladder, a_version, an_upload, play_set
from tests.meanwhile import meanwhile
from tournaments.features.trials.rules import deal_trials, set_gate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.activation import activate
from tournaments.models import Trial, Version

pytestmark = pytest.mark.django_db(transaction=True)
CANDIDATE_TAKES_OVER = 'UPDATE "tournaments_version"'


def test_a_version_that_wins_its_trial_and_one_that_is_activated_do_not_both_play() -> None:
    old = a_version()
    bot, owner = old.bot, old.bot.owner
    enter_in_ladder(ladder=a_ladder(players=2), bot=bot, by=owner)
    champion = a_version(bot)
    old.refresh_from_db()
    set_gate(bot=bot, gate="auto", by=owner)
    bot.refresh_from_db()
    candidate = an_upload(bot)
    play_set(candidate.check_set)
    trial = Trial.objects.get(candidate=candidate)
    for _ in range(15):
        deal_trials()
        play_set(trial.sets.latest("pk"), faults={champion.pk: Verdict.CRASHED})
    deal_trials()
    last = trial.sets.latest("pk")
    Version.objects.filter(bot=bot).update(activated_at=None)
    with meanwhile(partial(activate, version=old, by=owner), after=CANDIDATE_TAKES_OVER) as other:
        play_set(last, faults={champion.pk: Verdict.CRASHED})
    assert other.began
    other.outcome()
    assert [version.pk for version in Version.objects.filter(bot=bot, status="active")] == [old.pk]
    trial.refresh_from_db()
    assert trial.status == "promoted"
