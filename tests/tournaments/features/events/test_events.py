"""Events from the draft to the last place: organisers' verbs, the clock, and what may go wrong."""

from collections.abc import Callable
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.referee import Verdict
from tests.factories import a_bot, a_ladder, a_user, a_version, play_set, reports
from tests.holding import KNOCKOUT, ROBIN, SWISS, a_draft, a_running, an_event, an_organiser, fresh, open_sets, play_out
from tournaments.core.errors import Refused
from tournaments.features.events.lifecycle import (
    advance_events,
    announce,
    call_off,
    create,
    disqualify_entrant,
    release_round,
    start_event,
)
from tournaments.features.events.plan import plan_of, results_by_pairing
from tournaments.features.events.registration import register, withdraw_from_event
from tournaments.features.events.rounds import continue_event
from tournaments.ledger.dispatch.leases import cancel, claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.matchmaking.deal import deal_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Entrant, Event, FailingItem, Ladder, MatchSet

pytestmark = pytest.mark.django_db


def places(event: Event) -> list[int | None]:
    return list(event.entrants.order_by("pk").values_list("place", flat=True))


@pytest.mark.parametrize(("spec", "sets"), [(SWISS, 4), (ROBIN, 6), (KNOCKOUT, 3)])
def test_an_event_is_played_round_by_round_to_its_end(spec: dict[str, object], sets: int) -> None:
    event = play_out(a_running(4, spec))
    assert (event.status, event.sets.count()) == ("finished", sets)
    assert event.ended_at
    assert sorted(place or 0 for place in places(event)) == [1, 2, 3, 4]
    assert places(event)[0] == 1


def test_a_set_of_an_event_is_beside_the_ladders_ratings() -> None:
    event = play_out(a_running(4))
    assert rate() == 0
    assert not event.ladder.ratings.exists()


def test_only_organisers_hold_events() -> None:
    event, by = a_draft(), a_user()
    acts: list[Callable[[], object]] = [
        lambda: create(event=Event(slug="x", title="X", ladder=event.ladder, spec=SWISS), by=by),
        lambda: announce(event=event, by=by),
        lambda: start_event(event=event, by=by),
        lambda: call_off(event=event, by=by, reason=""),
        lambda: release_round(event=event, by=by),
    ]
    for act in acts:
        with pytest.raises(Refused, match="only organisers"):
            act()


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ({}, "bad_format"),
        ({"t": "chess"}, "bad_format"),
        ({"t": "swiss", "seats": "two"}, "bad_format"),
        ({"t": "swiss", "seats": 5}, "bad_table_size"),  # Zaibatsu is for 2 to 4
        ({"t": "swiss", "sets": 0}, "bad_sets"),
    ],
)
def test_a_format_that_cannot_be_played_is_refused_with_a_sentence(spec: dict[str, object], code: str) -> None:
    with pytest.raises(Refused) as refused:
        create(event=Event(slug="x", title="X", ladder=a_ladder(), spec=spec), by=an_organiser())
    assert refused.value.code == code
    assert len(refused.value.detail) > 20


def test_an_address_is_given_once() -> None:
    event = a_draft()
    with pytest.raises(Refused, match="choose another address"):
        create(event=Event(slug=event.slug, title="X", ladder=event.ladder, spec=SWISS), by=an_organiser())


def test_too_few_entrants_are_refused_with_numbers_and_nothing_is_begun() -> None:
    event = an_event([a_version().bot])
    with pytest.raises(Refused, match="A table needs 2 bots; taking part: 1"):
        start_event(event=event, by=an_organiser())
    assert fresh(event).status == "registration"
    assert event.entrants.get().version is None


def test_a_bot_without_a_version_stays_out_and_is_told() -> None:
    event = an_event([a_version().bot, a_version().bot, a_bot()], ROBIN)
    act = start_event(event=event, by=an_organiser())
    left_out = event.entrants.order_by("pk").last()
    assert left_out
    assert (left_out.status, left_out.reason) == ("withdrawn", "it had no version that could play at the start")
    assert act.detail["says"][1:] == [f"{left_out.bot} does not play: {left_out.reason}."]
    assert places(play_out(event))[2] is None


def test_versions_are_frozen_at_the_start() -> None:
    event = a_running(2, ROBIN)
    entrant = event.entrants.order_by("pk")[0]
    newer = a_version(entrant.bot)
    play_out(event)
    assert entrant.version_id != newer.pk
    assert not newer.seats.filter(match__set__event=event).exists()


def test_seeds_are_the_ratings_of_the_ladder() -> None:
    ladder, versions = a_ladder(players=2), [a_version(), a_version()]
    ladder.ratings.create(version=versions[1], milli_elo=1_600_000, elo=1612.5, sd=40.0)
    event = an_event([version.bot for version in versions], ROBIN, ladder=ladder)
    start_event(event=event, by=an_organiser())
    assert list(event.entrants.order_by("pk").values_list("seed", "sd")) == [(1500.0, 350.0), (1612.5, 40.0)]


def test_an_event_starts_by_its_clock_and_no_sooner() -> None:
    event = an_event([a_version().bot, a_version().bot], ROBIN, starts_at=timezone.now() + timedelta(hours=1))
    assert (advance_events(), fresh(event).status) == (0, "registration")
    Event.objects.update(starts_at=timezone.now())
    assert (advance_events(), fresh(event).status) == (1, "running")
    assert len(open_sets(event)) == 1


def test_an_event_that_cannot_start_by_its_clock_says_why_and_waits_for_its_organisers() -> None:
    event = an_event([a_version().bot], starts_at=timezone.now())
    assert (advance_events(), advance_events()) == (1, 0)
    event = fresh(event)
    assert (event.status, event.starts_at) == ("registration", None)
    assert event.reason == "Not started: A table needs 2 bots; taking part: 1."


def test_to_go_on_twice_deals_nothing_twice() -> None:
    event = a_running(6)
    before = event.sets.count()
    assert [continue_event(event=event) for _ in range(3)] == [0, 0, 0]
    assert event.sets.count() == before


@pytest.mark.parametrize("crash", range(1, 4))
def test_a_crash_between_planning_and_dealing_changes_nothing(crash: int) -> None:
    event, deals = a_running(6), 0
    for match_set in open_sets(event):
        play_set(match_set)

    def dies(**kwargs: object) -> object:
        nonlocal deals
        deals += 1
        if deals == crash:
            raise KeyboardInterrupt
        return deal_set(**kwargs)  # type: ignore[arg-type]

    before = event.sets.count()
    with patch("tournaments.features.events.rounds.deal_set", dies), pytest.raises(KeyboardInterrupt):
        advance_events()
    assert event.sets.count() == before
    keys = {pairing.key for pairing in plan_of(event).now}
    assert advance_events() == len(keys) == 3
    assert {match_set.pairing for match_set in open_sets(event)} == keys


def test_a_cancelled_set_is_void_and_the_event_goes_on() -> None:
    event = a_running(4, ROBIN)
    void, played = open_sets(event)
    cancel(match_set=void, reason="it killed its workers")
    play_set(played)
    assert results_by_pairing(event)[void.pairing].void
    assert play_out(event).status == "finished"


def test_an_event_whose_bots_all_crash_has_an_end_and_places() -> None:
    event = a_running(3, ROBIN)
    while open_sets(event) or advance_events():
        for match_set in open_sets(event):
            everybody = event.entrants.values_list("version", flat=True)
            play_set(match_set, faults={version: Verdict.CRASHED for version in everybody if version})
    event = fresh(event)
    assert event.status == "finished"
    assert sorted(place or 0 for place in places(event)) == [1, 2, 3]


def test_who_withdraws_in_mid_round_plays_what_is_dealt_and_nothing_after_it() -> None:
    event = a_running(4, ROBIN)
    entrant = event.entrants.order_by("pk")[1]
    withdraw_from_event(entrant=entrant, by=entrant.bot.owner)
    entrant.refresh_from_db()
    assert (entrant.status, entrant.left_at) == ("withdrawn", 1)
    event = play_out(event)
    sets = MatchSet.objects.filter(matches__seats__version=entrant.version).filter(event=event).distinct()
    assert [(match_set.round, match_set.status) for match_set in sets] == [(1, "complete")]
    assert event.status == "finished"


def test_who_withdraws_before_the_start_leaves_as_if_it_had_never_come() -> None:
    event = an_event([a_version().bot, a_version().bot])
    entrant = event.entrants.order_by("pk")[0]
    withdraw_from_event(entrant=entrant, by=entrant.bot.owner)
    assert event.entrants.count() == 1
    with pytest.raises(Refused, match="has already left"):
        withdraw_from_event(entrant=entrant, by=entrant.bot.owner)
    register(event=event, bot=entrant.bot, by=entrant.bot.owner)
    assert event.entrants.count() == 2


def test_a_disqualification_after_the_final_moves_the_others_up() -> None:
    event = play_out(a_running(4, ROBIN))
    first, second, *_ = event.entrants.order_by("place")
    disqualify_entrant(entrant=first, by=an_organiser(), reason="it read the clock of another")
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.place, first.status, second.place) == (None, "disqualified", 1)
    assert sorted(place for place in places(event) if place) == [1, 2, 3]
    with pytest.raises(Refused, match="has already been disqualified"):
        disqualify_entrant(entrant=first, by=an_organiser(), reason="again")


def test_a_disqualification_in_the_middle_pairs_it_no_more() -> None:
    event = a_running(4, ROBIN)
    entrant = event.entrants.order_by("pk")[0]
    disqualify_entrant(entrant=entrant, by=an_organiser(), reason="two bots that are one")
    event = play_out(event)
    assert entrant.version
    assert entrant.version.seats.filter(match__set__event=event).values("match__set").distinct().count() == 1
    assert places(event)[0] is None


def test_who_is_disqualified_before_the_start_cannot_come_back() -> None:
    event = an_event([a_version().bot, a_version().bot, a_version().bot], ROBIN)
    entrant = event.entrants.order_by("pk")[0]
    disqualify_entrant(entrant=entrant, by=an_organiser(), reason="not a bot")
    for act in (
        lambda: register(event=event, bot=entrant.bot, by=entrant.bot.owner),
        lambda: withdraw_from_event(entrant=entrant, by=entrant.bot.owner),
    ):
        with pytest.raises(Refused, match="has been disqualified"):
            act()
    start_event(event=event, by=an_organiser())
    entrant.refresh_from_db()
    assert entrant.version is None


def test_registration_has_rules() -> None:
    event, version = an_event([]), a_version()
    with pytest.raises(Refused, match="belongs to somebody else"):
        register(event=event, bot=version.bot, by=a_user())
    register(event=event, bot=version.bot, by=version.bot.owner)
    with pytest.raises(Refused, match="is registered"):
        register(event=event, bot=version.bot, by=version.bot.owner)
    other = a_draft(ladder=a_ladder(players=2, game="network"))
    announce(event=other, by=an_organiser())
    with pytest.raises(Refused, match="is an event of Network"):
        register(event=other, bot=version.bot, by=version.bot.owner)
    draft = a_draft()
    with pytest.raises(Refused, match="takes no bots"):
        register(event=draft, bot=version.bot, by=version.bot.owner)


def test_an_event_is_announced_once_and_called_off_once() -> None:
    event = an_event([])
    with pytest.raises(Refused, match="has already been announced"):
        announce(event=event, by=an_organiser())
    call_off(event=event, by=an_organiser(), reason="nobody came")
    with pytest.raises(Refused, match="is over"):
        call_off(event=event, by=an_organiser(), reason="nobody came")
    with pytest.raises(Refused, match="cannot be started"):
        start_event(event=event, by=an_organiser())


def test_an_event_that_is_called_off_plays_nothing_more() -> None:
    event = a_running(4)
    call_off(event=event, by=an_organiser(), reason="the hall is on fire")
    assert {match_set.status for match_set in event.sets.all()} == {"cancelled"}
    assert (advance_events(), places(event)) == (0, [None] * 4)


def test_results_are_released_round_by_round() -> None:
    event = a_running(4, ROBIN, released=0)
    with pytest.raises(Refused, match=r"round 1 of .* has not been played"):
        release_round(event=event, by=an_organiser())
    for match_set in open_sets(event):
        play_set(match_set)
    release_round(event=event, by=an_organiser())
    assert fresh(event).released == 1
    event = play_out(event)
    release_round(event=event, by=an_organiser())
    assert fresh(event).released == 2
    release_round(event=event, by=an_organiser())
    assert fresh(event).released is None
    with pytest.raises(Refused, match="are public"):
        release_round(event=event, by=an_organiser())


def test_a_paused_ladder_holds_its_events_too() -> None:
    event = a_running(4, ROBIN)
    for match_set in open_sets(event):
        play_set(match_set)
    Ladder.objects.update(status=Ladder.Status.PAUSED)
    assert advance_events() == 0
    Ladder.objects.update(status=Ladder.Status.OPEN)
    assert advance_events() == 2


def test_while_nothing_is_over_to_look_after_events_is_one_query() -> None:
    a_running(4)
    a_draft()
    with CaptureQueriesContext(connection) as seen:
        assert advance_events() == 0
    assert len(seen) == 1


def test_an_event_that_cannot_be_played_does_not_stop_the_others() -> None:
    broken, sound = a_running(2, ROBIN), a_running(4, ROBIN)
    for match_set in [*open_sets(broken), *open_sets(sound)]:
        play_set(match_set)
    Event.objects.filter(pk=broken.pk).update(spec={"t": "chess"})
    assert advance_events() == 2
    assert FailingItem.objects.get().item == f"event {broken.slug}"


def test_an_entrant_is_named_by_its_bot_and_its_event() -> None:
    event = an_event([a_version().bot])
    assert str(Entrant.objects.get()) == f"{event.entrants.get().bot} in {event}"


def test_a_pairing_has_one_set_and_a_set_one_result() -> None:
    event = a_running(2, ROBIN)
    [match_set] = open_sets(event)
    versions = list(event.entrants.values_list("version", flat=True))
    again = {"event": event, "pairing": match_set.pairing, "round": match_set.round}
    with pytest.raises(IntegrityError, match="a_pairing_is_played_once"), transaction.atomic():
        deal_set(ladder=event.ladder, versions=[version for version in versions if version], lot="again", **again)
    sent = reports(order_of_set(match_set, claim(match_set=match_set)))
    assert [record_report(report) for report in sent] == ["recorded"] * 2
    assert [record_report(report) for report in sent] == ["already recorded"] * 2
    assert advance_events() == 1


def test_a_gauntlets_panel_is_of_bots_that_may_enter_when_it_is_drafted_and_when_it_is_announced() -> None:
    ladder, stranger = a_ladder(players=2), a_bot()
    panel = {"t": "gauntlet", "panel": [a_version().bot_id]}
    type(stranger).objects.filter(pk=stranger.pk).update(game="network")
    for bots, code in (([], "bad_panel"), ([stranger.pk], "unknown_panel"), ([0], "unknown_panel")):
        with pytest.raises(Refused) as refused:
            a_draft({"t": "gauntlet", "panel": bots}, ladder=ladder)
        assert refused.value.code == code
        draft = a_draft(panel, ladder=ladder)
        draft.spec |= {"panel": bots}
        draft.save()
        with pytest.raises(Refused) as refused:
            announce(event=draft, by=an_organiser())
        assert (refused.value.code, fresh(draft).status) == (code, "draft")
