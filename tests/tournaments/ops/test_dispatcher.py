"""When the dispatcher looks, and what wakes it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import a_completed_set, a_ladder, a_user, a_version
from tournaments.core.broker import queues
from tournaments.core.broker.news import News
from tournaments.ops import dispatcher
from tournaments.ops.dispatcher import BUSY, CALM, LOOKING, QUIET, SOON, Rounds, without_work
from workers import process_heartbeats
from workers.orders import TAG
from workers.process_heartbeats import OnlineProcess


def pauses(rounds: Rounds, *, news_at: int) -> list[float]:
    """Between 8 rounds that find nothing, before one of which there were news."""
    found, now = [], 0.0
    for number in range(8):
        assert rounds.due(now, news=number == news_at)
        rounds.ended(now, worked=False)
        found.append(rounds._next - now)
        now = rounds._next
    return found


def test_pauses_grow_while_nothing_happens_and_news_shorten_them() -> None:
    assert pauses(Rounds(), news_at=6) == [SOON, 0.5, 1.0, 2.0, QUIET, QUIET, SOON, 0.5]


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
    here = str(OnlineProcess.of("newcomer", TAG, ["python"]))
    queues.broker().zadd(process_heartbeats.WORKERS, {here: 1})
    arrived = queues.who_is_here()
    queues.broker().zrem(process_heartbeats.WORKERS, here)
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
    assert {"classic ratings", "trials", "events", "final runs", "luck", "practices"} <= without_work()
    assert "pairing" not in without_work()
    a_completed_set(ladder, versions)
    assert "classic ratings" not in without_work()
    dispatcher.dispatch_round()
    assert "classic ratings" in without_work()


@pytest.mark.django_db
def test_a_step_that_does_not_say_what_it_waits_for_always_has_its_turn() -> None:
    assert without_work() <= {step.name for step in LOOKING.values() if step.pending}
