"""The gate: candidates play their champion in duplicate sets, and a sequential test says what becomes of them."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.referee import Verdict
from tests.factories import a_bot, a_ladder, a_user, a_version, an_upload, play_set
from tournaments.core.broker.queues import broker
from tournaments.core.errors import Refused
from tournaments.features.trials.evidence import evidence_of, shares_of
from tournaments.features.trials.rules import TRIAL_MS, deal_trials, judge_trial, set_gate
from tournaments.ledger.dispatch.check_turns import RESTS, charge_check
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.activation import activate
from tournaments.ledger.matchmaking.ladder_sets import pair
from tournaments.models import Attempt, Ladder, Match, MatchSet, Seat, Spending, Trial, Version

pytestmark = pytest.mark.django_db


def a_champion(gate: str, players: int = 2) -> tuple[Ladder, Version]:
    ladder, champion = a_ladder(players=players), a_version()
    enter_in_ladder(ladder=ladder, bot=champion.bot, by=champion.bot.owner)
    set_gate(bot=champion.bot, gate=gate, by=champion.bot.owner)
    champion.bot.refresh_from_db()
    return ladder, champion


def a_candidate(champion: Version) -> Trial:
    candidate = an_upload(champion.bot)
    play_set(candidate.check_set)
    return Trial.objects.get(candidate=candidate)


def played_out(trial: Trial, loser: Version) -> Trial:
    """Let every set go against one of the two, until the trial is over."""
    while deal_trials():
        for match_set in trial.sets.filter(status=MatchSet.Status.OPEN):
            play_set(match_set, faults={loser.pk: Verdict.CRASHED})
    trial.refresh_from_db()
    return trial


def statuses(trial: Trial) -> tuple[str, str, str]:
    trial.candidate.refresh_from_db()
    trial.champion.refresh_from_db()
    return trial.status, trial.candidate.status, trial.champion.status


def test_without_a_gate_a_new_version_plays_at_once() -> None:
    _, champion = a_champion("off")
    candidate = an_upload(champion.bot)
    play_set(candidate.check_set)
    candidate.refresh_from_db()
    assert candidate.status == "active"
    assert not Trial.objects.exists()


@pytest.mark.parametrize("players", [2, 3])
def test_a_stronger_candidate_takes_over(players: int) -> None:
    _, champion = a_champion("auto", players)
    trial = a_candidate(champion)
    assert statuses(trial) == ("running", "candidate", "active")
    trial = played_out(trial, champion)
    assert statuses(trial) == ("promoted", "active", "retired")
    assert (trial.score, trial.played) == (1, 16)
    assert trial.llr == evidence_of(trial).llr > 3.14
    assert trial.reason == f"16 sets speak for +30 Elo against {champion}, not +0"


def test_a_stronger_candidate_waits_for_its_owner_who_may_promote_it_and_roll_back() -> None:
    _, champion = a_champion("ask")
    trial = played_out(a_candidate(champion), champion)
    assert statuses(trial) == ("passed", "retired", "active")
    activate(version=trial.candidate, by=champion.bot.owner)
    trial.refresh_from_db()
    assert statuses(trial) == ("promoted", "active", "retired")
    Version.objects.filter(pk=trial.candidate_id).update(activated_at=timezone.now() - timedelta(minutes=11))
    activate(version=champion, by=champion.bot.owner)
    assert statuses(trial) == ("promoted", "retired", "active")


def test_a_weaker_candidate_is_refused_and_its_sets_are_not_rated() -> None:
    ladder, champion = a_champion("auto")
    trial = a_candidate(champion)
    trial = played_out(trial, trial.candidate)
    assert statuses(trial) == ("refused", "retired", "active")
    assert trial.reason == f"16 sets speak for +0 Elo against {champion}, not +30"
    assert rate() == 0
    assert not ladder.ratings.exists()


def test_a_trial_that_the_bounds_do_not_end_is_ended_by_its_information() -> None:
    _, champion = a_champion("auto")
    trial = a_candidate(champion)
    Trial.objects.update(elo0=-200, elo1=190)
    loser = [trial.candidate, champion]
    while deal_trials():
        play_set(trial.sets.latest("pk"), faults={loser[trial.sets.count() % 2].pk: Verdict.CRASHED})
    trial.refresh_from_db()
    assert (trial.status, trial.played, trial.score) == ("promoted", 16, 0.5)
    assert 0 < trial.llr < 3
    assert trial.reason == f"16 sets speak for +190 Elo against {champion}, not -200"


def test_without_a_trial_under_way_no_sets_are_counted(django_assert_num_queries: Any) -> None:
    """Counting them took a seventh of the dispatcher's round, on a site with 100,000 matches waiting."""
    with django_assert_num_queries(1):
        assert deal_trials() == 0


def test_sets_count_in_the_order_of_their_numbers() -> None:
    """One that is over early waits for those before it."""
    _, champion = a_champion("auto")
    trial = a_candidate(champion)
    assert (deal_trials(), deal_trials(), deal_trials()) == (1, 1, 0)
    first, second = trial.sets.order_by("pk")
    play_set(second, faults={champion.pk: Verdict.CRASHED})
    assert shares_of(trial) == []
    trial.refresh_from_db()
    assert (trial.played, trial.score) == (0, 0.5)
    play_set(first, faults={trial.candidate_id: Verdict.CRASHED})
    assert shares_of(trial) == [0.0, 1.0]
    trial.refresh_from_db()
    assert (trial.played, trial.score) == (2, 0.5)


def test_sets_that_are_void_or_set_aside_hold_up_nobody_and_do_not_count() -> None:
    _, champion = a_champion("auto")
    trial = a_candidate(champion)
    deal_trials()
    deal_trials()
    first, second = trial.sets.order_by("pk")
    first.matches.update(status=Match.Status.QUARANTINED)
    play_set(second, faults={champion.pk: Verdict.CRASHED})
    assert shares_of(trial) == [1.0]
    deal_trials()
    third = trial.sets.latest("pk")
    play_set(third, faults={trial.candidate_id: Verdict.CRASHED})
    assert shares_of(trial) == [1.0, 0.0]
    MatchSet.objects.filter(pk=third.pk).update(status=MatchSet.Status.VOID)
    judge_trial(trial=trial)
    trial.refresh_from_db()
    assert (shares_of(trial), trial.played, trial.score) == ([1.0], 1, 1)


def test_games_without_places_of_both_do_not_count() -> None:
    _, champion = a_champion("auto")
    trial = a_candidate(champion)
    deal_trials()
    played = trial.sets.get()
    play_set(played, faults={champion.pk: Verdict.CRASHED})
    first, second = played.matches.order_by("pk")
    first.seats.filter(version=champion).update(place=None, score=None, verdict="")
    assert shares_of(trial) == [1.0]
    second.seats.filter(version=champion).delete()
    assert shares_of(trial) == []
    judge_trial(trial=trial)
    trial.refresh_from_db()
    assert (trial.played, trial.status) == (0, "running")


def test_ties_are_half() -> None:
    _, champion = a_champion("auto")
    trial = a_candidate(champion)
    deal_trials()
    played = trial.sets.get()
    play_set(played)
    Seat.objects.filter(match__set=played).update(place=1)
    assert shares_of(trial) == [0.5]


def test_a_trial_keeps_the_test_that_it_began_with() -> None:
    _, champion = a_champion("auto")
    set_gate(bot=champion.bot, gate="auto", gate_test="non_regression", by=champion.bot.owner)
    champion.bot.refresh_from_db()
    trial = a_candidate(champion)
    assert (trial.elo0, trial.elo1, trial.rule) == (-30, 0, 2)
    set_gate(bot=champion.bot, gate="auto", gate_test="balanced", by=champion.bot.owner)
    trial.refresh_from_db()
    assert (trial.elo0, trial.elo1, trial.status) == (-30, 0, "running")
    champion.bot.refresh_from_db()
    set_gate(bot=champion.bot, gate="ask", by=champion.bot.owner)
    champion.bot.refresh_from_db()
    assert (champion.bot.gate, champion.bot.gate_test) == ("ask", "balanced")


def test_a_newer_version_ends_the_trial_of_the_one_before() -> None:
    _, champion = a_champion("auto")
    first = a_candidate(champion)
    second = a_candidate(champion)
    first.refresh_from_db()
    assert statuses(first) == ("cancelled", "retired", "active")
    assert statuses(second) == ("running", "candidate", "active")


def test_opening_the_gate_ends_the_trial() -> None:
    _, champion = a_champion("auto")
    trial = a_candidate(champion)
    set_gate(bot=champion.bot, gate="off", by=champion.bot.owner)
    trial.refresh_from_db()
    assert statuses(trial) == ("cancelled", "retired", "active")
    assert deal_trials() == 0


def test_a_gate_is_its_owners_and_has_three_positions() -> None:
    bot = a_bot()
    with pytest.raises(Refused, match="belongs to somebody else"):
        set_gate(bot=bot, gate="off", by=a_user())
    with pytest.raises(Refused, match="is not a rule for new versions; the rules are off, ask, auto"):
        set_gate(bot=bot, gate="ajar", by=bot.owner)
    with pytest.raises(Refused, match="is not a test for new versions; the tests are gain, non_regression, balanced"):
        set_gate(bot=bot, gate="auto", gate_test="beauty", by=bot.owner)
    bot.refresh_from_db()
    assert (bot.gate, bot.gate_test) == ("off", "gain")


def test_a_trial_at_a_larger_table_has_bots_of_the_ladder_beside_it() -> None:
    ladder, champion = a_champion("auto", players=3)
    other = a_version()
    enter_in_ladder(ladder=ladder, bot=other.bot, by=other.bot.owner)
    trial = a_candidate(champion)
    deal_trials()
    seats = Seat.objects.filter(match__set__trial=trial).values_list("version", flat=True)
    assert set(seats) == {champion.pk, trial.candidate_id, other.pk}


def test_an_owner_has_one_trial_played_at_a_time_and_it_takes_no_room_from_ladders() -> None:
    ladder, champion = a_champion("auto")
    first = a_candidate(champion)
    other = a_version(a_bot(champion.bot.owner))
    enter_in_ladder(ladder=ladder, bot=other.bot, by=other.bot.owner)
    set_gate(bot=other.bot, gate="auto", by=other.bot.owner)
    other.bot.refresh_from_db()
    second = a_candidate(other)
    assert (deal_trials(), deal_trials(), deal_trials()) == (1, 1, 0)
    assert (first.sets.count(), second.sets.count()) == (2, 0)
    assert pair() == 4
    set_gate(bot=champion.bot, gate="off", by=champion.bot.owner)
    assert deal_trials() == 1
    assert second.sets.count() == 1


def test_a_trial_that_lasts_takes_turns_with_the_ladders_of_one_worker() -> None:
    _, champion = a_champion("auto")
    trial, owner = a_candidate(champion), champion.bot.owner_id
    broker().delete(RESTS.format(TRIAL_MS.name))
    deal_trials()
    play_set(trial.sets.get())
    assert Spending.objects.get(budget=TRIAL_MS.name).amount == 500  # two matches
    charge_check(TRIAL_MS, owner, 70.0, "tester/1")
    assert deal_trials() == 0
    broker().delete(RESTS.format(TRIAL_MS.name))
    assert (deal_trials(), deal_trials()) == (1, 0)
    (first, *_) = Attempt.objects.all()
    Attempt.objects.filter(pk=first.pk).update(worker="other/1", ended_at=timezone.now())  # a second worker
    charge_check(TRIAL_MS, owner, 70.0, "tester/1")
    assert deal_trials() == 1


def test_what_is_under_way_of_a_trial_that_is_cancelled_is_cancelled_too(
    django_capture_on_commit_callbacks: Any,
) -> None:
    _, champion = a_champion("auto")
    trial = a_candidate(champion)
    deal_trials()
    deal_trials()
    first, second = trial.sets.order_by("pk")
    play_set(first)
    with django_capture_on_commit_callbacks(execute=True):
        set_gate(bot=champion.bot, gate="off", by=champion.bot.owner)
    assert [match_set.status for match_set in trial.sets.order_by("pk")] == ["complete", "cancelled"]
    second.refresh_from_db()
    assert second.reason == "its trial has ended"
