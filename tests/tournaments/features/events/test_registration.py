"""Who gets into an event: windows, places and the waiting list, check-in, invitations, seeds by hand."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from tests.factories import a_user, a_version
from tests.holding import ROBIN, an_event, an_organiser, fresh
from tournaments.core.errors import Refused
from tournaments.features.events.check_in import check_in
from tournaments.features.events.draft_actions import EditEvent
from tournaments.features.events.entrant_actions import InviteToEvent, SeedByHand, TellEntrants, UninviteFromEvent
from tournaments.features.events.lifecycle import advance_events, call_off, disqualify_entrant, start_event
from tournaments.features.events.registration import decline, register, withdraw_from_event
from tournaments.features.own_data.leaving import ask_to_erase
from tournaments.ledger.acts.disqualification import Disqualify
from tournaments.models import Act, Bot, Entrant, Event, Notice, User

pytestmark = pytest.mark.django_db
Code = str


def bots(count: int) -> list[Bot]:
    return [a_version().bot for _ in range(count)]


def statuses(event: Event) -> list[str]:
    return list(event.entrants.order_by("pk").values_list("status", flat=True))


def entrant(event: Event, bot: Bot) -> Entrant:
    return event.entrants.select_related("event__ladder", "bot").get(bot=bot)


def leave(event: Event, bot: Bot) -> None:
    withdraw_from_event(entrant=entrant(event, bot), by=bot.owner)


def code_of(act: Any) -> Code:
    with pytest.raises(Refused) as refused:
        act()
    assert len(refused.value.detail) > 15
    return refused.value.code


def notices_of(owner: User) -> str:
    return " ".join(Notice.objects.filter(user=owner).order_by("pk").values_list("text", flat=True))


def put_off(event: Event, **moments: timedelta | None) -> Event:
    """Set the times of an event, by how far they lie from now."""
    now = timezone.now()
    Event.objects.filter(pk=event.pk).update(**{name: far and now + far for name, far in moments.items()})
    return fresh(event)


def edited(event: Event, **changes: object) -> EditEvent:
    given: Mapping[str, Any] = {
        **{name: getattr(event, name) for name in ("slug", "title", "ladder", "starts_at", "places")},
        "format": event.spec,
        **changes,
    }
    return EditEvent(event=event, **given)


HOUR = timedelta(hours=1)


def test_bots_register_within_the_window_alone() -> None:
    event, (bot,) = an_event([]), bots(1)
    assert code_of(lambda: register(event=put_off(event, opens_at=HOUR), bot=bot, by=bot.owner)) == (
        "registration_not_open"
    )
    closed = put_off(event, opens_at=-2 * HOUR, closes_at=-HOUR)
    assert code_of(lambda: register(event=closed, bot=bot, by=bot.owner)) == "registration_closed"
    register(event=put_off(event, opens_at=-HOUR, closes_at=HOUR), bot=bot, by=bot.owner)
    assert code_of(lambda: register(event=event, bot=bot, by=bot.owner)) == "already_registered"  # a double click


def test_who_comes_when_all_places_are_taken_waits_and_is_let_in_in_order() -> None:
    first, second, third, fourth, fifth = entered = bots(5)
    event = an_event(entered, places=2)
    assert statuses(event) == ["playing", "playing", "waiting", "waiting", "waiting"]
    leave(event, fourth)  # from the list: nobody moves
    leave(event, first)
    assert entrant(event, third).status == "playing"
    assert "became free" in notices_of(third.owner)
    assert "became free" not in notices_of(fifth.owner)
    disqualify_entrant(entrant=entrant(event, second), by=an_organiser(), reason="a test")
    assert entrant(event, fifth).status == "playing"
    register(event=event, bot=first, by=first.owner)  # again: at the end
    assert entrant(event, first).status == "waiting"
    call_off(event=fresh(event), by=an_organiser(), reason="no room")
    assert "called off" in notices_of(first.owner)
    assert code_of(lambda: leave(event, first)) == "event_over"


def test_who_is_disqualified_while_it_waits_is_passed_over_and_who_goes_for_good_leaves_the_list() -> None:
    first, second, third, fourth = entered = bots(4)
    event = an_event(entered, places=1)
    disqualify_entrant(entrant=entrant(event, second), by=an_organiser(), reason="a test")
    Disqualify(ladder=event.ladder, bot=third).do(by=an_organiser(), reason="a test")
    assert statuses(event)[0] == "playing"
    leave(event, first)
    assert {bot.pk: entrant(event, bot).status for bot in (third, fourth)}[fourth.pk] == "playing"
    ask_to_erase(user=fourth.owner)
    assert not event.entrants.filter(bot=fourth).exists()
    assert not event.entrants.filter(status="playing").exists()


def test_places_are_not_fewer_than_are_taken_and_more_let_the_next_in() -> None:
    event = fresh(an_event(bots(4), places=3))
    assert code_of(lambda: edited(event, places=2).preview()) == "bad_places"
    edited(event, places=4).do(by=an_organiser(), reason="a bigger room")
    assert statuses(event) == ["playing"] * 4
    assert "places" in str(Act.objects.latest("number").detail)


def test_places_that_are_too_few_for_the_format_are_refused_when_they_are_set() -> None:
    event, rounds = fresh(an_event([])), {"t": "swiss", "rounds": 5}
    Event.objects.filter(pk=event.pk).update(status=Event.Status.DRAFT)
    with pytest.raises(Refused, match="with all 9 places taken it could not begin: 5 rounds of Swiss among 9"):
        edited(event, format=rounds, places=9).preview()
    edited(event, format=rounds, places=10).do(by=an_organiser(), reason="")
    assert code_of(edited(fresh(event), places=9).preview) == "bad_places"


def test_times_in_the_wrong_order_are_refused() -> None:
    event, now = fresh(an_event([])), timezone.now()
    wrong: list[tuple[dict[str, object], Code]] = [
        ({"opens_at": now + 2 * HOUR, "closes_at": now + HOUR}, "bad_closes_at"),
        ({"closes_at": now + 2 * HOUR, "starts_at": now + HOUR}, "bad_closes_at"),
        ({"opens_at": now + 2 * HOUR, "starts_at": now + HOUR}, "bad_opens_at"),
        ({"check_in_minutes": 30}, "bad_check_in"),
    ]
    for changes, code in wrong:
        assert code_of(edited(event, **changes).preview) == code
    with pytest.raises(Refused, match="places"):
        edited(event, places=1).preview()


def test_times_of_an_event_are_whole_minutes_as_pages_show_them() -> None:
    event = put_off(an_event([]), opens_at=HOUR)
    opens, minute = event.opens_at, timezone.now().replace(second=0, microsecond=0)
    exact = timedelta(seconds=59, microseconds=7)
    after = edited(event, opens_at=opens, closes_at=minute + 2 * HOUR + exact, starts_at=minute + 3 * HOUR + exact)
    after.do(by=an_organiser(), reason="exactly")
    event = fresh(event)
    assert (event.opens_at, event.closes_at, event.starts_at) == (opens, minute + 2 * HOUR, minute + 3 * HOUR)


def test_who_does_not_check_in_is_out_and_the_next_who_did_plays_with_nobody_there() -> None:
    present, absent, waits_away, waits_here = entered = bots(4)
    event = put_off(an_event(entered, ROBIN, places=2, check_in_minutes=30), starts_at=HOUR)
    assert code_of(lambda: check_in(entrant=entrant(event, present), by=present.owner)) == "no_check_in"
    soon = timezone.now() + timedelta(minutes=20)
    edited(event, starts_at=soon, check_in_minutes=30).do(by=an_organiser(), reason="earlier")
    assert advance_events() == 1
    assert advance_events() == 0
    assert "Check in" in notices_of(absent.owner)
    for bot in (present, present, waits_here):
        check_in(entrant=entrant(event, bot), by=bot.owner)
    assert code_of(lambda: check_in(entrant=entrant(event, present), by=a_user())) == "not_yours"
    put_off(event, starts_at=timedelta(seconds=-1))
    advance_events()
    assert fresh(event).status == "running"
    assert {bot: entrant(event, bot).status for bot in entered} == {
        present: "playing",
        absent: "withdrawn",
        waits_away: "withdrawn",
        waits_here: "playing",
    }
    assert "nobody checked it in" in notices_of(absent.owner)
    assert entrant(event, waits_away).reason == "no place became free before the start"
    assert set(event.entrants.exclude(version=None).values_list("bot", flat=True)) == {present.pk, waits_here.pk}


def test_an_event_whose_entrants_did_not_come_waits_with_all_of_them() -> None:
    entered = bots(3)
    event = put_off(an_event(entered, ROBIN, check_in_minutes=30), starts_at=timedelta(minutes=-1))
    check_in(entrant=entrant(event, entered[0]), by=entered[0].owner)
    advance_events()
    event = fresh(event)
    assert (event.status, event.starts_at) == ("registration", None)
    assert event.reason.startswith("Not started")
    assert statuses(event) == ["playing"] * 3
    start_event(event=event, by=an_organiser())  # by hand: without a start there is no check-in


def test_only_the_invited_register_where_it_is_so_set() -> None:
    event, (guest, stranger) = an_event([], invited_only=True), bots(2)
    invite = InviteToEvent(event=event, user=guest.owner)
    invite.do(by=an_organiser(), reason="a test")
    assert "You are invited" in notices_of(guest.owner)
    assert code_of(invite.preview) == "already_invited"
    assert code_of(lambda: register(event=event, bot=stranger, by=stranger.owner)) == "not_invited"
    decline(event=event, by=guest.owner)
    assert code_of(lambda: decline(event=event, by=guest.owner)) == "not_invited"
    assert code_of(lambda: register(event=event, bot=guest, by=guest.owner)) == "not_invited"
    invite.do(by=an_organiser(), reason="once more")
    register(event=event, bot=guest, by=guest.owner)
    UninviteFromEvent(event=event, user=guest.owner).do(by=an_organiser(), reason="a test")
    assert statuses(event) == ["playing"]
    assert code_of(UninviteFromEvent(event=event, user=guest.owner).preview) == "not_invited"
    assert code_of(lambda: invite.do(by=a_user(), reason="mine")) == "not_organiser"


def test_seeds_by_hand_are_the_order_and_the_rest_follows_by_rating() -> None:
    first, second, third, fourth = entered = bots(4)
    event = an_event(entered, ROBIN)
    for order in ([second.pk, second.pk], [second.pk, 10**9]):
        assert code_of(SeedByHand(event=event, order=order).preview) == "bad_order"
    act = SeedByHand(event=event, order=[third.pk, first.pk])
    assert act.preview().says == [
        f"Place 1 of the seeding: {third}.",
        f"Place 2 of the seeding: {first}.",
        "Then 2 more, by rating.",
    ]
    act.do(by=an_organiser(), reason="they won last year")
    start_event(event=event, by=an_organiser())
    by_seed = list(event.entrants.order_by("-seed").values_list("bot", flat=True))
    assert by_seed[:2] == [third.pk, first.pk]
    assert sorted(by_seed[2:]) == sorted([second.pk, fourth.pk])
    assert len(set(event.entrants.values_list("seed", flat=True))) == 4
    assert code_of(act.preview) == "not_announced"


def test_what_organisers_tell_reaches_everybody_with_a_bot_there() -> None:
    entered = bots(3)
    event = an_event(entered, places=2)
    TellEntrants(event=event, text="  The room is 12b. ").do(by=an_organiser(), reason="a test")
    assert all("The room is 12b." in notices_of(bot.owner) for bot in entered)
    assert code_of(TellEntrants(event=event, text=" ").preview) == "bad_text"


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_the_last_place_at_the_same_moment_one_waits() -> None:
    event, comers = an_event(bots(1), places=2), bots(4)
    together = Barrier(len(comers))

    def come(bot: Bot) -> None:
        together.wait(10)
        try:
            register(event=event, bot=bot, by=bot.owner)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(comers)) as pool:
        list(pool.map(come, comers))
    assert sorted(statuses(event)) == ["playing", "playing", "waiting", "waiting", "waiting"]
