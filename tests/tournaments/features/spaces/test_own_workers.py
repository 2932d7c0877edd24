"""Workers of a space's own: they play what is theirs and nothing else, first, and what they say harms nobody else."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from django.test import Client
from django.utils import timezone

from tests.factories import a_checked, a_ladder, a_user, a_version, an_upload, play_set, reports
from tests.spaces import a_space
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import AvailableWorkers, Players, players_for
from tournaments.core.errors import Refused
from tournaments.features.practice.seats import PERSON, Sample
from tournaments.features.practice.start import begin_practice
from tournaments.features.spaces import own_workers
from tournaments.features.spaces.actions import ChangeWorkers
from tournaments.features.worker_door.actions import AdmitWorker
from tournaments.features.worker_door.tokens import digest_of, new_worker_secret, worker_token_with
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.match_durations import site_lately
from tournaments.ledger.dispatch.orders import dispatch, order_of_set
from tournaments.ledger.dispatch.waiting_sets import sets_to_send
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.matchmaking.spot_checks import assign, play_match_again
from tournaments.ledger.matchmaking.wait_inputs import wait_figures, workers_for
from tournaments.ledger.recording import reports as recording
from tournaments.ledger.recording.divergent_workers import conclude_spot_checks
from tournaments.models import Ladder, MatchSet, Notice, Result, Space, User, Version, Worker
from workers.identity import space_of
from workers.orders import ORDERS, TAG, key_of, own_queue, queue_for
from workers.practice_orders import PRACTICES
from workers.process_heartbeats import PRACTISERS, WORKERS, OnlineProcess

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]
OURS, THEIRS = "lab@bio1", "pc@chess2"


def admit(name: str, space: Space) -> None:
    secret = new_worker_secret()
    AdmitWorker(name, space, digest_of(secret), None).do(by="the operator", reason="it is ours")


@pytest.fixture
def teacher() -> User:
    return a_user("tess")


@pytest.fixture
def space(teacher: User) -> Space:
    """A space with a worker bound to it."""
    space = a_space("bio1", organiser=teacher, members=[a_user("ann"), a_user("bob")])
    admit("lab", space)
    return space


def a_version_in(space: Space, name: str) -> Version:
    owner = User.objects.get(username=name)
    return a_checked(create_bot(owner=owner, game="zaibatsu", name=f"bot of {name}", space=space))


@pytest.fixture
def ladder(space: Space) -> Ladder:
    """A ladder of two bots of the space."""
    made = a_ladder("bio1-main", players=2, space=space, status=Ladder.Status.PAUSED)
    for name in ("ann", "bob"):
        made.entries.create(bot=a_version_in(space, name).bot)
    return made


@pytest.fixture
def sites() -> Ladder:
    made = a_ladder("open", players=2, status=Ladder.Status.PAUSED)
    for _ in range(2):
        made.entries.create(bot=a_version().bot)
    return made


def sets(ladder: Ladder, count: int) -> list[MatchSet]:
    versions = list(Version.objects.filter(bot__entries__ladder=ladder).values_list("pk", flat=True))
    return [create_set(ladder=ladder, versions=versions) for _ in range(count)]


def crew(*workers: str) -> AvailableWorkers:
    processes = tuple(OnlineProcess.of(worker, TAG, ["python"]) for worker in workers)
    return replace(AvailableWorkers.here(), workers=processes, any_online=True)


def sent(*workers: str) -> Counter[tuple[Ladder | None, str]]:
    """How many sets of each ladder go into which queue."""
    chosen = sets_to_send(crew(*workers), timedelta())
    return Counter((played.ladder, queue) for played, queue in chosen)


def announce(*workers: str, key: str = WORKERS, space: str = "") -> None:
    seconds, _ = queues.broker().time()
    members = dict.fromkeys((f"{worker} {TAG} python" for worker in workers), int(seconds) + 600)
    queues.broker().zadd(key_of(space, key), members)


# --- who it is ---------------------------------------------------------------------------------------------------


def test_the_operator_admits_a_worker_by_its_token(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("fleet", "token", "pc", "--space", "bio1")
    token = worker_token_with(capsys.readouterr().out.strip())
    assert token
    assert (token.worker.name, space_of(f"{token.worker.name}/1")) == ("pc@bio1", "bio1")
    assert list(space.workers.order_by("name").values_list("name", flat=True)) == [OURS, "pc@bio1"]
    announce("pc@bio1/1", space="bio1")
    call_command("fleet", "list")
    listed = {line.split()[0]: line.split()[2] for line in capsys.readouterr().out.splitlines() if "@" in line}
    assert listed == {OURS: "0", "pc@bio1": "1"}
    with pytest.raises(CommandError, match="no space at the address 'bio9'"):
        call_command("fleet", "token", "pc", "--space", "bio9")
    with pytest.raises(CommandError, match="name has letters"):
        call_command("fleet", "token", "p c", "--space", "bio1")


def test_where_a_spaces_workers_say_that_they_are_here_nobody_else_is_believed(space: Space) -> None:
    announce("east/1", "pc@chess2/1", "lab@bio1/9")
    announce("lab@bio1/1", "east/2", "pc@chess2/2", space="bio1")
    assert {worker.name for worker in AvailableWorkers.here().workers} == {"east/1", "lab@bio1/1"}


# --- what it is sent ---------------------------------------------------------------------------------------------


def test_a_space_is_played_by_its_own_workers_first_and_has_its_share_of_the_sites_besides(
    ladder: Ladder, sites: Ladder
) -> None:
    sets(ladder, 9)
    sets(sites, 9)
    spaces_queue = queue_for((), space="bio1")
    assert sent("lab@bio1/1") == {(ladder, spaces_queue): 2}
    assert sent("lab@bio1/1", "east/1", "west/1") == {
        (ladder, spaces_queue): 2,
        (ladder, ORDERS): 2,
        (sites, ORDERS): 2,
    }
    assert sent("east/1", "west/1") == {(ladder, ORDERS): 2, (sites, ORDERS): 2}


def test_a_space_may_take_its_own_workers_alone(ladder: Ladder, sites: Ladder, teacher: User) -> None:
    sets(ladder, 3)
    sets(sites, 3)
    assert ladder.space
    assert sent("east/1")[ladder, ORDERS] == 1
    ChangeWorkers(ladder.space, "own").do(by=teacher, reason="ours are here")
    assert sent("east/1") == {(sites, ORDERS): 2}
    assert sent("east/1", "lab@bio1/1") == {(sites, ORDERS): 2, (ladder, queue_for((), space="bio1")): 2}
    ChangeWorkers(ladder.space, "all").do(by=teacher, reason="ours are away")
    assert sent("east/1")[ladder, ORDERS] == 1


@pytest.mark.django_db(transaction=True)
def test_what_its_own_workers_hold_fills_no_queue_of_the_sites_and_counts_for_no_share(
    ladder: Ladder, sites: Ladder
) -> None:
    sets(ladder, 8)
    sets(sites, 8)
    announce("lab@bio1/1", "lab@bio1/2", space="bio1")
    assert dispatch() == 4
    assert MatchSet.objects.filter(at_own=True).count() == 4
    online = ("lab@bio1/1", "lab@bio1/2", "east/1", "west/1")
    assert sent(*online) == {(ladder, ORDERS): 2, (sites, ORDERS): 2}


def test_a_workers_languages_count_in_a_space_as_on_the_site(ladder: Ladder) -> None:
    Version.objects.filter(bot__owner__username="ann").update(need="c")
    sets(ladder, 2)
    assert ladder.space
    online = crew("lab@bio1/1", "east/1")
    assert players_for(online, ["c"], ladder.space) == Players(0)
    assert sets_to_send(online, timedelta()) == []
    c = replace(online, workers=(OnlineProcess.of("lab@bio1/1", TAG, ["c", "python"]),))
    assert {queue for _, queue in sets_to_send(c, timedelta())} == {f"{queue_for((), space='bio1')}:c"}


def test_checks_of_a_space_go_to_its_own_workers_and_those_of_others_never_do(space: Space) -> None:
    inside = an_upload(create_bot(owner=User.objects.get(username="ann"), game="zaibatsu", name="new", space=space))
    outside = an_upload(a_version().bot)
    by_queue = {queue: played.checks for played, queue in sets_to_send(crew("lab@bio1/1"), timedelta())}
    assert by_queue == {queue_for((), space="bio1"): inside}
    both = {played.checks: queue for played, queue in sets_to_send(crew("lab@bio1/1", "east/1"), timedelta())}
    assert both == {inside: queue_for((), space="bio1"), outside: ORDERS}


def test_a_worker_of_another_space_is_sent_nothing_of_it(ladder: Ladder, sites: Ladder) -> None:
    admit("pc", a_space("chess2"))
    sets(ladder, 2)
    sets(sites, 2)
    assert sent("pc@chess2/1") == {}


def test_what_was_dealt_before_its_first_worker_was_bound_goes_to_it_as_well(teacher: User, sites: Ladder) -> None:
    early = a_space("early", organiser=teacher)
    made = a_ladder("early-main", players=2, space=early, status=Ladder.Status.PAUSED)
    versions = [a_checked(create_bot(owner=teacher, game="zaibatsu", name=f"early {n}", space=early)) for n in range(2)]
    create_set(ladder=made, versions=[version.pk for version in versions])
    assert sent("pc@early/1") == {}
    admit("pc", early)
    assert sent("pc@early/1") == {(made, queue_for((), space="early")): 1}


# --- what its word is worth --------------------------------------------------------------------------------------


def test_what_it_says_of_time_promises_nobody_else_anything(ladder: Ladder, sites: Ladder) -> None:
    for played in (*sets(ladder, 1), *sets(sites, 1)):
        play_set(played)
    Result.objects.filter(match__set__ladder=ladder).update(worker=f"{OURS}/1", seconds=500.0)
    Result.objects.exclude(match__set__ladder=ladder).update(worker="east/1", seconds=1.0)
    assert max(site_lately()) == 1.0


def test_matches_of_a_space_are_played_again_by_the_sites_workers_unless_it_takes_its_own_alone(
    ladder: Ladder,
) -> None:
    (played,) = sets(ladder, 1)
    play_set(played)
    match = played.matches.order_by("turn")[0]
    Result.objects.filter(match=match).update(worker="lab@bio1/1")
    check = play_match_again(match)
    workers = ("lab@bio1/1", "pc@bio1/1", "east/1")
    for worker in ("pc@bio1", "east"):
        Worker.objects.get_or_create(name=worker)

    def chosen(*online: str) -> str:
        MatchSet.objects.filter(pk=check.pk).update(needs="@")
        assign(crew(*online))
        return MatchSet.objects.get(pk=check.pk).needs

    assert (chosen(*workers), chosen(*workers[:2])) == ("@east/1", "@")
    Space.objects.update(own_workers_alone=True)
    assert chosen(*workers) == "@pc@bio1/1"
    assert [queue for _, queue in sets_to_send(crew(*workers), timedelta())] == [own_queue("pc@bio1/1")]


def test_on_the_word_of_a_spaces_workers_none_of_the_sites_is_named(ladder: Ladder) -> None:
    (played,) = sets(ladder, 1)
    for worker in ("east", OURS, "pc@bio1"):
        Worker.objects.get_or_create(name=worker)
    match = played.matches.order_by("turn")[0]
    order = order_of_set(played, claim(match_set=played))
    assert {recording.record_report(replace(report, worker="east/1")) for report in reports(order)} == {"recorded"}
    for liar in (OURS, "pc@bio1"):
        check = play_match_again(match) if liar == OURS else MatchSet.objects.get(rechecks=match, status="open")
        lies = reports(order_of_set(check, claim(match_set=check)), answers="a lie")
        assert {recording.record_report(replace(report, worker=f"{liar}/1")) for report in lies} == {"recorded"}
        conclude_spot_checks()
    ended = MatchSet.objects.filter(rechecks=match).order_by("-pk")[0]
    assert "workers of its space alone contradict" in ended.reason
    play_set(play_match_again(match))  # by a worker of the site
    conclude_spot_checks()


# --- practices ---------------------------------------------------------------------------------------------------


def turns_in(queue: str) -> int:
    return int(queues.broker().llen(queue))


@pytest.mark.django_db(transaction=True)
def test_practices_of_a_space_go_to_its_own_practice_workers_while_they_are_here(ladder: Ladder) -> None:
    ann = User.objects.get(username="ann")
    begin_practice(by=ann, ladder=ladder, seats=[Sample("random"), PERSON], options={"first": 0})
    assert (turns_in(PRACTICES), turns_in(f"space:bio1:{PRACTICES}")) == (1, 0)
    announce("lab@bio1/1", key=PRACTISERS, space="bio1")
    begin_practice(by=ann, ladder=ladder, seats=[Sample("random"), PERSON], options={"first": 0})
    assert (turns_in(PRACTICES), turns_in(f"space:bio1:{PRACTICES}")) == (1, 1)


# --- waits -------------------------------------------------------------------------------------------------------


def test_a_spaces_promises_count_its_own_workers_and_those_of_others_do_not(ladder: Ladder, sites: Ladder) -> None:
    Ladder.objects.update(status=Ladder.Status.OPEN)
    announce("east/1")
    assert (workers_for("python", ladder.space), workers_for("python")) == (Players(1), Players(1))

    def interval(ladder: Ladder) -> float:
        figures = wait_figures(ladder, [], workers_for("python", ladder.space))
        return figures.lines / figures.workers

    before = interval(ladder), interval(sites)
    announce("lab@bio1/1", "lab@bio1/2", space="bio1")
    assert workers_for("python", ladder.space) == Players(1, 2)
    assert (workers_for("python"), interval(sites)) == (Players(1), before[1])
    assert interval(ladder) < before[0]
    Space.objects.update(own_workers_alone=True)
    ladder.refresh_from_db()
    assert workers_for("python", Space.objects.get(slug="bio1")) == Players(0, 2)


# --- all away ----------------------------------------------------------------------------------------------------


def space_notices() -> list[str]:
    return list(Notice.objects.filter(kind=Notice.Kind.SPACE).order_by("pk").values_list("text", flat=True))


def later(**time: float) -> None:
    Space.objects.update(away_since=F("away_since") - timedelta(**time))


def test_organisers_hear_once_that_all_their_workers_are_away_while_sets_wait(ladder: Ladder) -> None:
    assert own_workers.watch() == 0
    sets(ladder, 1)
    announce("lab@bio1/1", space="bio1")
    own_workers.watch()
    assert not Space.objects.exclude(away_since=None).exists()
    queues.broker().flushdb()
    own_workers.watch()
    later(minutes=4)
    assert (own_workers.watch(), space_notices()) == (0, [])
    later(minutes=2)
    assert (own_workers.watch(), own_workers.watch()) == (1, 0)
    (sentence,) = space_notices()
    assert sentence.startswith("No worker of Bio1 has been here for 5 minutes, and its sets wait: the site's play")
    announce("lab@bio1/1", space="bio1")
    own_workers.watch()
    assert not Space.objects.exclude(away_since=None).exists()


def test_a_space_that_takes_its_own_alone_is_told_that_nothing_is_played(ladder: Ladder) -> None:
    sets(ladder, 1)
    Worker.objects.all().delete()
    Space.objects.update(own_workers_alone=True, away_since=timezone.now() - timedelta(hours=1))
    own_workers.watch()
    assert space_notices()[0].endswith("nothing is played there until one comes, or the site's may play too.")


# --- the act -----------------------------------------------------------------------------------------------------


def test_organisers_of_the_space_say_whose_workers_play_and_see_how_theirs_do(space: Space, teacher: User) -> None:
    announce("lab@bio1/1", space="bio1")
    visitor = Client()
    visitor.force_login(teacher)
    page = visitor.get("/spaces/bio1/settings/").content.decode()
    assert "?worker=lab&amp;space=bio1" in page
    assert ">python</td>" in page
    assert visitor.get("/api/v1/spaces/bio1/workers").json()[0]["name"] == OURS
    with pytest.raises(Refused, match="is not one of own, all"):
        ChangeWorkers(space, "some").preview()
    with pytest.raises(Refused, match="is already set that way"):
        ChangeWorkers(space, "all").preview()
    with pytest.raises(Refused):
        ChangeWorkers(space, "own").do(by=a_user("member"), reason="mine")
    Worker.objects.all().delete()
    assert "It has none" in ChangeWorkers(space, "own").preview().says[-1]
