"""Matches are played again by other workers; who stands alone is blocked when its bots cannot explain it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import pytest
from django.test import Client

from engine.referee import Verdict
from engine.replay import read_replay
from tests.factories import a_bot, a_ladder, a_user, a_version, reports
from tournaments.audit.log import PLATFORM, head
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.ledger.acts.workers import Welcome
from tournaments.ledger.dispatch.leases import claim, release
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.matchmaking.spot_checks import assign
from tournaments.ledger.recording import reports as recording
from tournaments.ledger.recording.divergent_workers import block_diverging, conclude_spot_checks
from tournaments.ledger.recording.play_comparison import first_difference
from tournaments.models import Act, Attempt, Ladder, Match, MatchSet, Result, Worker
from workers.orders import TAG
from workers.process_heartbeats import OnlineProcess

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def every_match(settings: Any) -> None:
    settings.SPOT_CHECKS = 1.0


@pytest.fixture
def ladder() -> Ladder:
    return a_ladder(players=2)


def a_set(ladder: Ladder) -> MatchSet:
    """A set of two bots of two owners, which play there."""
    versions = [a_version() for _ in range(2)]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return create_set(ladder=ladder, versions=[version.pk for version in versions])


def play_as(
    worker: str, match_set: MatchSet, says: str = "the truth", faults: Mapping[int, Verdict] | None = None
) -> None:
    """Play and record a set as that worker does; what its bots answer depends on what it says. `faults`: by version."""
    Worker.objects.get_or_create(name=worker)
    order = order_of_set(match_set, claim(match_set=match_set))
    for report in reports(order, answers=says, faults=faults):
        assert recording.record_report(replace(report, worker=f"{worker}/1")) == "recorded"


def to_check() -> list[MatchSet]:
    return list(MatchSet.objects.filter(rechecks__isnull=False, status="open").order_by("pk"))


def checked(played: MatchSet, *plays: tuple[str, str]) -> None:
    """The set is played by the first, and each of its matches again by the others, who say what they say."""
    (first, says), *later = plays
    play_as(first, played, says)
    for other, report in later:
        for again in to_check():
            play_as(other, again, report)
        conclude_spot_checks()


def outcomes() -> list[str]:
    return list(MatchSet.objects.filter(rechecks__isnull=False).order_by("pk").values_list("reason", flat=True))


def online(*workers: str) -> AvailableWorkers:
    processes = tuple(OnlineProcess.of(worker, TAG, ["python"]) for worker in workers)
    return AvailableWorkers(processes, any_online=True, tags=(TAG,))


def test_a_match_is_played_again_on_the_same_deal_at_the_same_seats_and_counts_for_nothing(ladder: Ladder) -> None:
    played = a_set(ladder)
    play_as("ada", played)
    first, second = to_check()
    for again, match in zip((first, second), played.matches.order_by("turn"), strict=True):
        assert (again.rechecks, again.seed, again.number, again.needs) == (match, played.seed, None, "@")
        seats = [
            list(either.seats.order_by("number").values_list("version", flat=True))
            for either in (match, again.matches.get())
        ]
        assert seats[0] == seats[1]
    play_as("bob", first)
    assert not first.matches.get().rechecks.exists()  # it is not checked in its turn


def seated(match: Match) -> list[int]:
    return list(match.seats.order_by("number").values_list("version", flat=True))


def test_what_two_workers_agree_about_is_confirmed(ladder: Ladder) -> None:
    checked(a_set(ladder), ("ada", "the truth"), ("bob", "the truth"))
    assert outcomes() == ["confirmed"] * 2
    assert (conclude_spot_checks(), block_diverging()) == (0, 0)


@pytest.mark.parametrize(("alone", "says"), [("ada", ("lies", "true", "true")), ("bob", ("true", "lies", "true"))])
def test_who_stands_alone_against_two_about_bots_of_several_owners_is_blocked(
    ladder: Ladder, alone: str, says: tuple[str, ...]
) -> None:
    for number in range(2):  # at the first answers of two sets one bot or the other is first to differ
        checked(a_set(ladder), *zip(("ada", "bob", "eve"), (f"{what} {number}" for what in says), strict=True))
    assert block_diverging() == 1
    worker = Worker.objects.get(status=Worker.Status.BLOCKED)
    assert worker.name == alone
    diverged, blocked = Act.objects.filter(kind="worker_diverged").first(), Act.objects.get(kind="block_worker")
    assert diverged
    assert diverged.subject == blocked.subject == f"worker {alone}"
    assert Result.objects.filter(match__in=diverged.detail["plays"]).count() == 3
    assert blocked.detail["because_of_acts"]
    assert head().number == Act.objects.count()
    if alone == "ada":
        voided = MatchSet.objects.filter(status="void")
        assert {match_set.replacement.status for match_set in voided} == {"open"}
        assert not MatchSet.objects.filter(status="complete", number__isnull=False).exists()


def test_a_bot_that_draws_its_answers_gets_nobody_blocked(ladder: Ladder) -> None:
    owner = a_user()
    versions = [a_version(a_bot(owner)).pk for _ in range(2)]
    for number in range(3):
        played = create_set(ladder=ladder, versions=versions)
        alone, *agreeing = ("ada", "bob", "eve")[number:] + ("ada", "bob", "eve")[:number]
        checked(played, (alone, "heads"), *((other, "tails") for other in agreeing))
    assert Act.objects.filter(kind="worker_diverged").count() == 6
    assert block_diverging() == 0


def test_of_three_that_all_differ_nothing_is_said(ladder: Ladder) -> None:
    checked(a_set(ladder), ("ada", "one"), ("bob", "two"), ("eve", "three"))
    assert "no two plays agree: a bot is not repeatable" in outcomes()
    assert not Act.objects.filter(kind="worker_diverged").exists()


def test_where_bots_run_by_fuel_once_is_enough_and_what_others_confirmed_before_stays(ladder: Ladder) -> None:
    confirmed, other = a_set(ladder), a_set(ladder)
    checked(confirmed, ("ada", "true"), ("bob", "true"))
    checked(other, ("ada", "lies"), ("bob", "true"), ("eve", "true"))
    by_fuel(ladder)
    assert block_diverging() == 1
    confirmed.refresh_from_db()
    other.refresh_from_db()
    assert (confirmed.status, other.status) == ("complete", "void")


def test_a_worker_that_was_welcomed_again_begins_afresh(ladder: Ladder) -> None:
    checked(a_set(ladder), ("ada", "lies"), ("bob", "true"), ("eve", "true"))
    by_fuel(ladder)
    assert block_diverging() == 1
    Welcome(Worker.objects.get(name="ada")).do(by=PLATFORM, reason="mended")
    assert block_diverging() == 0


def by_fuel(ladder: Ladder) -> None:
    Ladder.objects.filter(pk=ladder.pk).update(division=Ladder.Division.FUEL)


@pytest.mark.parametrize("failure", [Verdict.TIMED_OUT, Verdict.CRASHED, Verdict.OUT_OF_MEMORY, Verdict.SECURITY])
def test_a_failure_that_no_other_worker_sees_is_always_played_again(
    ladder: Ladder, settings: Any, failure: Verdict
) -> None:
    settings.SPOT_CHECKS = 1e-9
    versions = seated_in(a_set(ladder))
    for number, worker in enumerate(("ada", "ada", "bob", "ada"), 1):
        play_as(worker, create_set(ladder=ladder, versions=versions), faults={versions[0]: failure})
        assert MatchSet.objects.filter(rechecks__isnull=False).count() == min(number, 2)
    play_as("ada", create_set(ladder=ladder, versions=versions), faults={versions[1]: failure})
    assert MatchSet.objects.filter(rechecks__isnull=False).count() == 3


def test_no_failure_is_played_again_on_a_site_without_spot_checks(ladder: Ladder, settings: Any) -> None:
    settings.SPOT_CHECKS = 0.0
    played = a_set(ladder)
    play_as("ada", played, faults={seated_in(played)[0]: Verdict.TIMED_OUT})
    assert to_check() == []


def seated_in(match_set: MatchSet) -> list[int]:
    return seated(match_set.matches.earliest("turn"))


def test_a_check_goes_to_a_worker_of_another_name_and_when_that_has_left_to_another(ladder: Ladder) -> None:
    play_as("ada", a_set(ladder))
    known_workers("bob", "eve")
    assign(online("ada/1", "ada/2"))
    assert {check.needs for check in to_check()} == {"@"}
    assign(online("ada/1", "bob/1"))
    assign(online("bob/1", "eve/1"))
    assert {check.needs for check in to_check()} == {"@bob/1"}
    assign(online("ada/1", "eve/1"))
    assert {check.needs for check in to_check()} == {"@eve/1"}


def known_workers(*workers: str) -> None:
    """Workers of which the site has heard."""
    Worker.objects.bulk_create(Worker(name=worker) for worker in workers)


def test_a_check_goes_to_no_worker_of_which_the_site_has_never_heard(ladder: Ladder) -> None:
    play_as("ada", a_set(ladder))
    known_workers("bob")
    assign(online("ada/1", "bob/1", *(f"ghost{number}/1" for number in range(50))))
    assert {check.needs for check in to_check()} == {"@bob/1"}


@pytest.mark.parametrize("outcome", ["broken", "void", "lost"])
def test_a_check_that_a_worker_spoils_goes_to_a_third(ladder: Ladder, outcome: str) -> None:
    play_as("ada", a_set(ladder))
    known_workers("bob", "eve")
    check, other = to_check()
    assign(online("bob/1"))
    spoil(check, "bob/1", outcome)
    assign(online("ada/1", "bob/1", "eve/1"))
    check.refresh_from_db()
    other.refresh_from_db()
    assert (check.status, check.needs, other.needs) == ("open", "@eve/1", "@bob/1")
    for _ in range(3):
        spoil(check, "eve/1", outcome)
        assign(online("bob/1", "eve/1"))
    check.refresh_from_db()
    assert check.needs in ("@bob/1", "@eve/1")  # there is nobody else


def spoil(check: MatchSet, worker: str, outcome: str) -> None:
    """Let happen to a check what may happen at a worker that does not want it played."""
    (report,) = reports(order_of_set(check, claim(match_set=check)))
    if outcome == "lost":
        leased = Match.objects.select_related("set").get(pk=report.match)
        release(match=leased, outcome=Attempt.Outcome.EXPIRED, reason="silence", failed=True, worker=worker)
    else:
        report = replace(report, worker=worker, outcome="void" if outcome == "void" else "played", replay=b"")
        recording.record_report(report)


def test_a_spot_check_is_shown_to_organisers_alone(ladder: Ladder, client: Client) -> None:
    checked(a_set(ladder), ("ada", "true"), ("bob", "true"))
    match = Match.objects.filter(set__rechecks__isnull=False).latest("pk")
    assert client.get(f"/matches/{match.pk}/").status_code == 404
    assert client.get(f"/api/v1/matches/{match.pk}").status_code == 404
    client.force_login(a_user(staff=True))
    page = client.get(f"/matches/{match.pk}/")
    assert f"spot check of match {match.set.rechecks_id}" in page.content.decode()
    assert client.get(f"/api/v1/matches/{match.pk}").status_code == 200


def test_who_takes_the_check_of_what_it_played_itself_confirms_nothing(ladder: Ladder) -> None:
    played = a_set(ladder)
    checked(played, ("ada", "lies"), ("ada", "lies"), ("bob", "true"), ("eve", "true"))
    assert "confirmed" not in outcomes()
    assert set(Act.objects.filter(kind="worker_diverged").values_list("subject", flat=True)) == {"worker ada"}


def test_the_first_difference_is_of_answers_and_not_of_times(ladder: Ladder) -> None:
    play_as("ada", a_set(ladder))
    replay = read_replay(bytes(Result.objects.latest("pk").replay))
    answers = cast("list[list[Any]]", replay.answers)
    slower = [[seat, action, ms + 1, *fault] for seat, action, ms, *fault in answers]
    other: list[object] = [*answers[:3], [answers[3][0], {"t": "other"}, 1.0], *answers[4:]]
    assert first_difference(replay, replace(replay, answers=[*slower])) is None
    assert first_difference(replay, replace(replay, answers=other)) == 3
    assert first_difference(replay, replace(replay, answers=replay.answers[:5])) == 5
    assert first_difference(replay, replace(replay, absent={"0": "crashed"})) == -1


def test_where_there_is_one_worker_no_pile_of_checks_grows(ladder: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.ledger.matchmaking.spot_checks.MOST_WAITING", 3)
    for _ in range(3):
        play_as("first", a_set(ladder))
    assert len(to_check()) == 3
    other = a_ladder(players=2)
    play_as("first", a_set(other))
    assert [again.ladder for again in to_check()] == [ladder] * 3 + [other] * 2, "each ladder has its own"
