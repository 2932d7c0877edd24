"""What organisers do to ladders, matches, workers, words and accounts; what it changes, and that it can be undone."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db.models import Model
from django.utils import timezone

from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, an_upload, play_set, rate
from tests.holding import KNOCKOUT, ROBIN, a_running, fresh, open_sets, play_out, play_round
from tournaments.core.errors import Refused
from tournaments.features.events.actions import CallOffEvent, DisqualifyEntrant
from tournaments.features.events.lifecycle import advance_events
from tournaments.features.events.plan import plan_of
from tournaments.ledger import acts
from tournaments.ledger.acts.arguments import parts
from tournaments.ledger.acts.base import Action
from tournaments.ledger.acts.of_space import OF_THE_SITE, PATHS
from tournaments.ledger.competitors.version_states import take_over
from tournaments.ledger.dispatch.leases import claim, release
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.activation import activate
from tournaments.ledger.matchmaking.ladder_sets import Waves, create_set, pair
from tournaments.models import Act, Announcement, Attempt, Entry, Ladder, Match, MatchSet, Result, User, Version, Worker

pytestmark = pytest.mark.django_db


def do(action: Action) -> Act:
    organiser = User.objects.filter(username="olga").first() or a_user("olga", staff=True)
    return action.do(by=organiser, reason="the test wants it")


def refusal(verb: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        verb()
    return refused.value.code


def rivals(count: int = 2, **fields: Any) -> tuple[Ladder, list[Version]]:
    ladder, versions = a_ladder(players=2, **fields), [a_version() for _ in range(count)]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return ladder, versions


def fielded_in(ladder: Ladder) -> set[int]:
    return {line.version_id for line in standings(Ladder.objects.get(pk=ladder.pk))}


def test_a_paused_ladder_pairs_nothing_until_it_is_resumed() -> None:
    ladder, _ = rivals()
    do(acts.Pause(ladder=ladder))
    assert pair() == 0
    assert refusal(lambda: do(acts.Pause(ladder=ladder))) == "wrong_status"
    do(acts.Resume(ladder=ladder))
    assert pair() > 0


def test_a_frozen_ladder_plays_on_with_the_bots_and_versions_it_had() -> None:
    ladder, versions = rivals()
    do(acts.Freeze(ladder=ladder))
    newer, late = a_version(versions[0].bot), a_version()
    entry = Entry.objects.get(bot=versions[0].bot)
    assert (
        refusal(lambda: enter_in_ladder(ladder=Ladder.objects.get(), bot=late.bot, by=late.bot.owner))
        == "ladder_frozen"
    )
    assert refusal(lambda: withdraw_bot(entry=entry, by=entry.bot.owner)) == "ladder_frozen"
    assert pair() > 0
    seated = set(MatchSet.objects.filter(number=1).values_list("matches__seats__version", flat=True))
    assert seated == {version.pk for version in versions} == fielded_in(ladder)
    do(acts.Thaw(ladder=ladder))
    assert fielded_in(ladder) == {newer.pk, versions[1].pk}
    assert not Entry.objects.exclude(pinned=None)


def test_who_is_suspended_in_a_frozen_ladder_stays_so_until_it_is_thawed() -> None:
    ladder, versions = rivals()
    Entry.objects.filter(bot=versions[0].bot).update(status=Entry.Status.SUSPENDED)
    do(acts.Freeze(ladder=ladder))
    a_version(versions[0].bot)
    assert Entry.objects.get(bot=versions[0].bot).status == "suspended"
    do(acts.Thaw(ladder=ladder))
    assert Entry.objects.get(bot=versions[0].bot).status == "playing"


def test_the_standings_of_a_closed_ladder_are_final() -> None:
    ladder, versions = rivals()
    a_completed_set(ladder, versions)
    waiting = create_set(ladder=ladder, versions=[version.pk for version in versions])
    rate()
    do(acts.Close(ladder=ladder))
    waiting.refresh_from_db()
    before = standings(Ladder.objects.get())
    a_version(versions[0].bot)
    assert (waiting.status, standings(Ladder.objects.get()), pair()) == ("cancelled", before, 0)
    do(acts.Reopen(ladder=ladder))
    assert standings(Ladder.objects.get()) != before


def test_settings_hold_for_what_is_sent_from_then_on() -> None:
    ladder, versions = rivals()
    first = create_set(ladder=ladder, versions=[version.pk for version in versions])
    act = do(acts.ChangeSettings(ladder=ladder, settings={"answer_ms": 1234, "pace_seconds": 7}))
    order = order_of_set(MatchSet.objects.get(pk=first.pk), claim(match_set=first))
    assert order.clock.answer_ms == 1234
    assert [(change["name"], change["after"]) for change in act.detail["changes"]] == [
        ("answer_ms", "1234"),
        ("pace_seconds", "7"),
    ]
    assert refusal(lambda: do(acts.ChangeSettings(ladder=ladder, settings={"strikes": 1}))) == "sets_under_way"
    assert refusal(lambda: do(acts.ChangeSettings(ladder=ladder, settings={"game": "x"}))) == "unknown_setting"


def test_after_an_upgrade_a_ladder_adopts_the_present_rules_and_its_open_sets_keep_theirs() -> None:
    ladder, versions = rivals()
    assert refusal(lambda: do(acts.AdoptRules(ladder))) == "nothing_changes"
    older = create_set(ladder=ladder, versions=[version.pk for version in versions])
    present, former = ladder.rules, ladder.rules + 7
    MatchSet.objects.filter(pk=older.pk).update(rules=former)
    Ladder.objects.filter(pk=ladder.pk).update(rules=former)
    assert pair() == 0
    act = do(acts.AdoptRules(ladder))
    assert act.detail["changes"] == [{"name": "rules", "before": str(former), "after": str(present)}]
    assert pair() > 0
    assert dict(MatchSet.objects.filter(ladder=ladder).values_list("rules", "pk"))[former] == older.pk
    assert set(MatchSet.objects.filter(ladder=ladder).exclude(pk=older.pk).values_list("rules", flat=True)) == {present}


def test_another_margin_moves_the_ratings_as_its_preview_says() -> None:
    ladder, versions = rivals(3)
    for first, second in ((0, 1), (1, 2), (2, 0)):
        a_completed_set(ladder, [versions[first], versions[second]])
    rate()
    action = acts.ChangeSettings(ladder=ladder, settings={"margin": 20, "anchor": versions[0].pk})
    [table] = action.preview().tables
    do(action)
    previewed = {line.bot: line.elo_after for line in table.lines}
    assert previewed == {line.bot: line.elo for line in standings(Ladder.objects.get())}
    assert previewed[versions[0].bot.name] == 1000.0
    assert recompute(ladder=Ladder.objects.get()) == {}


def fail_for_good(match_set: MatchSet) -> Match:
    """Fail a match as often as it takes."""
    for _ in range(5):
        for match in reversed(claim(match_set=match_set)):
            release(match=match, outcome=Attempt.Outcome.VOID, reason="it broke", failed=match.turn == 0)
    return Match.objects.select_related("set").get(set=match_set, turn=0)


def test_a_match_released_from_quarantine_is_played_and_its_failures_are_forgiven() -> None:
    ladder, versions = rivals()
    match = fail_for_good(create_set(ladder=ladder, versions=[version.pk for version in versions]))
    assert (match.status, match.set.status) == ("quarantined", "open")
    do(acts.Release(match=match))
    again = MatchSet.objects.get(pk=match.set_id)
    assert (again.status, again.reason, again.ended_at) == ("open", "", None)
    for match in claim(match_set=again):
        release(match=match, outcome=Attempt.Outcome.VOID, reason="it broke once more", failed=True)
        assert match.status == "waiting"  # one failure, not six
    play_set(again)
    again.refresh_from_db()
    assert again.status == "complete"


def test_a_check_released_from_quarantine_is_checked_again_unless_another_is() -> None:
    version = an_upload(a_bot())
    match = fail_for_good(version.check_set)
    version.refresh_from_db()
    assert version.status == "rejected"
    other = an_upload(version.bot)
    assert refusal(lambda: do(acts.Release(match=match))) == "not_releasable"
    play_set(other.check_set)
    do(acts.Release(match=match))
    play_set(MatchSet.objects.get(checks=version))
    version.refresh_from_db()
    assert version.status == "active"


def test_a_match_is_put_into_quarantine_by_hand() -> None:
    ladder, versions = rivals()
    made = create_set(ladder=ladder, versions=[version.pk for version in versions])
    [match, other] = claim(match_set=made)
    do(acts.Quarantine(match=match))
    statuses = list(Match.objects.filter(set=made).order_by("turn").values_list("status", flat=True))
    assert statuses == ["quarantined", "cancelled"]
    assert refusal(lambda: do(acts.Quarantine(match=other))) == "match_over"


def test_what_a_blocked_worker_played_since_a_time_is_voided_and_dealt_again() -> None:
    ladder, versions = rivals()
    before = a_completed_set(ladder, versions)
    now = timezone.now()
    lies = [a_completed_set(ladder, versions) for _ in range(2)]
    Result.objects.update(worker="liar/7")
    Result.objects.filter(match__set=lies[1]).update(worker="liars/7")
    rate()
    worker = Worker.objects.create(name="liar")
    act = acts.Block(worker=worker, void_since=now).do(by="the platform", reason="Two others say otherwise.")
    statuses = [MatchSet.objects.get(pk=match_set.pk).status for match_set in (before, *lies)]
    assert statuses == ["complete", "void", "complete"]
    assert MatchSet.objects.get(replaces=lies[0]).status == "open"
    worker.refresh_from_db()
    assert (worker.status, worker.reason, act.by) == ("blocked", "Two others say otherwise.", "the platform")
    assert act.detail["sets"] == [lies[0].pk]
    assert recompute(ladder=ladder) == {}
    do(acts.VoidWorked(worker=worker))
    assert MatchSet.objects.get(pk=before.pk).status == "void"
    do(acts.Welcome(worker=worker))
    assert refusal(lambda: do(acts.Welcome(worker=worker))) == "wrong_status"


def test_what_a_blocked_worker_plays_now_waits_for_another() -> None:
    ladder, versions = rivals()
    [match, _] = claim(match_set=create_set(ladder=ladder, versions=[version.pk for version in versions]))
    match.attempts.update(worker="liar/7", outcome=Attempt.Outcome.PLAYING)
    do(acts.Block(worker=Worker.objects.create(name="liar")))
    match.refresh_from_db()
    assert (match.status, match.attempts.get().outcome, match.attempts.get().failed) == ("waiting", "expired", False)


def test_a_set_is_not_dealt_again_to_a_bot_that_has_left() -> None:
    ladder, versions = rivals()
    played = a_completed_set(ladder, versions)
    withdraw_bot(entry=Entry.objects.get(bot=versions[0].bot), by=versions[0].bot.owner)
    do(acts.VoidSet(set=played))
    assert not MatchSet.objects.filter(replaces=played)
    assert refusal(lambda: do(acts.VoidSet(set=played))) == "not_voidable"


def test_a_voided_set_of_an_event_is_dealt_anew_under_its_pairing() -> None:
    event = play_out(a_running(3, ROBIN))
    played = event.sets.order_by("pk")[0]
    plan_of(event)  # what is remembered of it must not outlive the result
    do(acts.VoidSet(set=played))
    again = MatchSet.objects.get(replaces=played)
    assert (again.pairing, again.round, again.status) == (played.pairing, played.round, "open")
    assert (fresh(event).status, event.entrants.exclude(place=None).count()) == ("running", 0)
    play_round(event, event.entrants.order_by("pk")[0])
    advance_events()
    assert (fresh(event).status, event.entrants.exclude(place=None).count()) == ("finished", 3)
    assert not open_sets(event)


def test_a_result_that_later_rounds_were_paired_by_stands() -> None:
    event = play_out(a_running(4, KNOCKOUT))
    first, final = event.sets.order_by("pk")[0], event.sets.order_by("-pk")[0]
    assert refusal(lambda: do(acts.VoidSet(set=first))) == "not_voidable"
    do(acts.VoidSet(set=final))
    assert fresh(event).status == "running"


def test_an_announcement_is_withdrawn_and_stays_in_the_log() -> None:
    act = do(acts.Announce(text="Finals at nine."))
    assert Announcement.objects.get().text == "Finals at nine."
    do(acts.Withdraw(act=act))
    assert Announcement.objects.get().withdrawn
    assert refusal(lambda: do(acts.Withdraw(act=act))) == "no_announcement"


def test_an_account_is_shut_and_opened() -> None:
    user = a_user()
    do(acts.Deactivate(user=user))
    assert not User.objects.get(pk=user.pk).is_active
    do(acts.Activate(user=user))
    assert User.objects.get(pk=user.pk).is_active


def test_every_act_of_an_event_is_in_the_log_and_its_draft_is_not() -> None:
    event = play_out(a_running(2, ROBIN))
    do(DisqualifyEntrant(entrant=event.entrants.order_by("pk")[0]))
    kinds = list(Act.objects.filter(subject=f"event {event.slug}").order_by("number").values_list("kind", flat=True))
    assert kinds == ["announce_event", "start_event", "disqualify_entrant"]


def test_the_preview_of_an_events_act_writes_nothing() -> None:
    event = a_running(2, ROBIN)
    acts_before = Act.objects.count()
    assert CallOffEvent(event=event).preview().says == [f"{event} ends without a result."]
    assert (fresh(event).status, Act.objects.count(), len(open_sets(event))) == ("running", acts_before, 1)


def test_a_version_that_an_owner_rolls_back_to_may_be_disqualified_too() -> None:
    ladder, versions = rivals()
    Ladder.objects.update(version_pause=0)
    newer = a_version(versions[0].bot)
    do(acts.Disqualify(version=newer, ladder=ladder))
    assert fielded_in(ladder) == {versions[1].pk}
    assert Waves.of(Ladder.objects.get()).following(4) == []
    activate(version=Version.objects.get(pk=versions[0].pk), by=versions[0].bot.owner)
    assert fielded_in(ladder) == {version.pk for version in versions}
    take_over(version=newer)
    assert fielded_in(ladder) == {versions[1].pk}


def test_what_waits_for_rules_that_nobody_plays_is_cancelled_and_nothing_else() -> None:
    versions = [a_version().pk, a_version().pk]
    old = create_set(ladder=a_ladder(players=2, rules=98), versions=versions)
    new = create_set(ladder=a_ladder(players=2), versions=versions)
    done = do(acts.CancelOutdated(game="zaibatsu", rules=98))
    assert (done.subject, done.detail["sets"]) == ("version 98 of zaibatsu", [old.pk])
    assert [MatchSet.objects.get(pk=match_set.pk).status for match_set in (old, new)] == ["cancelled", "open"]
    assert refusal(lambda: do(acts.CancelOutdated(game="zaibatsu", rules=98))) == "nothing_waits"
    assert refusal(lambda: do(acts.CancelOutdated(game="zaibatsu", rules=new.rules))) == "nothing_waits"
    assert refusal(lambda: do(acts.CancelOutdated(game="chess", rules=2**62))) == "nothing_waits"


def kinds_of(action: type[Action]) -> Iterator[type[Action]]:
    yield action
    for kind in action.__subclasses__():
        yield from kinds_of(kind)


def test_of_all_that_an_action_can_be_about_it_is_known_to_which_space_it_belongs() -> None:
    placed = {*PATHS, *OF_THE_SITE, User}
    kinds = kinds_of(Action)  # type: ignore[type-abstract]
    about = {part.kind for action in kinds for part in parts(action)}
    assert {kind for kind in about if issubclass(kind, Model)} <= placed
