"""Notices of turns in games of several people."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import a_ladder, a_user
from tests.meanwhile import meanwhile
from tests.practising import a_shared_table
from tournaments.features.practice.slow_play import sweep_practice_deadlines
from tournaments.models import Notice, Practice

pytestmark = pytest.mark.django_db(transaction=True)
DUE_LISTED = '"tournaments_practice"."notify_at" <'


def test_nobody_is_told_before_time_of_a_turn_that_began_while_others_were_listed() -> None:
    practice = a_shared_table(a_user(), a_ladder(players=2), a_user())
    rows, now = Practice.objects.filter(pk=practice.pk), timezone.now()
    rows.update(notify_at=now - timedelta(seconds=1))
    notices, later = Notice.objects.count(), now + timedelta(minutes=2)
    with meanwhile(lambda: rows.update(notify_at=later), after=DUE_LISTED) as other:
        sweep_practice_deadlines()
    assert other.outcome() == 1
    assert rows.get().notify_at == later
    assert Notice.objects.count() == notices
