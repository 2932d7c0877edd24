"""Hundreds of reports on two bots, or a thousand, handed in by many at once while the ratings are made: each match
counts once."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import pytest
from django.db import connection

from engine.games import GAMES
from engine.records import to_plain
from tests.factories import a_ladder, a_user, reports
from tests.thorough import budget
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.ladders import classic_elo
from tournaments.ledger.ladders.official_fit import recompute, refit
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Bundle, Ladder, RatingStep, Result, Version
from workers.orders import Report

pytestmark = pytest.mark.django_db(transaction=True)
SETS, RECORDERS = budget(24, full=250), 8  # of two matches each, and every report is handed in twice
T = TypeVar("T")


def a_shortest_ladder() -> Ladder:
    game = GAMES["network"]
    options = to_plain(game.read_options({"players": 2, "max_turns": 1}))
    return a_ladder(game=game.name, rules=game.version, options=options)


def a_version_of(ladder: Ladder, name: str) -> int:
    bundle = Bundle.objects.create(sha256=name[-1] * 64, content=b"", size=0)
    bot = create_bot(owner=a_user(), game=ladder.game, name=name)
    return Version.objects.create(bot=bot, number=1, bundle=bundle, filename="bot.py", status="active").pk


def played(ladder: Ladder, versions: list[int]) -> list[Report]:
    sets = [create_set(ladder=ladder, versions=versions) for _ in range(SETS)]
    return [report for match_set in sets for report in reports(order_of_set(match_set, claim(match_set=match_set)))]


def alone(act: Callable[[], T]) -> T:
    """Act in a thread, which has a connection of its own."""
    try:
        return act()
    finally:
        connection.close()


def each(handed_in: list[Report]) -> Counter[str]:
    return Counter(record_report(report) for report in handed_in)


def test_many_reports_on_two_bots_at_once_leave_ratings_as_recomputed_and_sums_that_agree() -> None:
    ladder = a_shortest_ladder()
    versions = [a_version_of(ladder, name) for name in ("bot a", "bot b")]
    handed_in = played(ladder, versions)
    with ThreadPoolExecutor(RECORDERS + 2) as pool:
        ratings = [pool.submit(alone, lambda: sum(classic_elo.rate() for _ in range(20))) for _ in range(2)]
        shares = [handed_in[number // 2 :: RECORDERS // 2] for number in range(RECORDERS)]  # two have the same
        recorders = [pool.submit(alone, partial(each, share)) for share in shares]
        outcomes = sum((recorder.result() for recorder in recorders), Counter[str]())
        rated = sum(future.result() for future in ratings)
    assert outcomes == {"recorded": 2 * SETS, "already recorded": 2 * SETS}
    assert rated + classic_elo.rate() == SETS
    refit(ladder=ladder)
    assert (Result.objects.count(), RatingStep.objects.count()) == (2 * SETS, 2 * SETS)
    assert list(ladder.ratings.values_list("sets", "games")) == [(SETS, 2 * SETS)] * 2
    assert sum(ladder.ratings.values_list("milli_elo", flat=True)) == 1_500_000 * 2
    assert recompute(ladder=ladder) == {}
