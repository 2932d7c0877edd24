"""Every format, played to its end by sample bots through the real processes, with a worker killed in mid-round."""

from typing import Any

import pytest

from engine.replay import read_replay, verify
from tests import thorough
from tests.factories import a_user, a_version
from tests.faults.crew import Crew
from tests.faults.crowd import a_ladder, code
from tests.holding import an_event, an_organiser
from tournaments.features.events.lifecycle import start_event
from tournaments.features.events.plan import plan_of
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.models import Bot, Event, MatchSet, Result

pytestmark = pytest.mark.django_db(transaction=True)
PAIRS: dict[str, Any] = {"t": "round_robin"}
FORMATS: dict[str, dict[str, Any]] = {
    "round-robin": PAIRS,
    "swiss": {"t": "swiss", "seats": 3, "rounds": 2},
    "single-elimination": {"t": "knockout", "sets": [1, 2]},
    "double-elimination": {"t": "knockout", "lives": 2, "extra": 1},
    "groups": {"t": "groups", "groups": 1, "qualify": 2, "first": {"t": "swiss"}, "then": {"t": "knockout"}},
    "league": {"t": "league", "season": PAIRS, "size": 4, "seasons": 2},
    "gauntlet": {"t": "gauntlet"},
    "king-of-the-hill": {"t": "king_of_the_hill", "seats": 3},
}
GAME = "zaibatsu" if thorough.has_full_budgets else "network"
# A few answers: the rest is what is tried.
OPTIONS: dict[str, int] = {} if thorough.has_full_budgets else {"max_turns": 2}


def a_bot(number: int) -> Bot:
    bot = create_bot(owner=a_user(), game=GAME, name=f"bot {number}")
    return a_version(bot, code(GAME, number)).bot


def test_every_format_is_played_to_its_end_whatever_dies_in_mid_round(crew: Crew) -> None:
    ladder, bots = a_ladder(GAME, **OPTIONS), [a_bot(number) for number in range(4)]
    for name, spec in FORMATS.items():
        held = an_event(bots[:3], spec | panel(spec, bots), ladder=ladder, slug=name)
        start_event(event=held, by=an_organiser())
    crew.start("recorder", "dispatcher", "worker")
    crew.until("the first results", some_played)
    crew.kill("worker")
    crew.start("worker")
    crew.until("more results", lambda: Result.objects.filter(match__set__event__isnull=False).count() >= 15)
    crew.kill("dispatcher")
    crew.start("dispatcher")
    crew.until("the last final", lambda: not Event.objects.exclude(status="finished").exists(), seconds=180)
    assert set(crew.stop_all().values()) == {0}
    for event in Event.objects.select_related("ladder"):
        assert_it_is_whole(event)


def panel(spec: dict[str, Any], bots: list[Bot]) -> dict[str, Any]:
    return {"panel": [bots[0].pk]} if spec["t"] == "gauntlet" else {}


def some_played() -> bool:
    return Result.objects.filter(match__set__event__isnull=False).exists()


def assert_it_is_whole(event: Event) -> None:
    """Check that every pairing was played once, every replay holds, and everybody has a place."""
    plan = plan_of(event)
    assert (event.slug, plan.done, plan.now) == (event.slug, True, ())
    sets = event.sets.exclude(status=MatchSet.Status.CANCELLED)
    assert sorted(sets.values_list("pairing", flat=True)) == sorted(pairing.key for pairing in plan.pairings)
    for result in Result.objects.filter(match__set__event=event):
        verify(read_replay(bytes(result.replay)))
    assert list(event.entrants.order_by("place").values_list("place", flat=True)) == [1, 2, 3]
