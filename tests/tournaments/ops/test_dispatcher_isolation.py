"""One bad ladder, event or set stops no other; and none is made that cannot be played at its own tables."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from engine.games import GAMES
from engine.records import to_plain
from tests.factories import a_completed_set, a_ladder, a_user, a_version
from tournaments.core.broker import failing_items
from tournaments.core.errors import Refused
from tournaments.core.feature import Step
from tournaments.features.events.event_format import playable_format
from tournaments.features.friendlies.rules import ask_series
from tournaments.ledger.acts.failing_items import SetAside, TryAgain
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.table_options import check_ladder
from tournaments.ledger.matchmaking.ladder_sets import pair
from tournaments.models import Event, FailingItem, Ladder
from tournaments.ops import dispatcher

pytestmark = pytest.mark.django_db
CASES: list[tuple[str, dict[str, Any], list[int], int]] = [  # game, options, sizes, the one at which they do not hold
    ("zaibatsu", {"players": 3, "first": 2}, [2, 3], 2),
    ("gigabucks", {"players": 2, "spaces": 12}, [2, 8], 8),
    ("kaiju", {"players": 4, "start_player": 3}, [4, 3], 3),
]


@pytest.fixture(autouse=True)
def always_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failing_items, "FRESH", 0.0)


def a_bad_ladder() -> Ladder:
    """A ladder as it was accepted once: two of three may sit at its table, and the options know a third seat."""
    options = to_plain(GAMES["zaibatsu"].read_options({"players": 3, "first": 2}))
    return a_ladder("bad", options=options, table_sizes=[2])


def enter_two(ladder: Ladder) -> None:
    for _ in range(2):
        version = a_version()
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)


@pytest.mark.parametrize(("game", "options", "sizes", "bad"), CASES)
def test_a_ladder_whose_options_do_not_hold_at_a_size_is_refused(
    game: str, options: dict[str, Any], sizes: list[int], bad: int
) -> None:
    rules = GAMES[game]
    ladder = Ladder(slug="a", title="A", game=game, rules=rules.version, table_sizes=sizes)
    ladder.options = to_plain(rules.read_options(options))
    with pytest.raises(ValidationError, match=f"at tables of {bad} the options do not hold"):
        check_ladder(ladder)


def test_an_event_and_a_request_are_refused_by_the_size_at_which_they_cannot_be_played() -> None:
    ladder = a_bad_ladder()
    with pytest.raises(Refused, match="at tables of 2 the options do not hold") as refused:
        playable_format(ladder, {"t": "swiss", "rounds": 3, "seats": 3, "fewest": 2})
    assert refused.value.code == "bad_table_size"
    enter_two(ladder)
    mine, other = (entry.bot for entry in ladder.entries.all())
    with pytest.raises(Refused) as refused:
        ask_series(ladder=ladder, bot=mine, against=[other], by=mine.owner, sets=1)
    assert refused.value.code == "bad_table_size"


def test_a_ladder_that_cannot_be_dealt_stops_no_other() -> None:
    bad, good = a_bad_ladder(), a_ladder("good", players=2)
    enter_two(bad)
    enter_two(good)
    assert pair() > 0
    assert (bad.sets.count(), good.sets.count() > 0) == (0, True)
    failing = FailingItem.objects.get()
    assert (failing.loop, failing.item) == ("pairing", "ladder bad")
    assert "at tables of 2 the options do not hold" in failing.reason


def test_an_event_that_cannot_go_on_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = a_ladder()
    broken = Event.objects.create(slug="broken", title="B", ladder=ladder, spec={"kind": 5}, status="running")
    dispatcher._do("events", dispatcher.LOOKING["events"].run)
    assert FailingItem.objects.get().item == f"event {broken.slug}"


def test_a_ladder_whose_ratings_fail_stops_no_other() -> None:
    ladders = [a_ladder(players=2) for _ in range(2)]
    for ladder in ladders:
        a_completed_set(ladder, [a_version(), a_version()])
    Ladder.objects.filter(pk=ladders[0].pk).update(anchor=None)
    ladders[0].sets.first().matches.first().seats.update(place=None)  # type: ignore[union-attr]
    assert rate() == 1
    assert FailingItem.objects.get().item == f"ladder {ladders[0].slug}"


def test_a_step_that_fails_as_a_whole_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []

    def fail() -> int:
        raise ZeroDivisionError("nobody thought of it")

    def work() -> int:
        done.append(1)
        return 1

    monkeypatch.setattr(dispatcher, "LOOKING", {"first": Step(name="first", run=fail)})
    monkeypatch.setattr(dispatcher, "SENDING", {"second": work})
    dispatcher.dispatch_round()
    assert done
    assert FailingItem.objects.get().item == "first"


def test_an_organiser_sets_an_item_aside_and_asks_for_another_try() -> None:
    item, organiser = FailingItem.objects.create(loop="pairing", item="ladder a", reason="R"), a_user(staff=True)
    with pytest.raises(Refused):  # it is set aside: nothing says when it is tried next
        SetAside(item).do(by=organiser, reason="it fails")
    TryAgain(item).do(by=organiser, reason="its options are mended")
    assert not FailingItem.objects.exists()
    with pytest.raises(Refused) as refused:
        TryAgain(item).do(by=organiser, reason="again")
    assert refused.value.code == "not_failing"
