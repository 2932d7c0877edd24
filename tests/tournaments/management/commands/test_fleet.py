"""manage.py fleet: who is here, their tokens, and who of them may go on."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from redis import Redis

from tests.factories import a_completed_set, a_ladder, a_version
from tournaments.core.broker import queues
from tournaments.features.worker_door.tokens import worker_token_with
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Act, MatchSet, Worker
from workers.orders import TAG
from workers.process_heartbeats import WORKERS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue")]


def fleet(*arguments: str) -> str:
    out = StringIO()
    call_command("fleet", *arguments, stdout=out)
    return out.getvalue()


def put_online(*members: str) -> None:
    seconds, _ = queues.broker().time()
    queues.broker().zadd(WORKERS, dict.fromkeys(members, int(seconds) + 600))


def test_the_list_tells_of_each_worker_what_is_here_and_how_it_does() -> None:
    a_completed_set(a_ladder(players=2), [a_version(), a_version()])
    Worker.objects.create(name="gone", status=Worker.Status.DRAINED, reason="it is moved")
    put_online(f"tester/1 {TAG} python", f"tester/2 {TAG} c,python", "new/7 go-1,orders-3 python")
    head, *lines = fleet("list").splitlines()
    assert head.split()[:4] == ["NAME", "STATUS", "HERE", "OFFERS"]
    words = {line.split()[0]: line.split() for line in lines}
    assert words["tester"][1:4] == ["welcome", "2", "c,python"]
    assert words["tester"][-4:] == ["4", "0", "0", "this"]  # two checks and the two matches of the set
    assert "drained (it is moved)" in next(line for line in lines if line.startswith("gone"))
    assert words["new"][-1] == "go-1,orders-3"


def test_a_worker_that_comes_by_the_door_has_a_token_until_it_is_revoked() -> None:
    secret = fleet("token", "lab", "--offers", "rust, c").strip()
    token = worker_token_with(secret)
    assert token
    assert (token.worker.name, token.offers) == ("lab@_outside", "c,rust")
    assert "lab@_outside" in fleet("list")
    assert "worker lab@_outside.\n" in fleet("revoke", "lab@_outside", "--reason", "lost")
    assert worker_token_with(secret) is None
    wrong: tuple[str, ...]
    for wrong in (("token", "a b"), ("token", "lab", "--space", "no"), ("revoke", "lab@no")):
        with pytest.raises(CommandError):
            fleet(*wrong, *(("--reason", "lost") if wrong[0] == "revoke" else ()))


@pytest.mark.parametrize(("verb", "status"), [("drain", "drained"), ("block", "blocked")])
def test_a_worker_is_drained_blocked_and_welcomed_with_an_entry_in_the_log(verb: str, status: str) -> None:
    worker = Worker.objects.create(name="ada")
    assert "worker ada.\n" in fleet(verb, "ada", "--reason", "it is odd")
    worker.refresh_from_db()
    assert (worker.status, worker.reason) == (status, "it is odd")
    fleet("welcome", "ada", "--reason", "it is well")
    acts = Act.objects.filter(subject="worker ada").order_by("number").values_list("kind", "by", "reason")
    assert list(acts) == [
        (f"{verb}_worker", "the operator", "it is odd"),
        ("welcome_worker", "the operator", "it is well"),
    ]


def test_what_a_worker_played_since_a_time_can_be_voided_with_the_block() -> None:
    played = a_completed_set(a_ladder(players=2), [a_version(), a_version()])
    Worker.objects.create(name="tester")
    fleet("block", "tester", "--reason", "stolen", "--void-since", "2026-01-01")
    played.refresh_from_db()
    assert played.status == "void"


def test_what_waits_for_old_rules_is_listed_and_can_be_given_up() -> None:
    waits = create_set(ladder=a_ladder(players=2, rules=98), versions=[a_version().pk, a_version().pk])
    assert "1 sets wait for a worker and a recorder of version 98 of the rules of zaibatsu." in fleet("list")
    assert "1 set is cancelled" in fleet("cancel-outdated", "zaibatsu", "98", "--reason", "they are gone")
    waits.refresh_from_db()
    assert (waits.status, Act.objects.latest("number").kind) == ("cancelled", "cancel_outdated")
    assert "wait for" not in fleet("list")
    assert MatchSet.objects.filter(status="complete").count() == 2  # the checks of the versions


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["drain", "bob", "--reason", "x"], "no worker of the name 'bob' has been heard of; those that were: ada"),
        (["drain", "ada", "--reason", " "], "say why"),
        (["welcome", "ada", "--reason", "x"], "is welcome already"),
        (["block", "ada", "--reason", "x", "--void-since", "soon"], "'soon' is no time"),
        (["cancel-outdated", "zaibatsu", "98", "--reason", "x"], "no open set waits for version 98"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(arguments: list[str], sentence: str) -> None:
    Worker.objects.create(name="ada")
    with pytest.raises(CommandError, match=sentence):
        fleet(*arguments)


def test_while_the_broker_is_away_the_list_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, Redis.from_url("redis://127.0.0.1:1/0") as away:
        patch.setattr(queues, "broker", lambda: away)
        with pytest.raises(CommandError, match="the broker cannot be asked"):
            fleet("list")
