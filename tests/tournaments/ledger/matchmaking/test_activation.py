"""A bot goes back to an earlier version at a pace, and keeps its rating."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import a_bot, a_completed_set, a_ladder, a_version, an_upload, rate
from tests.tournaments.ledger.ladders.entering import ONE, OTHER, code, enters
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.activation import activate
from tournaments.models import Entry, Version

pytestmark = pytest.mark.django_db


def test_going_back_and_forth_keeps_the_rating_and_has_a_pace() -> None:
    ladder, bot = a_ladder(players=2, version_pause=10), a_bot()
    old, rival = a_version(bot, ONE), a_version()
    for version in (old, rival):
        enters(ladder, version.bot)
    a_completed_set(ladder, [old, rival])
    rate()
    kept = old.ratings.get()
    new = a_version(bot, OTHER)
    assert code(lambda: activate(version=old, by=bot.owner)) == "too_soon"
    Version.objects.filter(pk=new.pk).update(activated_at=timezone.now() - timedelta(minutes=10, seconds=1))
    activate(version=old, by=bot.owner)
    assert code(lambda: an_upload(bot, OTHER)) == "already_uploaded"
    line = next(line for line in standings(ladder) if line.bot_id == bot.pk)
    assert (line.version_id, line.games) == (old.pk, kept.games)
    assert old.ratings.get().elo == kept.elo


def test_a_suspended_bot_goes_back_at_once() -> None:
    ladder, bot = a_ladder(), a_bot()
    old = a_version(bot, ONE)
    enters(ladder, bot)
    a_version(bot, OTHER)
    Entry.objects.update(status=Entry.Status.SUSPENDED)
    activate(version=old, by=bot.owner)
    assert Entry.objects.get().status == "playing"
