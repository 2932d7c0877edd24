"""Every bot that plays is told by when a match of it is over, and that holds."""

import logging
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import a_ladder, a_version, play_set
from tests.tournaments.features.promises.simulated import Site
from tournaments.core.broker.available_workers import Players
from tournaments.features.promises import promised_waits
from tournaments.features.promises.promised_waits import keep_promises
from tournaments.ledger.dispatch.wait_bound import BotFigures, max_wait
from tournaments.ledger.dispatch.wait_bound import LadderFigures as Known
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking import wait_inputs
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Entry, Ladder


def a_site(workers: int, ladders: int, *, slower: float = 100.0) -> Site:
    """Eight bots in every ladder, and in the first one whose matches last so many times as long."""
    site = Site(workers, [1.0] * ladders, seed=workers)
    for ladder in range(ladders):
        for _ in range(8):
            site.enter(ladder)
    site.enter(0, slower=slower)
    return site


def test_a_bot_a_hundred_times_as_slow_blocks_nobody() -> None:
    site = a_site(workers=2, ladders=2)
    site.run(1500)
    waits = sorted(waited for bot in site.bots.values() if not site.slow(bot) for waited in bot.waits)
    assert sum(site.slow(bot) for bot in site.bots.values()) == 1
    assert site.broken <= 0.01 * site.kept
    assert waits[len(waits) * 99 // 100] < 100  # one match of the slow one; at a table with it nobody waits for more
    assert all(bot.sets > 20 for bot in site.bots.values() if not site.slow(bot))


def test_promises_hold_when_newcomers_flood_a_ladder() -> None:
    site = a_site(workers=4, ladders=3)
    site.run(300)
    for _ in range(30):
        site.enter(1)
    site.run(1200)
    assert site.broken <= 0.01 * site.kept


def test_promises_that_are_broken_when_workers_leave_are_noticed() -> None:
    site = a_site(workers=4, ladders=2, slower=1.0)
    site.run(300)
    before, site.workers, site.queue = site.broken, 0, []
    site.run(2000)
    assert site.broken - before >= len(site.bots)


def test_who_waits_behind_more_or_shares_with_more_is_promised_less() -> None:
    figures = Known(seats=4, pace=20, due=0, waiting=2, lines=3, workers=2, set_seconds=4, longest=2)
    promised = [max_wait(figures, BotFigures(ahead)) for ahead in (0, 10, 100)]
    assert promised == sorted(promised)
    assert promised[0] < 300
    assert max_wait(figures, BotFigures(100, dealt=True)) < promised[0]


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at every call, and with a worker online."""
    monkeypatch.setattr(promised_waits, "LOOKS", promised_waits.Looks())
    monkeypatch.setattr(promised_waits, "EVERY", 0.0)
    monkeypatch.setattr(promised_waits, "PART", 0)
    monkeypatch.setattr(promised_waits, "NEW", 0.0)
    put_online(monkeypatch, 1)


def put_online(monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    for module in (promised_waits, wait_inputs):
        monkeypatch.setattr(module, "workers_for", lambda _need, _space: Players(workers))


def two_in(ladder: Ladder) -> list[Entry]:
    bots = [a_version().bot for _ in range(2)]
    return [enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner) for bot in bots]


def broken() -> int:
    """How many promises were not kept, in all."""
    return sum(Entry.objects.values_list("broken", flat=True))


@pytest.mark.django_db
@pytest.mark.usefixtures("looks")
def test_a_promise_is_renewed_by_a_match_and_counted_when_it_is_broken(caplog: pytest.LogCaptureFixture) -> None:
    ladder = a_ladder(players=2)
    entries = two_in(ladder)
    assert (keep_promises(), keep_promises()) == (2, 0)
    Entry.objects.update(next_by=timezone.now() - timedelta(seconds=1))
    versions = [entry.bot.versions.get().pk for entry in entries]
    play_set(create_set(ladder=ladder, versions=versions))
    assert (keep_promises(), broken()) == (2, 0)
    promised_waits.LOOKS.recorded = timezone.now() + timedelta(minutes=1)
    Entry.objects.filter(pk=entries[0].pk).update(next_by=timezone.now() - timedelta(seconds=1))
    with caplog.at_level(logging.WARNING):
        assert (keep_promises(), broken()) == (1, 1)
    assert [record.message for record in caplog.records if "is broken" in record.message] != []
    assert Entry.objects.get(pk=entries[0].pk).next_by > timezone.now()  # type: ignore[operator]


@pytest.mark.django_db
@pytest.mark.usefixtures("looks")
def test_nothing_is_promised_where_nothing_is_paired_or_nobody_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = a_ladder(players=2)
    entry, _ = two_in(ladder)
    assert keep_promises() == 2
    Ladder.objects.update(status=Ladder.Status.PAUSED)
    assert keep_promises() == 0
    entry = Entry.objects.select_related("ladder").get(pk=entry.pk)
    assert (entry.next_by, entry.no_promise) == (None, "Nothing is promised while the ladder is paused.")
    Ladder.objects.update(status=Ladder.Status.OPEN)
    put_online(monkeypatch, 0)
    assert keep_promises() == 0
    entry = Entry.objects.select_related("ladder").get(pk=entry.pk)
    assert entry.no_promise == "Nothing is promised: no worker that is here now can run python."
