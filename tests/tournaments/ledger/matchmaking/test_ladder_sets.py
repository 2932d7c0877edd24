from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.dice import commitment
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, an_upload, play_set, rate
from tests.tournaments.ledger.ladders.entering import a_team, enters
from tournaments.features.promises import promised_waits
from tournaments.ledger.dispatch.waiting_sets import PACES
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.matchmaking.ladder_sets import Waves, create_set, pair, sets_ahead, tables_by_lot
from tournaments.models import Entry, Fit, Ladder, MatchSet, Seat, Version

pytestmark = pytest.mark.django_db


def entered(ladder: Ladder, count: int, **owner: Any) -> list[Version]:
    versions = [a_version(a_bot(**owner)) for _ in range(count)]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return versions


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_set_is_one_secret_deal_in_which_everybody_sits_once_in_every_seat(players: int) -> None:
    ladder, versions = a_ladder(players=players), [a_version().pk for _ in range(players)]
    first, second = (create_set(ladder=ladder, versions=versions) for _ in range(2))
    assert (first.number, second.number) == (1, 2)
    assert (len(first.seed), first.commitment) == (64, commitment(first.seed))
    assert first.seed != second.seed
    rows = [list(match.seats.order_by("number").values_list("version", flat=True)) for match in first.matches.all()]
    for line in [*rows, *zip(*rows, strict=True)]:
        assert sorted(line) == sorted(versions)


def test_sets_are_made_until_a_few_wait() -> None:
    ladder = a_ladder(players=2)
    entered(ladder, 2)
    assert (pair(), pair()) == (4, 0)
    play_set(ladder.sets.get(number=1))
    assert pair() == 0  # one at a time would cost as much each time
    play_set(ladder.sets.get(number=2))
    assert pair() == 2
    assert list(ladder.sets.order_by("number").values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("seconds", "workers", "sets"), [(0.0, 2, 4), (30.0, 2, 4), (0.1, 2, 20), (0.001, 2, 40), (0.1, 100, 200)]
)
def test_more_sets_wait_where_matches_take_no_time(
    seconds: float, workers: int, sets: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PACES, "usual", seconds)
    assert sets_ahead(workers) == sets


def test_checks_that_wait_do_not_stop_the_pairing() -> None:
    entered(a_ladder(players=2), 2)
    for _ in range(6):
        an_upload(a_bot())
    assert pair() == 4


def test_nothing_is_made_where_too_few_can_play() -> None:
    ladder = a_ladder(players=3)
    first, *_ = entered(ladder, 3)
    withdraw_bot(entry=Entry.objects.get(bot=first.bot), by=first.bot.owner)
    unchecked = a_bot()
    enter_in_ladder(ladder=ladder, bot=unchecked, by=unchecked.owner)
    assert pair() == 0


@pytest.mark.parametrize("status", [Ladder.Status.PAUSED, Ladder.Status.CLOSED])
def test_nothing_is_made_in_a_ladder_that_is_not_open(status: str) -> None:
    entered(ladder := a_ladder(players=2), 2)
    Ladder.objects.filter(pk=ladder.pk).update(status=status)
    assert pair() == 0


def test_nothing_is_made_by_rules_that_this_engine_does_not_play() -> None:
    entered(a_ladder(players=2, rules=99), 2)
    assert pair() == 0


def test_one_ladder_with_options_that_cannot_be_played_does_not_stop_the_others() -> None:
    broken, sound = a_ladder(players=2), a_ladder(players=2)
    entered(broken, 2)
    entered(sound, 2)
    Ladder.objects.filter(pk=broken.pk).update(options={"players": 99})
    assert pair() + pair() == 4, "from the second round on the broken one takes no share"
    assert (broken.sets.count(), sound.sets.count()) == (0, 4)


def test_the_options_of_a_set_are_complete_even_if_its_ladders_are_not() -> None:
    ladder = a_ladder(players=2, options={"players": 2})
    played = a_completed_set(ladder, [a_version(), a_version()])
    assert (played.status, set(played.options)) == ("complete", {"players", "first", "unsold", "piles"})


def test_suspended_bots_are_not_paired() -> None:
    entered(a_ladder(players=2), 2)
    Entry.objects.update(status=Entry.Status.SUSPENDED)
    assert pair() == 0


def test_bots_of_one_owner_never_meet_where_the_ladder_says_so() -> None:
    ladder, owner = a_ladder(players=2, few_owners=Ladder.FewOwners.WAIT), a_user()
    entered(ladder, 3, owner=owner)
    assert pair() == 0
    entered(ladder, 1)
    assert pair() == 4
    for made in MatchSet.objects.filter(ladder=ladder):
        assert len(set(made.matches.get(turn=0).seats.values_list("version__bot__owner", flat=True))) == 2


def test_once_all_have_played_enough_one_set_is_made_at_a_pace() -> None:
    ladder = a_ladder(players=2, sets_wanted=1, pace_seconds=60)
    versions = entered(ladder, 2)
    a_completed_set(ladder, versions)
    rate()
    assert pair() == 0
    MatchSet.objects.update(created_at=timezone.now() - timedelta(seconds=61))
    assert (pair(), pair()) == (1, 0)


def test_a_newcomer_makes_sets_at_full_speed_again() -> None:
    ladder = a_ladder(players=2, sets_wanted=1, pace_seconds=60)
    a_completed_set(ladder, entered(ladder, 2))
    rate()
    assert pair() == 0
    (newcomer,) = entered(ladder, 1)
    assert pair()  # by lot also a set of those who have waited longest
    assert pair() == 0
    assert Entry.objects.get(bot=newcomer.bot).paired_at


def test_ladders_share_what_room_there_is() -> None:
    ladders = [a_ladder(players=2) for _ in range(2)]
    for ladder in ladders:
        entered(ladder, 2)
    assert pair() == 4
    assert [ladder.sets.count() for ladder in ladders] == [2, 2]


@pytest.mark.parametrize(("by_lot", "clash", "drawn"), [(25, 49.0, 25), (25, 51.0, 50), (80, 51.0, 80), (0, 90.0, 0)])
def test_half_of_the_tables_are_drawn_by_lot_while_styles_clash_unless_none_are(
    by_lot: int, clash: float, drawn: int
) -> None:
    ladder = a_ladder()
    assert (ladder.by_lot, tables_by_lot(ladder)) == (25, 25)
    ladder.by_lot = by_lot
    Fit.objects.create(ladder=ladder, sets=9, phi=1.0, clash=clash, zero=1500.0, rows=[], seconds=0.1)
    assert tables_by_lot(ladder) == drawn


def test_bots_of_one_team_never_meet() -> None:
    ladder, ada, bob = a_ladder(players=2), a_user(), a_user()
    a_team(ada, bob)
    for owner in (ada, bob, a_user()):
        enters(ladder, a_version(a_bot(owner)).bot)
    pair()
    assert ladder.sets.count()
    for made in ladder.sets.all():
        owners = Seat.objects.filter(match__set=made).values_list("version__bot__owner", flat=True)
        assert not {ada.pk, bob.pk} <= set(owners)


@pytest.mark.parametrize(("few_owners", "played"), [("play", 1), ("wait", 0)])
def test_with_fewer_owners_than_seats_it_is_as_the_ladder_says(
    few_owners: str, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder, owner = a_ladder(players=3, few_owners=few_owners), a_user()
    for person in (owner, owner, owner, a_user()):
        enters(ladder, a_version(a_bot(person)).bot)
    tables = Waves.of(ladder).following(9)
    assert len(tables) == played
    for table in tables:
        assert Version.objects.filter(pk__in=table, bot__owner=owner).count() == 2
    monkeypatch.setattr(promised_waits, "LOOKS", promised_waits.Looks())
    promised_waits.keep_promises()
    reasons = set(Entry.objects.values_list("unpromised", flat=True))
    missing = any("bots of 3 owners, a team being one, and 2 are here" in reason for reason in reasons)
    assert missing == (few_owners == "wait"), reasons
