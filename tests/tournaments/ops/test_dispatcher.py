"""When the dispatcher looks, and what wakes it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import a_completed_set, a_ladder, a_user, a_version, play_set
from tests.holding import a_running, an_event, open_sets
from tournaments.core.broker import queues
from tournaments.core.broker.news import News
from tournaments.features.courses.steps import freeze_ended_courses
from tournaments.features.events.lifecycle import advance_events
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.models import Course, Event
from tournaments.ops import dispatcher
from tournaments.ops.dispatcher import BUSY, CALM, LOOKING, QUIET, SOON, Rounds, without_work
from workers import process_heartbeats
from workers.orders import TAG
from workers.process_heartbeats import OnlineProcess


def pauses(rounds: Rounds, *, news_at: int) -> list[float]:
    """The pauses between 8 rounds that find nothing, before one of which there were news."""
    lengths, now = [], 0.0
    for number in range(8):
        assert rounds.due(now, news=number == news_at)
        rounds.ended(now, worked=False)
        lengths.append(rounds._next - now)
        now = rounds._next
    return lengths


def test_pauses_grow_while_nothing_happens_and_news_shorten_them() -> None:
    assert pauses(Rounds(), news_at=7) == [SOON, 0.5, 1.0, 2.0, 4.0, 8.0, QUIET, SOON]


def test_news_are_looked_into_at_once_and_work_goes_on() -> None:
    rounds = Rounds()
    rounds.ended(0.0, worked=False)
    assert not rounds.due(SOON / 2, news=False)
    assert rounds.due(SOON / 2, news=True)
    rounds.ended(SOON / 2, worked=True)
    assert rounds.due(SOON / 2 + BUSY, news=False)


def test_news_do_not_hurry_a_round_while_workers_have_enough_to_do() -> None:
    rounds = Rounds()
    rounds.ended(0.0, worked=True, pause=CALM)
    assert not rounds.due(CALM / 2, news=True)
    assert rounds.due(CALM, news=False)


def test_not_every_round_goes_through_all_ladders() -> None:
    rounds = Rounds()
    assert set(rounds.turns(0.0)) == LOOKING.keys()
    quickest, slowest = (choose(step.every for step in LOOKING.values()) for choose in (min, max))
    assert rounds.turns(quickest / 2) == []
    assert set(rounds.turns(quickest)) == {step.name for step in LOOKING.values() if step.every == quickest}
    assert set(rounds.turns(slowest)) == LOOKING.keys()
    later = slowest + quickest
    assert not set(rounds.turns(later, hurry=False)) & {"pairing", "events"}
    assert {"pairing", "events"} <= set(rounds.turns(later))


def test_no_news_are_looked_for_while_none_could_make_a_round_due() -> None:
    rounds = Rounds()
    rounds.ended(0.0, worked=True, pause=CALM)
    assert rounds.rests(CALM / 2)
    assert not rounds.rests(CALM)


@pytest.mark.django_db
def test_what_is_written_who_comes_and_what_the_broker_forgets_are_news() -> None:
    news = News()
    queues.note_epoch()
    news.look()
    a_user()
    assert news.look()
    seen = queues.who_is_here()
    newcomer = str(OnlineProcess.of("newcomer", TAG, ["python"]))
    queues.broker().zadd(process_heartbeats.WORKERS, {newcomer: 1})
    arrived = queues.who_is_here()
    queues.broker().zrem(process_heartbeats.WORKERS, newcomer)
    queues.broker().delete(queues.EPOCH)
    assert seen != arrived != queues.who_is_here() != seen
    assert news.look()


@pytest.mark.django_db
def test_a_round_that_finds_nothing_writes_nothing() -> None:
    """Or it would be its own news."""
    a_ladder()
    while dispatcher.dispatch_round():
        pass
    with CaptureQueriesContext(connection) as queries:
        assert dispatcher.dispatch_round() == 0
    for query in queries:
        assert query["sql"].split()[0] in {"SELECT", "WITH", "SAVEPOINT", "RELEASE", "UPDATE"}, query["sql"]
        assert "FOR UPDATE" not in query["sql"]


@pytest.mark.django_db
def test_a_step_that_has_nothing_to_do_is_left_out_and_comes_back_with_work() -> None:
    ladder, versions = a_ladder(players=2), [a_version(), a_version()]
    assert {"classic ratings", "courses", "trials", "events", "final runs", "luck", "practices"} <= without_work()
    assert "pairing" not in without_work()
    a_completed_set(ladder, versions)
    assert "classic ratings" not in without_work()
    dispatcher.dispatch_round()
    assert "classic ratings" in without_work()


@pytest.mark.django_db
def test_an_event_has_its_turn_when_its_round_is_over_or_its_time_has_come() -> None:
    event = a_running(4)
    assert "events" in without_work()
    for match_set in open_sets(event):
        play_set(match_set)
    assert "events" not in without_work()
    advance_events()
    assert "events" in without_work()
    coming = an_event([a_version().bot, a_version().bot], starts_at=timezone.now() + timedelta(hours=1))
    assert "events" in without_work()
    for due in ({"check_in_minutes": 5}, {"starts_at": timezone.now()}):
        Event.objects.filter(pk=coming.pk).update(**due)
        assert "events" not in without_work()
        Event.objects.filter(pk=coming.pk).update(called_at=timezone.now())


@pytest.mark.django_db
def test_a_course_has_its_turn_when_its_deadline_is_over() -> None:
    course = Course.objects.create(ladder=a_ladder(), deadline=timezone.now() + timedelta(hours=1))
    assert "courses" in without_work()
    for due in ({"deadline": timezone.now()}, {"deadline": None, "final_after": 1}):
        Course.objects.filter(pk=course.pk).update(**due)
        assert "courses" not in without_work()


@pytest.mark.django_db
def test_what_has_nothing_to_do_asks_one_simple_question() -> None:
    a_running(4)
    for step in (rate, advance_events, freeze_ended_courses):
        with CaptureQueriesContext(connection) as queries:
            assert step() == 0
        assert len(queries) == 1, step
        assert "rechecks" not in queries[0]["sql"], step


@pytest.mark.django_db
def test_a_step_that_does_not_say_what_it_waits_for_always_has_its_turn() -> None:
    assert without_work() <= {step.name for step in LOOKING.values() if step.pending}
