"""The gate: candidates play their champion in duplicate sets, and a sequential test says what becomes of them."""

import pytest

from engine.referee import Verdict
from tests.factories import a_bot, a_ladder, a_user, a_version, an_upload, play_set
from tournaments.errors import Refused
from tournaments.ladders.classic_elo import rate
from tournaments.ladders.entries import enter
from tournaments.matchmaking.activation import activate
from tournaments.matchmaking.ladder_sets import pair
from tournaments.matchmaking.trials import MOST, go_on, set_gate, shares_of
from tournaments.models import Ladder, MatchSet, Seat, Trial, Version

pytestmark = pytest.mark.django_db


def a_champion(gate: str, players: int = 2) -> tuple[Ladder, Version]:
    ladder, champion = a_ladder(players=players), a_version()
    enter(ladder=ladder, bot=champion.bot, by=champion.bot.owner)
    set_gate(bot=champion.bot, gate=gate, by=champion.bot.owner)
    champion.bot.refresh_from_db()
    return ladder, champion


def a_candidate(champion: Version) -> Trial:
    candidate = an_upload(champion.bot)
    play_set(candidate.check_set)
    return Trial.objects.get(candidate=candidate)


def played_out(trial: Trial, loser: Version) -> Trial:
    """Every set goes against one of the two, until the trial is over."""
    while go_on():
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
    assert trial.score == 1
    assert trial.played >= 8


def test_a_stronger_candidate_waits_for_its_owner_who_may_promote_it_and_roll_back() -> None:
    _, champion = a_champion("ask")
    trial = played_out(a_candidate(champion), champion)
    assert statuses(trial) == ("passed", "retired", "active")
    activate(version=trial.candidate, by=champion.bot.owner)
    trial.refresh_from_db()
    assert statuses(trial) == ("promoted", "active", "retired")
    activate(version=champion, by=champion.bot.owner)
    assert statuses(trial) == ("promoted", "retired", "active")


def test_a_weaker_candidate_is_refused_and_its_sets_are_not_rated() -> None:
    ladder, champion = a_champion("auto")
    trial = a_candidate(champion)
    trial = played_out(trial, trial.candidate)
    assert statuses(trial) == ("refused", "retired", "active")
    assert "Elo stronger" in trial.reason
    assert rate() == 0
    assert not ladder.ratings.exists()


def test_a_trial_ends_undecided_after_so_many_sets() -> None:
    _, champion = a_champion("auto")
    trial = a_candidate(champion)
    loser = [trial.candidate, champion]
    while go_on():
        for number, match_set in enumerate(trial.sets.filter(status=MatchSet.Status.OPEN).order_by("pk")):
            play_set(match_set, faults={loser[number % 2].pk: Verdict.CRASHED})
        trial.refresh_from_db()
        assert trial.played <= MOST
    assert trial.status == "refused"


def test_the_shares_are_of_complete_sets_in_order() -> None:
    _, champion = a_champion("auto")
    trial = a_candidate(champion)
    assert go_on() == 1
    assert go_on() == 1
    assert go_on() == 0
    first, second = trial.sets.order_by("pk")
    play_set(second, faults={champion.pk: Verdict.CRASHED})
    assert shares_of(trial) == [1.0]
    play_set(first, faults={trial.candidate_id: Verdict.CRASHED})
    assert shares_of(trial) == [0.0, 1.0]


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
    assert go_on() == 0


def test_a_gate_is_its_owners_and_has_three_positions() -> None:
    bot = a_bot()
    with pytest.raises(Refused, match="belongs to somebody else"):
        set_gate(bot=bot, gate="off", by=a_user())
    with pytest.raises(Refused, match="is no rule for new versions; there are off, ask, auto"):
        set_gate(bot=bot, gate="ajar", by=bot.owner)


def test_a_trial_at_a_larger_table_has_bots_of_the_ladder_beside_it() -> None:
    ladder, champion = a_champion("auto", players=3)
    other = a_version()
    enter(ladder=ladder, bot=other.bot, by=other.bot.owner)
    trial = a_candidate(champion)
    go_on()
    seats = Seat.objects.filter(match__set__trial=trial).values_list("version", flat=True)
    assert set(seats) == {champion.pk, trial.candidate_id, other.pk}


def test_an_owner_has_one_trial_played_at_a_time_and_it_takes_no_room_from_ladders() -> None:
    ladder, champion = a_champion("auto")
    first = a_candidate(champion)
    other = a_version(a_bot(champion.bot.owner))
    enter(ladder=ladder, bot=other.bot, by=other.bot.owner)
    set_gate(bot=other.bot, gate="auto", by=other.bot.owner)
    other.bot.refresh_from_db()
    second = a_candidate(other)
    assert (go_on(), go_on(), go_on()) == (1, 1, 0)
    assert (first.sets.count(), second.sets.count()) == (2, 0)
    assert pair() == 4
    set_gate(bot=champion.bot, gate="off", by=champion.bot.owner)
    assert go_on() == 1
    assert second.sets.count() == 1
